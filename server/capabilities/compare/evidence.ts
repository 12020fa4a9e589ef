// The evidence of the JVMs of two looks about their differences: values of methods and contexts in each JVM, and the test over JVMs.
import type { Pause } from '../../base/pause.ts';
import { windowsByJvm } from '../../cct/jvms.ts';
import { nanosPerSample } from '../../cct/processor-load.ts';
import { type Analysis, analyse } from '../../metrics/analysis.ts';
import { selfTimes } from '../../metrics/method-times.ts';
import { forEachCellInScope } from '../../metrics/node-walks.ts';
import { isDirected } from '../../model/verdict.ts';
import type { AnchoredPart, Anchoring } from './anchors.ts';
import { ContextTests } from './context-tests.ts';
import { amountsOf, type Jvm, type Labels, methodColumn } from './jvm-amounts.ts';
import { ALPHA, isTestable, type PermutationTest } from './permutation-test.ts';
import { divisorsOf, type ScaledSide, type Scaling } from './scaling.ts';
import { agreeing, largeRows, sizesOf, type TestedColumns, type TestedMethod, testColumns } from './tested-rows.ts';
import type { TreeComparison } from './tree-comparison.ts';
import { roundDeviations, roundsOf } from './turns.ts';

export type MethodsEvidence = {
  /** JVMs with samples on each side. */
  readonly jvms: readonly [before: number, now: number];
  /** The family of methods, and the test's own numbers of its rows in the same order; empty where the JVMs are too few. */
  readonly methods: readonly TestedMethod[];
  readonly methodTest: PermutationTest;
  /** By row of the test: `roundDeviations` of JVMs that ran in turns, else null. */
  readonly roundDeviations: Float64Array | null;
  readonly scaling: Scaling;
  /** Samples that anchor the scale, of the JVM with the fewest; null where nothing does. */
  readonly anchorSamples: number | null;
  /** The tests of contexts over the JVMs; null where the JVMs are too few. O(JVMs · rows). */
  readonly byContext: (comparison: TreeComparison, pause: Pause) => ContextTests | null;
};

const UNTESTED: PermutationTest = { rows: [], critical: 0 };

/** Which methods of both sides are one, and by what amounts are compared. */
export type Ways = {
  /** Per method row of the baseline: the shown row that it has become, or −1. */
  readonly became: Int32Array;
  /** Shown rows of methods of both sides, by which amounts are scaled where no `anchoring` is; looked for when they are needed. */
  readonly common: () => readonly number[];
  readonly scaling: Scaling;
  /** Units of work of each JVM, by side; null for 1. */
  readonly work: readonly [before: number, now: number] | null;
  /** Whether samples count as the processor time that each JVM took. */
  readonly isTimed: boolean;
  /** The anchors that measure the JVMs of both sides under that scaling; null where no code is known. */
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
    roundDeviations: null,
    anchorSamples: null,
    byContext: () => null,
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
    roundDeviations: tested.roundDeviations,
    anchorSamples: ways.anchoring?.samples ?? null,
    byContext: (comparison, go) => new ContextTests(comparison, jvms, labelsOf(looks, ways.became), tested, told, go),
  };
}

export function labelsOf([, { profile }]: readonly [Analysis, Analysis], became: Int32Array): Labels {
  const shown = profile.methods.length;
  return [
    Int32Array.from(became, (row, then) => (row >= 0 ? row : shown + then)),
    Int32Array.from({ length: shown }, (_, row) => row),
  ];
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

/** The amounts of one look for a scale, with the anchors in the order of their shown rows. */
function scaledSide(
  analysis: Analysis,
  side: 0 | 1,
  { became, common: anchorsOf, scaling, work, isTimed }: Ways,
): ScaledSide {
  const common = {
    whole: analysis.whole.weight,
    seconds: secondsOf(analysis),
    work: countJvms(analysis) * (work?.[side] ?? 1),
    worth: (isTimed && nanosOfSample(analysis)) || 1,
  };
  if (scaling !== 'anchored') return { ...common, anchors: new Float64Array(0) };
  const [self, anchors] = [selfTimes(analysis).weight, anchorsOf()];
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
  const rounds = roundsOf(jvms);
  return {
    methods,
    methodTest: test,
    roundDeviations: rounds && roundDeviations(columns, rows, rounds),
    columns,
    rows,
  };
}
