// Reads the spans of OpenTelemetry: call trees of the methods that were instrumented, with their response times.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../../base/message-of.ts';
import { ProfileBuilder, ROOT_NODE } from '../../cct/builder.ts';
import { PARTIAL_METHOD, ROOT_METHOD } from '../../cct/profile.ts';
import type { ByteSource } from '../byte-source.ts';
import { MethodSink, TOO_LARGE } from '../frame-names.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { WindowPlan } from '../jfr/windows.ts';
import { ticksBetween } from '../kieker/operation-execution.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { ownCopy, readLines, startAsText } from '../text-lines.ts';
import { leftOutText, type RanIn, TraceFilter } from '../trace-context.ts';
import { JsonDocuments } from './json-documents.ts';
import { beginsAsDocument, jsonStart, spansInJson, spansInLine } from './json-spans.ts';
import { clientMethod, frameOf, type Span } from './span.ts';
import { beginsWithSpans, messageAt } from './wire-spans.ts';

/** Whether a file begins with spans, as JSON or protocol buffers. */
export function isOtlp(start: Uint8Array): boolean {
  const text = startAsText(start);
  if (text === null) return beginsWithSpans(start);
  return jsonStart(text) >= 0 || beginsAsDocument(text);
}

/** Whether a log holds a line with spans, wherever. */
export async function holdsSpans(source: ByteSource, { signal }: IngestOptions): Promise<boolean> {
  let found = false;
  await readLines(source, signal === undefined ? {} : { signal }, new ProblemList(source.name), line => {
    found = jsonStart(line) >= 0;
    return !found;
  });
  return found;
}

/** More spans than these are not held at once, some 300 MB: spans of one trace stand near each other. */
const MOST_SPANS = 500_000;

/**
 * Reads a whole file, twice: the windows must be known before the first span is placed. Metric `calls` counts spans of methods, `time`
 * holds what a method took without the methods called in it; response times have the whole. The caller is the nearest span around it that
 * names a method, whatever ran between. Spans of clients that name no method are calls of a method that stands for them. Each host (or service) is a thread group.
 */
export async function readOtlp(source: ByteSource, options: IngestOptions, mostSpans = MOST_SPANS): Promise<Ingested> {
  const problems = new ProblemList(source.name);
  let [startMillis, endMillis] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const quiet = options.signal === undefined ? {} : { signal: options.signal };
  await eachSpan(source, quiet, new ProblemList(source.name), span => {
    if (span.method === '' || !isTimed(span) || isBackwards(span)) return true;
    startMillis = Math.min(startMillis, millisOf(span.start));
    endMillis = Math.max(endMillis, millisOf(span.end));
    return true;
  });
  const hasAny = startMillis <= endMillis;
  const fold = new SpanFold(
    options,
    new WindowPlan(hasAny ? startMillis : 0, hasAny ? endMillis : 0, options.windowMillis),
    mostSpans,
  );
  await eachSpan(source, options, problems, (span, place) => {
    if (fold.full) {
      problems.addPart(TOO_LARGE, place);
      return false;
    }
    fold.add(span);
    return true;
  });
  fold.end();
  say(fold, mostSpans, problems);
  return {
    profile: fold.placed === 0 ? null : fold.profile(problems),
    format: 'otlp',
    startMillis: hasAny ? startMillis : 0,
    endMillis: hasAny ? endMillis : 0,
    recorder: 'OpenTelemetry',
    debugNonSafepoints: null,
    problems: problems.list(),
  };
}

