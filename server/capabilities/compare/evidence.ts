// What the JVMs of two looks tell of their differences: values of methods and contexts in each JVM, and the test over JVMs.
import type { Pause } from '../../base/pause.ts';
import { windowsByJvm } from '../../cct/jvms.ts';
import { PARTIAL_METHOD, ROOT_METHOD } from '../../cct/profile.ts';
import { type Analysis, analyse } from '../../metrics/analysis.ts';
import { methodTimes, selfTimes } from '../../metrics/method-times.ts';
import { isDirected, type Verdict } from '../../model/verdict.ts';
import { comparedSide } from './compared-side.ts';
import { verdictOf } from './judge.ts';
import { ALPHA, isTestable, type PermutationTest, testRows } from './permutation-test.ts';
import { divisorsOf, type ScaledSide, type Scaling } from './scaling.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** A tested row. Values are parts of everything before: means over the JVMs of each side. */
export type TestedValue = {
  readonly before: number;
  readonly now: number;
  /** Half the width of the interval of the difference that holds for all rows at once, in 95 % of the comparisons. */
  readonly margin: number;
  /** Standard deviation between JVMs of one side. */
  readonly deviation: number;
  /** Adjusted for all rows of its family. */
  readonly p: number;
  readonly verdict: Verdict;
};

export type TestedMethod = TestedValue & {
  /** Label of the method in the comparison. */
  readonly label: number;
  readonly of: 'total' | 'self';
};

export type MethodsEvidence = {
  /** JVMs with samples on each side. */
  readonly jvms: readonly [before: number, now: number];
  /** The family of methods, and the test's own numbers of its rows in the same order; empty where the JVMs are too few. */
  readonly methods: readonly TestedMethod[];
  readonly methodTest: PermutationTest;
};

/** Rows with a smaller part of everything are not tested. They are chosen by both sides together, never by their difference. */
const LEAST_SHARE = 0.001;
const UNTESTED: PermutationTest = { rows: [], critical: 0 };

type Jvm = { readonly analysis: Analysis; readonly side: 0 | 1; readonly divisor: number };

/** Which methods of both sides are one, and by what amounts are compared. */
export type Ways = {
  /** Per method row of the baseline: the shown row that it has become, or −1. */
  readonly became: Int32Array;
  /** Shown rows of methods whose code did not change. */
  readonly anchors: readonly number[];
  readonly scaling: Scaling;
};

/** JVMs of the windows that are looked at. A window without a JVM's identity is one of one JVM. */
export function countJvms({ profile, selection }: Analysis): number {
  return windowsByJvm(profile.windows, selection.windows).length;
}

/** One look for each JVM with samples. */
function looksOfJvms({ profile, index, selection }: Analysis): Analysis[] {
  const looks = windowsByJvm(profile.windows, selection.windows).map(({ windows }) =>
    analyse(profile, index, { ...selection, windows }),
  );
  return looks.filter(({ whole }) => whole.weight > 0);
}

/** @param looks baseline first. O(JVMs · (nodes + cells) + relabellings · tested rows). */
export function methodEvidence(looks: readonly [Analysis, Analysis], ways: Ways, pause: Pause): MethodsEvidence {
  const counts = [countJvms(looks[0]), countJvms(looks[1])] as const;
  const none = { jvms: counts, methods: [], methodTest: UNTESTED };
  if (!isTestable(counts, ALPHA)) return none;
  const jvms = scaledJvms(looks, ways);
  const sizes = sizesOf(jvms);
  if (!isTestable(sizes, ALPHA)) return { ...none, jvms: sizes };
  const { methods, methodTest } = testMethods(looks, jvms, ways.became, pause);
  const told = ways.scaling === 'share' ? confirmedByAnchors(methods, looks, ways, pause) : methods;
  return { jvms: sizes, methods: told, methodTest };
}

/**
 * The family of contexts, by their rows in the comparison; empty where the JVMs are too few. One pass over the rows a JVM more.
 * @param methods of the same looks and ways.
 */
export function contextEvidence(
  comparison: TreeComparison,
  looks: readonly [Analysis, Analysis],
  ways: Ways,
  { methods }: MethodsEvidence,
  pause: Pause,
): ReadonlyMap<number, TestedValue> {
  if (methods.length === 0) return new Map();
  return testContexts(comparison, looks, scaledJvms(looks, ways), ways.became, methods, pause);
}

