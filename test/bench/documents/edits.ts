// Measures what edits of long and deeply nested code cost the server while what they cost production is predicted: stalls and memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import type { LspClient } from '../../support/insitu/lsp-client.ts';
import { putProfile } from '../../support/insitu/lsp-store.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';
import { residentMiB } from '../record/processes.ts';
import type { BenchFigure, BenchRow } from '../row.ts';
import type { Stall } from '../stall.ts';
import { settled, stallFigures, watched } from './stalls.ts';

const LIMIT_MB = 300;
/** V8 gives back what is not held any more once a process has done nothing for some seconds. */
const IDLE_MILLIS = 12_000;
const METHODS = 2_500;
const MILLI = 1e6;
/** Each edit is typed over the one before. */
const EDITS = 7;

type Edited = {
  readonly label: string;
  /** Code of the method `run` with something in its innermost place. */
  readonly code: (inserted: string) => string;
  /** Methods around it; none when absent. */
  readonly methods?: number;
  readonly settings?: object;
  /** Whether the memory that is held afterwards is measured. */
  readonly isHeld?: false;
};

const branches = (count: number) => Array.from({ length: count }, (_, i) => `if (n == ${i}) find(${i});\n    else `);
const lines = (count: number) => Array.from({ length: count }, (_, i) => `    if (n > ${i}) find(${i});\n`).join('');

const EDITED: readonly Edited[] = [
  { label: '20,000 lines', code: inserted => `find(n); ${inserted}`, methods: METHODS },
  {
    label: '20,000 lines without predictions',
    code: inserted => `find(n); ${inserted}`,
    methods: METHODS,
    settings: { predict: { enabled: false } },
    isHeld: false,
  },
  { label: '20,000 lines of one method', code: inserted => lines(20_000) + inserted, isHeld: false },
  { label: '3,000 branches', code: inserted => `${branches(3_000).join('')}{ ${inserted} }` },
  {
    label: '2,000 nested loops',
    code: inserted => `${'for (int i = 0; i < 2; i++) '.repeat(2_000)}{ ${inserted} }`,
  },
  { label: '5,000 chained calls', code: inserted => `find(0)${'.next()'.repeat(5_000)}; ${inserted}` },
];

const editedRow: BenchRow = {
  name: 'longest stall for one edit, and the memory after seven, where response times predict what it costs',
  async run({ quick }) {
    const figures: BenchFigure[] = [];
    for (const edited of quick ? EDITED.slice(-3) : EDITED) figures.push(...(await afterEdits(edited, !quick)));
    return figures;
  },
};

async function afterEdits(edited: Edited, isIdle: boolean): Promise<BenchFigure[]> {
  const scratch = new ScratchRepository();
  try {
    const version = scratch.commit({ 'Shop.java': shopOf(edited, '') });
    const store = join(scratch.home, 'store');
    writeFileSync(join(scratch.root, 'insitu.json'), JSON.stringify({ project: 'acme', store, ...edited.settings }));
    await putProfile(store, timed(), { version });
    const folder = { root: scratch.root, uri: (name: string) => pathToFileURL(join(scratch.root, name)).href };
    return await watched(folder, async ({ client, longest: stall }) => {
      const uri = folder.uri('Shop.java');
      client.open(uri, shopOf(edited, ''));
      await client.hints(uri);
      await settled();
      const stalls = await typed({ client, uri, edited, stall });
      const pid = client.process.pid!;
      const figures: BenchFigure[] = [
        ...stallFigures(edited.label, stalls),
        { label: `${edited.label}, memory right after`, value: residentMiB(pid), unit: 'MB' },
      ];
      if (!isIdle || edited.isHeld === false) return figures;
      await new Promise(resolve => setTimeout(resolve, IDLE_MILLIS));
      const held = residentMiB(pid);
      return [...figures, { label: `${edited.label}, memory`, value: held, unit: 'MB', limit: { most: LIMIT_MB } }];
    });
  } finally {
    scratch.remove();
  }
}

type Typing = {
  readonly client: LspClient;
  readonly uri: string;
  readonly edited: Edited;
  readonly stall: () => Promise<Stall>;
};

async function typed({ client, uri, edited, stall }: Typing): Promise<Stall[]> {
  const stalls: Stall[] = [];
  let now = shopOf(edited, '');
  for (let edit = 1; edit <= EDITS; edit++) {
    const next = shopOf(edited, `rank(${'1'.repeat(edit)});`);
    await stall();
    client.change(uri, edit + 1, [changeTo(now, next)]);
    if ((await client.hints(uri)).length === 0) throw new Error('no hint came');
    await settled();
    stalls.push(await stall());
    now = next;
  }
  return stalls;
}

/** The one change that an editor sends for what was typed. */
function changeTo(before: string, after: string) {
  let start = 0;
  while (before[start] === after[start]) start++;
  let same = 0;
  while (same < before.length - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  const position = (offset: number) => {
    const lineStart = before.lastIndexOf('\n', offset - 1) + 1;
    return { line: before.slice(0, lineStart).split('\n').length - 1, character: offset - lineStart };
  };
  const range = { start: position(start), end: position(before.length - same) };
  return { range, text: after.slice(start, after.length - same) };
}

function shopOf({ code, methods = 0 }: Edited, inserted: string): string {
  const method = (_: unknown, i: number) => `  int method${i}(int n) {
    int c = n * ${i};
    for (int k = 0; k < n; k++) {
      c += other${i % 97}(k, "text");
    }
    if (c > 100) return find(c);
    return c;
  }
`;
  const others = Array.from({ length: methods }, method);
  return `class Shop {\n  int load() { return 1; }\n${others.slice(methods / 2).join('')}  int run(int n) {\n    ${code(inserted)}\n    return n;\n  }
${others.slice(0, methods / 2).join('')}  int find(int n) { return n; }\n  int rank(int n) { return n; }\n}\n`;
}

/** `run` finds five times; `rank` is called from elsewhere. */
function timed() {
  const profile = profileOfText('Shop.load | 30@2\nShop.run | 10@3\n  Shop.find :4 | 10@9\n  Shop.rank :4 | 10@9');
  const rows = methodRows(profile);
  const row = (name: string) => rows.get(`Shop.${name}`)!;
  const times = new GrowingTimes();
  for (let run = 0; run < 10; run++) {
    times.addCall(row('run'), 0, 0, 50 * MILLI);
    for (let find = 0; find < 5; find++) times.addCall(row('find'), row('run'), 0, 6 * MILLI);
    times.addCall(row('rank'), 0, 0, 3 * MILLI);
  }
  return { ...profile, times: times.finish()! };
}

export const editRows: readonly BenchRow[] = [editedRow];
