// Changes of the sample of known effect: time planted into methods, and changes that cost nothing; recorded as forks, each change a commit.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFiles } from '../../../server/analysis/load-file.ts';
import type { ComparedTrees, Report } from '../../../server/features/compare/compare-answer.ts';
import type { Engine } from '../engines/engines.ts';
import { ScratchRepository } from '../git/scratch-repository.ts';
import { insituProgram } from '../insitu/program.ts';
import { loadedFrom } from '../profiles/loaded.ts';
import { compileShop, type Edit, recordFork, SOURCES, samples, writeShop } from './forks.ts';

/** Turns of the planted loop that each place has in the run that tells how long they take. */
const FIRST_TURNS = 100_000;

/** A method that is called at its own rate; `at` is where its code begins, `before` the text in front of it. */
type Place = { readonly method: string; readonly file: string; readonly before: string; readonly at: string };

const PLACES: readonly Place[] = [
  {
    method: 'com.acme.shop.Shop.search',
    file: 'Shop.java',
    before: '    /** Products that match a query, best first. */',
    at: '        Query query = QueryParser.parse(text, index.tokenizer());',
  },
  {
    method: 'com.acme.shop.Shop.review',
    file: 'Shop.java',
    before: "    /** How many words of a review stand in the product's own description. */",
    at: '        int known = 0;',
  },
  {
    method: 'com.acme.shop.load.Processor.process',
    file: 'load/Processor.java',
    before: '    private void process(Order order) throws IOException {',
    at: '        Money total = shop.prices().price(order);',
  },
  {
    method: 'com.acme.shop.store.Journal.append',
    file: 'store/Journal.java',
    before: "    /** Remembers an order; a full batch is written by the caller's thread. */",
    at: '        String line = format(order);',
  },
];

/** One change of the sample. `points` of everything on the base side are planted into `place`; none where it is null. */
export type PlantedChange = {
  readonly name: string;
  readonly points: number;
  readonly place: Place | null;
  readonly edits: readonly Edit[];
  /** Files of the sample's second version, which take the place of the first one's. */
  readonly files?: readonly string[];
};

/** A loop that no compiler can leave out or shorten. */
function loop(turns: number): string {
  const next = 'planted = Integer.rotateLeft(planted, 5) ^ (planted * 31 + i)';
  return `        int planted = hashCode();
        for (int i = 0; i < ${Math.round(turns)}; i++) {
            ${next};
        }
        if (planted == 42) {
            System.out.print(planted);
        }
`;
}

/** In the method itself, or in a new method that it calls. */
function plant({ file, before, at }: Place, turns: number, isOwnMethod: boolean): Edit[] {
  if (!isOwnMethod) return [{ file, from: at, to: `${loop(turns)}${at}` }];
  const method = `    private void planted() {\n${loop(turns)}    }\n\n`;
  return [
    { file, from: at, to: `        planted();\n${at}` },
    { file, from: before, to: `${method}${before}` },
  ];
}

/** Four places with each of the effects in points; `turnsOf` tells the turns of a place for so many points. */
export function plantedChanges(
  turnsOf: (method: string, points: number) => number,
  effects: readonly number[] = [5, 10, 20],
): PlantedChange[] {
  return effects.flatMap(points =>
    PLACES.map((place, i) => ({
      name: `${points} points in ${place.method.split('.').slice(-2).join('.')}`,
      points,
      place,
      edits: plant(place, turnsOf(place.method, points), i % 2 === 1),
    })),
  );
}

const SEARCH = 'public List<Product> search(String text, int limit) throws QuerySyntaxException {';