function say(fold: SpanFold, mostSpans: number, problems: ProblemList): void {
  const { placed, nameless, untimed, backwards, orphans, parted, repeated, sharing, leftOut } = fold;
  const { clients, loose } = fold;
  const isDamaged = untimed + backwards > 0 || problems.list().length > 0;
  if (leftOut > 0) problems.say('info', leftOutText(leftOut));
  if (nameless > 0)
    problems.say('info', `${nameless} spans name no method: what they called counts as called by what is around them`);
  if (clients > 0)
    problems.say(
      'info',
      `${clients} spans of clients of databases and servers count as calls of ${clientMethod('…')} by the method around them`,
    );
  if (loose > 0) problems.say('info', `${loose} spans of clients have no method around them: they were left out`);
  if (untimed > 0) problems.say('warning', `${untimed} spans have no beginning or end: they were left out`);
  if (backwards > 0) problems.say('warning', `${backwards} spans end before they begin: they were left out`);
  if (repeated > 0) problems.say('info', `${repeated} spans are repeated in the file: each counts once`);
  if (sharing > 0)
    problems.say(
      'warning',
      `${sharing} spans have the id of another span: they count, and calls inside them count as calls of that one`,
    );
  if (orphans > 0) problems.say('warning', `of ${orphans} spans the caller is not in the file`);
  if (parted > 0) {
    const message = `the file is read in parts of ${mostSpans} spans: of ${parted} spans the caller is not in the same part, and its own time holds theirs`;
    problems.say('warning', message);
  }
  if (placed > 0) {
    problems.say('info', 'spans name methods without their parameters: overloads are one method');
    return;
  }
  if (leftOut > 0) {
    problems.add('error', 'no call of the file fits what was asked for');
    return;
  }
  if (isDamaged) {
    problems.add('error', 'no span of the file that names a method could be read');
    return;
  }
  const remedy = 'instrument methods (-Dotel.instrumentation.methods.include=com.acme.Shop[search]) and record again';
  problems.add('error', 'the file holds no spans that name a method', undefined, remedy);
}

type SpanVisitor = (span: Span, place: string) => boolean;

/** Calls `visit` for each span until it returns false. */
async function eachSpan(
  source: ByteSource,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visit: SpanVisitor,
): Promise<void> {
  const start = new Uint8Array(Math.min(4096, source.size));
  const text = startAsText(start.subarray(0, source.read(0, start)));
  if (text === null) await eachInMessages(source, options, problems, visit);
  else if (beginsAsDocument(text)) await eachInDocuments(source, options, problems, visit);
  else
    await readLines(source, options, problems, (line, number) => {
      if (jsonStart(line) < 0) return true;
      return eachIn(spansInLine(line), number, problems, visit);
    });
}

/** Lines with an object each, objects over several lines, and arrays of objects. */
async function eachInDocuments(
  source: ByteSource,
  options: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visit: SpanVisitor,
): Promise<void> {
  const documents = new JsonDocuments();
  const visitAll = (found: ReturnType<JsonDocuments['push']>) =>
    found.every(({ text, line, isBroken }) => eachIn(isBroken ? null : spansInJson(text), line, problems, visit));
  await readLines(source, options, problems, (line, number) => {
    const spans = !documents.isOpen && jsonStart(line) === 0 ? spansInLine(line) : null;
    return spans === null ? visitAll(documents.push(line, number)) : eachIn(spans, number, problems, visit);
  });
  visitAll(documents.end());
}

/** @returns whether others are wanted */
function eachIn(spans: readonly Span[] | null, line: number, problems: ProblemList, visit: SpanVisitor): boolean {
  if (spans === null) problems.addPart('the JSON of these spans is broken', `line ${line}`);
  return (spans ?? []).every(span => visit(span, `line ${line}`));
}

async function eachInMessages(
  source: ByteSource,
  { onProgress, signal }: Pick<IngestOptions, 'onProgress' | 'signal'>,
  problems: ProblemList,
  visit: SpanVisitor,
): Promise<void> {
  let position = 0;
  try {
    for (let message = messageAt(source, 0); message !== null; message = messageAt(source, position)) {
      if (signal?.aborted) {
        problems.addPart('reading was cancelled here', `byte ${position}`);
        return;
      }
      const place = `byte ${position}`;
      if (!message.spans.every(span => visit(span, place))) return;
      position = message.next;
      onProgress?.(position, source.size);
      await nextTurn();
    }
  } catch (error) {
    problems.addPart(`what follows cannot be read: ${messageOf(error)}`, `byte ${position}`);
  }
}

function ranIn({ host, thread, session }: Span): RanIn {
  const known = (text: string, none: string) => (text === none ? null : text);
  return { host: known(host, '-'), thread: known(thread, '-'), session: known(session, '') };
}

function millisOf(nanos: string): number {
  return Number(nanos) / 1e6;
}

const NANOS = /^\d{1,20}$/;

function isTimed({ start, end }: Span): boolean {
  return NANOS.test(start) && NANOS.test(end) && start !== '0' && end !== '0';
}

