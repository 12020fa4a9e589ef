// The operation that answers call hierarchies for clients that have no place for them, or show another one: the same rows, several levels at once.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import { callHierarchy as hierarchyAnswer } from '../../features/answers/call-hierarchy.ts';
import { shareOf } from '../../features/answers/vocabulary.ts';
import {
  calleeItems,
  callerItems,
  hierarchyAt,
  hierarchyOf,
  type OpenedItem,
} from '../../features/calls/call-hierarchy.ts';
import type { Amounts, HierarchyCall, HierarchyItem } from '../../features/calls/call-hierarchy-items.ts';
import type { Asking } from '../../features/calls/locate.ts';
import { askedOffset } from '../../features/hover/hover-target.ts';
import { groupDigits } from '../../features/text/format-share.ts';
import { reachOf } from '../gather.ts';
import type { CallHierarchy, CallHierarchyRow, Share } from '../protocol.ts';
import { askingFor, documentFor, whenReady, withProfiledTexts } from '../routes/navigation-asking.ts';
import type { PageRow } from '../showing/page-text.ts';
import { openedItem } from '../wire/hierarchy-to-lsp.ts';
import { originText } from './about.ts';
import { numbersOf } from './messages.ts';
import { type Context, sessionOperation } from './operation.ts';
import { type AskedSubject, subjectFlaw } from './operation-parameters.ts';

const PAGE_LEVELS = 3;
/** Below the first level so many of each row's are unfolded, and no lighter ones. */
const MOST_UNFOLDED = 12;
const LEAST_UNFOLDED = 0.01;
/** Longer than this no further rows are unfolded. */
const UNFOLD_MILLIS = 1_000;

export const callHierarchy = sessionOperation(hierarchyAnswer, {
  flaw: ({ item, ...subject }) => {
    if (item === undefined) return subjectFlaw(subject);
    return openedItem(item) === null ? '"item" must be one of an earlier answer' : null;
  },
  answer: async (context, { item, direction, depth, ...subject }): Promise<CallHierarchy | null> => {
    const levels = depth ?? (context.asksPerson ? PAGE_LEVELS : 1);
    const { session, token } = context;
    const opened = item === undefined ? null : openedItem(item);
    if (opened !== null) {
      await whenReady(session, opened.data.uri, token);
      const asking = askingFor(session, opened.data.uri);
      if (asking === null) return null;
      const first = levelOf(asking, await below(context, asking, opened, direction));
      await unfold(context, asking, { direction, levels: levels - 1, level: heaviest(first) });
      return { direction, rows: first.map(({ row }) => row) };
    }
    const start = await startOf(context, subject);
    if (start === null || start.items.length === 0) return null;
    const { asking, items } = start;
    const roots = levelOf(
      asking,
      items.map(item => ({ item, ranges: [] })),
      asking.state.data?.values.effectiveWhole,
    );
    await unfold(context, asking, { direction, levels, level: roots });
    return { direction, rows: roots.map(({ row }) => row) };
  },
  show: async (context, answer, { item, direction, textDocument }) => {
    const { pages } = context.session;
    if (answer === null) return pages.tell('insitu: no method stands here');
    const opened = item === undefined ? null : openedItem(item);
    const labels = opened === null ? answer.rows.map(({ label }) => label) : [opened.data.path.at(-1)?.[0]?.name ?? ''];
    const subject = labels.length > 1 ? `${labels[0]} and ${labels.length - 1} more` : (labels[0] ?? '');
    await pages.show({
      file: 'call-hierarchy',
      title: direction === 'incoming' ? `Who calls ${subject}` : `What ${subject} calls`,
      intro: [
        'Each share is of the samples of the row that it is indented under. What was not seen running is only written.',
        opened === null ? await originText(context, textDocument) : '',
      ],
      head: ['share', 'samples', 'method'],
      rows: pageRows(answer.rows),
      whenEmpty: direction === 'incoming' ? 'It was seen with no caller.' : 'It was seen calling nothing.',
    });
  },
});

type Unfolding = Omit<CallHierarchyRow, 'rows'> & { rows: Unfolding[] | null };

/** Rows, each with the item that it is made of; unfolded rows are added to them. */
type Level = { readonly row: Unfolding; readonly item: OpenedItem }[];

