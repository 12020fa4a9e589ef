// What the JVMs of two looks tell of their differences: values of methods and contexts in each JVM, and the test over JVMs.
import type { Pause } from '../../base/pause.ts';
import { windowsByJvm } from '../../cct/jvms.ts';
import { nanosPerSample } from '../../cct/processor-load.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import { type Analysis, analyse } from '../../metrics/analysis.ts';
import { selfTimes } from '../../metrics/method-times.ts';
import { forEachCellInScope } from '../../metrics/node-walks.ts';
import { isDirected, type Verdict } from '../../model/verdict.ts';
import type { AnchoredPart, Anchoring } from './anchors.ts';
import { verdictOf } from './judge.ts';
import { amountsOf, type Jvm, type Labels, methodColumn } from './jvm-amounts.ts';
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
  readonly scaling: Scaling;
  /** Samples that anchor the scale, of the JVM with the fewest; null where nothing does. */
  readonly anchorSamples: number | null;
  /**
   * Tests the times of methods with all they call again, without some contexts and all that these call.
   * @param taken rows of the comparison, none of which calls another. @returns by label, and the labels that had a part in them.
   */
  readonly without: (
    taken: readonly number[],
    comparison: TreeComparison,
    pause: Pause,
  ) => { readonly tested: ReadonlyMap<number, TestedValue>; readonly touched: ReadonlySet<number> };
  /** Amounts of contexts in the JVMs. O(JVMs · rows). */
  readonly amountsOf: (comparison: TreeComparison, pause: Pause) => RowAmounts;
};

/** By row of the comparison, means over the JVMs of each side, as parts of everything before. */
export type RowAmounts = { readonly before: Float64Array; readonly now: Float64Array };

/** Rows with a smaller part of everything are not tested. They are chosen by both sides together, never by their difference. */
const LEAST_SHARE = 0.001;
const UNTESTED: PermutationTest = { rows: [], critical: 0 };

/** Which methods of both sides are one, and by what amounts are compared. */
export type Ways = {
  /** Per method row of the baseline: the shown row that it has become, or −1. */
  readonly became: Int32Array;
  /** Shown rows of methods of both sides, by which amounts are scaled where no `anchoring` is. */
  readonly common: readonly number[];
  readonly scaling: Scaling;
  /** Units of work of each JVM, by side; null for 1. */
  readonly work: readonly [before: number, now: number] | null;
  /** Whether samples count as the processor time that each JVM took. */
  readonly isTimed: boolean;
  /** What measures the JVMs of both sides where they are anchored; null where no code is known. */
  readonly anchoring: Anchoring | null;
};

/** JVMs with samples in the windows that are looked at. A window without a JVM's identity is one of one JVM. */
export function countJvms(analysis: Analysis): number {
  const { profile, selection } = analysis;
  const { window } = profile.cells[selection.metric]!;
  const seen = new Set<number>();
  forEachCellInScope(analysis, (_node, weight, _count, cell) => {
    if (weight > 0) seen.add(window[cell]!);
  });
  const isSeen = ({ windows }: { readonly windows: Uint8Array }) => [...seen].some(each => windows[each] === 1);
  return windowsByJvm(profile.windows, selection.windows).filter(isSeen).length;
}

/** One look for each JVM with samples, of both sides. */
export function partsOf(looks: readonly [Analysis, Analysis]): AnchoredPart[] {
  return ([0, 1] as const).flatMap(side => looksOfJvms(looks[side]).map(analysis => ({ analysis, side })));
}

function looksOfJvms({ profile, index, selection }: Analysis): Analysis[] {
  const looks = windowsByJvm(profile.windows, selection.windows).map(({ windows }) =>
    analyse(profile, index, { ...selection, windows }),
  );
  return looks.filter(({ whole }) => whole.weight > 0);
}

