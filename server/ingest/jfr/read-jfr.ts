// Reads a JFR file chunk by chunk into a profile; memory is bounded by the largest chunk and the tree.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Problem } from '../../base/problem.ts';
import { ProfileBuilder } from '../../cct/builder.ts';
import { listedRows } from '../../cct/listed-metrics.ts';
import { mapWindows, withoutEmptyWindows } from '../../cct/map-windows.ts';
import type { ByteSource } from '../byte-source.ts';
import type { Ingested, IngestOptions } from '../ingest.ts';
import { sayLimits } from '../limit-problems.ts';
import { ProblemList } from '../problem-list.ts';
import { type ChosenChunks, chooseChunks } from './chosen-chunks.ts';
import { type ChunkHeader, listChunks, UNFINISHED } from './chunk-header.ts';
import { CompilerLoad } from './compiler-load.ts';
import { PADDING } from './cursor.ts';
import { metricOf, rulesFor } from './event-table.ts';
import { ExactCalls } from './exact-calls.ts';
import { ChunkFold, type FoldedSamples } from './fold-chunk.ts';
import type { FoldTarget } from './fold-target.ts';
import { MethodTexts } from './known-texts.ts';
import { MetricSources } from './metric-sources.ts';
import { noFacts, type RecordingFacts } from './recording-facts.ts';
import { SeenEvents } from './seen-events.ts';
import { noLoadTimes } from './time-types.ts';
import { UnreadEvents } from './unread-events.ts';
import { WindowPlan } from './windows.ts';
import { giveBack, takeWorkspace } from './workspace.ts';

/** After so long, other work of the thread gets its turn as soon as a step ends. */
const MOST_MILLIS = 5;

/** Reads the whole file; broken parts become problems. Other work of the thread gets its turn every few milliseconds. */
export async function readJfr(source: ByteSource, options: IngestOptions): Promise<Ingested> {
  const reader = new JfrReader(source, options);
  return await reader.read();
}

class JfrReader {
  readonly #source: ByteSource;
  readonly #options: IngestOptions;
  readonly #problems: ProblemList;
  readonly #workspace = takeWorkspace();
  readonly #target: FoldTarget;
  readonly #seen = new SeenEvents();
  readonly #unread = new UnreadEvents();
  #chunk: ChunkHeader | null = null;
  #lastTurn = millis();

