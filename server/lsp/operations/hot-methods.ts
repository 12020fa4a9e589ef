// Operations that list methods of the whole program: the hottest, and those whose share moved against the baseline.
import { Baseline } from '../../features/facts/compare.ts';
import { movedMethods } from '../../features/moved.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { type TopOptions, topOf } from '../../features/top.ts';
import { describeBaseline } from '../../workspace/data/choice.ts';
import { reachOf } from '../gather.ts';
import type { About, CompareAnswer, TopMessage } from '../protocol.ts';
import { type AskedData, askCompared, hasData, LONGEST_PAIRING_MILLIS, originText, placesOf } from './about.ts';
import { changeMessage, methodMessage, shareOfRow } from './messages.ts';
import { type Context, operation } from './operation.ts';
import { present } from './operation-parameters.ts';

const DEFAULT_LIMIT = 50;
const MOST_ROWS = 1_000;

type Wish = About & Pick<TopOptions, 'limit' | 'by' | 'platform'>;

export const hotMethods = operation({
  name: 'hotMethods',
  parameters: given => {
    const by = given.oneOf('by', ['total', 'self']) ?? 'self';
    return {
      ...present({ textDocument: given.textDocument() }),
      limit: given.integer('limit', 1, MOST_ROWS) ?? DEFAULT_LIMIT,
      by,
      platform: given.boolean('platform') ?? by === 'self',
    };
  },
  answer: topMessage,
  show: showTop,
});

export const compare = operation({
  name: 'compare',
  parameters: given => {
    // A lens above a method gives its place too.
    given.position();
    return {
      ...present({ textDocument: given.textDocument() }),
      limit: given.integer('limit', 1, MOST_ROWS) ?? DEFAULT_LIMIT,
    };
  },
  answer: compareAnswer,
  show: showCompare,
});

async function topMessage(context: Context, wish: Wish): Promise<TopMessage> {
  const asked = await askCompared(context, wish);
  if (!hasData(asked)) return [];
  const { limit, by, platform } = wish;
  const { data, baseline } = asked;
  const rows = topOf(data, { limit, by, platform, ...(baseline && { baseline }) });
  const locate = await placesOf(
    context,
    asked,
    rows.map(({ row }) => row),
  );
  if (locate === null) return [];
  const whole = data.values.effectiveWhole;
  return rows.map(({ row, isPlatform, total, self, selfOfMethod, change }) => ({
    method: methodMessage(data, row, locate),
    platform: isPlatform,
    total: shareOfRow(data, total, data.analysis.whole.count, whole),
    self: shareOfRow(data, self, data.analysis.whole.count, whole),
    selfOfMethod: shareOfRow(data, selfOfMethod, total.samples, total.samples),
    change: change === undefined ? null : changeMessage(change),
  }));
}

const NOT_PAIRED = `git has not told within ${LONGEST_PAIRING_MILLIS / 1_000} s what was renamed or moved, or it was not waited for: such a method is listed as new and as gone.`;
const NOT_READ =
  'the data or those of the baseline have not been read yet: they may be large, or git has not told yet which commits their versions are.';
const NOT_COMPARED: CompareAnswer = { baseline: null, renamesKnown: true, reason: null, rows: [] };

async function compareAnswer(context: Context, wish: About & { readonly limit: number }): Promise<CompareAnswer> {
  const asked = await askCompared(context, wish);
  const wantedBaseline = asked.wanted?.baseline ?? null;
  const compared = wantedBaseline?.compared ?? null;
  const baselineText = wantedBaseline === null ? '' : describeBaseline(wantedBaseline.wish);
  if (!hasData(asked) || compared === null)
    return wantedBaseline === null
      ? NOT_COMPARED
      : { baseline: baselineText, renamesKnown: false, reason: NOT_READ, rows: [] };
  const { data } = asked;
  const renamesKnown = compared.pairing.state === 'done';
  const baseline = new Baseline(compared);
  const { limit } = wish;
  const reach = reachOf(context.session, context.token);
  const { rows: moved } = await movedMethods(data, baseline, { limit }, reach);
  const rowsOf = (isGone: boolean) => moved.filter(row => row.isGone === isGone).map(({ method }) => method);
  const locate = await placesOf(context, asked, rowsOf(false));
  // Methods that are gone have rows of the baseline's table only.
  const then: AskedData = { ...asked, data: baseline.data, document: null };
  const locateGone = await placesOf(context, then, rowsOf(true));
  return {
    baseline: baselineText,
    renamesKnown,
    reason: renamesKnown ? null : NOT_PAIRED,
    rows: moved.map(({ method, isGone, change }) => ({
      method: isGone ? methodMessage(baseline.data, method, locateGone) : methodMessage(data, method, locate),
      change: changeMessage(change),
    })),
  };
}

async function showTop(context: Context, rows: TopMessage, wish: Wish): Promise<void> {
  const bySelf = wish.by === 'self';
  await context.session.pages.show({
    file: 'hot-methods',
    title: bySelf ? 'Methods that run most themselves' : 'Hottest methods',
    intro: [await originText(context, wish)],
    head: ['time', 'self', 'samples', 'method'],
    rows: rows.map(({ method, total, self, change }) => ({
      cells: [
        change === null ? total.text : `${total.text} ${change.text}`,
        self.count === 0 ? '-' : self.text,
        groupDigits(bySelf ? self.count : total.count),
      ],
      name: method.label,
      place: method,
    })),
    whenEmpty: 'There are no data; insitu.status says why, insitu.importRecording imports a recording.',
  });
}

async function showCompare(context: Context, answer: CompareAnswer, wish: About): Promise<void> {
  const { pages } = context.session;
  if (answer.baseline === null)
    return pages.tell('insitu: nothing is compared with; insitu.compareWith chooses a version, a time or a file');
  await pages.show({
    file: 'compare',
    title: `What moved against ${answer.baseline}`,
    intro: [await originText(context, wish), ...(answer.reason === null ? [] : [answer.reason])],
    head: ['change', 'before', 'now', 'method'],
    rows: answer.rows.map(({ method, change }) => ({
      cells: [change.text, percent(change.baseline), percent(change.current)],
      name: method.label,
      place: method,
    })),
    whenEmpty: answer.renamesKnown ? 'No method moved by 0.1 points or more.' : 'Nothing can be listed yet.',
  });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share >= 0.1 ? 0 : share >= 0.01 ? 1 : 2)}%`;
}
