// From production to an editor on the same machine, live and through a bucket: how long after a method began to run there is a hint at
// its declaration.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { provideEngine } from '../../support/engines/engines.ts';
import { type LspClient, startServer } from '../../support/insitu/lsp-client.ts';
import { makeBucket, startCeph } from '../../support/stores/ceph.ts';
import { type BenchFigure, type BenchRow, median } from '../row.ts';
import { scratch, seconds, startRecorder, untilSpooled } from './processes.ts';

const SOURCE = join(import.meta.dirname, 'Late.java');
const BUNDLE = fileURLToPath(new URL('../../../dist/bin/insitu-lsp.cjs', import.meta.url));
/** Methods of the program; the first one runs before anybody looks. */
const METHODS = 6;
const MOST_MILLIS = 5000;
const WINDOW_SECONDS = 10;
const LONGEST_MILLIS = 60_000;
const REFRESH = 'workspace/inlayHint/refresh';

type Program = { readonly pid: number; next(): Promise<number>; end(): void };

/** Starts the program; `next` has it go on to the next method and tells when that was called first. */
async function started(folder: string): Promise<Program> {
  execFileSync('javac', ['-g', '-d', folder, SOURCE]);
  const child = spawn('java', ['-cp', folder, 'Late'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const told = async () => Number((await lines.next()).value);
  await told();
  return {
    pid: child.pid!,
    next: () => {
      child.stdin.write('\n');
      return told();
    },
    end: () => void child.kill('SIGKILL'),
  };
}

/** Waits as an editor does: asks for hints whenever the server says that there are others. */
async function hintAt(client: LspClient, uri: string, line: number): Promise<number> {
  const until = Date.now() + LONGEST_MILLIS;
  for (let seen = -1; Date.now() < until; await seconds(0.01)) {
    const refreshes = client.received.filter(({ method }) => method === REFRESH).length;
    if (refreshes === seen) continue;
    seen = refreshes;
    const hints = await client.hints(uri);
    if (hints.some(({ position }) => position.line === line)) return Date.now();
  }
  throw new Error(`no hint in line ${line + 1}`);
}

/** The store of a recorder, and how it records into it. */
type Way = { readonly store: (folder: string) => string; readonly interval: string; readonly env: NodeJS.ProcessEnv };

/** Milliseconds from the first call of each further method to its hint, and when that was there; methods begin `pauseMillis` after the hint before. */
async function hintsThrough({ store, interval, env }: Way, methods: number, pauseMillis: (method: number) => number) {
  const folder = scratch();
  const program = await started(folder);
  const which = ['--pid', String(program.pid), '--program', 'late', '--store', store(folder)];
  const recorder = startRecorder(folder, [...which, '--interval', interval], env);
  const client = await startServer({
    folders: [import.meta.dirname],
    initializationOptions: { store: store(folder), project: 'bench', program: 'late' },
    env: { XDG_CACHE_HOME: join(folder, 'cache'), ...env },
    ...(existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {}),
  });
  try {
    const text = readFileSync(SOURCE, 'utf8');
    const lineOf = (method: number) => text.split('\n').findIndex(line => line.includes(`void work${method}()`));
    const uri = pathToFileURL(SOURCE).href;
    client.open(uri, text);
    await untilSpooled(folder, 1);
    await hintAt(client, uri, lineOf(0));
    const found: { readonly millis: number; readonly at: number }[] = [];
    for (let method = 1; method < methods; method++) {
      await seconds(pauseMillis(method) / 1000);
      const began = await program.next();
      const at = await hintAt(client, uri, lineOf(method));
      found.push({ millis: at - began, at });
    }
    return found;
  } finally {
    await client.stop();
    await recorder.end();
    program.end();
  }
}

/** Mostly the JVM's and the recorder's waits, which are equally long on every machine. */
export const liveHint: BenchRow = {
  name: 'production to hint, live',
  async run({ quick }): Promise<BenchFigure[]> {
    const way = { store: (folder: string) => join(folder, 'store'), interval: '10m', env: {} };
    const millis = (await hintsThrough(way, quick ? 3 : METHODS, () => 0)).map(each => each.millis);
    const longest = Math.max(...millis);
    return [
      { label: 'median', value: median(millis), unit: 'ms' },
      { label: 'longest', value: longest, unit: 'ms', limit: { most: MOST_MILLIS }, isWork: false },
    ];
  },
};

/** A bucket has closed windows only, so that what is asked for is the length of a window and as much as live. */
export const bucketHint: BenchRow = {
  name: `production to hint, through a bucket (Ceph), windows of ${WINDOW_SECONDS} s`,
  async run({ quick }): Promise<BenchFigure[]> {
    if (quick) return [];
    const engine = provideEngine('ceph');
    if ('missing' in engine) throw new Error(`no bucket to record into: ${engine.missing}`);
    const ceph = await startCeph(engine);
    try {
      const { endpoint, accessKey, secretKey } = ceph;
      await makeBucket(ceph);
      const store = () => `s3://profiles/bench?endpoint=${encodeURIComponent(endpoint)}`;
      const env = { AWS_ACCESS_KEY_ID: accessKey, AWS_SECRET_ACCESS_KEY: secretKey };
      // Methods begin at other times of a window each.
      const found = await hintsThrough(
        { store, interval: `${WINDOW_SECONDS}s`, env },
        METHODS,
        method => 1700 * method,
      );
      const longest = Math.max(...found.map(({ millis }) => millis));
      const most = 1000 * WINDOW_SECONDS + MOST_MILLIS;
      return [
        { label: 'median', value: median(found.map(({ millis }) => millis)), unit: 'ms' },
        { label: 'longest', value: longest, unit: 'ms', limit: { most }, isWork: false },
        {
          label: 'median after the end of a window',
          value: median(found.map(({ at }) => at % (1000 * WINDOW_SECONDS))),
          unit: 'ms',
        },
      ];
    } finally {
      await ceph.stop();
    }
  },
};
