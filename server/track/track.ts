// Runs benchmarks over commits, round after round, until every suspected step is decided or time is up; the journal has each result at once.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../base/problem.ts';
import type { CompilerThird, EventMetric } from '../ingest/ingest.ts';
import { plainClassName, topLevelClass } from '../mapping/class-names.ts';
import type { GitRepository } from '../mapping/git/git-repository.ts';
import { forkSettings } from '../record/flight-settings.ts';
import type { Store } from '../store/store.ts';
import { importRecording } from '../workspace/import/import-recording.ts';
import type { Benchmark, ForkOutcome } from './benchmark.ts';
import type { BuildResult, ForkKey, ForkResult, Journal } from './journal.ts';
import { estimate, forkMillis, inOrder, leftAt, nextRuns, type PlanFor } from './plan.ts';
import type { CommandRun } from './run-command.ts';
import { isBroken } from './series.ts';
import { compilerShares } from './steady-state.ts';
import { prepareRunner, testFingerprints } from './test-benchmarks.ts';
import { Worktrees } from './worktrees.ts';

export type TrackTask = {
  readonly repository: GitRepository;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly journal: Journal;
  /** Full hashes, the oldest first. */
  readonly commits: readonly string[];
  /** Places of the commits that are looked at. */
  readonly places: readonly number[];
  readonly benchmarks: readonly Benchmark[];
  readonly build: string | null;
  /** Of tests; null where there are none. */
  readonly maven: string | null;
  readonly forks: number;
  /** No run begins that would end later; without end where absent. */
  readonly budgetMillis: number;
  /** Of one build or fork. */
  readonly limitMillis: number;
  readonly store: Store;
  /** As whose snapshots the forks are stored; the version is the commit. */
  readonly project: string;
  readonly program: string;
  readonly metrics: readonly EventMetric[];
  readonly signal: AbortSignal;
  readonly tell: (event: TrackEvent) => void;
};

export type TrackEvent =
  /** `leftMillis`: the time for the rounds that every commit needs; null before the first fork has ended. */
  | { readonly kind: 'round'; readonly round: number; readonly runs: number; readonly leftMillis: number | null }
  | { readonly kind: 'broken'; readonly commit: string; readonly detail: string; readonly tail: string }
  | { readonly kind: 'fork'; readonly key: ForkKey; readonly result: ForkResult }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** `decided`: nothing is left to be run. `failing`: commits in a row failed alike. */
type TrackEnd = 'decided' | 'budget' | 'cancelled' | 'failing';

/** Commits in a row whose equal errors come from the command, not from the commits. */
export const ALIKE_FAILURES = 5;

/** Throws DiskFull, and what the system says where journal or temporary folder cannot be written to: results so far are kept. */
export function track(task: TrackTask): Promise<TrackEnd> {
  return inTrees(task, (trees, settings) => runRounds(task, trees, settings));
}

/**
 * Runs forks of the first benchmark at two commits in rounds, one fork of each, the order of which alternates.
 * @param goesOn is asked after each round that was measured. Throws as `track`.
 */
export function trackPair(
  task: TrackTask & { readonly commits: readonly [string, string] },
  goesOn: (forks: number) => Promise<boolean>,
): Promise<PairEnd> {
  return inTrees(task, (trees, settings) => runPairs(task, trees, settings, goesOn));
}

/** `broken`: a commit does not build, or a fork of it failed; events have told. */
type PairEnd = 'decided' | 'broken' | 'cancelled';

async function runPairs(
  task: TrackTask,
  trees: Worktrees,
  settings: string,
  goesOn: (forks: number) => Promise<boolean>,
): Promise<PairEnd> {
  const { journal, commits, signal } = task;
  const benchmark = task.benchmarks[0]!;
  const measured = (commit: string) => journal.measuredForks(commit, benchmark.name).length;
  for (let round = 1; ; round++) {
    for (const commit of round % 2 === 1 ? commits : commits.toReversed()) {
      if (measured(commit) >= round) continue;
      const folder = await readyTree(task, trees, commit);
      if (signal.aborted) return 'cancelled';
      if (folder === null) return 'broken';
      const key = { commit, benchmark: benchmark.name, fork: journal.nextFork(commit, benchmark.name) };
      if (!(await runFork(task, trees, { key, benchmark, folder, round, settings }))) return 'cancelled';
      if (measured(commit) < round) return 'broken';
    }
    if (!(await goesOn(round))) return 'decided';
  }
}

