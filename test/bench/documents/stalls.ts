// Measures how long the server's thread is held up by long texts, many changes and many documents, with a monitor inside the server.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fingerprintsOf } from '../../../server/mapping/stale/source-fingerprints.ts';
import { openStore } from '../../../server/store/open-store.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { type LspClient, startServer } from '../../support/insitu/lsp-client.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';
import { snapshotOf } from '../../support/stores/snapshots.ts';
import { cpuSeconds } from '../record/processes.ts';
import { type BenchFigure, type BenchRow, median } from '../row.ts';
import { longest, MONITOR, type Stall } from '../stall.ts';

const BUNDLE = fileURLToPath(new URL('../../../dist/bin/insitu-lsp.cjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../server/cli/main.ts', import.meta.url));
const LIMIT_MILLIS = 50;
export const METHODS = 11_000;
/** After the answer, what follows from it goes on for a while. */
const SETTLED_MILLIS = 500;
/** Methods of it that have samples, each enough for a hint. */
const RUNNING = 50;
const REQUEST_LIMIT_MILLIS = 300;
/**
 * Of 40,000 changes, 4 MB of JSON: to parse them takes 25 to 35 ms, in one turn, because JSON.parse cannot be divided; each is then made in
 * less than a microsecond. No editor sends so many, and nobody notices what takes less than a tenth of a second.
 */
const LARGEST_MESSAGE_MILLIS = 100;
const ORDERS = ['forwards', 'backwards', 'in random order', 'at one point'] as const;
const PLACES = ['on disk', 'in git', 'in neither'] as const;

type Folder = { readonly root: string; readonly uri: (name: string) => string };
type Watched = { readonly client: LspClient; readonly longest: () => Promise<Stall> };

/** One class of 1.8 MB. */
export function largeClass(inserted: string): string {
  const method = (_: unknown, i: number) => `    int method${i}(int a, String b) {
        ${i === METHODS / 2 ? inserted : ''}return a * ${i} + b.length() + other${i % 97}(a, "text that fills the line up to where most lines end");
    }

`;
  return `class Large {\n${Array.from({ length: METHODS }, method).join('')}}\n`;
}

