// From production to an editor on the same machine: how long after a method began to run there is a hint at its declaration.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type LspClient, startServer } from '../../support/lsp-client.ts';
import { type BenchFigure, type BenchRow, median } from '../row.ts';
import { scratch, seconds, startRecorder, untilSpooled } from './processes.ts';

const SOURCE = join(import.meta.dirname, 'Late.java');
const BUNDLE = fileURLToPath(new URL('../../../dist/bin/insitu-lsp.cjs', import.meta.url));
/** Methods of the program; the first one runs before anybody looks. */
const METHODS = 6;
const MOST_MILLIS = 5000;
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

export const liveHint: BenchRow = {
  name: 'production to hint, live',
  async run({ quick }): Promise<BenchFigure[]> {
    const folder = scratch();
    const program = await started(folder);
    const recorder = startRecorder(folder, ['--pid', String(program.pid), '--program', 'late', '--interval', '10m']);
    const client = await startServer({
      folders: [import.meta.dirname],
      initializationOptions: { store: join(folder, 'store'), project: 'bench', program: 'late' },
      env: { XDG_CACHE_HOME: join(folder, 'cache') },
      ...(existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {}),
    });
    try {
      const text = readFileSync(SOURCE, 'utf8');
      const lineOf = (method: number) => text.split('\n').findIndex(line => line.includes(`void work${method}()`));
      const uri = pathToFileURL(SOURCE).href;
      client.open(uri, text);
      await untilSpooled(folder, 1);
      await hintAt(client, uri, lineOf(0));
      const millis: number[] = [];
      for (let method = 1; method < (quick ? 3 : METHODS); method++) {
        const began = await program.next();
        millis.push((await hintAt(client, uri, lineOf(method))) - began);
      }
      const longest = Math.max(...millis);
      return [
        { label: 'median', value: median(millis), unit: 'ms' },
        { label: 'longest', value: longest, unit: 'ms', wanted: `≤ ${MOST_MILLIS} ms`, ok: longest <= MOST_MILLIS },
      ];
    } finally {
      await client.stop();
      await recorder.end();
      program.end();
    }
  },
};