async function inTrees<End>(task: TrackTask, work: (trees: Worktrees, settings: string) => Promise<End>): Promise<End> {
  const { repository, env, build, maven, limitMillis, signal, journal } = task;
  const prepare =
    maven === null
      ? null
      : (folder: string, trees: Worktrees) =>
          prepareRunner(maven, folder, trees.root, (command, inFolder) => trees.run(command, inFolder));
  const note = join(journal.folder, 'temporary');
  for (const key of journal.waitingRecordings()) await store(task, key);
  const trees = await Worktrees.begin({ repository, env, build, prepare, limitMillis, signal, note });
  try {
    const settings = join(trees.root, 'settings.jfc');
    writeFileSync(settings, forkSettings().text);
    return await work(trees, settings);
  } finally {
    trees.remove();
  }
}

async function runRounds(task: TrackTask, trees: Worktrees, settings: string): Promise<TrackEnd> {
  const { journal, commits, benchmarks, places, forks, budgetMillis, signal, tell } = task;
  const started = performance.now();
  const plan: PlanFor = { journal, commits, benchmarks: benchmarks.map(({ name }) => name), forks };
  const failures = new Failures();
  for (let round = journal.nextRound; ; round++) {
    const runs = inOrder(nextRuns(plan, places), journal.seed, round);
    if (runs.length === 0) return 'decided';
    const { millis, isKnown } = estimate(plan, leftAt(plan, places), 0);
    tell({ kind: 'round', round, runs: runs.length, leftMillis: isKnown ? millis : null });
    for (const { at, benchmark } of runs) {
      const commit = commits[at]!;
      // The build or the run before has told.
      if (isBroken(journal, commit, benchmark)) continue;
      const expected = forkMillis(journal, commits, benchmark) ?? 0;
      if (performance.now() - started + expected > budgetMillis) return 'budget';
      const folder = await readyTree(task, trees, commit);
      if (signal.aborted) return 'cancelled';
      if (folder === null) {
        if (failures.isSame(commit, failureText(journal.buildOf(commit)))) return 'failing';
        continue;
      }
      const measured = benchmarks.find(({ name }) => name === benchmark)!;
      const key = { commit, benchmark, fork: journal.nextFork(commit, benchmark) };
      if (!(await runFork(task, trees, { key, benchmark: measured, folder, round, settings }))) return 'cancelled';
      if (failures.isSame(commit, failureText(journal.resultOf(key)))) return 'failing';
    }
  }
}

function failureText(result: BuildResult | ForkResult | null): string | null {
  return result?.state === 'failed' ? `${result.reason}: ${result.detail}\n${result.tail}` : null;
}

/** Commits in a row that failed with one error. */
class Failures {
  readonly #commits = new Set<string>();
  #error = '';