  constructor(source: ByteSource, options: IngestOptions) {
    this.#source = source;
    this.#options = options;
    this.#problems = new ProblemList(source.name);
    const builder = new ProfileBuilder(options.names);
    const isChosen = (options.events ?? []).length > 0;
    this.#target = {
      builder,
      rules: rulesFor(options.events ?? [], options.metrics),
      chosen: isChosen,
      names: options.names,
      methodTexts: new MethodTexts(builder.methods, options.names),
      samples: this.#workspace.samples,
      pools: this.#workspace.pools,
      metadata: this.#workspace.metadata,
      facts: noFacts(),
      calls: new ExactCalls(),
      sources: new MetricSources(),
      // Where events are named, the content of other events is of no interest.
      unread: isChosen ? null : this.#unread,
      scheduled: null,
      compiler: options.compilerLoad === true ? new CompilerLoad() : null,
      loadMachine: { hardwareThreads: null },
      loadTimes: options.timeTypes === true ? noLoadTimes(options.processors) : null,
      report: (message, offset) => this.#reportPart(message, offset),
    };
  }

  async read(): Promise<Ingested> {
    const { chunks: all, problems } = listChunks(this.#source);
    const { covered } = this.#options;
    const { chosen, spans: read, left, continued } = chooseChunks(all, covered);
    const chunks = chosen.map(({ chunk }) => chunk);
    for (const { severity, message, place, remedy } of problems) {
      if (severity === 'warning') this.#problems.addPart(message, place!, remedy);
      else this.#problems.add(severity, message, place, remedy);
    }
    const spans = chunks.map(chunk => this.#span(chunk));
    const least = spans.reduce((earliest, span) => Math.min(earliest, span.startMillis), Number.POSITIVE_INFINITY);
    const most = spans.reduce((latest, span) => Math.max(latest, span.endMillis), Number.NEGATIVE_INFINITY);
    const [startMillis, endMillis] = chunks.length === 0 ? [0, 0] : [Math.floor(least), Math.ceil(most)];
    const windows = new WindowPlan(startMillis, endMillis, this.#options.windowMillis);
    this.#tellCovered(all.length, left, continued);
    const folded = await this.#fold(chosen, windows);
    giveBack(this.#workspace);
    this.#target.methodTexts.release();
    const nothing = folded === 0;
    const timings = this.#target.calls.timings.list();
    const compilerThirds = this.#target.compiler?.thirds(startMillis, endMillis) ?? null;
    return {
      profile: nothing ? null : this.#profile(windows),
      format: 'jfr',
      startMillis,
      endMillis,
      recorder: recorder(this.#target.facts),
      debugNonSafepoints: this.#target.facts.debugNonSafepoints,
      problems: this.#finalProblems(nothing, left > 0 && chunks.length === 0),
      ...(read.length > 0 || left > 0 ? { chunks: read } : {}),
      ...(timings.length > 0 ? { methodTimings: timings } : {}),
      ...(compilerThirds !== null && { compilerThirds }),
    };
  }

  /** A turn costs more than a small chunk's step takes. */
  #isTurnDue(): boolean {
    return millis() - this.#lastTurn > MOST_MILLIS;
  }

  async #turn(): Promise<void> {
    await nextTurn();
    this.#lastTurn = millis();
  }

  /** Folds all chunks; returns how many could be read. */
  async #fold(chosen: ChosenChunks['chosen'], windows: WindowPlan): Promise<number> {
    let folded = 0;
    for (const { chunk, coveredBytes } of chosen) {
      if (this.#options.signal?.aborted) {
        this.#reportPart('reading was cancelled here', 0, chunk);
        break;
      }
      const bytes = this.#load(chunk);
      const before = coveredBytes === 0 ? null : this.#scannedIn(chunk, bytes, coveredBytes);
      // The rest of a chunk does not tell how long its threads lived in it.
      const isRest = before !== null && this.#target.loadTimes !== null;
      if (isRest) this.#report('info', 'what threads do with their time is not told of the rest of this chunk', 0);
      const fold = ChunkFold.open(chunk, bytes, isRest ? { ...this.#target, loadTimes: null } : this.#target);
      if (fold === null) {
        this.#tellKept(chunk, null);
      } else {
        fold.scan();
        if (before !== null) fold.leaveOut({ ...before, bytes: coveredBytes });
        if (this.#isTurnDue()) await this.#turn();
        fold.walkPools();
        if (this.#isTurnDue()) await this.#turn();
        this.#tellKept(chunk, fold.add(windows));
        if (listedRows(this.#target.builder).length === 0) fold.see(this.#seen);
        folded++;
      }
      this.#options.onProgress?.(chunk.position + chunk.available, this.#source.size);
      if (this.#isTurnDue()) await this.#turn();
    }
    return folded;
  }

  /** The result of an import of a shorter copy of the chunk, whose bytes are the first of the longer copy; null where it read nothing. */
  #scannedIn(chunk: ChunkHeader, bytes: Uint8Array, coveredBytes: number): ReturnType<ChunkFold['scanned']> | null {
    const cut = { ...chunk, available: coveredBytes, checkpointOffset: 0, metadataOffset: 0, complete: false };
    const silent = { ...this.#target, unread: null, report: () => {} };
    const fold = ChunkFold.open({ ...cut, flaw: 'an earlier import ended here' }, bytes, silent);
    fold?.scan();
    return fold === null ? null : fold.scanned();
  }

  #tellCovered(all: number, left: number, continued: number): void {
    const say = (message: string) => this.#problems.say('info', message);
    if (left > 0) say(`${left} of ${all} chunk${all === 1 ? ' was' : 's were'} imported before`);
    if (continued > 0)
      say(
        `of ${continued} chunk${continued === 1 ? '' : 's'} only the beginning was imported before: the rest is read now`,
      );
  }

  /** Reports what is wrong with a whole chunk, together with what of it could be kept. */
  #tellKept({ flaw }: ChunkHeader, kept: FoldedSamples | null): void {
    const { added, dangling, nameless } = kept ?? { added: 0, dangling: 0, nameless: 0 };
    if (flaw === null) {
      const say = (message: string) => this.#reportPart(message, 0);
      if (nameless > 0) say(`the chunk does not hold the names of ${nameless} methods or threads of its samples`);
      if (dangling > 0) say(`${dangling} samples refer to stacks that the chunk does not hold`);
      return;
    }
    const without = [
      dangling > 0 ? `, ${dangling} of them without their stacks` : '',
      nameless > 0 ? `; the names of ${nameless} methods or threads are lost` : '',
    ];
    const stacks = `${added} samples could be kept${without.join('')}`;
    const what = kept === null ? 'it has no readable metadata, so nothing could be kept' : stacks;
    // A recording that the JVM still writes is whole up to where it was copied.
    const isWhole = flaw === UNFINISHED && kept !== null && dangling + nameless === 0;
    if (isWhole) this.#report('warning', `${flaw}: ${what}`, 0);
    else this.#reportPart(`${flaw}: ${what}`, 0);
  }

  /** Reads a chunk; PADDING zero bytes stand behind it. */
  #load(chunk: ChunkHeader): Uint8Array {
    this.#chunk = chunk;
    const buffer = this.#workspace.buffer(chunk.available);
    const read = this.#source.read(chunk.position, buffer.subarray(0, chunk.available));
    buffer.fill(0, read, chunk.available + PADDING);
    if (read < chunk.available) this.#reportPart('the file became shorter while it was read', read);
    return buffer;
  }

  /** When a chunk starts and ends. The header of an unfinished one does not tell: then its latest sample does. */
  #span(chunk: ChunkHeader): { startMillis: number; endMillis: number } {
    const { startMillis, durationMillis } = chunk;
    if (chunk.complete && durationMillis > 0) return { startMillis, endMillis: startMillis + durationMillis };
    const silent = { ...this.#target, unread: null, report: () => {} };
    const fold = ChunkFold.open(chunk, this.#load(chunk), silent);
    fold?.scan();
    return { startMillis, endMillis: fold?.lastMillis() ?? startMillis };
  }

  #profile(windows: WindowPlan) {
    const { builder, calls, rules, facts } = this.#target;
    const { truncatedStacks, withoutStack, lostSamples } = facts;
    calls.finish(builder, rules);
    const profile = builder.finish(windows.windows(), { truncatedStacks, withoutStack, lostSamples });
    const ordered = mapWindows(profile, window => window);
    // A JVM was not there all the time that the recordings of several in one file span.
    return windows.jvmCount > 1 ? withoutEmptyWindows(ordered) : ordered;
  }

  #report(severity: Problem['severity'], message: string, offset: number, chunk = this.#chunk): void {
    this.#problems.add(severity, message, placeIn(chunk, offset));
  }

  #reportPart(message: string, offset: number, chunk = this.#chunk): void {
    this.#problems.addPart(message, placeIn(chunk, offset));
  }

  /** @param isCovered whether everything was read before */
  #finalProblems(nothing: boolean, isCovered: boolean): Problem[] {
    const problems = this.#problems;
    const { lostSamples, lostBytes, failedSamples, missingFields } = this.#target.facts;
    if (lostBytes > 0) problems.say('warning', `the recorder dropped ${lostBytes} bytes of events`);
    if (lostSamples > 0) problems.say('warning', `the recorder lost ${lostSamples} samples`);
    if (failedSamples > 0) problems.say('info', `the recorder could not walk the stack of ${failedSamples} samples`);
    if (this.#target.loadTimes?.isUnknown === true)
      problems.say(
        'info',
        'how long threads ran is not known: the recording does not tell how many processors the JVM could use',
        undefined,
        'give them: insitu import --processors N',
      );
    for (const { message, remedy } of this.#target.loadTimes?.told.untold() ?? [])
      problems.say('info', message, undefined, remedy);
    for (const field of missingFields) {
      problems.say('warning', `${field} is no number: the events are counted instead`);
    }
    for (const { event } of this.#options.metrics ?? []) {
      const metric = metricOf(event);
      if (metric === null) continue;
      problems.say('warning', `${event} feeds the metric ${metric} already: it becomes no metric of its own`);
    }
    sayLimits(this.#target.builder, problems);
    if (isCovered) return problems.list();
    if (nothing) {
      if (!problems.list().some(problem => problem.severity === 'error')) {
        problems.say('error', 'no chunk of this recording could be read', undefined, 'record again');
      }
    } else {
      this.#tellSources();
      if (listedRows(this.#target.builder).length === 0) this.#tellNoMetric();
      else if (this.#unread.total > 0) problems.say('info', this.#unreadText(), undefined, asMetric('such an event'));
    }
    return problems.list();
  }

  /** Names events of other writers than the source of their metric. */
  #tellSources(): void {
    const { builder, sources, facts } = this.#target;
    for (const [event, metric] of sources.others) {
      let samples = 0;
      builder.eachCell(event, ({ count }) => {
        samples += count;
      });
      const message = `${samples} samples of ${event} are a metric of their own: another event feeds ${metric} here`;
      this.#problems.say('info', message, undefined, `--metric ${event} shows them`);
    }
    for (const [event, count] of facts.superseded) {
      const rule = this.#target.rules.find(each => each.event === event);
      const message = `${count} events ${event} were left out: ${rule?.supersededBy?.join(' and ')} tell the same more exactly`;
      this.#problems.say('info', message);
    }
  }

  #tellNoMetric(): void {
    const { chosen, rules } = this.#target;
    const wanted = rules.map(rule => rule.event);
    const what = chosen ? `${wanted.join(' or ')} events` : 'events that feed a metric';
    const seen = this.#seen.text();
    const others = seen === '' ? ': the recording has no events' : `; there are: ${seen}`;
    const own = this.#unread.mostOfOthers;
    const advice = own === null ? 'record for longer, under load, with settings=profile' : asMetric(own);
    if (this.#unread.total > 0) this.#problems.say('info', this.#unreadText());
    this.#problems.say('warning', `no ${what}${others}`, undefined, chosen ? undefined : advice);
  }

  #unreadText(): string {
    const { total } = this.#unread;
    return `${total} event${total === 1 ? '' : 's'} with a stack feed${total === 1 ? 's' : ''} no metric: ${this.#unread.text()}`;
  }
}

/** How a user makes a metric of an event. */
function asMetric(event: string): string {
  return `the setting "metrics" of insitu.json makes a metric of ${event}`;
}

function placeIn(chunk: ChunkHeader | null, offset: number): string {
  return `byte ${(chunk?.position ?? 0) + offset}`;
}

/** A clock that only goes forward. Not `performance`, whose first use loads ten modules into a process that may live a tenth of a second. */
function millis(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e3 + nanos / 1e6;
}

function recorder(facts: RecordingFacts): string {
  return ['JDK Flight Recorder', ...facts.products].join(', ');
}
