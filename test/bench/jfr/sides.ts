// Makes both sides of the reading benchmark ready: this project's reader as it is shipped, and the JDK's two readers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { provideEngine } from '../../support/engines/engines.ts';
import { samples } from './recordings.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The figures that one process of either side printed, and how long the whole process took. */
export type Run = {
  readonly samples: number;
  readonly nodes: number;
  /** Of each fold; the first is cold. */
  readonly milliseconds: readonly number[];
  /** At the end, and at most. */
  readonly residentMegabytes: number;
  readonly peakMegabytes: number;
  readonly wall: number;
};

/** One of the JDK's readers. */
export type Peer = { readonly how: 'file' | 'stream'; readonly name: string };

/** Both sides: each folds `events` of a recording again and again for some seconds, at least once, in a process of its own. */
export type Sides = {
  readonly ours: (recording: string, seconds: number, events: readonly string[]) => Run;
  readonly theirs: (peer: Peer, recording: string, seconds: number, events: readonly string[]) => Run;
};

let made: Promise<Sides> | undefined;

/** Both sides, compiled and bundled once for all rows; what that made goes when the process ends. */
export function bothSides(): Promise<Sides> {
  made ??= makeSides();
  return made;
}

async function makeSides(): Promise<Sides> {
  const jdk = provideEngine('jdk25');
  if ('missing' in jdk) throw new Error(`no JDK to compare with: ${jdk.missing}`);
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-jfr-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  const bundle = join(folder, 'fold.cjs');
  await build({
    entryPoints: [here('./fold.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
  });
  run(jdk.program('javac'), ['-d', folder, here('./FoldPeer.java')]);
  // As the command does: code that was compiled is kept for later processes. The first one leaves it.
  const environment = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  run(process.execPath, [bundle, samples()[0]!.path, '0'], environment);
  return {
    ours: (recording, seconds, events) =>
      measured(process.execPath, [bundle, recording, String(seconds), ...events], environment),
    theirs: ({ how }, recording, seconds, events) =>
      measured(jdk.program('java'), ['-cp', folder, 'FoldPeer', how, recording, String(seconds), ...events]),
  };
}

function run(program: string, args: readonly string[], env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.slice(0, 500)}`);
  return stdout;
}

function measured(program: string, args: readonly string[], env = process.env): Run {
  const started = performance.now();
  const numbers = run(program, args, env).trim().split(' ').map(Number);
  const wall = performance.now() - started;
  const milliseconds = numbers.slice(2, -2).map(nanoseconds => nanoseconds / 1e6);
  const [residentMegabytes, peakMegabytes] = [numbers.at(-2)!, numbers.at(-1)!];
  return { samples: numbers[0]!, nodes: numbers[1]!, milliseconds, residentMegabytes, peakMegabytes, wall };
}
