// The contexts of two versions as boxes: the trees of the data and of the baseline, matched.
import { createHash } from 'node:crypto';
import type { Subject } from '../analysis/ask.ts';
import type { AnswerTo } from '../analysis/questions/question-table.ts';
import { type FoundContexts, foundContexts } from '../features/compare/door.ts';
import { selectionKey } from '../model/look.ts';
import { contextOf } from './named-answer.ts';
import { nothingCompared } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskBlueprint, Blueprint, MethodInfo, MethodKey } from './view-messages.ts';
import { versionText } from './view-state.ts';
import { comparedSubject, dataUnder, methodTeller, metricOf, subjectOf } from './viewed-data.ts';

const MOST_CHILDREN = 50;
const MOST_BOXES = 1_000;

export async function blueprintAnswer(
  host: ViewHost,
  viewed: Viewed,
  { look, scaling, tree: known, box, show, of, from }: AskBlueprint,
  signal: AbortSignal,
): Promise<Blueprint> {
  const compared = comparedTrees(viewed, look);
  const { subject, baseline, became, tree } = compared;
  if (known !== null && known !== tree) return { outdated: true };
  const label = of === null ? -1 : labelOf(viewed, of);
  const most = show === 'children' ? MOST_CHILDREN : MOST_BOXES;
  const finding = show === 'finding' ? await findingsIn(host, viewed, compared, signal) : null;
  const spot = show === 'finding' ? spotOf(finding?.row ?? null) : { box, show };
  const wish = { became, scaling, work: null, code: null, ...spot, label, from, most };
  const found = await host.door.ask(subject, 'comparedBoxes', wish, { signal, baseline });
  const [whole, now] = found.wholes;
  const part = (amount: number) => (whole > 0 ? amount / whole : 0);
  const tell = boxTeller(viewed);
  return {
    tree,
    unit: metricOf(viewed, look).unit,
    scaling: found.scale.scaling,
    whole: part(now),
    counted: found.counted,
    finding,
    versions: [versionText({ ...viewed, data: viewed.baseline!.data }), versionText(viewed)],
    boxes: found.boxes.map(
      ({ first, second, height, selfAmounts, row, parent, state, total, executions, tested, below, ...of }) => ({
        ...{ row, parent, method: row === 0 ? null : tell(of), state, total, self: selfAmounts },
        ...{ scaled: [part(first), part(second)], height: part(height), executions },
        ...{ verdict: tested?.verdict ?? 'notTested', p: tested?.p ?? null, below },
      }),
    ),
  };
}

/** From the root on without a finding. */
function spotOf(row: number | null) {
  return row === null ? ({ box: 0, show: 'through' } as const) : ({ box: row, show: 'through' } as const);
}

/** The findings in the data that the page looks at, in the scale of the answer `compare`. */
async function findingsIn(
  host: ViewHost,
  viewed: Viewed,
  { subject, baseline }: ComparedTrees,
  signal: AbortSignal,
): Promise<FoundContexts> {
  const { data: before, pairing } = viewed.baseline!;
  const [now, then] = [
    await dataUnder(host, viewed.data, subject.selection, signal),
    await dataUnder(host, before, baseline.selection, signal),
  ];
  return foundContexts(now, { data: then, pairing }, await contextOf(host, viewed, { signal, urgent: false }));
}

type ComparedTrees = {
  readonly subject: Subject;
  readonly baseline: Subject;
  readonly became: Int32Array;
  /** Another one where rows of boxes mean something else. */
  readonly tree: string;
};

function comparedTrees(viewed: Viewed, look: AskBlueprint['look']): ComparedTrees {
  if (viewed.baseline === null) throw nothingCompared();
  const subject = subjectOf(viewed, look);
  const baseline = comparedSubject(viewed, viewed.baseline, look);
  const became = viewed.baseline.pairing.becameRows();
  const sides = [subject, baseline].map(({ dataset, selection }) => [
    ...[dataset.key, dataset.revision, selectionKey(selection)],
  ]);
  const tree = createHash('sha256').update(JSON.stringify(sides)).update(became).digest('base64url').slice(0, 16);
  return { subject, baseline, became, tree };
}

/** Of a method of either version; −1 where it is in neither. */
function labelOf({ data, baseline }: Viewed, key: MethodKey): number {
  const shown = data.answers.keysOf(data.profile.methods).rowOf(key);
  if (shown >= 0 || baseline === null) return shown;
  const then = baseline.data.answers.keysOf(baseline.data.profile.methods).rowOf(key);
  if (then < 0) return -1;
  const became = baseline.pairing.becameRows()[then]!;
  return became >= 0 ? became : data.profile.methods.length + then;
}

type Box = AnswerTo<'comparedBoxes'>['boxes'][number];

function boxTeller(viewed: Viewed): (of: Pick<Box, 'method' | 'methodThen'>) => MethodInfo | null {
  const [now, before] = [methodTeller(viewed, viewed.data), methodTeller(viewed, viewed.baseline!.data)];
  return ({ method, methodThen }) => (methodThen >= 0 ? before(methodThen) : method >= 0 ? now(method) : null);
}
