// The answer `compare`: which methods and contexts got slower or faster since another version, tested over the JVMs of both.

import * as v from 'valibot';
import type { Reach } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { AnswerTo } from '../../analysis/questions/question-table.ts';
import {
  CAUSE_KINDS,
  type Check,
  CodeState,
  type ComparedBox,
  type ComparisonWish,
  type MethodEvidence,
  type Scaling,
} from '../../capabilities/compare/door.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import { commitSchema, described, methodSchema, verdictSchema } from '../../model/terms.ts';
import { DIRECTED } from '../../model/verdict.ts';
import { isOnBothSides } from '../../workspace/code/code-calls.ts';
import type { MethodSource } from '../../workspace/code/method-sources.ts';
import { baselineOf, type ComparedCode, defineDataAnswer, placesFor, refused } from '../answers/answer.ts';
import { BASELINE, LEFT_OUT_OF, LIMIT, LISTED, limitOf, methodOf, optional, originOf } from '../answers/vocabulary.ts';
import { type ListedMethod, listedMethod } from '../text/listed-method.ts';
import { blameOf } from './blame.ts';
import { causeText } from './cause-text.ts';
import { incomparable } from './comparable.ts';
import { findingText, verdictText } from './finding-text.ts';

const listed = { className: v.string(), method: v.string(), descriptor: v.nullable(v.string()) };
const listedSchema = v.object(listed);

const state = v.picklist(['kept', 'added', 'removed']);
const verdict = described(verdictSchema, 'Only "slower" and "faster" are evidence of a change');
const p = described(v.number(), 'Adjusted for all that was tested');
const pOrNull = described(v.nullable(v.number()), 'Adjusted for all that was tested; null where it was not');

const beforeAndNow = { before: v.number(), now: v.number() };

const source = {
  change: v.picklist(['same', 'changed', 'new']),
  path: described(v.string(), 'From the root of the repository'),
  line: v.number(),
  endLine: v.number(),
};
const sourceSchema = v.nullable(v.object(source));

const reported = {
  ...listed,
  ...beforeAndNow,
  change: v.number(),
  margin: described(v.number(), 'The change is uncertain by so much, up and down'),
  p,
  source: sourceSchema,
};

const reportSchema = v.object({
  verdict: v.picklist(DIRECTED),
  text: described(v.string(), 'The cause in words'),
  sentence: described(v.string(), 'The verdict, the cause and the amounts, in one sentence'),
  method: described(
    methodSchema,
    'The method whose code stands for the change: the one of the context, or of a call that came or went the nearest caller whose code changed',
  ),
  cause: described(
    v.picklist(CAUSE_KINDS),
    'Why the context stands for the change: its code changed, the call was added or removed, its code did not change, or its code is not known',
  ),
  ...beforeAndNow,
  change: described(v.number(), 'Change of all contexts that are the cause'),
  context: described(
    v.nullable(v.object({ ...listed, state, above: v.array(listedSchema) })),
    'The innermost changed or added calling context that holds the change, with what calls it from the root on; null for everything',
  ),
  source: described(
    v.nullable(v.object({ ...source, caller: v.nullable(listedSchema) })),
    'Code of the method of the context; of a call that was added or removed, of the nearest caller whose code changed',
  ),
  commit: described(v.nullable(commitSchema), 'The latest commit that changed that code'),
  methods: described(
    v.array(v.object(reported)),
    'Tested methods whose time with all they call changed by it; the first one is nearest to the context',
  ),
});