/** Changes that cost nothing. */
export const idleChanges: readonly PlantedChange[] = [
  {
    name: 'renamed method',
    edits: [
      { file: 'search/Ranker.java', from: 'sum += scoreOf(', to: 'sum += relevanceOf(' },
      { file: 'search/Ranker.java', from: 'double scoreOf(', to: 'double relevanceOf(' },
    ],
  },
  {
    name: 'method moved to another class, static there',
    edits: [{ file: 'search/QueryParser.java', from: 'tokenizer.stem(word)', to: 'Stemmer.stem(word)' }],
    files: ['search/Tokenizer.java', 'search/Stemmer.java'],
  },
  {
    name: 'wrapper that delegates',
    edits: [
      {
        file: 'Shop.java',
        from: SEARCH,
        to: `${SEARCH}\n        return found(text, limit);\n    }\n\n    ${SEARCH.replace('public', 'private').replace('search(', 'found(')}`,
      },
    ],
  },
  {
    name: 'reformatted',
    edits: [
      {
        file: 'store/Journal.java',
        from: '        String line = format(order);\n        List<String> batch;\n',
        to: '\n        // The line without its check sum.\n        String line =\n                format(order);\n\n        List<String> batch;\n\n',
      },
    ],
  },
  {
    name: 'extracted method',
    edits: [
      {
        file: 'store/Journal.java',
        from: '        for (Order.Line part : order.lines()) {',
        to: '        parts(order, line);\n        return line.toString();\n    }\n\n    private static void parts(Order order, StringBuilder line) {\n        for (Order.Line part : order.lines()) {',
      },
      { file: 'store/Journal.java', from: '        }\n        return line.toString();\n', to: '        }\n' },
    ],
  },
  {
    name: 'comment above everything',
    edits: [
      {
        file: 'pricing/PriceEngine.java',
        from: 'package com.acme.shop.pricing;',
        to: '// Prices\n// of\n// orders.\npackage com.acme.shop.pricing;',
      },
    ],
  },
  {
    name: 'renamed variable',
    edits: [
      {
        file: 'load/Processor.java',
        from: '                Order order = queue.poll(20);\n                if (order != null) {\n                    process(order);',
        to: '                Order next = queue.poll(20);\n                if (next != null) {\n                    process(next);',
      },
    ],
  },
  {
    name: 'new method that nothing calls',
    edits: [
      {
        file: 'store/Checksum.java',
        from: '    public static int of(String text) {',
        to: '    /** Nothing. */\n    public static int nothing() {\n        return 0;\n    }\n\n    public static int of(String text) {',
      },
    ],
  },
].map(change => ({ points: 0, place: null, ...change }));

/** The result of a comparison for one change. */
export type Outcome = {
  readonly change: PlantedChange;
  readonly reports: readonly (Report & { readonly commit: { readonly hash: string } | null })[];
  /** `found`: slower, at the planted place and with its commit, whatever else is reported. */
  readonly verdict: 'found' | 'cannot tell' | 'same' | 'nothing' | 'something else';
};

/** The sample, a commit a change, with forks of each in a store. */
export class PlantedForks {
  readonly #jdk: Engine;
  readonly #orders: number;
  readonly #home = mkdtempSync(join(tmpdir(), 'insitu-planted-'));
  readonly #repository = new ScratchRepository();
  readonly #commits = new Map<string, string>();

  constructor(jdk: Engine, orders: number) {
    this.#jdk = jdk;
    this.#orders = orders;
  }