/** Whether a span with both times ends before it begins. */
function isBackwards({ start, end }: Span): boolean {
  return ticksBetween(start, end) < 0;
}

/** A span that waits for what is around it. */
type Waiting = {
  readonly span: Span;
  /** Nanoseconds. */
  readonly took: number;
  /** The time of all methods that were called in the span. */
  called: number;
  /** Its node, −1 while it has none. */
  node: number;
  /** Whether the span was met on the way to a node. */
  isMet: boolean;
  /** Whether no span that names a method is around this one. */
  isOutermost: boolean;
};

class SpanFold {
  readonly #builder: ProfileBuilder;
  readonly #methods: MethodSink;
  readonly #windows: WindowPlan;
  readonly #mostSpans: number;
  readonly #rows = new Map<string, number>();
  readonly #threads = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  readonly #filter: TraceFilter;
  readonly #calls: number;
  readonly #time: number;
  /** Spans by trace and id; a span that nothing can name stands under a key of its own. */
  #waiting = new Map<string, Waiting>();
  #isParted = false;
  placed = 0;
  nameless = 0;
  /** Spans of clients that count as calls, and spans without a method around them. */
  clients = 0;
  loose = 0;
  untimed = 0;
  backwards = 0;
  /** Spans whose caller is not in the file, and spans whose caller may be in another part of it. */
  orphans = 0;
  parted = 0;
  /** Spans that were sent twice, and different spans that share the id of another span. */
  repeated = 0;
  sharing = 0;

  constructor(options: IngestOptions, windows: WindowPlan, mostSpans: number) {
    this.#mostSpans = mostSpans;
    this.#builder = new ProfileBuilder(options.names);
    this.#methods = new MethodSink(this.#builder, options.names);
    this.#windows = windows;
    this.#filter = new TraceFilter(options.traces);
    // Traces may be sampled: what is measured is right, and need not be all.
    const measured = { kind: 'measured', events: ['span'], periodNanos: 0 } as const;
    this.#calls = this.#builder.metric({ ...measured, id: 'calls', unit: 'invocations' });
    this.#time = this.#builder.metric({ ...measured, id: 'time', unit: 'nanoseconds' });
  }

  /** Calls of other hosts, threads or sessions. */
  get leftOut(): number {
    return this.#filter.leftOut;
  }

  get full(): boolean {
    return this.#methods.full;
  }

