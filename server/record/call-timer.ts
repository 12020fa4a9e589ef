// Times the calls of some methods of a JVM while a recorder follows it: each call, or sums alone, by how often the methods are called.
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import { methodName } from '../cct/method-names.ts';
import type { MethodTiming } from '../ingest/ingest.ts';
import { diagnose, unlessEnded } from './attach.ts';
import { beginUnread, endRecording, labelOf, recordBriefly } from './brief-recording.ts';
import { ageFlaw, askVersion, isIn, NAMES } from './flight-recording.ts';
import { OLDEST_TIMED, timeSettings } from './flight-settings.ts';
import { isRunning, type Jvm } from './jvms.ts';
import {
  type CallRate,
  classOfFilter,
  filtersOf,
  fitsFilter,
  isSamePlan,
  planTiming,
  type TimingPlan,
} from './timing-plan.ts';
import { absenceProblem, planProblems } from './timing-words.ts';

type CallTimerOptions = {
  readonly jvm: Jvm;
  /** The filters as the JVM takes them: see `timingFilter`. */
  readonly filters: readonly string[];
  readonly report: (problems: readonly Problem[]) => void;
};

const RATES_MILLIS = 3_000;
/** The JVM ends the timing by itself after so long, even if the recorder was killed. The recorder begins it anew a while before. */
const LEASE_MILLIS = 600_000;
const BEFORE_END_MILLIS = 30_000;
/** A method that was not found is looked for again, and a recording that could not begin is tried again, after so long. */
const AGAIN_MILLIS = 60_000;
/** A JVM that traces more calls a second than this is asked anew how often its methods are called. */
const MANY_CALLS = 30_000;
const LOOK_MILLIS = 5_000;
/** Sums are read soon after the JVM has told them: no sums of older measurements come any more. */
const KEPT_MEASUREMENTS = 8;

/** Call `look` every second, then `end`. */
export class CallTimer {
  readonly #options: CallTimerOptions;
  readonly #stopping = new AbortController();
  #task: Promise<void> | null = null;
  #plan: TimingPlan = { traced: [], summed: [], leftOut: [] };
  #missing: readonly string[] = [];
  /** The problems that were told about the missing methods. */
  #absences: readonly Problem[] = [];
  /** The missing methods whose class is loaded: to look for them again is of no use. */
  #withoutMethods: ReadonlySet<string> = new Set();
  #dueAt = 0;
  #searchAt = Number.POSITIVE_INFINITY;
  #begunAt = Number.POSITIVE_INFINITY;
  #seen = { calls: 0, at: performance.now() };
  /** When the JVM summed up calls only to find out how many they are, in milliseconds since the epoch. */
  #measurements: { readonly from: number; until: number }[] = [];
  #isBegun = false;

  constructor(options: CallTimerOptions) {
    this.#options = options;
  }

  /**
   * Begins the work that is due, without waiting for it; never throws.
   * @param calls how many single calls the JVM has recorded so far
   */
  look(calls: number): void {
    const now = performance.now();
    const isMany = this.#isMany(calls, now);
    if (this.#task !== null || this.#stopping.signal.aborted) return;
    if (now >= this.#dueAt || (isMany && now >= this.#begunAt + AGAIN_MILLIS)) this.#do(() => this.#renew());
    else if (now >= this.#searchAt) this.#do(() => this.#search());
  }

  /**
   * Whether sums of a method come from a measurement of its rate alone, and are not part of the timing.
   * @param millis when the JVM told them, since the epoch
   */
  isMeasured(method: string, millis: number): boolean {
    return (
      this.#measurements.some(({ from, until }) => from <= millis && millis <= until) &&
      this.#isOurs(method) &&
      !this.#plan.summed.some(each => each.filter === method)
    );
  }

  /** Ends the timing. */
  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#task;
    if (!this.#isBegun || !isRunning(this.#options.jvm)) return;
    this.#isBegun = false;
    await this.#stop();
  }

  #isOurs(method: string): boolean {
    return this.#options.filters.some(filter => fitsFilter(filter, method));
  }

  #isMany(calls: number, now: number): boolean {
    const { calls: before, at } = this.#seen;
    if (now < at + LOOK_MILLIS) return false;
    this.#seen = { calls, at: now };
    return calls - before > (MANY_CALLS * (now - at)) / 1_000;
  }

  #do(work: () => Promise<void>): void {
    const { jvm, report } = this.#options;
    this.#task = work()
      .catch(error => {
        // The JVM is gone, and in a container its files are too.
        if (!isRunning(jvm)) return;
        const message = `its calls cannot be timed: ${messageOf(error)}`;
        report([
          { severity: 'error', message, file: labelOf(jvm), remedy: 'make room in its /tmp; it is tried again' },
        ]);
      })
      .finally(() => {
        this.#task = null;
      });
  }

