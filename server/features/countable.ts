// Which methods' calls may be counted in a running JVM: methods of the program that do enough in one call for the cost of counting to be small beside it.
import type { Reach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { NamedMethods } from '../analysis/named-methods.ts';
import { isPlatformOrUnknown } from '../mapping/platform-classes.ts';
import { classNameOf, methodNameOf } from './text/runtime-names.ts';

/** JFR takes no patterns, and the JVM changes the code of each method. */
export const MOST_COUNTED = 50;
/** The added cost of one call: OpenJDK 25 on x86-64. */
const CALL_COST = { timed: '75 ns', traced: '1 µs' } as const;
/** A method whose callees have less of its samples is likely to be short and called often. */
const LEAST_IN_CALLEES = 0.05;

export type Countable = {
  /** `com.acme.Shop.search`. */
  readonly name: string;
  /** `com.acme.Shop::search`, as the JVM takes it; all overloads. */
  readonly filter: string;
  /** Why it is not to be counted; null where it may be. */
  readonly refusal: string | null;
};

/** In the order of `methods`. */
export async function countable(
  data: LoadedData,
  methods: readonly NamedMethods[],
  { ask }: Pick<Reach, 'ask'>,
): Promise<Countable[]> {
  const numbers = await ask(data, 'numbers', { sets: methods.map(({ rows }) => ({ methods: rows })) });
  return methods.map(({ name, rows }, i) => {
    const [row] = rows;
    const className = classNameOf(data.profile.methods, row!);
    const filter = `${className}::${methodNameOf(data.profile.methods, row!)}`;
    const { total, self } = numbers[i]!;
    return { name, filter, refusal: refusalOf(className, filter, total.weight, self.weight) };
  });
}

function refusalOf(className: string, filter: string, total: number, self: number): string | null {
  if (isPlatformOrUnknown(className)) return 'it is no method of the program';
  if (/[;\s/]|\$\$/.test(filter)) return 'the JVM finds no generated code by its name';
  if (!(total > 0)) return 'it has no samples: whether it is short is not known';
  const inCallees = 1 - self / total;
  return inCallees >= LEAST_IN_CALLEES
    ? null
    : `${Math.round(100 * inCallees)} % of its samples are in methods that it calls: it may be so short that counting costs more than the call`;
}

/** The question to the user before anything is counted. */
export function costText(names: readonly string[], seconds: number, isTraced: boolean): string {
  const what = names.length === 1 ? names[0]! : `${names.length} methods`;
  const cost = CALL_COST[isTraced ? 'traced' : 'timed'];
  return `count the calls of ${what} for ${seconds} s? Each call takes about ${cost} longer meanwhile`;
}