/** @param looks baseline first. O(JVMs · (nodes + cells) + relabellings · tested rows). */
export function methodEvidence(looks: readonly [Analysis, Analysis], ways: Ways, pause: Pause): MethodsEvidence {
  const counts = [countJvms(looks[0]), countJvms(looks[1])] as const;
  const none = {
    scaling: ways.scaling,
    jvms: counts,
    methods: [],
    methodTest: UNTESTED,
    anchorSamples: null,
    without: () => ({ tested: new Map(), touched: new Set<number>() }),
    amountsOf: () => ({ before: NO_AMOUNTS, now: NO_AMOUNTS }),
  };
  if (!isTestable(counts, ALPHA)) return none;
  const jvms = scaledJvms(looks, ways);
  const sizes = sizesOf(jvms);
  if (!isTestable(sizes, ALPHA)) return { ...none, jvms: sizes };
  const tested = testMethods(looks, jvms, ways.became, pause);
  const told = ways.scaling === 'share' ? confirmedByAnchors(tested.methods, looks, ways, pause) : tested.methods;
  return {
    scaling: ways.scaling,
    jvms: sizes,
    methods: told,
    methodTest: tested.methodTest,
    anchorSamples: ways.anchoring?.samples ?? null,
    amountsOf: (comparison, go) => rowAmounts(comparison, jvms, labelsOf(looks, ways.became), go),
    without: (taken, comparison, go) => testWithout(taken, comparison, jvms, tested, labelsOf(looks, ways.became), go),
  };
}

export function labelsOf([, { profile }]: readonly [Analysis, Analysis], became: Int32Array): Labels {
  const shown = profile.methods.length;
  return [
    Int32Array.from(became, (row, then) => (row >= 0 ? row : shown + then)),
    Int32Array.from({ length: shown }, (_, row) => row),
  ];
}

function testWithout(
  taken: readonly number[],
  comparison: TreeComparison,
  jvms: readonly Jvm[],
  { columns, rows }: Pick<TestedColumns, 'columns' | 'rows'>,
  labels: Labels,
  pause: Pause,
): ReturnType<MethodsEvidence['without']> {
  const parts = takenParts(taken, comparison, pause);
  const left = jvms.map((jvm, at) => {
    pause();
    const { total, whole } = amountsOf(jvm, labels);
    const own = comparison.ownColumn(jvm.side, total, whole);
    const amountAt = comparison.totalsIn(jvm.side, total, whole);
    const column = columns[at]!.slice();
    for (const { label, row, sides } of parts)
      if (sides[jvm.side]) column[label]! -= comparison.stateOf(row) === 'kept' ? amountAt(row) : own[row]!;
    return column;
  });
  const { values } = testColumns(left, rows, sizesOf(jvms), pause);
  const ofTotals = columns[0]!.length / 2;
  return {
    tested: new Map(rows.flatMap((row, at) => (row < ofTotals ? [[row, values[at]!] as const] : []))),
    touched: new Set(parts.map(({ label }) => label)),
  };
}

type TakenPart = {
  readonly label: number;
  readonly row: number;
  /** On which side the context is a part of the method's time. */
  readonly sides: readonly [first: boolean, second: boolean];
};

const BOTH = [true, true] as const;

/**
 * What contexts are parts of: the time of each method above them on each side, and of each method below that is not above them too. What
 * is kept below a context that is on one side alone stays: it was there without it.
 */