async function startOf({ session, token }: Context, { textDocument, position, method }: AskedSubject) {
  const uri = textDocument?.uri ?? '';
  if (method === undefined) {
    const document = await documentFor(session, uri, token);
    if (document === null || position === undefined) return null;
    const offset = askedOffset(document, position);
    const items = await withProfiledTexts(document, () => hierarchyAt(document, offset, reachOf(session, token)));
    return { asking: document, items };
  }
  await whenReady(session, textDocument?.uri ?? null, token);
  const asking = askingFor(session, uri);
  if (asking === null) return null;
  const items = await withProfiledTexts(asking, () => hierarchyOf(asking, method, reachOf(session, token)));
  return { asking, items };
}

function below(
  { session, token }: Context,
  asking: Asking,
  item: OpenedItem,
  direction: CallHierarchy['direction'],
): Promise<HierarchyCall[]> {
  const next = direction === 'incoming' ? callerItems : calleeItems;
  return withProfiledTexts(asking, () => next(asking, item, reachOf(session, token)));
}

/** Unfolds the rows of a level and the heaviest below them, level by level, until time is up; at least the first row. */
async function unfold(
  context: Context,
  asking: Asking,
  { direction, levels, level }: { direction: CallHierarchy['direction']; levels: number; level: Level },
): Promise<void> {
  const end = performance.now() + UNFOLD_MILLIS;
  let now = level;
  for (let left = levels; left > 0; left--) {
    const next: Level = [];
    for (const { row, item } of now) {
      const calls = await below(context, asking, item, direction);
      const rows = levelOf(asking, calls);
      row.rows = rows.map(each => each.row);
      next.push(...heaviest(rows));
      if (performance.now() > end) return;
    }
    now = next;
  }
}

function heaviest(level: Level): Level {
  return level.filter(({ row }) => (row.share?.share ?? 0) >= LEAST_UNFOLDED).slice(0, MOST_UNFOLDED);
}

function levelOf(asking: Asking, calls: readonly HierarchyCall[], samples?: number): Level {
  return calls.map(({ item, ranges }) => ({ item, row: rowOf(asking.state.data, item, ranges, samples) }));
}

function rowOf(
  data: LoadedData | null,
  item: HierarchyItem,
  fromRanges: HierarchyCall['ranges'],
  samples?: number,
): Unfolding {
  const { name, kind, detail, amounts, isCertain, uri, selectionRange } = item;
  const isPlaced = isCertain !== null;
  return {
    label: printableName(name),
    kind,
    methods: item.data.path.at(-1) ?? [],
    share: data === null || amounts === null ? null : amountsShare(data, amounts, samples),
    written: amounts === null,
    detail: printableLine(detail),
    location: isPlaced ? { uri, range: selectionRange } : null,
    certain: isCertain === true,
    fromRanges,
    item: { uri, selectionRange, data: item.data },
    rows: null,
  };
}

/** @param samples effective ones of the whole; absent within a path, where they are known only if all samples weigh the same. */
function amountsShare(data: LoadedData, { part, whole }: Amounts, samples?: number): Share {
  const share = shareOf(data, part, whole, samples ?? whole.count);
  const isKnown = samples !== undefined || data.profile.cells[data.analysis.selection.metric]!.weightSquares === null;
  return isKnown ? share : { ...share, interval: null };
}

/** From top to bottom; each indented under the row that it belongs to. */
function pageRows(roots: readonly CallHierarchyRow[]): PageRow[] {
  const shown: PageRow[] = [];
  const waiting: { row: CallHierarchyRow | number; level: number }[] = [];
  const push = (rows: readonly CallHierarchyRow[], level: number) => {
    if (rows.length > MOST_UNFOLDED) waiting.push({ row: rows.length - MOST_UNFOLDED, level });
    for (const row of rows.slice(0, MOST_UNFOLDED).reverse()) waiting.push({ row, level });
  };
  push(roots, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { row, level } = next;
    const indent = level === 0 ? '' : `${'\u00a0'.repeat(4 * (level - 1))}└ `;
    if (typeof row === 'number') {
      shown.push({ cells: ['', ''], name: `${indent}and ${groupDigits(row)} more`, place: null });
      continue;
    }
    const { share, label, detail } = row;
    const name = share === null ? `${label} (${detail})` : label;
    shown.push({ cells: share === null ? ['', ''] : numbersOf(share), name: `${indent}${name}`, place: row });
    push(row.rows ?? [], level + 1);
  }
  return shown;
}
