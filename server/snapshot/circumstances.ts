// Facts in a header about the machine and the run of a JVM.
import type { Field } from './field.ts';
import { MOST_ROWS } from './format.ts';

/** Whether the operating system obeyed the priorities of the JVM's threads. */
const PRIORITIES = ['obeyed', 'ignored'] as const;

/** Each fact is absent where nothing recorded it. */
export type Circumstances = {
  /** Processors that the JVM could use; a container may have a fraction of one. */
  readonly processors?: number;
  readonly priorities?: (typeof PRIORITIES)[number];
  /** Name of the benchmark that ran; absent in production. */
  readonly benchmark?: string;
  /** Number of the JVM among the JVMs of one measurement, from 0. */
  readonly fork?: number;
};

/** The compiler asks for each fact. */
const FACTS: Readonly<Record<keyof Circumstances, true>> = {
  processors: true,
  priorities: true,
  benchmark: true,
  fork: true,
};

/** The facts that all of the headers state alike: what differs, or is not known of one of them, is not known of them together. */
export function commonCircumstances(all: readonly Circumstances[]): Circumstances {
  const facts = Object.entries(all[0] ?? {}).filter(
    ([name, value]) => name in FACTS && all.every(each => each[name as keyof Circumstances] === value),
  );
  return Object.fromEntries(facts);
}

/** A header of which no fact is left. */
export function withoutCircumstances<Header extends Circumstances>(header: Header): Omit<Header, keyof Circumstances> {
  const others = Object.entries(header).filter(([name]) => !(name in FACTS));
  return Object.fromEntries(others) as Omit<Header, keyof Circumstances>;
}

/** Reads the facts from the header's root; throws FormatFlaw. */
export function circumstancesIn(root: Field): Circumstances {
  const processors = root.at('processors');
  const priorities = root.at('priorities');
  const benchmark = root.at('benchmark');
  const fork = root.at('fork');
  return {
    ...(processors.isAbsent ? {} : { processors: processors.number(Number.MIN_VALUE) }),
    ...(priorities.isAbsent ? {} : { priorities: priorities.oneOf(PRIORITIES) }),
    ...(benchmark.isAbsent ? {} : { benchmark: benchmark.text() }),
    ...(fork.isAbsent ? {} : { fork: fork.whole(0, MOST_ROWS) }),
  };
}
