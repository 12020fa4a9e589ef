// Reads the OperationExecutionRecords of a Kieker log: every execution, so call counts and response times are exact.
import { ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import type { ByteSource } from '../byte-source.ts';
import { MethodSink, TOO_LARGE } from '../frame-names.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { WindowPlan } from '../jfr/windows.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { ownCopy, readLines, startAsText } from '../text-lines.ts';
import { isRecord, parseRecord, parseSignature, TICK_NANOS } from './operation-execution.ts';
import { type Execution, placeExecutions, Traces } from './traces.ts';

/** Whether a file begins as a Kieker log does. */
export function isKieker(start: Uint8Array): boolean {
  const text = startAsText(start);
  return text !== null && isRecord(text.replace(/^\s+/, ''));
}

/**
 * Reads a whole log, twice: the windows must be known before the first execution is placed. Metric `calls` counts invocations,
 * `time` holds response times: what a method took itself, so that the sum below a node is the time from its entry to its exit.
 * A log has no threads; each host is a thread group.
 */
export async function readKieker(source: ByteSource, options: IngestOptions): Promise<Ingested> {
  const problems = new ProblemList(source.name);
  const span = await findSpan(source, options);
  const fold = new KiekerFold(options, new WindowPlan(span.startMillis, span.endMillis, options.windowMillis));
  let other = 0;
  await readLines(source, options, problems, (line, number) => {
    if (line === '') return true;
    if (fold.full) {
      problems.add('warning', TOO_LARGE, `line ${number}`);
      return false;
    }
    if (fold.add(line, span.tickNanos)) return true;
    if (isRecord(line)) other++;
    else problems.add('warning', 'this is no Kieker record', `line ${number}`);
    return true;
  });
  fold.end();
  if (other > 0) {
    const what = other === 1 ? '1 record of another kind was' : `${other} records of other kinds were`;
    problems.add('info', `${what} left out`);
  }
  if (fold.incomplete > 0)
    problems.add('warning', `${fold.incomplete} traces are incomplete: their callers are missing`);
  if (fold.executions === 0) {
    const remedy = 'give the log of a monitoring run with OperationExecutionRecords';
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

type Span = { readonly startMillis: number; readonly endMillis: number; readonly tickNanos: number };

/** The time that the log covers and the unit of its clock. */
async function findSpan(source: ByteSource, { signal }: IngestOptions): Promise<Span> {
  let startMillis = Number.POSITIVE_INFINITY;
  let endMillis = Number.NEGATIVE_INFINITY;
  let tickNanos = 1;
  const silent = new ProblemList(source.name);
  await readLines(source, signal === undefined ? {} : { signal }, silent, line => {
    const record = parseRecord(line, tickNanos);
    if (record !== null) {
      startMillis = Math.min(startMillis, record.startMillis);
      endMillis = Math.max(endMillis, record.startMillis + Math.max(0, record.durationNanos) / 1e6);
    } else if (isRecord(line)) {
      tickNanos = line.split(';').reduce((found, field) => TICK_NANOS.get(field) ?? found, tickNanos);
    }
    return true;
  });
  return startMillis <= endMillis ? { startMillis, endMillis, tickNanos } : { startMillis: 0, endMillis: 0, tickNanos };
}

class KiekerFold {
  readonly #builder: ProfileBuilder;
  readonly #methods: MethodSink;
  readonly #windows: WindowPlan;
  readonly #rows = new Map<string, number>();
  readonly #threads = new Map<string, number>();
  readonly #calls: number;
  readonly #time: number;
  readonly #traces = new Traces<number>((thread, executions, complete) => this.#place(thread, executions, complete));
  executions = 0;
  incomplete = 0;

  constructor(options: IngestOptions, windows: WindowPlan) {
    this.#builder = new ProfileBuilder(options.names);
    this.#methods = new MethodSink(this.#builder, options.names);
    this.#windows = windows;
    const exact = { kind: 'exact', events: ['OperationExecutionRecord'], periodNanos: 0 } as const;
    this.#calls = this.#builder.metric({ ...exact, id: 'calls', unit: 'invocations' });
    this.#time = this.#builder.metric({ ...exact, id: 'time', unit: 'nanoseconds' });
  }

  get full(): boolean {
    return this.#methods.full;
  }

  /** Takes a line; false when it is no execution. */
  add(line: string, tickNanos: number): boolean {
    const record = parseRecord(line, tickNanos);
    if (record === null) return false;
    const { startMillis, durationNanos, order, depth } = record;
    const execution = { method: this.#method(record.signature), startMillis, durationNanos, order, depth };
    this.executions++;
    this.#traces.add(ownCopy(record.trace), this.#thread(record.host), execution);
    return true;
  }

  end(): void {
    this.#traces.end();
  }

  #method(signature: string): number {
    let row = this.#rows.get(signature);
    if (row === undefined) {
      row = this.#methods.row(parseSignature(signature));
      this.#rows.set(this.#methods.keep(signature), row);
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
    placeExecutions(executions).forEach(({ method, startMillis, caller, selfNanos }, place) => {
      const node = this.#builder.child(caller < 0 ? top : nodes[caller]!, method, 0);
      nodes[place] = node;
      const window = this.#windows.at(startMillis);
      this.#builder.add(this.#calls, node, thread, 0, window, 1);
      this.#builder.add(this.#time, node, thread, 0, window, 1, selfNanos);
    });
  }

  profile(problems: ProblemList) {
    sayLimits(this.#builder, problems);
    return this.#builder.finish(this.#windows.windows());
  }
}
