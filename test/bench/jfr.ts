// Benchmark rows: reading recordings and folding their stacks, beside the JDK's own reader doing the same in the same run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { provideEngine } from '../support/engines.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recordingsFolder = join(root, 'samples', 'recordings');

const ONE = ['jdk.ExecutionSample'];
const THREE = ['jdk.ExecutionSample', 'jdk.NativeMethodSample', 'jdk.ThreadPark'];

/** What one process of either side printed, and how long the whole process took. */
type Run = {
  readonly samples: number;
  readonly nodes: number;
  readonly milliseconds: readonly number[];
  readonly residentMegabytes: number;
  readonly wall: number;
};

/** Both sides ready to run. */
type Sides = {
  readonly ours: (recording: string, seconds: number, events: readonly string[]) => Run;
  readonly theirs: (how: 'file' | 'stream', recording: string, seconds: number, events: readonly string[]) => Run;
};

/** Compiles the peer and bundles our side as it is shipped; `body` gets both. */
async function withSides<T>(body: (sides: Sides) => T): Promise<T> {
  const jdk = provideEngine('jdk25');
  if ('missing' in jdk) throw new Error(`no JDK to compare with: ${jdk.missing}`);
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-jfr-'));
  try {
    const bundle = join(folder, 'fold.cjs');
    const entry = fileURLToPath(new URL('./jfr/fold.ts', import.meta.url));
    await build({
      entryPoints: [entry],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
    });
    run(jdk.program('javac'), ['-d', folder, join(root, 'test', 'bench', 'jfr', 'FoldPeer.java')]);
    return body({
      ours: (recording, seconds, events) => measured(process.execPath, [bundle, recording, String(seconds), ...events]),
      theirs: (how, recording, seconds, events) =>
        measured(jdk.program('java'), ['-cp', folder, 'FoldPeer', how, recording, String(seconds), ...events]),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.slice(0, 500)}`);
  return stdout;
}

function measured(program: string, args: readonly string[]): Run {
  const started = performance.now();
  const numbers = run(program, args).trim().split(' ').map(Number);
  const wall = performance.now() - started;
  const milliseconds = numbers.slice(2, -1).map(nanoseconds => nanoseconds / 1e6);
  return { samples: numbers[0]!, nodes: numbers[1]!, milliseconds, residentMegabytes: numbers.at(-1)!, wall };
}

/** The sample recordings, the largest first; in quick mode that one alone. */
function recordings(quick: boolean): { name: string; path: string; megabytes: number }[] {
  const all = readdirSync(recordingsFolder).filter(name => name.endsWith('.jfr'));
  const sized = all.map(name => {
    const path = join(recordingsFolder, name);
    return { name, path, megabytes: statSync(path).size / 1e6 };
  });
  sized.sort((a, b) => b.megabytes - a.megabytes);
  return quick ? sized.slice(0, 1) : sized;
}

function assertSame(ours: Run, theirs: Run, name: string): void {
  if (ours.samples !== theirs.samples || ours.nodes !== theirs.nodes) {
    const [left, right] = [ours, theirs].map(({ samples, nodes }) => `${samples} samples in ${nodes} nodes`);
    throw new Error(`${name}: the two readers differ: ${left} here, ${right} there`);
  }
}

/** Speed beside the peer's, and whether it is `factor` times as much. */
function compared(label: string, megabytes: number, ours: number, theirs: number, factor: number): BenchFigure {
  const [value, peer] = [ours, theirs].map(milliseconds => (megabytes / milliseconds) * 1000) as [number, number];
  const wanted = `≥ ${factor} ×`;
  return {
    label,
    value,
    unit: 'MB/s',
    peer: { name: 'JDK 25 RecordingFile', value: peer },
    wanted,
    ok: value >= factor * peer,
  };
}

/** Whole processes, from start to exit: what somebody waits who asks for one recording. */
function coldRow(events: readonly string[], title: string): BenchRow {
  return {
    name: `read a recording, cold process, ${title}`,
    run: ({ quick }) =>
      withSides(({ ours, theirs }) =>
        recordings(quick).map(({ name, path, megabytes }) => {
          const times = Array.from({ length: quick ? 1 : 3 }, () => {
            const [our, their] = [ours(path, 0, events), theirs('file', path, 0, events)];
            assertSame(our, their, name);
            return { our: our.wall, their: their.wall };
          });
          const [our, their] = [median(times.map(time => time.our)), median(times.map(time => time.their))];
          return compared(name, megabytes, our, their, 2);
        }),
      ),
  };
}

/** One process folding for some seconds: the best fold of each side, and what each then has resident. */
function warmRow(events: readonly string[], title: string, factor: number): BenchRow {
  return {
    name: `read a recording, warm, best of each, ${title}`,
    run: ({ quick }) =>
      withSides(({ ours, theirs }) =>
        recordings(quick).flatMap(({ name, path, megabytes }) => {
          const seconds = quick ? 2 : 5;
          const [our, their] = [ours(path, seconds, events), theirs('file', path, seconds, events)];
          assertSame(our, their, name);
          const memory = { name: 'JDK 25 RecordingFile', value: their.residentMegabytes };
          return [
            compared(name, megabytes, Math.min(...our.milliseconds), Math.min(...their.milliseconds), factor),
            { label: `${name}, resident`, value: our.residentMegabytes, unit: 'MB', peer: memory },
          ];
        }),
      ),
  };
}

export const rows: readonly BenchRow[] = [
  coldRow(ONE, 'one event'),
  warmRow(ONE, 'one event', 4),
  coldRow(THREE, 'three events'),
  warmRow(THREE, 'three events', 2),
];
