// The journal of benchmarks: what each commit, benchmark and fork came to, each result a file of its own, so that a kill loses nothing.
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeWhole } from '../base/kept-files.ts';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import { releaseLock, takeLock } from '../base/process-lock.ts';
import { errorCode, readRegular } from '../base/regular-file.ts';
import { decodeSegment, encodeSegment } from '../store/key.ts';

const MOST_BYTES = 8 << 20;
const FORMAT = 1;

const REASONS = ['build', 'failed', 'timeout', 'absent', 'checkout'] as const;
/** Why there is no number: the build, the benchmark, its time, that it is not in the commit, or the commit itself. */
export type Reason = (typeof REASONS)[number];

const failure = v.object({
  state: v.literal('failed'),
  reason: v.picklist(REASONS),
  /** For people, such as `exit status 1`. */
  detail: v.string(),
  /** The end of what was printed. */
  tail: v.string(),
  atMillis: v.number(),
});

const buildResult = v.union([
  v.object({
    state: v.literal('built'),
    millis: v.number(),
    atMillis: v.number(),
    /** Fingerprints of test classes. */
    tests: v.optional(v.record(v.string(), v.string())),
  }),
  failure,
]);

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const run = { round: v.pipe(v.number(), v.integer(), v.minValue(0)) };
const forkResult = v.union([
  v.object({
    ...run,
    state: v.literal('measured'),
    /** The result of the benchmark, in milliseconds: the less the better. */
    millis: v.pipe(v.number(), v.minValue(0)),
    /** How long the fork took. */
    tookMillis: v.pipe(v.number(), v.minValue(0)),
    atMillis: v.number(),
    /** Further values, such as the part of each method of a test. */
    parts: v.optional(v.record(v.string(), v.number())),
    /** Of a test: the test classes in its recorded tree. */
    reached: v.optional(v.array(v.string())),
    /** The compiler's share of the processor time of all threads, in each third of the recordings. */
    compiler: v.optional(v.tuple([share, share, share])),
  }),
  v.object({ ...run, ...failure.entries }),
]);

/** The build of a commit. */
export type BuildResult = v.InferOutput<typeof buildResult>;
/** One fork. `round`: the round in which it ran. */
export type ForkResult = v.InferOutput<typeof forkResult>;
/** The facts about a fork that recordings tell. */
type Recorded = Pick<Extract<ForkResult, { readonly state: 'measured' }>, 'reached' | 'compiler'>;

const aboutTrack = v.object({ format: v.literal(FORMAT), seed: v.pipe(v.number(), v.integer()) });
const aboutBenchmark = v.object({ command: v.string(), build: v.nullable(v.string()) });
/** The command and build under a benchmark's name: results of others cannot be compared with its results. */
export type BenchmarkAbout = v.InferOutput<typeof aboutBenchmark>;

/** Names a fork of a benchmark at a commit. */
export type ForkKey = { readonly commit: string; readonly benchmark: string; readonly fork: number };

/** The results of a journal, to be read. */
export type JournalResults = Pick<Journal, 'buildOf' | 'forksOf' | 'countOf'>;

/** Another run of insitu uses the journal. */
export class JournalInUse extends Error {}

/** Results in memory are those on disk at any time: a result is written before it counts. */
export class Journal {
  readonly folder: string;
  /** Of all orders. */
  readonly seed: number;
  readonly problems: Problem[] = [];
  readonly #builds = new Map<string, BuildResult>();
  /** By commit and benchmark; the index is the fork. Forks whose result cannot be read are run again. */
  readonly #forks = new Map<string, Map<string, (ForkResult | undefined)[]>>();
  /** Failed forks that are given another try, by commit and benchmark. */
  readonly #forgiven = new Map<string, number>();

  /** Reads a journal, or begins one. Throws what the system says where its folder cannot be used. @param seed of a new one */
  constructor(folder: string, seed: number) {
    this.folder = folder;
    const file = join(folder, 'track.json');
    const about = this.#read(file, aboutTrack);
    this.seed = about?.seed ?? seed;
    if (about === null && this.problems.length > 0) throw new Error(`${file}: ${this.problems[0]!.message}`);
    for (const commit of namesIn(folder)) if (/^[0-9a-f]{40,64}$/.test(commit)) this.#readCommit(commit);
  }

