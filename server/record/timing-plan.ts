// Which methods of a running JVM are timed by each call, which by sums, and which not at all, by how often they are called.

/** A method of a JVM, all its overloads taken as one. */
export type CallRate = {
  /** `com.acme.Shop::search`, as the JVM takes it. */
  readonly filter: string;
  /** Calls a second. */
  readonly rate: number;
};

export type TimingPlan = {
  /** Each call is recorded with its caller (`jdk.MethodTrace`). */
  readonly traced: readonly CallRate[];
  /** Calls are summed up, without callers (`jdk.MethodTiming`). */
  readonly summed: readonly CallRate[];
  /** Calls are too many to be timed: the program would become too slow. */
  readonly leftOut: readonly CallRate[];
};

/** The most calls a second of a method that is traced. */
export const MOST_TRACED = 1_000;
/** Nanoseconds by which tracing makes a call longer: OpenJDK 25 on x86-64. */
export const TRACE_NANOS = 1_000;
export const SUM_NANOS = 75;
/** Tracing takes at most so much of one processor, and so do sums. */
const MOST_LOAD = 0.01;

/** Takes the rarest calls first, so that as many methods as possible are timed. */
export function planTiming(rates: readonly CallRate[]): TimingPlan {
  const traced: CallRate[] = [];
  const summed: CallRate[] = [];
  const leftOut: CallRate[] = [];
  for (const each of rates.toSorted((a, b) => a.rate - b.rate)) {
    if (each.rate <= MOST_TRACED && loadOf([...traced, each], TRACE_NANOS) <= MOST_LOAD) traced.push(each);
    else if (loadOf([...summed, each], SUM_NANOS) <= MOST_LOAD) summed.push(each);
    else leftOut.push(each);
  }
  return { traced, summed, leftOut };
}

/** The cost of timing, as a part of one processor; it may exceed 1. */
export function loadOf(rates: readonly CallRate[], nanos: number): number {
  return (rates.reduce((sum, { rate }) => sum + rate, 0) * nanos) / 1e9;
}

/** Whether two plans time the same methods in the same way. */
export function isSamePlan(a: TimingPlan, b: TimingPlan): boolean {
  return planKey(a) === planKey(b);
}

function planKey({ traced, summed, leftOut }: TimingPlan): string {
  return [traced, summed, leftOut].map(rates => filtersOf(rates).toSorted().join(';')).join(' ');
}

export function filtersOf(rates: readonly CallRate[]): string[] {
  return rates.map(({ filter }) => filter);
}

/**
 * The filter as the JVM takes it: `com.acme.Shop`, `com.acme.Shop::search`, `com.acme.Shop::<init>`, `@jakarta.ws.rs.GET`; null for any
 * other text. A method may also be named as everywhere else, `com.acme.Shop.search`: of a class whose name begins with a capital letter.
 */
export function timingFilter(text: string): string | null {
  const name = /^(.*\.)?(\p{Lu}[^.:]*)\.(\p{Ll}[^.:]*|<init>|<clinit>)$/u.exec(text);
  const filter = name === null ? text : `${name[1] ?? ''}${name[2]}::${name[3]}`;
  return FILTER.test(filter) ? filter : null;
}

const FILTER =
  /^(?:@?[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*)(?:(?<!@.*)::(?:[\p{L}_$][\p{L}\p{N}_$]*|<init>|<clinit>))?$/u;

/** Whether a filter means a method; one of an annotation may mean any. */
export function fitsFilter(filter: string, method: string): boolean {
  return filter.startsWith('@') || method === filter || method.startsWith(`${filter}::`);
}

/** `com.acme.Shop` of `com.acme.Shop::search`. */
export function classOfFilter(filter: string): string {
  return filter.split('::')[0]!;
}
