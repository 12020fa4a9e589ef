// The recordings that the reading benchmark reads: the samples, and five large ones that it makes on the installed JDKs.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleRecordings } from '../../oracle/oracle.ts';
import { provideEngine } from '../../support/engines/engines.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const maker = fileURLToPath(new URL('./LoadMaker.java', import.meta.url));
const cache = join(root, '.cache', 'bench');

export type BenchRecording = { readonly name: string; readonly path: string; readonly megabytes: number };

/** How one large recording comes about. */
type Recipe = {
  readonly name: string;
  readonly engine: 'jdk17' | 'jdk25';
  readonly recorder: string;
  /** Settings on top of those of the JDK's own `profile`. */
  readonly events: string;
  /** Walks a thread, threads, depth and seed of the load. */
  readonly load: readonly [walks: number, threads: number, depth: number, seed: number];
};

const EVERYTHING =
  'jdk.ThreadPark#threshold=0ns,jdk.JavaExceptionThrow#enabled=true,jdk.ObjectAllocationSample#throttle=off';

const RECIPES: readonly Recipe[] = [
  {
    name: 'deep-17',
    engine: 'jdk17',
    recorder: 'stackdepth=256',
    events: `${EVERYTHING},jdk.ExecutionSample#period=1ms`,
    load: [32_000, 4, 60, 1],
  },
  {
    name: 'deep-25',
    engine: 'jdk25',
    recorder: 'stackdepth=256',
    events: `${EVERYTHING},jdk.ExecutionSample#period=1ms,jdk.CPUTimeSample#enabled=true`,
    load: [20_000, 4, 60, 2],
  },
  {
    name: 'chunks-25',
    engine: 'jdk25',
    recorder: 'stackdepth=128,maxchunksize=2m',
    events: EVERYTHING,
    load: [26_000, 4, 40, 3],
  },
  {
    name: 'samples-17',
    engine: 'jdk17',
    recorder: 'stackdepth=512',
    events:
      'jdk.JavaExceptionThrow#enabled=false,jdk.ExecutionSample#period=1ms,jdk.ObjectAllocationSample#throttle=off',
    load: [30_000, 8, 120, 4],
  },
  { name: 'dense-25', engine: 'jdk25', recorder: 'stackdepth=64', events: EVERYTHING, load: [60_000, 8, 8, 5] },
];

/** The recordings in samples/, the largest first. */
export function samples(): BenchRecording[] {
  return sampleRecordings.map(({ path }) => sized(path)).sort((a, b) => b.megabytes - a.megabytes);
}

/** Five recordings of ten to sixty megabytes, made when they are missing; a minute in sum. */
export function largeRecordings(): BenchRecording[] {
  return RECIPES.map(recipe => sized(made(recipe)));
}

/** A file of at least `megabytes` that repeats whole chunks of real recordings. The caller removes it. */
export function repeated(megabytes: number, of: readonly BenchRecording[]): BenchRecording {
  const path = join(mkdtempSync(join(tmpdir(), 'insitu-bench-')), `repeated-${megabytes}.jfr`);
  const parts = of.map(recording => readFileSync(recording.path));
  for (let written = 0, i = 0; written < megabytes * 1e6; i++) {
    const part = parts[i % parts.length]!;
    writeFileSync(path, part, { flag: 'a' });
    written += part.length;
  }
  return sized(path);
}

function sized(path: string): BenchRecording {
  return { name: basename(path), path, megabytes: statSync(path).size / 1e6 };
}

function made(recipe: Recipe): string {
  const engine = provideEngine(recipe.engine);
  if ('missing' in engine) throw new Error(`no JDK to record with: ${engine.missing}`);
  const hash = createHash('sha256').update(JSON.stringify(recipe)).update(engine.version).update(readFileSync(maker));
  const path = join(cache, `${recipe.name}-${hash.digest('hex').slice(0, 12)}.jfr`);
  if (existsSync(path)) return path;
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
  try {
    run(engine.program('javac'), ['-g', '-d', folder, maker]);
    const recording = `settings=profile,filename=${join(folder, 'out.jfr')},${recipe.events}`;
    run(engine.program('java'), [
      '-Xmx512m',
      '-Xlog:jfr*=off',
      `-XX:FlightRecorderOptions=${recipe.recorder},repository=${folder}`,
      `-XX:StartFlightRecording=${recording}`,
      ...['-cp', folder, 'LoadMaker', ...recipe.load.map(String)],
    ]);
    mkdirSync(cache, { recursive: true });
    // The temporary folder may be on another disk: copied first, then named at once.
    writeFileSync(`${path}.part`, readFileSync(join(folder, 'out.jfr')));
    renameSync(`${path}.part`, path);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return path;
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr.slice(0, 500)}`);
}
