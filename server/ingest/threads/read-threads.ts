// Reads a file of one or many thread dumps as a series of samples: one a thread a dump.
import { EMPTY_STACK_LINE, ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { processorsRow } from '../../cct/processor-time.ts';
import type { Cells, Profile } from '../../cct/profile.ts';
import { TYPED } from '../../model/time-types.ts';
import type { ByteSource } from '../byte-source.ts';
import { MethodSink, TOO_LARGE } from '../frame-names.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { WindowPlan } from '../jfr/windows.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { readLines, startAsText } from '../text-lines.ts';
import { type DumpedThread, parseTime, type ThreadState } from './dumped-thread.ts';
import { eachDumpedThread, isJson } from './each-dumped-thread.ts';
import { eachJsonTime, jsonNotation } from './json-dump.ts';
import { LogLines, TITLE } from './log-lines.ts';
import { ALONE_NANOS, type PlacedDump, placedThread, TypedFold } from './typed-fold.ts';

/** The result of reading a series of dumps: more than a profile. */
type IngestedDumps = Ingested & {
  readonly dumps: number;
  /** Number of samples by the state that their threads were in. */
  readonly states: Readonly<Partial<Record<ThreadState, number>>>;
};

/** All threads of a dump are held to tell who waits for whom. No JVM has nearly as many. */
const MOST_TYPED = 100_000;

/** Characters of a line that may name a thread, where it is looked for in a log. */
const MOST_HEADING = 2000;

/** Lines that name a thread and are nothing else: of the JVM, ThreadInfo.toString() and its relatives, VisualVM. */
const HEADINGS: readonly RegExp[] = [
  /^"[^\n]*" (?:#\d+|daemon|prio=|tid=)[^\n]*\b(?:tid|nid)=/m,
  /^"[^\n]*"(?: daemon)?(?: prio=-?\d+)? [Ii]d=\d+ (?:state=)?[A-Z_]+/m,
  /^"[^\n]*" - Thread t@\d+/m,
];

/** Lines that only thread dumps have, each in its notation. */
const SIGNS: readonly RegExp[] = [
  new RegExp(TITLE),
  ...HEADINGS,
  // A number, a time, a version, threads: a dump to a file.
  /^(?:\d+\r?\n)?\d{4}-\d\d-\d\dT\S+\r?\n\S+\r?\n\s*#\d+ "/,
  /^#\d+ "[^\n]*"(?: [a-z]+)*(?: [A-Z_]+ \S+)?\s*\n(?:#|\s+(?:at )?\S+\()/m,
  // The serviceability agent.
  /^Thread \d+: \(state = [A-Z_]+\)/m,
  /^Attaching to (?:process ID|core) [^\n]*\r?\n/,
  /^Debugger attached successfully\.\r?\n/m,
];

/** Whether a file begins with a thread dump, or with a log that has one in its first lines. */
export function isThreadDump(start: Uint8Array): boolean {
  const text = startAsText(start)?.replace(/^\uFEFF/, '');
  return text !== undefined && (jsonNotation(text) !== null || SIGNS.some(sign => sign.test(text)));
}

/** Whether a text holds a thread dump anywhere: a log in which the JVM wrote one. */
export async function holdsThreadDump(source: ByteSource, { signal }: IngestOptions): Promise<boolean> {
  let found = false;
  await readLines(source, signal === undefined ? {} : { signal }, new ProblemList(source.name), line => {
    found =
      line.includes(TITLE) ||
      (line.startsWith('"') && line.length < MOST_HEADING && HEADINGS.some(heading => heading.test(line)));
    return !found;
  });
  return found;
}

/**
 * Reads a whole file. Metric `wall` counts one sample a Java thread a dump, whatever its state; its period is the mean time
 * between dumps. The JVM's own threads give no samples.
 */
export async function readThreadDumps(source: ByteSource, options: IngestOptions): Promise<IngestedDumps> {
  const problems = new ProblemList(source.name);
  const span = await findSpan(source, options);
  const windows = new WindowPlan(span.startMillis, span.endMillis, options.windowMillis);
  const fold = new DumpFold(options, windows, span.tellsElapsed);
  await eachDumpedThread(source, options, problems, {
    dump: atMillis => fold.dump(atMillis),
    thread: thread => {
      fold.thread(thread);
      if (fold.full) problems.addPart(TOO_LARGE, `dump ${fold.dumps}`);
      return !fold.full;
    },
  });
  const profile = fold.samples === 0 ? null : fold.profile(span, problems);
  if (fold.untyped > 0)
    problems.say(
      'warning',
      `what threads do with their time is not told of ${fold.untyped} dump${fold.untyped === 1 ? '' : 's'} with more than ${MOST_TYPED} threads`,
    );
  if (fold.ended > 0)
    problems.say(
      'info',
      `${fold.ended === 1 ? '1 thread ended between two dumps: its last interval is' : `${fold.ended} threads ended between two dumps: their last intervals are`} missing, and threads that lived between two dumps are not seen, so that times are lower bounds`,
    );
  if (fold.samples === 0)
    problems.add('error', 'the file holds no thread of a thread dump', undefined, 'take it again, with jstack or jcmd');
  return {
    profile,
    format: 'thread-dump',
    startMillis: span.startMillis,
    endMillis: span.endMillis,
    recorder: 'thread dumps',
    debugNonSafepoints: null,
    problems: problems.list(),
    dumps: fold.dumps,
    states: Object.fromEntries(fold.states),
  };
}

type Span = {
  readonly startMillis: number;
  readonly endMillis: number;
  /** Whether the dumps tell how long threads are alive. */
  readonly tellsElapsed: boolean;
};

const ELAPSED = / elapsed=\d/;

/** From the first to the last dump that tells its time; where none does, when the file was written last. */
async function findSpan(source: ByteSource, { signal, continuesDump }: IngestOptions): Promise<Span> {
  let startMillis = Number.POSITIVE_INFINITY;
  let endMillis = Number.NEGATIVE_INFINITY;
  let before = continuesDump === true ? null : Number.NaN;
  const note = (millis: number | null) => {
    if (millis === null) return;
    // A dump that counts elsewhere is not of this time.
    before ??= millis;
    if (millis === before) return;
    startMillis = Math.min(startMillis, millis);
    endMillis = Math.max(endMillis, millis);
  };
  let tellsElapsed = false;
  const start = new Uint8Array(Math.min(4096, source.size));
  if (isJson(start.subarray(0, source.read(0, start)))) {
    await eachJsonTime(source, signal === undefined ? {} : { signal }, note);
  } else {
    const log = new LogLines();
    const silent = new ProblemList(source.name);
    await readLines(source, signal === undefined ? {} : { signal }, silent, line => {
      const text = log.text(line);
      if (text.startsWith('2')) note(parseTime(text.trim()));
      else if (text.startsWith(TITLE)) note(log.titleMillis);
      else if (!tellsElapsed && text.startsWith('"')) tellsElapsed = ELAPSED.test(text);
      return true;
    });
  }
  const written = source.modifiedMillis ?? 0;
  const [first, last] = startMillis <= endMillis ? [startMillis, endMillis] : [written, written];
  return { startMillis: first, endMillis: last, tellsElapsed };
}

class DumpFold {
  readonly #builder: ProfileBuilder;
  readonly #methods: MethodSink;
  readonly #windows: WindowPlan;
  readonly #typed: TypedFold;
  #placed: PlacedDump | null = null;
  readonly #rows = new Map<string, number>();
  readonly #normalised: boolean;
  #window = 0;
  #truncated = 0;
  readonly states = new Map<ThreadState, number>();
  dumps = 0;
  /** Dumps with too many threads for typed time. */
  untyped = 0;
  samples = 0;

  readonly #tellsElapsed: boolean;
  /** The first dump counts in another profile. */
  readonly #continues: boolean;

  constructor(options: IngestOptions, windows: WindowPlan, tellsElapsed: boolean) {
    this.#builder = new ProfileBuilder(options.names);
    this.#methods = new MethodSink(this.#builder, options.names);
    this.#windows = windows;
    this.#normalised = options.names === 'normalised';
    this.#tellsElapsed = tellsElapsed;
    this.#continues = options.continuesDump === true;
    this.#metric(0);
    const machine = { processors: options.processors ?? null, priorities: options.priorities ?? null };
    this.#typed = new TypedFold(this.#builder, machine, tellsElapsed, (className, name) =>
      this.#method(className, name),
    );
  }

  #metric(periodNanos: number): number {
    return this.#builder.metric({ id: 'wall', unit: 'samples', kind: 'sampled', events: [], periodNanos });
  }

  /** Threads that a dump has and the next one has not. */
  get ended(): number {
    return this.#typed.ended;
  }

  get full(): boolean {
    return this.#methods.full;
  }

  dump(atMillis: number | null): void {
    this.dumps++;
    if (atMillis !== null) this.#window = this.#windows.at(atMillis);
    this.#endDump();
    this.#placed = { window: this.#window, isCounted: this.#isCounted, threads: [] };
  }

  get #isCounted(): boolean {
    return !this.#continues || this.dumps > 1;
  }

  #endDump(): void {
    if (this.#placed !== null) this.#typed.take(this.#placed);
    this.#placed = null;
  }

  #place(placed: PlacedDump['threads'][number]): void {
    if (this.#placed === null) return;
    if (this.#placed.threads.length < MOST_TYPED) this.#placed.threads.push(placed);
    else {
      this.#placed = null;
      this.untyped++;
    }
  }

  thread(thread: DumpedThread): void {
    const { java, name, group, virtual, state, frames, truncated } = thread;
    if (!java) return;
    let node = truncated ? this.#builder.partialRoot() : ROOT_NODE;
    if (truncated && this.#isCounted) this.#truncated++;
    let line = EMPTY_STACK_LINE;
    let callLine = 0;
    for (let i = frames.length - 1; i >= 0; i--) {
      const frame = frames[i]!;
      node = this.#builder.child(node, this.#method(frame.className, frame.method), callLine);
      callLine = frame.line;
      line = callLine;
    }
    // The dump's own text may be a part of a large string.
    // All unnamed virtual threads are one row, whatever runs them.
    const kept = virtual && name === '' && this.#normalised ? '' : group;
    const row = this.#builder.threads.thread(this.#methods.keep(kept), this.#methods.keep(name), virtual);
    if (this.#isCounted) this.#builder.add(0, node, row, line, this.#window, 1);
    this.#place(placedThread(thread, { node, row, line }, frame => this.#method(frame.className, frame.method)));
    if (!this.#isCounted) return;
    this.states.set(state, (this.states.get(state) ?? 0) + 1);
    this.samples++;
  }

  #method(className: string, name: string): number {
    const key = `${className}.${name}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = this.#methods.row({ className, name, descriptor: null, flags: 0 });
      this.#rows.set(this.#methods.keep(key), row);
    }
    return row;
  }

  profile({ startMillis, endMillis }: Span, problems: ProblemList) {
    this.#endDump();
    this.#typed.end();
    sayLimits(this.#builder, problems);
    const counted = this.#continues ? this.dumps - 1 : this.dumps;
    const periodNanos = counted > 1 ? ((endMillis - startMillis) * 1e6) / (counted - 1) : 0;
    if (periodNanos > 0) {
      this.#metric(periodNanos);
      this.#builder.metric({ ...TYPED, periodNanos });
    }
    const profile = this.#builder.finish(this.#windows.windows(), { truncatedStacks: this.#truncated });
    return this.#tellsElapsed ? profile : withTypedPeriod(profile, periodNanos > 0 ? periodNanos : ALONE_NANOS);
  }
}

/** Where dumps do not tell how long threads are alive: each sample of typed time, and each processor of a dump, weighs the time between two dumps. */
function withTypedPeriod(profile: Profile, periodNanos: number): Profile {
  const rows = [profile.metrics.findIndex(({ id }) => id === TYPED.id), processorsRow(profile)];
  const scaled = (column: Float64Array, factor: number) => column.map(value => value * factor);
  const weighed = (cells: Cells): Cells => ({
    ...cells,
    weight: scaled(cells.weight, periodNanos),
    weightSquares: cells.weightSquares === null ? null : scaled(cells.weightSquares, periodNanos ** 2),
  });
  return { ...profile, cells: profile.cells.map((own, row) => (rows.includes(row) ? weighed(own) : own)) };
}