function takenParts(taken: readonly number[], comparison: TreeComparison, pause: Pause): TakenPart[] {
  const labelOf = (row: number) => Math.max(ROOT_METHOD, comparison.label[row]!);
  const parts: TakenPart[] = [];
  for (const top of taken) {
    const above = ([0, 1] as const).map(side => comparison.labelsAbove(side, top));
    for (const label of new Set(above.flatMap(labels => [...labels])))
      parts.push({ label, row: top, sides: [above[0]!.has(label), above[1]!.has(label)] });
    // By label: how many contexts on the way hold the time of the one at hand already.
    const held = new Map<number, number>();
    for (let row = comparison.parentOf(top); row >= 0; row = comparison.parentOf(row)) held.set(labelOf(row), 1);
    const isKeptTop = comparison.stateOf(top) === 'kept';
    // A context is entered as its row and left as the complement.
    const open = [top];
    for (let steps = 0; open.length > 0; steps++) {
      if (steps % 1024 === 0) pause();
      const next = open.pop()!;
      const label = labelOf(next < 0 ? ~next : next);
      const count = held.get(label) ?? 0;
      held.set(label, next < 0 ? count - 1 : count + 1);
      if (next < 0) continue;
      if (count === 0) parts.push({ label, row: next, sides: BOTH });
      const below = comparison.childrenOf(next);
      open.push(~next, ...(isKeptTop ? below : below.filter(child => comparison.stateOf(child) !== 'kept')));
    }
  }
  return parts;
}

function rowAmounts(comparison: TreeComparison, jvms: readonly Jvm[], labels: Labels, pause: Pause): RowAmounts {
  const { length } = comparison;
  const amounts = { before: new Float64Array(length), now: new Float64Array(length) };
  const sizes = sizesOf(jvms);
  for (const jvm of jvms) {
    pause();
    const { total, whole } = amountsOf(jvm, labels);
    const own = comparison.ownColumn(jvm.side, total, whole);
    const amountAt = comparison.totalsIn(jvm.side, total, whole);
    const column = jvm.side === 0 ? amounts.before : amounts.now;
    for (let row = 0; row < length; row++) {
      const state = comparison.stateOf(row);
      if (state !== null) column[row]! += (state === 'kept' ? amountAt(row) : own[row]!) / sizes[jvm.side];
    }
  }
  return amounts;
}

const NO_AMOUNTS = new Float64Array(0);

type TestedColumns = Pick<MethodsEvidence, 'methods' | 'methodTest'> & {
  /** For each JVM, by label: parts of everything with all that is called, then own ones. */
  readonly columns: readonly Float64Array[];
  /** Tested rows of the columns. */
  readonly rows: readonly number[];
};

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
): ReadonlyMap<number, TestedContext> {
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
  { became, common }: Ways,
  pause: Pause,
): readonly TestedMethod[] {
  if (!methods.some(({ verdict }) => isDirected(verdict))) return methods;
  const jvms = scaledJvms(looks, { became, common, scaling: 'anchored', work: null, isTimed: false, anchoring: null });
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
  const parts = partsOf(looks);
  const { anchoring } = ways;
  if (anchoring !== null) {
    const jvms = parts.flatMap(part => {
      const factors = anchoring.factorsOf(part);
      return factors === null ? [] : [{ ...part, divisor: 1, factors }];
    });
    const labels = labelsOf(looks, ways.became);
    const wholes = jvms.filter(({ side }) => side === 0).map(jvm => amountsOf(jvm, labels).whole);
    const divisor = wholes.reduce((sum, whole) => sum + whole, 0) / wholes.length;
    return jvms.map(jvm => ({ ...jvm, divisor }));
  }
  const before = scaledSide(looks[0], 0, ways);
  const sides = parts.map(({ analysis, side }) => scaledSide(analysis, side, ways));
  const divisors = divisorsOf(ways.scaling, before, sides);
  return parts
    .map((part, at) => ({ ...part, divisor: divisors[at]!, factors: null }))
    .filter(({ divisor }) => divisor > 0);
}

/** What one look has for a scale, with the anchors in the order of their shown rows. */
function scaledSide(
  analysis: Analysis,
  side: 0 | 1,
  { became, common: anchors, scaling, work, isTimed }: Ways,
): ScaledSide {
  const common = {
    whole: analysis.whole.weight,
    seconds: secondsOf(analysis),
    work: countJvms(analysis) * (work?.[side] ?? 1),
    worth: (isTimed && nanosOfSample(analysis)) || 1,
  };
  if (scaling !== 'anchored') return { ...common, anchors: new Float64Array(0) };
  const self = selfTimes(analysis).weight;
  if (side === 1) return { ...common, anchors: Float64Array.from(anchors, row => self[row]!) };
  const sums = new Map<number, number>(anchors.map(row => [row, 0]));
  for (const [then, row] of became.entries()) if (sums.has(row)) sums.set(row, sums.get(row)! + self[then]!);
  return { ...common, anchors: Float64Array.from(anchors, row => sums.get(row)!) };
}