const compared = {
  scaling: v.picklist(['share', 'perSecond', 'absolute', 'anchored']),
  scalingReason: described(v.string(), 'Why; empty where the scaling was asked for and could be used'),
  whole: described(v.number(), 'Everything now, as a part of everything before; all amounts are such parts'),
  jvms: described(v.object(beforeAndNow), 'JVMs with samples'),
  tested: described(
    v.object({ methods: v.number(), contexts: v.number() }),
    'Rows that the test looked at; 0 where the JVMs are too few',
  ),
  reports: described(v.array(reportSchema), 'Findings of the test; nothing else is evidence of a change'),
  sentence: described(v.string(), 'The finding of the test, or why it found nothing, in one sentence'),
  check: v.nullable(
    v.object({
      end: v.picklist(['failed', 'passed', 'undecided']),
      anchorSamples: described(
        v.nullable(v.number()),
        'Samples that anchor the scale, of the JVM with the fewest: a check needs 1,600; null where nothing anchors it',
      ),
      methods: described(
        v.array(v.object({ ...reported, atMost: described(v.number(), 'The largest change that is not excluded') })),
        'That grew by more than the limit, or may have',
      ),
    }),
  ),
  grown: described(
    v.array(v.object({ ...listed, ...beforeAndNow, change: v.number() })),
    'Of a check that could not be tested: methods that grew by more than the limit with all they call, not tested',
  ),
  methods: described(
    v.array(
      v.object({
        ...listed,
        ...beforeAndNow,
        ...{ presence: v.picklist(['both', 'new', 'gone']), change: v.number(), verdict, p: pOrNull },
        source: sourceSchema,
      }),
    ),
    'Methods whose self time differs',
  ),
  differingMethods: described(v.number(), 'Methods that differ by 0.1 % of everything or more'),
  path: described(
    v.array(v.object({ ...listed, ...beforeAndNow, state, height: v.number() })),
    'From the context of the first report down, always to the call that differs most; empty without a report',
  ),
  recorder: described(
    v.object(beforeAndNow),
    'The cost of the recorder itself; its methods and contexts are not listed, and count in all amounts',
  ),
  contexts: described(
    v.array(
      v.object({
        ...listed,
        ...beforeAndNow,
        ...{ state, change: v.number(), verdict, p: pOrNull },
        above: v.array(listedSchema),
        total: v.object(beforeAndNow),
      }),
    ),
    'Calling contexts that are responsible for the difference',
  ),
  differing: described(v.number(), 'Contexts that differ by 0.1 % of everything or more'),
  ...LEFT_OUT_OF,
};

const comparedSchema = v.object(compared);

/** Amounts are parts of everything of the baseline, in the scaling that is named. */
export type ComparedTrees = v.InferOutput<typeof comparedSchema>;
export type Report = ComparedTrees['reports'][number];
export type ReportSource = NonNullable<Report['source']>;
export type ResponsibleContext = ComparedTrees['contexts'][number];
export type ChangedMethod = ComparedTrees['methods'][number];

export const compare = defineDataAnswer({
  name: 'compare',
  title: 'What got slower or faster',
  description:
    'Compares two versions: the changes that a test over their JVMs found, each with the context and the commit that explain it, then methods and contexts that differ.',
  parameters: {
    ...BASELINE,
    scaling: optional(
      v.picklist(['auto', 'share', 'perSecond', 'absolute', 'anchored']),
      'How both sides are made comparable; default auto: anchored where git knows enough unchanged code, else share',
    ),
    work: optional(
      v.object({ before: v.pipe(v.number(), v.gtValue(0)), now: v.pipe(v.number(), v.gtValue(0)) }),
      'Units of work that each JVM did, with scaling absolute: amounts are compared per unit',
    ),
    check: optional(
      v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      'Also decides whether a method got slower by more than this part of everything before, such as 0.05',
    ),
    planned: optional(
      v.boolean(),
      'Whether the check is the next one of looks at 5, 10, 15 and 20 JVMs a side; default false: the only one',
    ),
    ...LIMIT,
    places: LISTED.places,
  },
  result: compared,
  async answer(data, given, context) {
    const baseline = await baselineOf(context, data, given.baseline);
    const refusal = incomparable(data, baseline.data);
    if (refusal !== null) throw refused(refusal.message, refusal.remedy);
    const wished =
      given.scaling == null || given.scaling === 'auto' ? usualScaling(data, baseline.data) : given.scaling;
    const { trees, rows } = await context.withCodeOf(data, baseline.data, code =>
      comparisonOf(
        data,
        baseline,
        {
          ...{ scaling: wished, work: workOf(given.work), most: limitOf(given.limit), code },
          check: given.check == null ? null : { limit: given.check, isPlanned: given.planned === true },
        },
        context.reach.ask,
      ),
    );
    const places = await placesFor(
      context,
      data,
      rows.filter(row => row >= 0),
      given.places,
    );
    const reports = trees.reports.map((report, at) => ({
      ...report,
      method: { ...report.method, place: places.get(rows[at]!) ?? null },
    }));
    const found = { ...trees, reports };
    return { origin: originOf(data, baseline.data), ...withinLimit(found, limitOf(given.limit)) };
  },
});