  add(given: Span): void {
    const id = keyOf(given, given.id);
    const known = id === '' ? undefined : this.#waiting.get(id);
    if (known !== undefined && isRepeated(known, given)) {
      this.repeated++;
      return;
    }
    if (known !== undefined) this.sharing++;
    // A span that is left out stays, as a span of no method, around calls that are read.
    const span = this.#isLeftOut(given) ? { ...given, method: '', client: '' } : given;
    const took = tookOf(span);
    if (this.#waiting.size >= this.#mostSpans) {
      this.#isParted = true;
      this.end();
    }
    const own = { ...span, trace: '', id: '', parent: keyOf(span, span.parent), method: this.#kept(span.method) };
    const named = {
      ...own,
      host: this.#kept(span.host),
      thread: this.#kept(span.thread),
      session: '',
      start: ownCopy(span.start),
      end: '',
    };
    // No key of a trace is without a blank.
    this.#waiting.set(id === '' || known !== undefined ? String(this.#waiting.size) : id, {
      span: named,
      took,
      called: 0,
      node: -1,
      isMet: false,
      isOutermost: false,
    });
  }

  /** Counts what is left out, and why. */
  #isLeftOut(span: Span): boolean {
    if (span.method === '' && span.client === '') this.nameless++;
    else if (!this.#filter.takes(ranIn(span))) return true;
    else if (!isTimed(span)) this.untimed++;
    else if (isBackwards(span)) this.backwards++;
    else return false;
    return true;
  }

  /** Texts are the same again and again, and parts of lines hold whole lines alive. */
  #kept(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const kept = this.#methods.keep(text);
    this.#texts.set(kept, kept);
    return kept;
  }

  /** Places what waits. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    const callers = new Map<Waiting, Waiting | null>();
    for (const each of waiting.values()) {
      const { method, client } = each.span;
      if (method === '' && client === '') continue;
      const { caller, within } = callerOf(each, waiting);
      if (method === '') {
        if (caller === null || caller === 'missing') {
          this.loose++;
          continue;
        }
        this.clients++;
      }
      callers.set(each, caller === 'missing' ? null : caller);
      if (caller === 'missing') this[this.#isParted ? 'parted' : 'orphans']++;
      else if (caller === null) each.isOutermost = true;
      else (within ?? caller).called += each.took;
    }
    for (const each of callers.keys()) this.#place(each, callers);
  }

  /** Gives a span its node, and all that it was called by. */
  #place(span: Waiting, callers: ReadonlyMap<Waiting, Waiting | null>): void {
    const path: Waiting[] = [];
    // Spans that are around each other are found again.
    for (
      let next: Waiting | null = span;
      next !== null && next.node < 0 && !next.isMet;
      next = callers.get(next) ?? null
    ) {
      next.isMet = true;
      path.push(next);
    }
    for (const each of path.reverse()) {
      const around = callers.get(each) ?? null;
      const caller = around !== null && around.node >= 0 ? around : null;
      const outside = each.isOutermost ? ROOT_METHOD : PARTIAL_METHOD;
      const method = this.#method(each.span.method === '' ? clientMethod(each.span.client) : each.span.method);
      each.node = this.#builder.child(caller?.node ?? this.#top(each), method, 0);
      this.#count(each, method, caller === null ? outside : this.#method(caller.span.method));
    }
  }

  #top({ isOutermost }: Waiting): number {
    return isOutermost ? ROOT_NODE : this.#builder.partialRoot();
  }

  #count({ span, took, called, node }: Waiting, method: number, caller: number): void {
    const thread = this.#thread(span);
    const window = this.#windows.at(millisOf(span.start));
    this.#builder.add(this.#calls, node, thread, 0, window, 1);
    // Callees that ran at the same time may have taken longer than the caller that waited for them.
    this.#builder.add(this.#time, node, thread, 0, window, 1, Math.max(0, took - called));
    this.#builder.times.addCall(method, caller, window, took);
    this.placed++;
  }

  #method(method: string): number {
    let row = this.#rows.get(method);
    if (row === undefined) {
      row = this.#methods.row(frameOf(method));
      this.#rows.set(method, row);
    }
    return row;
  }

  #thread({ host, thread }: Span): number {
    const key = `${host}\n${thread}`;
    let row = this.#threads.get(key);
    if (row === undefined) {
      row = this.#builder.threads.thread(host, thread, false);
      this.#threads.set(this.#methods.keep(key), row);
    }
    return row;
  }

  profile(problems: ProblemList) {
    sayLimits(this.#builder, problems);
    return this.#builder.finish(this.#windows.windows());
  }
}

/** Nanoseconds that a span took; 0 for a span without a beginning or end. */
function tookOf(span: Span): number {
  return isTimed(span) ? Math.max(0, ticksBetween(span.start, span.end)) : 0;
}

/** Whether a span equals the span that waits under its id: exporters send spans again that may not have arrived. */
function isRepeated({ span, took }: Waiting, given: Span): boolean {
  const isAlike = span.start === given.start && took === tookOf(given) && span.parent === keyOf(given, given.parent);
  return isAlike && (span.method === '' || span.method === given.method);
}

/** The key of a span of the same trace; empty for none. */
function keyOf({ trace }: Span, id: string): string {
  return id === '' ? '' : ownCopy(`${trace} ${id}`);
}

/**
 * `caller`: the nearest span around one that names a method; null where there is none, `missing` where one on the way is not known.
 * `within`: the nearest span of a client on the way, in whose time it ran; null without one.
 */
function callerOf(
  { span }: Waiting,
  waiting: ReadonlyMap<string, Waiting>,
): { readonly caller: Waiting | null | 'missing'; readonly within: Waiting | null } {
  let key = span.parent;
  let within: Waiting | null = null;
  // Spans that stand around each other lead nowhere.
  for (let steps = 0; key !== '' && steps < MOST_STEPS; steps++) {
    const around = waiting.get(key);
    if (around === undefined) return { caller: 'missing', within };
    if (around.span.method !== '') return { caller: around, within };
    if (around.span.client !== '') within ??= around;
    key = around.span.parent;
  }
  return { caller: key === '' ? null : 'missing', within };
}

/** Spans without a method between two with one. */
const MOST_STEPS = 1000;