/** A folder whose data know the source of `Large` by its fingerprints, and by its commit in a repository. */
async function withFolder<T>(inGit: boolean, work: (folder: Folder) => Promise<T>): Promise<T> {
  const scratch = new ScratchRepository();
  const home = mkdtempSync(join(tmpdir(), 'insitu-bench-texts-'));
  const root = inGit ? scratch.root : home;
  try {
    const recorded = largeClass('');
    const version = inGit ? scratch.commit({ 'Large.java': recorded }) : '1';
    const store = join(home, 'store');
    writeFileSync(join(root, 'insitu.json'), JSON.stringify({ project: 'acme', store }));
    const snapshot = snapshotOf(
      profileOfText(Array.from({ length: RUNNING }, (_, i) => `Large.method${i} | 20@2`).join('\n')),
    );
    const execution = { ...snapshot.header.execution, project: 'acme', version };
    const sources = inGit ? [] : [fingerprintsOf(recorded, 'Large.java')];
    const put = await openStore(store).value!.put({ ...snapshot, header: { ...snapshot.header, execution }, sources });
    if (put.value === null) throw new Error(JSON.stringify(put.problems));
    return await work({ root, uri: name => pathToFileURL(join(root, name)).href });
  } finally {
    scratch.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A server that has loaded its data, and what its monitor says of the time since the last question. */
export async function watched<T>({ root, uri }: Folder, work: (watched: Watched) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-stall-'));
  const file = join(folder, 'longest');
  const start = [
    ...['--import', `data:text/javascript,${encodeURIComponent(MONITOR)}`],
    ...(existsSync(BUNDLE) ? [BUNDLE, '--stdio'] : [MAIN, 'lsp', '--stdio']),
  ];
  const client = await startServer({ folders: [root], capabilities: {}, start, env: { INSITU_BENCH_STALL: file } });
  try {
    client.open(uri('Small.java'), 'class Small {}\n');
    await client.hints(uri('Small.java'));
    await longest(client, file);
    return await work({ client, longest: () => longest(client, file) });
  } finally {
    client.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The limit is on the processor time: any other program of the machine makes the event loop late. */
export function stallFigures(label: string, stalls: readonly Stall[], most = LIMIT_MILLIS): BenchFigure[] {
  const [lags, busy] = [stalls.map(({ lag }) => lag), stalls.map(each => each.busy)];
  const value = median(busy);
  return [
    { label: `${label}, lag`, value: median(lags), best: Math.min(...lags), unit: 'ms' },
    {
      label: `${label}, processor time`,
      value,
      best: Math.min(...busy),
      unit: 'ms',
      limit: { most },
    },
  ];
}

export function settled(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, SETTLED_MILLIS));
}

const openedRow: BenchRow = {
  name: 'longest stall while a text of 1.8 MB is opened',
  async run({ quick }) {
    const figures: BenchFigure[] = [];
    for (const place of PLACES)
      await withFolder(place === 'in git', async folder => {
        if (place === 'on disk') writeFileSync(join(folder.root, 'Large.java'), largeClass(''));
        const stalls: Stall[] = [];
        for (let round = 0; round < (quick ? 1 : 5); round++) stalls.push(await watched(folder, whileOpened(folder)));
        figures.push(...stallFigures(place, stalls));
      });
    return figures;
  },
};

function whileOpened({ uri }: Folder) {
  return async ({ client, longest: stall }: Watched): Promise<Stall> => {
    client.open(uri('Large.java'), largeClass('int x = 1; '));
    if ((await client.hints(uri('Large.java'))).length === 0) throw new Error('no hint came');
    await settled();
    if ((await client.hints(uri('Large.java'))).length < RUNNING / 2) throw new Error('hints are missing');
    return await stall();
  };
}

const changesRow: BenchRow = {
  name: 'longest stall for many changes in one message, text of 1 MB',
  async run({ quick }) {
    const figures: BenchFigure[] = [];
    await withFolder(false, folder =>
      watched(folder, async ({ client, longest: stall }) => {
        const line = '    int value = a + b; // four words of the line that are replaced\n';
        const text = line.repeat(Math.ceil(1e6 / line.length));
        for (const [count, order] of [10_000, 40_000].flatMap(each => ORDERS.map(order => [each, order] as const))) {
          const stalls: Stall[] = [];
          for (let round = 0; round < (quick ? 2 : 5); round++) {
            const uri = folder.uri(`Many${count}${order}${round}.java`);
            client.open(uri, text);
            await client.hints(uri);
            await settled();
            await stall();
            client.change(uri, 2, manyChanges(text, count, order, round));
            await client.hints(uri);
            stalls.push(await stall());
          }
          const most = count === 40_000 ? LARGEST_MESSAGE_MILLIS : LIMIT_MILLIS;
          figures.push(...stallFigures(`${count.toLocaleString('en')} ranges, ${order}`, stalls, most));
        }
      }),
    );
    return figures;
  },
};

/** Replaces words of three characters by longer ones, several in a line where there are not lines enough; or types at one point. */
function manyChanges(text: string, count: number, order: string, round: number): readonly unknown[] {
  if (order === 'at one point') {
    const at = { line: 5_000, character: 4 };
    return Array.from({ length: count }, () => ({ range: { start: at, end: at }, text: 'total ' }));
  }
  const lines = text.split('\n').length - 1;
  const inLine = Math.ceil(count / lines);
  const places = Array.from({ length: count }, (_, i) => i);
  if (order === 'in random order') shuffle(places, round);
  const changes = places.map(i => {
    const line = Math.floor(i / inLine);
    const nth = i % inLine;
    const character = 4 + nth * 8 + (order === 'forwards' ? nth * 2 : 0);
    return { range: { start: { line, character }, end: { line, character: character + 3 } }, text: 'total' };
  });
  return order === 'backwards' ? changes.reverse() : changes;
}

function shuffle(places: number[], seed: number): void {
  let state = seed;
  for (let i = places.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const other = state % (i + 1);
    [places[i], places[other]] = [places[other]!, places[i]!];
  }
}

const longEditRow: BenchRow = {
  name: 'longest stall for one edit in a document of 50 MB',
  async run({ quick }) {
    const megabytes = quick ? 20 : 50;
    const method = '  int method(int a) {\n    return queue.take(a + 1);\n  }\n';
    const text = `class Large {\n${method.repeat(Math.ceil((megabytes * 2 ** 20) / method.length))}}\n`;
    return withFolder(false, folder =>
      watched(folder, async ({ client, longest: stall }) => {
        const uri = folder.uri('Long.java');
        client.open(uri, text);
        await client.hints(uri);
        await settled();
        const stalls: Stall[] = [];
        for (let edit = 0; edit < 9; edit++) {
          await stall();
          const at = { line: edit % 2 === 0 ? 10 + edit : 600_000, character: 2 };
          client.change(uri, edit + 2, [{ range: { start: at, end: at }, text: 'x' }]);
          await client.connection.sendRequest('insitu/status', {});
          stalls.push(await stall());
        }
        return stallFigures(`${megabytes} MB`, stalls);
      }),
    );
  },
};

const atOnceRow: BenchRow = {
  name: 'the request behind 2,000 documents that are opened at once',
  async run({ quick }) {
    const count = quick ? 500 : 2_000;
    return withFolder(false, async folder => {
      const [waits, busy]: [number[], number[]] = [[], []];
      for (let round = 0; round < (quick ? 2 : 5); round++)
        await watched(folder, async ({ client }) => {
          const before = cpuSeconds(client.process.pid!);
          for (let i = 0; i < count; i++) {
            const text = `package p${i % 100};\nclass Type${i} {\n  void run() {\n    queue.take();\n  }\n}\n`;
            client.open(folder.uri(`p${i % 100}/Type${i}.java`), text);
          }
          const asked = performance.now();
          await client.connection.sendRequest('insitu/status', {});
          waits.push(performance.now() - asked);
          busy.push((cpuSeconds(client.process.pid!) - before) * 1_000);
        });
      const value = median(busy);
      return [
        { label: `${count}`, value: median(waits), best: Math.min(...waits), unit: 'ms' },
        {
          label: `${count}, processor time`,
          value,
          best: Math.min(...busy),
          unit: 'ms',
          limit: { most: REQUEST_LIMIT_MILLIS },
        },
      ];
    });
  },
};

export const stallRows: readonly BenchRow[] = [openedRow, changesRow, longEditRow, atOnceRow];