  /** How many turns each place needs for so many points, told by one run in which all of them have some. */
  async turns(): Promise<(method: string, points: number) => number> {
    const folder = join(this.#home, 'turns');
    const edits = PLACES.flatMap((place, i) =>
      plant(place, FIRST_TURNS, true).map(({ file, from, to }) => ({
        file,
        from,
        to: to.replace('planted()', `planted${i}()`),
      })),
    );
    writeShop(folder, 'v1', edits);
    await compileShop(this.#jdk, folder);
    const file = join(folder, 'turns.jfr');
    await recordFork(this.#jdk, folder, file, this.#orders);
    const { value, problems } = await loadFiles([file], { project: 'shop', program: 'shop', version: null });
    if (value === null) throw new Error(JSON.stringify(problems));
    const { profile, values, analysis } = loadedFrom(value.profile);
    const { strings, name } = profile.methods;
    const planted = PLACES.map((_, i) => {
      const row = Array.from(name).findIndex(each => strings[each] === `planted${i}`);
      return row < 0 ? 0 : values.total.weight[row]!;
    });
    const rest = analysis.whole.weight - planted.reduce((sum, weight) => sum + weight, 0);
    return (method, points) => {
      const at = PLACES.findIndex(place => place.method === method);
      return (FIRST_TURNS * (points / 100)) / (planted[at]! / rest);
    };
  }

  /** Records forks in rounds: the base `bases` times a round, each change once. */
  async record(changes: readonly PlantedChange[], rounds: number, bases: number): Promise<void> {
    const base = join(this.#home, 'base');
    writeShop(base, 'v1');
    await compileShop(this.#jdk, base);
    this.#commits.set('base', this.#repository.commitFolder(join(base, 'src')));
    this.#repository.git('tag', 'base');
    const folders = [base];
    for (const [i, change] of changes.entries()) {
      const folder = join(this.#home, `change-${i}`);
      writeShop(folder, 'v1', change.edits);
      for (const file of change.files ?? [])
        copyFileSync(join(samples, 'shop/v2', SOURCES, file), join(folder, SOURCES, file));
      await compileShop(this.#jdk, folder);
      this.#repository.git('checkout', '--quiet', '-B', 'change', 'base');
      this.#commits.set(change.name, this.#repository.commitFolder(join(folder, 'src')));
      this.#repository.git('tag', `change-${i}`);
      folders.push(folder);
    }
    const files = new Map<string, string[]>(folders.map(folder => [folder, []]));
    for (let round = 0; round < rounds; round++)
      for (const folder of [...Array.from({ length: bases - 1 }, () => base), ...folders]) {
        const file = join(folder, `fork-${files.get(folder)!.length}.jfr`);
        await recordFork(this.#jdk, folder, file, this.#orders);
        files.get(folder)!.push(file);
      }
    for (const [i, folder] of folders.entries())
      this.#run('import', ...files.get(folder)!, '--version', i === 0 ? 'base' : `change-${i - 1}`);
  }

  /** The results of comparing each change with the base. */
  outcomes(changes: readonly PlantedChange[]): Outcome[] {
    return changes.map((change, i) => {
      const text = this.#run('compare', 'base', `change-${i}`, '--scale', 'absolute', '--format', 'json');
      const found = text.startsWith('{')
        ? (JSON.parse(text) as Pick<ComparedTrees, 'methods'> & Pick<Outcome, 'reports'>)
        : { methods: [], reports: [] };
      return { change, reports: found.reports, verdict: this.#verdictOf(change, found) };
    });
  }

  #verdictOf(
    { place, name }: PlantedChange,
    { methods, reports }: Pick<ComparedTrees, 'methods'> & Pick<Outcome, 'reports'>,
  ): Outcome['verdict'] {
    if (place === null) return reports.length === 0 ? 'nothing' : 'something else';
    const owner = place.method.slice(0, place.method.lastIndexOf('.'));
    const isPlace = ({ className, method }: { readonly className: string; readonly method: string }) =>
      className === owner && [place.method.slice(owner.length + 1), 'planted'].includes(method);
    const isTold = reports.some(
      ({ context, verdict, commit }) =>
        verdict === 'slower' && context !== null && isPlace(context) && commit?.hash === this.#commits.get(name),
    );
    if (isTold) return 'found';
    if (reports.length > 0) return 'something else';
    return methods.some(each => isPlace(each) && each.verdict === 'same') ? 'same' : 'cannot tell';
  }

  #run(...args: readonly string[]): string {
    const where = ['--store', join(this.#home, 'store'), '--project', 'shop', '--program', 'shop'];
    return execFileSync(process.execPath, [insituProgram, ...args, ...where], {
      cwd: this.#repository.root,
      env: { ...process.env, ...this.#repository.env },
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  }

  remove(): void {
    this.#repository.remove();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}
