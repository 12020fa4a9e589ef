// Measures the language server with many documents open, and with documents that are larger than it looks into.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openedText } from '../../server/mapping/recorded/profiled-text.ts';
import { KeptMapping } from '../../server/workspace/document/kept-mapping.ts';
import { KeptOutline } from '../../server/workspace/document/kept-outline.ts';
import { type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { profileOfText } from '../support/profiles/profiles.ts';
import { editRows } from './documents/edits.ts';
import { largeClass, METHODS, stallRows } from './documents/stalls.ts';
import { cpuSeconds, residentMiB } from './record/processes.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));
const START = existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {};
const COUNTS = [100, 500, 2_000];
const QUICK_COUNTS = [100, 500];
const A_FOLDER = 20;
const SIZES_MB = [5, 20, 50];
const QUICK_SIZES_MB = [5, 20];
const SETTLED_MILLIS = 2_000;

/** Runs `work` with a server that has read its data. */
async function withServer<T>(work: (client: LspClient, place: LspFolder) => Promise<T>): Promise<T> {
  const place = await lspFolder();
  try {
    await putPicture(place.store, 'p0.Type0.run\n  Queue.take :4 | 10@9');
    const client = await startServer({ folders: [place.folder], capabilities: {}, ...START });
    const uri = place.uri('Small.java');
    client.open(uri, 'class Small {}\n');
    await client.hints(uri);
    const result = await work(client, place);
    await client.stop();
    return result;
  } finally {
    await place.remove();
  }
}

function askStatus(client: LspClient): Promise<unknown> {
  return client.connection.sendRequest('insitu/status', {});
}

const statusRow: BenchRow = {
  name: 'status with many open documents',
  async run({ quick }) {
    const figures: BenchFigure[] = [];
    for (const count of quick ? QUICK_COUNTS : COUNTS)
      figures.push(...(await withServer((client, place) => statusOf(client, place, count))));
    return figures;
  },
};

async function statusOf(client: LspClient, place: LspFolder, count: number): Promise<BenchFigure[]> {
  const label = `${count.toLocaleString('en')} documents`;
  const { pid } = client.process;
  const busy = () => (pid !== undefined && existsSync(`/proc/${pid}/stat`) ? cpuSeconds(pid) * 1000 : Number.NaN);
  const [begun, busyBefore] = [performance.now(), busy()];
  for (let i = 0; i < count; i++) {
    const folder = `p${Math.floor(i / A_FOLDER)}`;
    const text = `package ${folder};\nclass Type${i} {\n  void run() {\n    queue.take();\n  }\n}\n`;
    client.open(place.uri(`${folder}/Type${i}.java`), text);
  }
  await askStatus(client);
  const [behindAll, ofServer] = [performance.now() - begun, busy() - busyBefore];
  const next: number[] = [];
  for (let i = 0; i < 9; i++) {
    const asked = performance.now();
    await askStatus(client);
    next.push(performance.now() - asked);
  }
  const value = median(next);
  return [
    { label: `${label}, from the first that is opened`, value: behindAll, unit: 'ms' },
    ...(Number.isNaN(ofServer)
      ? []
      : [{ label: `${label}, of that processor time of the server`, value: ofServer, unit: 'ms' }]),
    { label: `${label}, all open`, value, unit: 'ms', limit: { most: 100 } },
  ];
}

/** Where the system tells it: on Linux. */
const memoryRow: BenchRow = {
  name: 'resident memory of the server after a large document is opened',
  async run({ quick }) {
    const figures: BenchFigure[] = [];
    for (const size of quick ? QUICK_SIZES_MB : SIZES_MB) {
      const value = await withServer((client, place) =>
        residentWith(client, place, size, quick ? 200 : SETTLED_MILLIS),
      );
      if (value !== null) figures.push({ label: `${size} MB`, value, unit: 'MB' });
    }
    return figures;
  },
};

/** One class of 1.8 MB, in which one method of the text on screen is another one than in the recorded text. */
const longestStepRow: BenchRow = {
  name: 'longest step of the main thread with a document of 1.8 MB',
  async run({ quick }) {
    const recorded = largeClass('');
    const text = largeClass('int x = 1; ');
    const methods = Array.from({ length: METHODS }, (_, i) => `Large.method${i} | 1@2`);
    const { classes } = loadedFrom(profileOfText(methods.join('\n')));
    const longest: number[] = [];
    for (let round = 0; round < (quick ? 3 : 5); round++) {
      const kept = new KeptOutline('Large.java');
      const mapping = new KeptMapping({ ...openedText(recorded), committed: recorded });
      const parsing = longestStep(kept.prepare(text));
      longest.push(Math.max(parsing, longestStep(mapping.prepare(text, kept.of(text), classes))));
    }
    const value = median(longest);
    return [{ label: 'parse, compare, map, processor time', value, unit: 'ms', limit: { most: 50 } }];
  },
};

/** Processor time of this thread in milliseconds: among tens of thousands of steps, any other program would make one long. */
function longestStep(steps: Iterator<void>): number {
  let longest = 0;
  for (let done: boolean | undefined = false; done !== true; ) {
    const { user, system } = process.threadCpuUsage();
    ({ done } = steps.next());
    const taken = process.threadCpuUsage();
    longest = Math.max(longest, (taken.user + taken.system - user - system) / 1_000);
  }
  return longest;
}

async function residentWith(
  client: LspClient,
  place: LspFolder,
  megabytes: number,
  settleMillis: number,
): Promise<number | null> {
  const { pid } = client.process;
  if (pid === undefined || !existsSync(`/proc/${pid}/status`)) return null;
  const method = '  int method(int a) {\n    return queue.take(a + 1);\n  }\n';
  const body = method.repeat(Math.ceil((megabytes * 2 ** 20) / method.length));
  client.open(place.uri('Large.java'), `class Large {\n${body}}\n`);
  if ((await client.hints(place.uri('Large.java'))).length > 0) throw new Error('there were hints');
  await askStatus(client);
  await new Promise(resolve => setTimeout(resolve, settleMillis));
  return residentMiB(pid);
}

export const rows: readonly BenchRow[] = [statusRow, longestStepRow, memoryRow, ...stallRows, ...editRows];