/** Benchmarks do the same work on both sides. */
export function usualScaling(...sides: readonly LoadedData[]): 'absolute' | 'auto' {
  return sides.every(({ provenance }) => provenance.isBenchmark === true) ? 'absolute' : 'auto';
}

/** The names in a check grow with the program: the limit holds for them too. Findings are never left out. */
function withinLimit(found: ComparedTrees, most: number): ComparedTrees {
  const { check, grown, methods, contexts } = found;
  const named = check?.methods ?? [];
  const leftOut = {
    'check.methods': named.length - most,
    grown: grown.length - most,
    methods: found.differingMethods - methods.length,
    contexts: found.differing - contexts.length,
  };
  return {
    ...found,
    check: check && { ...check, methods: named.slice(0, most) },
    grown: grown.slice(0, most),
    leftOutOf: Object.fromEntries(Object.entries(leftOut).filter(([, count]) => count > 0)),
  };
}

type ReportedMethod = AnswerTo<'responsible'>['reports'][0]['methods'][0];
/** A method as boxes and rows of a comparison name it. */
type Rows = Pick<ComparedBox, 'method' | 'methodThen'>;

/** The root of a comparison stands for it. */
const EVERYTHING: ListedMethod = { className: '', method: 'everything', descriptor: null };

/** More methods that were not tested help nobody. */
const MOST_GROWN = 20;

type CompareOptions = {
  readonly scaling: Scaling | 'auto';
  readonly work: ComparisonWish['work'];
  /** How many methods, and how many contexts, at most; null for the reports alone. */
  readonly most: number | null;
  readonly check: Check | null;
  readonly code: ComparedCode | null;
};

export async function comparedTrees(
  data: LoadedData,
  baseline: Baseline,
  options: CompareOptions,
  ask: Reach['ask'],
): Promise<ComparedTrees> {
  return (await comparisonOf(data, baseline, options, ask)).trees;
}

type Comparison = {
  readonly trees: ComparedTrees;
  /** The row of each report's method in the shown method table; −1 for a method that the data do not have any more. */
  readonly rows: readonly number[];
  /** The row of each report's context, as boxes of the same comparison count it. */
  readonly contexts: readonly number[];
};