  /** Looks how often calls are made, and begins to time them for a while. */
  async #renew(): Promise<void> {
    const { jvm, filters, report } = this.#options;
    this.#dueAt = performance.now() + AGAIN_MILLIS;
    this.#searchAt = Number.POSITIVE_INFINITY;
    const tooOld = ageFlaw(jvm, await askVersion(jvm), OLDEST_TIMED);
    if (tooOld !== null) {
      this.#dueAt = Number.POSITIVE_INFINITY;
      report([
        { ...tooOld, message: `${tooOld.message} to time calls`, remedy: `${tooOld.remedy}; samples are recorded` },
      ]);
      return;
    }
    let rates = await this.#rates();
    const missing = () => filters.filter(filter => !rates?.some(rate => fitsFilter(filter, rate.filter)));
    const loaded = rates === null ? new Set<string>() : await this.#loadedOf(missing());
    // The classes of the missing methods may have come meanwhile.
    if (loaded.size > 0 && ![...loaded].every(filter => this.#withoutMethods.has(filter))) rates = await this.#rates();
    // A JVM that ended meanwhile misses no method.
    if (rates === null || this.#stopping.signal.aborted || !isRunning(jvm)) return;
    const plan = planTiming(rates);
    if (!(await this.#begin(plan))) return;
    if (!isSamePlan(plan, this.#plan)) report(planProblems(plan, labelOf(jvm)));
    this.#plan = plan;
    this.#begunAt = performance.now();
    this.#dueAt = this.#begunAt + LEASE_MILLIS - BEFORE_END_MILLIS;
    this.#miss(missing(), loaded);
  }

  /** Each method that the filters mean, with its calls a second; null where the JVM does not tell. */
  async #rates(): Promise<readonly CallRate[] | null> {
    const { jvm, filters, report } = this.#options;
    this.#begunAt = Number.POSITIVE_INFINITY;
    const wish = { name: NAMES.rates, settings: timeSettings({ summed: filters }), millis: RATES_MILLIS };
    // The JVM would go on with its earlier sums.
    await this.#stop();
    const measurement = { from: Date.now(), until: Number.POSITIVE_INFINITY };
    this.#measurements = [...this.#measurements, measurement].slice(-KEPT_MEASUREMENTS);
    const work = recordBriefly(jvm, wish, () => undefined, this.#stopping.signal);
    const { value, problems } = await work.finally(() => {
      measurement.until = Date.now();
    });
    report(unlessEnded(problems));
    if (value === null) return null;
    const rates = new Map<string, number>();
    for (const timing of value.methodTimings ?? []) {
      const { className, name } = methodName(value.profile!.methods, timing.method);
      const filter = `${className}::${name}`;
      // The JVM may time more methods for another recording.
      if (this.#isOurs(filter)) rates.set(filter, (rates.get(filter) ?? 0) + rateOf(timing));
    }
    return Array.from(rates, ([filter, rate]) => ({ filter, rate }));
  }

  /** Ends the timing of this recorder, or of an earlier one that was killed. */
  async #stop(): Promise<void> {
    const { jvm, report } = this.#options;
    const { value, problems } = await diagnose(jvm, 'JFR.check');
    report(unlessEnded(problems));
    if (value !== null && isIn(value, NAMES.timing)) report(unlessEnded(await endRecording(jvm, NAMES.timing)));
  }

  /** Has the JVM time by the plan. */
  async #begin(plan: TimingPlan): Promise<boolean> {
    const { jvm, report } = this.#options;
    if (plan.traced.length + plan.summed.length === 0) return true;
    const settings = timeSettings({ traced: filtersOf(plan.traced), summed: filtersOf(plan.summed) });
    const { value, problems } = await beginUnread(jvm, { name: NAMES.timing, settings, millis: LEASE_MILLIS });
    this.#isBegun ||= value !== null;
    report(unlessEnded(problems));
    return value !== null;
  }

  /** Says what was not found, and why. */
  #miss(missing: readonly string[], loaded: ReadonlySet<string>): void {
    const { jvm, report } = this.#options;
    if (missing.length > 0) this.#searchAt = performance.now() + AGAIN_MILLIS;
    this.#missing = missing;
    this.#withoutMethods = loaded;
    const absences = missing.map(filter => absenceProblem(filter, loaded.has(filter), labelOf(jvm)));
    const said = new Set(this.#absences.map(({ message }) => message));
    this.#absences = absences;
    report(absences.filter(({ message }) => !said.has(message)));
  }

  async #loadedOf(filters: readonly string[]): Promise<Set<string>> {
    const loaded = new Set<string>();
    for (const filter of filters) if (await this.#isLoaded(filter)) loaded.add(filter);
    return loaded;
  }

  /** Begins anew as soon as a class is there that was not. */
  async #search(): Promise<void> {
    this.#searchAt = performance.now() + AGAIN_MILLIS;
    for (const filter of this.#missing)
      if (!this.#withoutMethods.has(filter) && (await this.#isLoaded(filter))) return await this.#renew();
  }

  async #isLoaded(filter: string): Promise<boolean> {
    if (filter.startsWith('@')) return false;
    const { value } = await diagnose(this.#options.jvm, `VM.class_hierarchy ${classOfFilter(filter)}`);
    return value?.includes(`--${classOfFilter(filter)}/`) === true;
  }
}

/** Calls a second. Where another recording times the method too, the first sum includes earlier calls. */
function rateOf({ invocations, sinceFirst }: MethodTiming): number {
  if (sinceFirst.millis > 0) return (1_000 * sinceFirst.invocations) / sinceFirst.millis;
  return (1_000 * invocations) / RATES_MILLIS;
}
