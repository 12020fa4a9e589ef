// Reads the executions of a Kieker log, from OperationExecutionRecords or pairs of events: call counts and response times are exact.
import { ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { PARTIAL_METHOD, ROOT_METHOD } from '../../cct/profile.ts';
import type { ByteSource } from '../byte-source.ts';
import { MethodSink, TOO_LARGE } from '../frame-names.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { WindowPlan } from '../jfr/windows.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { ownCopy, readLines, startAsText } from '../text-lines.ts';
import { leftOutText, type RanIn, TraceFilter } from '../trace-context.ts';
import { EntryTypes, EventPairs, type PairedEvents, parseEvent, parseTrace } from './operation-event.ts';
import { isRecord, parseRecord, parseSignature, TICK_NANOS, ticksBetween } from './operation-execution.ts';
import { type Execution, placeExecutions, Traces } from './traces.ts';

/** Whether a file begins as a Kieker log does. */
export function isKieker(start: Uint8Array): boolean {
  const text = startAsText(start);
  return text !== null && isRecord(text.replace(/^\s+/, ''));
}

/**
 * Reads a whole log, twice: the windows, and which events are entries, must be known before the first execution is placed. Metric
 * `calls` counts invocations, `time` holds what a method took itself, so that the sum below a node is the time from its entry to its
 * exit. Response times beside it have that whole time, by the operation that called. A log has no threads; each host is a thread group.
 */
export async function readKieker(source: ByteSource, options: IngestOptions): Promise<Ingested> {
  const problems = new ProblemList(source.name);
  const span = await findSpan(source, options);
  const fold = new KiekerFold(options, span);
  let other = 0;
  await readLines(source, options, problems, (line, number) => {
    if (line === '') return true;
    if (fold.full) {
      problems.addPart(TOO_LARGE, `line ${number}`);
      return false;
    }
    if (fold.add(line)) return true;
    if (isRecord(line)) other++;
    else problems.addPart('this is no Kieker record', `line ${number}`);
    return true;
  });
  fold.end();
  if (other > 0) {
    const what = other === 1 ? '1 record of another kind was' : `${other} records of other kinds were`;
    problems.add('info', `${what} left out`);
  }
  if (fold.leftOut > 0) problems.add('info', leftOutText(fold.leftOut));
  if (fold.incomplete > 0)
    problems.add('warning', `${fold.incomplete} traces are incomplete: their callers are missing`);
  if (fold.single > 0)
    problems.add('warning', `of ${fold.single} calls the beginning or the end is missing: they were left out`);
  if (fold.executions === 0 && fold.leftOut > 0) problems.add('error', 'no call of the log fits what was asked for');
  else if (fold.executions === 0) {
    const remedy =
      'give the log of a monitoring run with OperationExecutionRecords, or with events before and after operations';
    problems.add('error', 'the log holds no executions of operations', undefined, remedy);
  }
  return {
    profile: fold.executions === 0 ? null : fold.profile(problems),
    format: 'kieker',
    startMillis: span.startMillis,
    endMillis: span.endMillis,
    recorder: 'Kieker',
    debugNonSafepoints: null,
    problems: problems.list(),
  };
}

type Span = {
  readonly startMillis: number;
  readonly endMillis: number;
  readonly tickNanos: number;
  readonly entries: EntryTypes;
};

/** The time that the log covers, the unit of its clock, and which of its events are entries. */
async function findSpan(source: ByteSource, { signal }: IngestOptions): Promise<Span> {
  let startMillis = Number.POSITIVE_INFINITY;
  let endMillis = Number.NEGATIVE_INFINITY;
  let tickNanos = 1;
  const entries = new EntryTypes();
  const silent = new ProblemList(source.name);
  await readLines(source, signal === undefined ? {} : { signal }, silent, line => {
    const record = parseRecord(line, tickNanos);
    if (record !== null) {
      startMillis = Math.min(startMillis, record.startMillis);
      endMillis = Math.max(endMillis, record.startMillis + Math.max(0, record.durationNanos) / 1e6);
      return true;
    }
    const event = parseEvent(line);
    if (event !== null) {
      const millis = millisOf(event.timestamp, tickNanos);
      startMillis = Math.min(startMillis, millis);
      endMillis = Math.max(endMillis, millis);
      entries.add(event);
    } else if (isRecord(line)) {
      tickNanos = line.split(';').reduce((found, field) => TICK_NANOS.get(field) ?? found, tickNanos);
    }
    return true;
  });
  const [from, to] = startMillis <= endMillis ? [startMillis, endMillis] : [0, 0];
  return { startMillis: from, endMillis: to, tickNanos, entries };
}

function millisOf(timestamp: string, tickNanos: number): number {
  return (Number(timestamp) * tickNanos) / 1e6;
}

/** Of a trace whose record is missing. */
const NOT_TOLD: RanIn = { host: null, thread: null, session: null };

/** Of more traces than these it is not kept on which host they ran. */
const MOST_HOSTS = 1_000_000;

class KiekerFold {
  readonly #builder: ProfileBuilder;
  readonly #methods: MethodSink;
  readonly #windows: WindowPlan;
  readonly #tickNanos: number;
  readonly #pairs: EventPairs;
  readonly #filter: TraceFilter;
  /** Of traces whose events are read one by one: where they run, and whether they are read. */
  readonly #hosts = new Map<string, string>();
  readonly #left = new Set<string>();
  readonly #rows = new Map<string, number>();
  readonly #signatures = new Map<string, string>();
  readonly #threads = new Map<string, number>();
  readonly #calls: number;
  readonly #time: number;
  readonly #traces = new Traces<number>((thread, executions, complete) => this.#place(thread, executions, complete));
  executions = 0;
  incomplete = 0;

  constructor(options: IngestOptions, { startMillis, endMillis, tickNanos, entries }: Span) {
    this.#builder = new ProfileBuilder(options.names);
    this.#methods = new MethodSink(this.#builder, options.names);
    this.#windows = new WindowPlan(startMillis, endMillis, options.windowMillis);
    this.#tickNanos = tickNanos;
    this.#pairs = new EventPairs(entries);
    this.#filter = new TraceFilter(options.traces);
    const exact = { kind: 'exact', events: ['OperationExecutionRecord'], periodNanos: 0 } as const;
    this.#calls = this.#builder.metric({ ...exact, id: 'calls', unit: 'invocations' });
    this.#time = this.#builder.metric({ ...exact, id: 'time', unit: 'nanoseconds' });
  }

  get full(): boolean {
    return this.#methods.full;
  }

  /** Calls of other hosts, threads or sessions. */
  get leftOut(): number {
    return this.#filter.leftOut;
  }

  /** Calls whose beginning or end is missing. */
  get single(): number {
    return this.#pairs.single;
  }

  /** Takes a line; false when it says nothing of executions. */
  add(line: string): boolean {
    const record = parseRecord(line, this.#tickNanos);
    if (record !== null) {
      // The records say nothing of threads.
      const { host, session } = record;
      if (this.#filter.takes({ host, session, thread: null })) this.#add(record.signature, record.trace, host, record);
      return true;
    }
    const event = parseEvent(line);
    if (event === null) return this.#addTrace(line);
    const pair = this.#pairs.add({ ...event, trace: ownCopy(event.trace), signature: this.#known(event.signature) });
    if (pair === null) return true;
    const { trace } = pair;
    if (this.#left.has(trace)) this.#filter.leftOut++;
    else if (this.#hosts.has(trace) || this.#filter.takes(NOT_TOLD)) this.#addPair(pair);
    return true;
  }

  #addPair({ signature, trace, entry, exit, order, depth }: PairedEvents): void {
    const startMillis = millisOf(entry, this.#tickNanos);
    const durationNanos = ticksBetween(entry, exit) * this.#tickNanos;
    this.#add(signature, trace, this.#hosts.get(trace) ?? '-', { startMillis, durationNanos, order, depth });
  }

  #add(signature: string, trace: string, host: string, execution: Omit<Execution, 'method'>): void {
    const { startMillis, durationNanos, order, depth } = execution;
    this.executions++;
    const own = { method: this.#method(signature), startMillis, durationNanos, order, depth };
    this.#traces.add(ownCopy(trace), this.#thread(host), own);
  }

  /** Notes where a trace runs. */
  #addTrace(line: string): boolean {
    const trace = parseTrace(line);
    if (trace === null) return false;
    const isRead = this.#filter.fits(trace);
    if (this.#hosts.size + this.#left.size >= MOST_HOSTS) return true;
    if (isRead) this.#hosts.set(ownCopy(trace.trace), this.#methods.keep(trace.host));
    else this.#left.add(ownCopy(trace.trace));
    return true;
  }

  end(): void {
    this.#pairs.end();
    this.#traces.end();
  }

  /** The signature as it was met first, so that those of open operations hold no lines alive. */
  #known(signature: string): string {
    this.#method(signature);
    return this.#signatures.get(signature)!;
  }

  #method(signature: string): number {
    let row = this.#rows.get(signature);
    if (row === undefined) {
      row = this.#methods.row(parseSignature(signature));
      const kept = this.#methods.keep(signature);
      this.#rows.set(kept, row);
      this.#signatures.set(kept, kept);
    }
    return row;
  }

  #thread(host: string): number {
    let row = this.#threads.get(host);
    if (row === undefined) {
      const group = this.#methods.keep(host);
      row = this.#builder.threads.thread(group, '-', false);
      this.#threads.set(group, row);
    }
    return row;
  }

  #place(thread: number, executions: Execution[], complete: boolean): void {
    if (!complete) this.incomplete++;
    const nodes = new Int32Array(executions.length);
    const top = complete ? ROOT_NODE : this.#builder.partialRoot();
    const outside = complete ? ROOT_METHOD : PARTIAL_METHOD;
    const placed = placeExecutions(executions);
    placed.forEach(({ method, startMillis, caller, durationNanos, selfNanos }, place) => {
      const node = this.#builder.child(caller < 0 ? top : nodes[caller]!, method, 0);
      nodes[place] = node;
      const window = this.#windows.at(startMillis);
      this.#builder.add(this.#calls, node, thread, 0, window, 1);
      this.#builder.add(this.#time, node, thread, 0, window, 1, selfNanos);
      this.#builder.times.addCall(method, caller < 0 ? outside : placed[caller]!.method, window, durationNanos);
    });
  }

  profile(problems: ProblemList) {
    sayLimits(this.#builder, problems);
    return this.#builder.finish(this.#windows.windows());
  }
}