function sizesOf(jvms: readonly Jvm[]): readonly [before: number, now: number] {
  const before = jvms.filter(({ side }) => side === 0).length;
  return [before, jvms.length - before];
}

/**
 * Shares of one whole depend on each other: where one grows, all others shrink. A direction counts only where the amounts have it too
 * that are measured by what most methods of both sides have.
 */
function confirmedByAnchors(
  methods: readonly TestedMethod[],
  looks: readonly [Analysis, Analysis],
  { became, anchors }: Ways,
  pause: Pause,
): readonly TestedMethod[] {
  if (!methods.some(({ verdict }) => isDirected(verdict))) return methods;
  const jvms = scaledJvms(looks, { became, anchors, scaling: 'anchored' });
  if (!isTestable(sizesOf(jvms), ALPHA)) return methods;
  const key = ({ label, of }: TestedMethod) => `${of} ${label}`;
  const anchored = new Map(
    testMethods(looks, jvms, became, pause).methods.map(method => [key(method), method.verdict]),
  );
  return methods.map(method => {
    const other = anchored.get(key(method));
    return { ...method, verdict: other === undefined ? method.verdict : agreeing(method.verdict, other) };
  });
}

/** JVMs of both sides, baseline first, and what their amounts are divided by; a JVM without any amount for the scale is left out. */
function scaledJvms(looks: readonly [Analysis, Analysis], ways: Ways): Jvm[] {
  const before = scaledSide(looks[0], 0, ways);
  const jvms = ([0, 1] as const).flatMap(side => looksOfJvms(looks[side]).map(analysis => ({ analysis, side })));
  const sides = jvms.map(({ analysis, side }) => scaledSide(analysis, side, ways));
  const divisors = divisorsOf(ways.scaling, before, sides);
  return jvms.map((jvm, at) => ({ ...jvm, divisor: divisors[at]! })).filter(({ divisor }) => divisor > 0);
}

/** What one look has for a scale, with the anchors in the order of their shown rows. */
function scaledSide(analysis: Analysis, side: 0 | 1, { became, anchors, scaling }: Ways): ScaledSide {
  const common = { whole: analysis.whole.weight, seconds: secondsOf(analysis), jvms: countJvms(analysis) };
  if (scaling !== 'anchored') return { ...common, anchors: new Float64Array(0) };
  const self = selfTimes(analysis).weight;
  if (side === 1) return { ...common, anchors: Float64Array.from(anchors, row => self[row]!) };
  const sums = new Map<number, number>(anchors.map(row => [row, 0]));
  for (const [then, row] of became.entries()) if (sums.has(row)) sums.set(row, sums.get(row)! + self[then]!);
  return { ...common, anchors: Float64Array.from(anchors, row => sums.get(row)!) };
}

/** Of the windows that are looked at. */
export function secondsOf({ profile, selection: { windows } }: Analysis): number {
  let millis = 0;
  for (const [at, { startMillis, endMillis }] of profile.windows.entries())
    if (windows === undefined || windows[at] === 1) millis += endMillis - startMillis;
  return millis / 1000;
}