/** Processor time of a sample of `cpu`, where the JVMs told how much they took in each window with samples; else null. */
export function nanosOfSample({ profile, selection: { metric, windows } }: Analysis): number | null {
  return profile.metrics[metric]!.id === 'cpu' ? nanosPerSample(profile, metric, windows) : null;
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
  columns: readonly (Float64Array | Float32Array)[],
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
function largeRows(columns: readonly (Float64Array | Float32Array)[], isCandidate: (row: number) => boolean): number[] {
  const least = LEAST_SHARE * columns.length;
  const sum = (row: number) => columns.reduce((all, column) => all + Math.abs(column[row]!), 0);
  return Array.from({ length: columns[0]!.length }, (_, row) => row).filter(
    row => isCandidate(row) && sum(row) >= least,
  );
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
): TestedColumns {
  const shown = looks[1].profile.methods.length;
  const labels = shown + looks[0].profile.methods.length;
  // Own times stand behind the times with all that is called.
  const rowLabels = labelsOf(looks, became);
  const columns = jvms.map(jvm => methodColumn(jvm, rowLabels, labels));
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
  return { methods, methodTest: test, columns, rows };
}

/** A direction counts where the other verdict has it too. */
function agreeing(verdict: Verdict, other: Verdict): Verdict {
  if (!isDirected(verdict) || verdict === other) return verdict;
  return other === 'same' ? 'same' : 'cannotTell';
}

/** What the test tells of a context: of its own part in the difference, and of a kept one with all that it calls, which H is of. */
export type TestedContext = { readonly own: TestedValue | null; readonly total: TestedValue | null };

/** Contexts by what they are compared by, in one family; a direction counts where the nearest kept method above or at the context has it. */
function testContexts(
  comparison: TreeComparison,
  looks: readonly [Analysis, Analysis],
  jvms: readonly Jvm[],
  became: Int32Array,
  methods: readonly TestedMethod[],
  pause: Pause,
): Map<number, TestedContext> {
  const labels = labelsOf(looks, became);
  const { length } = comparison;
  // Own parts, then amounts with all that is called. Single precision is a hundred times finer than what is told.
  const columns = jvms.map((jvm): Float32Array => {
    pause();
    const { total, whole } = amountsOf(jvm, labels);
    const column = new Float32Array(2 * length);
    column.set(comparison.ownColumn(jvm.side, total, whole));
    const amountAt = comparison.totalsIn(jvm.side, total, whole);
    for (let row = 1; row < length; row++) if (comparison.stateOf(row) === 'kept') column[length + row] = amountAt(row);
    return column;
  });
  const rows = largeRows(columns, row => row % length > 0 && comparison.stateOf(row % length) !== null);
  const { values } = testColumns(columns, rows, sizesOf(jvms), pause);
  const totals = new Map(
    methods.flatMap(({ label, of, verdict }) => (of === 'total' ? [[label, verdict] as const] : [])),
  );
  const found = new Map<number, TestedContext>();
  for (const [at, each] of rows.entries()) {
    const row = each % length;
    let kept = row;
    while (kept > 0 && comparison.stateOf(kept) !== 'kept') kept = comparison.parentOf(kept);
    const above = totals.get(comparison.label[kept]!);
    const { verdict, ...value } = values[at]!;
    const told = { ...value, verdict: above === undefined ? verdict : agreeing(verdict, above) };
    const known = found.get(row) ?? { own: null, total: null };
    found.set(row, each < length ? { ...known, own: told } : { ...known, total: told });
  }
  return found;
}