export async function comparisonOf(
  data: LoadedData,
  baseline: Baseline,
  options: CompareOptions,
  ask: Reach['ask'],
): Promise<Comparison> {
  const { scaling, work, most, check, code } = options;
  const sources = code?.ofMethod ?? null;
  const states = sources === null ? null : codeStates(data, sources);
  const wish = { became: baseline.pairing.becameRows(), scaling, work, code: states };
  const found = await ask(data, 'responsible', { ...wish, most }, baseline.data);
  const evidence = check === null ? null : await ask(data, 'evidence', { ...wish, check }, baseline.data);
  const [whole, now] = found.wholes;
  const part = (amount: number) => (whole > 0 ? amount / whole : 0);
  const both = (before: number, now: number) => ({ before: part(before), now: part(now) });
  const named = ({ method, methodThen }: Rows): ListedMethod =>
    method === ROOT_METHOD
      ? EVERYTHING
      : methodThen >= 0
        ? listedMethod(baseline.data.profile.methods, methodThen)
        : listedMethod(data.profile.methods, method);
  const sourceOf = ({ method }: Rows) => sources?.get(method) ?? null;
  const blame = (kind: Report['cause'], box: Rows, above: readonly Rows[]) =>
    blameOf(kind, box, above, {
      changeOf: row => sourceOf(row)?.change ?? null,
      hasCallElsewhere: (caller, called) => {
        const calls = code!.calledBy.get(caller.method);
        if (calls === undefined) return false;
        const [here, elsewhere] = kind === 'added' ? [calls.now, calls.before] : [calls.before, calls.now];
        return isOnBothSides(here, elsewhere, named(called));
      },
    });
  const methodIn = ({ method, methodThen }: Rows) =>
    method >= 0 ? methodOf(data, method, new Map()) : methodOf(baseline.data, methodThen, new Map());
  const reported = ({ before, now: later, margin, p, ...method }: ReportedMethod) => ({
    ...named(method),
    before,
    now: later,
    change: later - before,
    margin,
    p,
    source: sourceOf(method),
  });
  const reports: Report[] = [];
  const rows: number[] = [];
  for (const { verdict, kind, box, above, methods, calls, ...amounts } of found.reports) {
    const { cause, caller } = blame(kind, box, above);
    const own = sourceOf(caller ?? box);
    const source = own && { ...own, caller: caller === undefined ? null : named(caller) };
    const context = box.row === 0 ? null : { ...named(box), state: box.state, above: above.map(named) };
    const commit = source === null || source.change === 'same' ? null : await code!.commitOf(source);
    const subject = caller ?? (box.row === 0 ? methods[0]! : box);
    const called = cause !== 'unchanged' || calls === null ? null : sourceOf(calls);
    const text = causeText({
      ...{ cause, context, commit, scaling: found.scale.scaling },
      calls: called && { ...named(calls!), commit: await code!.commitOf(called) },
    });
    const told = { text, verdict, cause, ...amounts, change: amounts.now - amounts.before };
    reports.push({
      ...told,
      ...{ context, source, commit, methods: methods.map(reported) },
      ...{ sentence: findingText(told, found.scale.scaling), method: methodIn(subject) },
    });
    rows.push(subject.method);
  }
  const trees: ComparedTrees = {
    scaling: found.scale.scaling,
    scalingReason: found.why,
    whole: part(now),
    jvms: { before: found.jvms[0], now: found.jvms[1] },
    tested: found.tested,
    reports,
    sentence: verdictText({
      ...{ scaling: found.scale.scaling, reports, tested: found.tested },
      jvms: { before: found.jvms[0], now: found.jvms[1] },
    }),
    check: evidence && checked(evidence, reported),
    grown: (evidence?.grown ?? []).slice(0, MOST_GROWN).map(({ method, before, now: later }) => ({
      ...listedMethod(data.profile.methods, method),
      ...{ before, now: later, change: later - before },
    })),
    methods: found.methods.map(({ before, now: later, presence, verdict, p, ...method }) => ({
      ...named(method),
      ...both(before, later),
      presence,
      change: part(later - before),
      verdict,
      p,
      source: sourceOf(method),
    })),
    differingMethods: found.differingMethods,
    recorder: both(found.recorder.before, found.recorder.now),
    path: found.path.map(box => ({
      ...named(box),
      state: box.state,
      ...both(box.first, box.second),
      height: part(box.height),
    })),
    contexts: found.contexts.map(({ box, before, now: later, verdict, p, above }) => ({
      ...named(box),
      state: box.state,
      ...both(before, later),
      change: part(later - before),
      verdict,
      p,
      above: above.map(named),
      total: both(box.first, box.second),
    })),
    differing: found.differing,
  };
  return { trees, rows, contexts: found.reports.map(({ box }) => box.row) };
}

function workOf(given: { readonly before: number; readonly now: number } | null | undefined): ComparisonWish['work'] {
  return given == null ? null : [given.before, given.now];
}

/** Per shown method row. */
function codeStates({ profile }: LoadedData, sources: ReadonlyMap<number, MethodSource>): Uint8Array {
  const states = new Uint8Array(profile.methods.length);
  for (const [row, { change }] of sources) states[row] = change === 'same' ? CodeState.same : CodeState.changed;
  return states;
}

function checked<T>(
  { gate, methods, anchorSamples }: MethodEvidence,
  reported: (method: MethodEvidence['methods'][0]) => T,
) {
  return (
    gate && {
      end: gate.end,
      anchorSamples,
      methods: gate.rows.map(({ row, atMost }) => ({ ...reported(methods[row]!), atMost })),
    }
  );
}