  /** Takes the journal for this process and makes it ready to be written. Throws JournalInUse where another has it. */
  take(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const holder = takeLock(this.#lockFile());
    if (holder !== null) throw new JournalInUse(`process ${holder} uses it`);
    this.#write(join(this.folder, 'track.json'), { format: FORMAT, seed: this.seed });
  }

  release(): void {
    releaseLock(this.#lockFile());
  }

  buildOf(commit: string): BuildResult | null {
    return this.#builds.get(commit) ?? null;
  }

  /** Results of all forks that have one. */
  forksOf(commit: string, benchmark: string): readonly ForkResult[] {
    return (this.#forks.get(commit)?.get(benchmark) ?? []).filter(each => each !== undefined);
  }

  /** The result of a fork; null where it has not run. */
  resultOf({ commit, benchmark, fork }: ForkKey): ForkResult | null {
    return this.#forks.get(commit)?.get(benchmark)?.[fork] ?? null;
  }

  /** How many forks have run, without failures that are given another try. */
  countOf(commit: string, benchmark: string): number {
    return this.forksOf(commit, benchmark).length - (this.#forgiven.get(`${commit} ${benchmark}`) ?? 0);
  }

  /** Whether any fork of a benchmark gave a number. */
  hasMeasured(benchmark: string): boolean {
    return [...this.#forks.keys()].some(commit => this.measuredForks(commit, benchmark).length > 0);
  }

  /** Gives what is broken another try. The failures of forks stay in the journal. */
  retry(): void {
    for (const [commit, { state }] of this.#builds) if (state === 'failed') this.#builds.delete(commit);
    for (const [commit, byName] of this.#forks)
      for (const [benchmark, forks] of byName)
        if (forks.every(each => each?.state !== 'measured'))
          this.#forgiven.set(`${commit} ${benchmark}`, this.forksOf(commit, benchmark).length);
  }

  /** The least number that no result has. */
  nextFork(commit: string, benchmark: string): number {
    const forks = this.#forks.get(commit)?.get(benchmark) ?? [];
    const gap = forks.indexOf(undefined);
    return gap < 0 ? forks.length : gap;
  }

  /** Numbers of the forks that were measured. */
  measuredForks(commit: string, benchmark: string): number[] {
    const forks = this.#forks.get(commit)?.get(benchmark) ?? [];
    return forks.flatMap((each, fork) => (each?.state === 'measured' ? [fork] : []));
  }

  /** The number of the next round. */
  get nextRound(): number {
    const all = [...this.#forks.values()].flatMap(byName => [...byName.values()].flat());
    return all.reduce((next, each) => Math.max(next, (each?.round ?? -1) + 1), 0);
  }

  saveBuild(commit: string, result: BuildResult): void {
    this.#write(join(this.folder, commit, 'build.json'), result);
    this.#builds.set(commit, result);
  }

  saveFork(key: ForkKey, result: ForkResult): void {
    this.#write(`${this.#place(key)}.json`, result);
    this.#put(key, result);
  }

  /** Notes what the recordings of a measured fork tell. */
  saveRecorded(key: ForkKey, recorded: Recorded): void {
    const result = this.resultOf(key);
    if (result?.state === 'measured') this.saveFork(key, { ...result, ...recorded });
  }

  /** An empty folder for the recordings of a fork that is about to run: recordings of a run that was cut off are gone. */
  beginRecordings(key: ForkKey): string {
    const folder = this.recordingsOf(key);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** Where recordings of a fork lie until they are in the store. */
  recordingsOf(key: ForkKey): string {
    return `${this.#place(key)}.recordings`;
  }

  /** Forks with a result whose recordings are not in the store yet. */
  waitingRecordings(): ForkKey[] {
    const waiting: ForkKey[] = [];
    for (const [commit, byName] of this.#forks)
      for (const [benchmark, forks] of byName)
        for (const fork of forks.keys()) {
          const key = { commit, benchmark, fork };
          if (forks[fork]?.state === 'measured' && isFolder(this.recordingsOf(key))) waiting.push(key);
        }
    return waiting;
  }

  /** The command and build that are known under a name; null where nothing ran yet. */
  benchmarkOf(name: string): BenchmarkAbout | null {
    return this.#read(this.#benchmarkFile(name), aboutBenchmark);
  }

  saveBenchmark(name: string, about: BenchmarkAbout): void {
    this.#write(this.#benchmarkFile(name), about);
  }

  /** Names of all benchmarks, sorted. */
  benchmarks(): string[] {
    const files = namesIn(join(this.folder, 'benchmarks')).filter(name => name.endsWith('.json'));
    return files.flatMap(name => decodeSegment(name.slice(0, -'.json'.length)) ?? []).sort();
  }

  #lockFile(): string {
    return join(this.folder, 'lock');
  }

  #benchmarkFile(name: string): string {
    return join(this.folder, 'benchmarks', `${segmentOf(name)}.json`);
  }

  #place({ commit, benchmark, fork }: ForkKey): string {
    return join(this.folder, commit, segmentOf(benchmark), String(fork));
  }

  #put({ commit, benchmark, fork }: ForkKey, result: ForkResult): void {
    const byName = this.#forks.get(commit) ?? new Map<string, (ForkResult | undefined)[]>();
    this.#forks.set(commit, byName);
    const forks = byName.get(benchmark) ?? [];
    byName.set(benchmark, forks);
    while (forks.length <= fork) forks.push(undefined);
    forks[fork] = result;
  }

  #readCommit(commit: string): void {
    const build = this.#read(join(this.folder, commit, 'build.json'), buildResult);
    if (build !== null) this.#builds.set(commit, build);
    for (const segment of namesIn(join(this.folder, commit))) {
      const benchmark = segment.endsWith('.json') ? null : decodeSegment(segment);
      if (benchmark === null) continue;
      for (const name of namesIn(join(this.folder, commit, segment))) {
        const [, fork] = /^(\d{1,6})\.json$/.exec(name) ?? [];
        const result = fork === undefined ? null : this.#read(join(this.folder, commit, segment, name), forkResult);
        if (result !== null) this.#put({ commit, benchmark, fork: Number(fork) }, result);
      }
    }
  }

  /** null where there is no such file, and with a problem where it is damaged. */
  #read<Schema extends v.GenericSchema>(file: string, schema: Schema): v.InferOutput<Schema> | null {
    try {
      return v.parse(schema, JSON.parse(readRegular(file, MOST_BYTES).toString('utf8')));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      const message = `this part of the journal cannot be read: ${messageOf(error).split('\n')[0]}`;
      this.problems.push({ severity: 'warning', message, file, remedy: 'it is measured again' });
      return null;
    }
  }

  /** Outlives the end of the process and of the machine: whole, or not there. */
  #write(file: string, content: object): void {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeWhole(file, [`${JSON.stringify(content)}\n`], { isLasting: true, fresh: `${file}.tmp` });
  }
}

function segmentOf(name: string): string {
  const segment = encodeSegment(name);
  if (segment === null) throw new Error('the name of a benchmark is too long');
  return segment;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