/** Tests chosen rows of columns with a value per JVM. */
function testColumns(
  columns: readonly Float64Array[],
  rows: readonly number[],
  sizes: readonly [number, number],
  pause: Pause,
): { readonly test: PermutationTest; readonly values: readonly TestedValue[] } {
  const all = columns.length;
  const values = new Float64Array(rows.length * all);
  for (const [at, row] of rows.entries())
    for (const [jvm, column] of columns.entries()) values[at * all + jvm] = column[row]!;
  const test = testRows({ values, rows: rows.length, jvms: sizes }, pause);
  return {
    test,
    values: test.rows.map((row, at) => {
      const own = values.subarray(at * all, (at + 1) * all);
      const before = mean(own.subarray(0, sizes[0]));
      const now = mean(own.subarray(sizes[0]));
      const { deviation, p, error } = row;
      return { before, now, margin: test.critical * error, deviation, p, verdict: verdictOf(test, row, [before, now]) };
    }),
  };
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Rows whose mean over all JVMs is large enough. */
function largeRows(columns: readonly Float64Array[], isCandidate: (row: number) => boolean): number[] {
  const least = LEAST_SHARE * columns.length;
  const sum = (row: number) => columns.reduce((all, column) => all + Math.abs(column[row]!), 0);
  return Array.from(columns[0]!, (_, row) => row).filter(row => isCandidate(row) && sum(row) >= least);
}

/**
 * Methods of both sides, by all they call and by their own time. Own time alone is no evidence that a method got slower, because code
 * moves between methods: its verdict has a direction only where the time with all that is called has it too. A method that one side
 * alone has is judged by what calls it.
 */
function testMethods(
  looks: readonly [Analysis, Analysis],
  jvms: readonly Jvm[],
  became: Int32Array,
  pause: Pause,
): Pick<MethodsEvidence, 'methods' | 'methodTest'> {
  const shown = looks[1].profile.methods.length;
  const labels = shown + looks[0].profile.methods.length;
  // Own times stand behind the times with all that is called.
  const columns = jvms.map(({ analysis, side, divisor }) => {
    const column = new Float64Array(2 * labels);
    const [total, self] = [methodTimes(analysis).weight, selfTimes(analysis).weight];
    // The root stands for everything, which is the same for both sides where shares are compared.
    column[ROOT_METHOD] = analysis.whole.weight / divisor;
    for (let row = PARTIAL_METHOD + 1; row < total.length; row++) {
      const label = side === 1 ? row : became[row]! >= 0 ? became[row]! : shown + row;
      column[label]! += total[row]! / divisor;
      column[labels + label]! += self[row]! / divisor;
    }
    return column;
  });
  const has = (side: 0 | 1, row: number) => jvms.some((jvm, at) => jvm.side === side && columns[at]![row]! > 0);
  const isOfBoth = (row: number) => has(0, row) && has(1, row);
  const rows = largeRows(columns, row => isOfBoth(row % labels));
  const { test, values } = testColumns(columns, rows, sizesOf(jvms), pause);
  const totals = new Map(rows.map((row, at) => [row, values[at]!]));
  const methods = rows.map((row, at): TestedMethod => {
    const value = values[at]!;
    if (row < labels) return { ...value, label: row, of: 'total' };
    const label = row - labels;
    const verdict = agreeing(value.verdict, totals.get(label)!.verdict);
    return { ...value, label, of: 'self', verdict };
  });
  return { methods, methodTest: test };
}

/** A direction counts where the other verdict has it too. */
function agreeing(verdict: Verdict, other: Verdict): Verdict {
  if (!isDirected(verdict) || verdict === other) return verdict;
  return other === 'same' ? 'same' : 'cannotTell';
}

/** Contexts by what they are compared by; a direction counts where the nearest kept method above or at the context has it. */
function testContexts(
  comparison: TreeComparison,
  looks: readonly [Analysis, Analysis],
  jvms: readonly Jvm[],
  became: Int32Array,
  methods: readonly TestedMethod[],
  pause: Pause,
): Map<number, TestedValue> {
  const shown = looks[1].profile.methods.length;
  const labels = [
    Int32Array.from(became, (row, then) => (row >= 0 ? row : shown + then)),
    Int32Array.from({ length: shown }, (_, row) => row),
  ] as const;
  const columnOf = ({ analysis, side, divisor }: Jvm) => {
    pause();
    const { total, whole } = comparedSide(analysis, labels[side]);
    return comparison.ownColumn(side, total, whole).map(amount => amount / divisor);
  };
  const columns = jvms.map(columnOf);
  const rows = largeRows(columns, row => row > 0 && comparison.stateOf(row) !== null);
  const { values } = testColumns(columns, rows, sizesOf(jvms), pause);
  const totals = new Map(
    methods.flatMap(({ label, of, verdict }) => (of === 'total' ? [[label, verdict] as const] : [])),
  );
  return new Map(
    rows.map((row, at) => {
      let kept = row;
      while (kept > 0 && comparison.stateOf(kept) !== 'kept') kept = comparison.parentOf(kept);
      const above = totals.get(comparison.label[kept]!);
      const { verdict, ...value } = values[at]!;
      return [row, { ...value, verdict: above === undefined ? verdict : agreeing(verdict, above) }];
    }),
  );
}