  /** Whether too many commits in a row have failed now. @param error the output of the tools, with the reason; null for a success */
  isSame(commit: string, error: string | null): boolean {
    // Numbers and hashes differ from run to run.
    const alike = error?.replace(/[0-9a-f]*\d[0-9a-f]*/gi, '#') ?? null;
    if (alike !== this.#error) this.#commits.clear();
    this.#error = alike ?? '';
    if (alike !== null) this.#commits.add(commit);
    return this.#commits.size >= ALIKE_FAILURES;
  }
}

/** The folder of a commit that was built; null where it is broken, or the work was cancelled. */
async function readyTree(
  { journal, tell, maven }: TrackTask,
  trees: Worktrees,
  commit: string,
): Promise<string | null> {
  const made = await trees.ready(commit);
  if (made === null) return null;
  const { folder, result } = made;
  const known = journal.buildOf(commit);
  const isNew = known === null || known.state !== result.state || result.state === 'failed';
  if (isNew) {
    const tests = result.state === 'built' && maven !== null ? { tests: testFingerprints(folder) } : {};
    journal.saveBuild(commit, { ...result, ...tests });
  }
  if (result.state === 'built') return folder;
  tell({ kind: 'broken', commit, detail: `${result.reason}: ${result.detail}`, tail: result.tail });
  return null;
}

type Fork = {
  readonly key: ForkKey;
  readonly benchmark: Benchmark;
  readonly folder: string;
  readonly round: number;
  /** Of Flight Recorder. */
  readonly settings: string;
};

/** false where the work was cancelled: then the fork has not run. */
async function runFork(task: TrackTask, trees: Worktrees, fork: Fork): Promise<boolean> {
  const { journal, tell, env } = task;
  const { key, benchmark, folder, settings } = fork;
  await dropStored(task, key);
  const recordings = journal.beginRecordings(key);
  const places = { folder, root: trees.root, result: join(folder, '..', 'result'), recordings, settings };
  rmSync(places.result, { force: true });
  const options = [env.JAVA_TOOL_OPTIONS ?? '', recordingOptions(recordings, settings)].filter(each => each !== '');
  const more: Record<string, string> = benchmark.testClass === null ? { JAVA_TOOL_OPTIONS: options.join(' ') } : {};
  const run = await trees.run(benchmark.command(places), folder, more);
  const result = run.end === 'cancelled' ? null : resultOf(run, benchmark.outcome(run, places), fork.round);
  if (result?.state !== 'measured') rmSync(recordings, { recursive: true, force: true });
  if (result === null) return false;
  // From here on the fork counts; its recordings go into the store now, or with the next start.
  journal.saveFork(key, result);
  tell({ kind: 'fork', key, result });
  if (result.state === 'measured') await store(task, key);
  return true;
}

function resultOf({ end, millis, tail, reason }: CommandRun, outcome: ForkOutcome, round: number): ForkResult {
  const atMillis = Date.now();
  const failed = { state: 'failed', round, tail, atMillis } as const;
  if (end === 'timeout') return { ...failed, reason: 'timeout', detail: reason };
  if ('reason' in outcome) return { ...failed, ...outcome };
  const { parts } = outcome;
  return {
    state: 'measured',
    round,
    millis: outcome.millis,
    tookMillis: millis,
    atMillis,
    ...(parts && { parts: { ...parts } }),
  };
}

/** Characters that the JVM takes for ends of options, in a path. */
export const UNUSABLE_PATH = /[\s,"'=]/;

/** Each JVM of a fork writes a recording of its own into the folder when it ends. */
function recordingOptions(folder: string, settings: string): string {
  return [
    `-XX:StartFlightRecording=filename=${folder},settings=${settings},dumponexit=true`,
    '-XX:FlightRecorderOptions=stackdepth=256',
    '-Xlog:jfr+startup=off',
  ].join(' ');
}

/** As what a fork is stored. */
export function executionOf(
  { project, program }: Pick<TrackTask, 'project' | 'program'>,
  { commit, benchmark, fork }: ForkKey,
) {
  return { project, program, version: commit, instance: `${benchmark}-${fork}` };
}

/** Removes the snapshots of a fork that the journal does not know from the store: they would count twice. */
async function dropStored(task: TrackTask, key: ForkKey): Promise<void> {
  const { value: entries } = await task.store.list(executionOf(task, key));
  for (const entry of entries) {
    const { value } = await task.store.readHeader(entry);
    if (value?.header.benchmark === key.benchmark) await task.store.remove(entry);
  }
}

/** Puts the recordings of a fork into the store; what was put before counts once. They stay where the store does not take them. */
async function store(task: TrackTask, key: ForkKey): Promise<void> {
  const { journal, tell, metrics, store, maven } = task;
  const folder = journal.recordingsOf(key);
  const about = { store: store.location, execution: executionOf(task, key), isInstanceNamed: true, metrics };
  const names = readdirSync(folder).sort();
  const result = journal.resultOf(key);
  const isTimed = task.benchmarks.find(({ name }) => name === key.benchmark)?.isProcessorTime === true;
  // Of several JVMs nobody knows which one took it.
  const processorMillis = isTimed && names.length === 1 && result?.state === 'measured' ? result.millis : 0;
  const measurement = { benchmark: key.benchmark, fork: key.fork, processorMillis };
  let isStored = true;
  const thirds: CompilerThird[][] = [];
  for (const name of names) {
    const recording = join(folder, name);
    const imported = await importRecording({ recording, ...about, measurement });
    const { snapshot, problems, isRefused, compilerThirds } = imported;
    if (compilerThirds !== undefined) thirds.push([...compilerThirds]);
    if (snapshot !== null) continue;
    for (const problem of problems) tell({ kind: 'problem', problem });
    // A recording without samples never becomes a snapshot.
    if (isRefused) isStored = false;
  }
  const compiler = compilerShares(thirds);
  const reached = maven === null ? null : await reachedClasses(task, key);
  journal.saveRecorded(key, { ...(compiler && { compiler }), ...(reached && { reached }) });
  if (isStored) rmSync(folder, { recursive: true, force: true });
}

/** Names of the test classes in what the store has of a fork, sorted. */
async function reachedClasses(task: TrackTask, key: ForkKey): Promise<string[]> {
  const build = task.journal.buildOf(key.commit);
  const tests = build?.state === 'built' ? (build.tests ?? {}) : {};
  const names = new Set<string>();
  for (const entry of (await task.store.list(executionOf(task, key))).value) {
    const { value: methods } = await task.store.readMethods(entry);
    for (const row of new Set(methods?.className)) names.add(topLevelClass(plainClassName(methods!.strings[row]!)));
  }
  return [...names].filter(name => Object.hasOwn(tests, name)).sort();
}
