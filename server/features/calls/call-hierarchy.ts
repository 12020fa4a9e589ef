// Call hierarchies: callers and callees, as they ran and as they are written, measured calls first, within the path that was opened.

import { factsOf, type Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type MethodName, methodName } from '../../cct/method-names.ts';
import { documentKey } from '../../mapping/file-uris.ts';
import type { Along, NextCall, Way } from '../../metrics/along-calls.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { seenWith } from '../../workspace/files/seen-with.ts';
import { ownsCode } from '../hints/method-hints.ts';
import { hoverTarget } from '../hover/hover-target.ts';
import { methodLabel } from '../text/runtime-names.ts';
import {
  type Fallback,
  type HierarchyCall,
  type HierarchyData,
  type HierarchyItem,
  itemOfDeclaration,
  itemOfRows,
  partText,
  rowsOf,
  wholeText,
} from './call-hierarchy-items.ts';
import {
  declarationId,
  itemOfWritten,
  nameId,
  writtenCallees,
  writtenCallers,
  writtenTarget,
} from './call-hierarchy-written.ts';
import { spansOfCall } from './call-spans.ts';
import { overridesOf } from './implementation.ts';
import { type Asking, type Located, locateDeclaration, placeOf, rangeOf, type TextPoint } from './locate.ts';

/** Users do not open more entries than these; the heaviest are kept. */
const MOST_SEEN = 200;

/** What a position is about: the declaration whose name stands there, or each method that ran behind a call. */
export async function hierarchyAt(document: DocumentView, offset: number, reach: Reach): Promise<HierarchyItem[]> {
  const target = hoverTarget(document, offset);
  if (target === null) return [];
  const { mapped, outline } = document;
  const fallback: Fallback = { uri: document.uri, range: rangeOf(outline, target.span) };
  const start = { uri: document.uri, direction: null, seen: true } as const;
  if (target.kind === 'declaration') {
    const { declaration, entry } = target;
    const located: Located = { document, path: null, declaration, certain: true };
    if (mapped === null || entry === null) return startOfUnseen(document, located, reach);
    const { data } = mapped;
    const link: HierarchyData = { ...start, path: [entry.methods.map(row => methodName(data.profile.methods, row))] };
    const { total } = factsOf(data, entry);
    const amounts = total.count === 0 ? null : { part: total, whole: data.analysis.whole };
    return [itemOfDeclaration(located, wholeText(data, total), link, amounts)];
  }
  if (mapped === null || target.calls.length === 0) {
    const written = writtenTarget(document, offset);
    return written === null ? [] : [written];
  }
  const rows = [...new Set(target.calls.flatMap(({ targets }) => targets))];
  return entriesOf(document, mapped.data, rows, { fallback, reach });
}

/** A method without code stands for what ran behind it, all together; what ran nowhere is only written. */
async function startOfUnseen(document: DocumentView, located: Located, reach: Reach): Promise<HierarchyItem[]> {
  const { declaration } = located;
  const { mapped, uri } = document;
  if (!ownsCode(declaration) && declaration.kind !== 'method') return [];
  const behind = mapped === null ? [] : await overridesOf(document, declaration, reach);
  if (mapped === null || behind.length === 0) return [itemOfWritten(document, located, [])];
  const { data } = mapped;
  const rows = behind.slice(0, MOST_SEEN);
  const [all] = await reach.ask(data, 'numbers', { sets: [{ methods: rows }] });
  const part = all!.total;
  const path = [rows.map(row => methodName(data.profile.methods, row))];
  const detail = `${ranBehindText(data, rows)} · ${wholeText(data, part)}`;
  const link: HierarchyData = { uri, direction: null, seen: true, path };
  return [itemOfDeclaration(located, detail, link, { part, whole: data.analysis.whole })];
}

/** So many of them are named. */
const MOST_NAMED = 3;

/** `what ran behind it: LockedQueue.take, Ring.take and 2 more`. */
function ranBehindText({ profile: { methods } }: LoadedData, rows: readonly number[]): string {
  const names = [...new Set(rows.map(row => methodLabel(methods, row)))];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `what ran behind it: ${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

/** The entries for methods of a name, all overloads where the descriptor is null; none where nothing of it ran. */
export async function hierarchyOf(asking: Asking, method: MethodName, reach: Reach): Promise<HierarchyItem[]> {
  const { data } = asking.state;
  if (data === null) return [];
  const nowhere = { line: 0, character: 0 };
  const fallback = { uri: asking.uri ?? '', range: { start: nowhere, end: nowhere } };
  return entriesOf(asking, data, rowsOf(data, [method]), { fallback, reach });
}

/** An entry for each method, heaviest first; the path of each begins with it. */
async function entriesOf(
  asking: Asking,
  data: LoadedData,
  rows: readonly number[],
  { fallback, reach }: { readonly fallback: Fallback; readonly reach: Reach },
): Promise<HierarchyItem[]> {
  const { total } = data.values;
  const { whole } = data.analysis;
  const items: HierarchyItem[] = [];
  for (const row of rows.toSorted((a, b) => total.weight[b]! - total.weight[a]!).slice(0, MOST_SEEN)) {
    const part = { weight: total.weight[row]!, count: total.count[row]! };
    const link: HierarchyData = {
      uri: asking.uri ?? '',
      direction: null,
      seen: true,
      path: [[methodName(data.profile.methods, row)]],
    };
    const entry = { amounts: { part, whole }, numbers: wholeText(data, part), link, fallback };
    items.push(itemOfRows(asking, data, [row], locateDeclaration(asking, row), entry));
    await reach.turn();
  }
  return items;
}

/** Entry that is opened, as the client gives it back: its text may have changed since. */
export type OpenedItem = Pick<HierarchyItem, 'uri' | 'selectionRange' | 'data'>;

/** Whom an entry calls, within its path. Ranges are in the entry's own text. */
export async function calleeItems(asking: Asking, opened: OpenedItem, reach: Reach): Promise<HierarchyCall[]> {
  const { way, located, data } = context(asking, opened, 'callees');
  const fallback: Fallback = located === null ? givenPlace(opened) : nameOf(located);
  const calls: HierarchyCall[] = [];
  const explained = new Set<number>();
  const listed = new Set<string>();
  if (data !== null) {
    const { along, places } = await seenCalls(asking, data, way, reach);
    for (const next of along.next.slice(0, MOST_SEEN)) {
      const callers = way.steps.at(-1)!;
      const seen = { callers, callees: next.methods, lines: next.lines };
      const spans = located === null ? [] : spansOfCall(located.document, seen);
      for (const { start } of spans) explained.add(start);
      const ranges = spans.map(span => rangeOf(located!.document.outline, span));
      const place = { uri: fallback.uri, range: ranges[0] ?? fallback.range };
      const callee = placeAmong(asking, places, next.methods[0]!);
      for (const row of next.methods) listed.add(nameId(methodName(data.profile.methods, row)));
      if (callee !== null) listed.add(declarationId(callee.document.uri, callee.declaration));
      calls.push({
        item: itemOf(asking, data, { next, along, way, opened, located: callee, fallback: place }),
        ranges: ranges.length > 0 || located === null ? ranges : [fallback.range],
      });
      await reach.turn();
    }
  }
  return located === null
    ? calls
    : [...calls, ...(await writtenCallees(asking, located, { explained, listed }, reach))];
}

/** Who calls an entry, within its path. Ranges are in the callers' texts. */
export async function callerItems(asking: Asking, opened: OpenedItem, reach: Reach): Promise<HierarchyCall[]> {
  const { way, located, data } = context(asking, opened, 'callers');
  const fallback: Fallback = located === null ? givenPlace(opened) : nameOf(located);
  const calls: HierarchyCall[] = [];
  const known = new Set<string>();
  if (data !== null) {
    const { along, places } = await seenCalls(asking, data, way, reach);
    for (const next of along.next.slice(0, MOST_SEEN)) {
      const caller = placeAmong(asking, places, next.methods[0]!);
      if (caller !== null) known.add(declarationId(caller.document.uri, caller.declaration));
      const seen = { callers: next.methods, callees: way.steps.at(-1)!, lines: next.lines };
      const spans = caller === null ? [] : spansOfCall(caller.document, seen);
      const ranges = spans.map(span => rangeOf(caller!.document.outline, span));
      const item = itemOf(asking, data, { next, along, way, opened, located: caller, fallback });
      calls.push({ item, ranges: ranges.length > 0 || caller === null ? ranges : [item.selectionRange] });
      await reach.turn();
    }
  }
  return located === null ? calls : [...calls, ...(await writtenCallers(asking, located, known, reach))];
}

type Context = {
  readonly data: LoadedData | null;
  readonly way: Way;
  /** Where the entry stands now. */
  readonly located: Located | null;
};

/** An entry that was reached in the other direction begins a path of its own. */
function context(asking: Asking, opened: OpenedItem, direction: Way['direction']): Context {
  const { data } = asking.state;
  const { path, seen, direction: before } = opened.data;
  const keys = before === null || before === direction ? path : path.slice(-1);
  const steps = data === null || !seen ? [] : keys.map(step => rowsOf(data, step));
  const last = steps.at(-1) ?? [];
  const isKnown = steps.length > 0 && steps.every(rows => rows.length > 0);
  const located = last.length > 0 ? locateDeclaration(asking, last[0]!) : null;
  return {
    data: isKnown ? data : null,
    way: { direction, steps },
    located: located ?? declarationAt(asking, opened),
  };
}

/** The declaration whose name stands where the entry was; for what never ran. */
function declarationAt(asking: Asking, { uri, selectionRange, data }: OpenedItem): Located | null {
  const name = data.path.at(-1)?.[0]?.name ?? '';
  const className = data.path.at(-1)?.[0]?.className ?? '';
  for (const file of asking.files?.filesOfClass(className) ?? []) {
    if (documentKey(file.uri) !== documentKey(uri)) continue;
    const document = seenWith(file, asking);
    const named = document.outline.declarations.filter(each => each.name === name || name.startsWith('<'));
    const { start } = selectionRange;
    const distance = (at: TextPoint) =>
      Math.abs(at.line - start.line) * 1_000 + Math.abs(at.character - start.character);
    const nearest = named
      .map(declaration => ({ declaration, far: distance(rangeOf(document.outline, declaration.nameSpan).start) }))
      .sort((a, b) => a.far - b.far)[0];
    if (nearest !== undefined) return { document, path: file.path, declaration: nearest.declaration, certain: true };
  }
  return null;
}

type Seen = { readonly along: Along; readonly places: ReadonlyMap<number, Located | null> };

/** What ran next, with its places; several runtime methods of one declaration are one. */
async function seenCalls(asking: Asking, data: LoadedData, way: Way, reach: Reach): Promise<Seen> {
  const along = await reach.ask(data, 'along', { way });
  const places = new Map<number, Located | null>();
  const firstOf = new Map<string, number>();
  const groups = new Map<number, number>();
  for (const { methods } of along.next.slice(0, MOST_SEEN)) {
    const row = methods[0]!;
    const located = locateDeclaration(asking, row);
    places.set(row, located);
    await reach.turn();
    if (located === null || !located.certain) continue;
    const id = declarationId(located.document.uri, located.declaration);
    const first = firstOf.get(id);
    if (first === undefined) firstOf.set(id, row);
    else groups.set(row, first);
  }
  if (groups.size === 0) return { along, places };
  const merged = await reach.ask(data, 'along', { way, groups });
  for (const { methods } of merged.next) {
    const placed = methods.find(row => places.get(row));
    if (!places.has(methods[0]!)) places.set(methods[0]!, placed === undefined ? null : places.get(placed)!);
  }
  return { along: merged, places };
}

function placeAmong(asking: Asking, places: Seen['places'], row: number): Located | null {
  return places.has(row) ? places.get(row)! : locateDeclaration(asking, row);
}

type SeenEntry = {
  readonly next: NextCall;
  readonly along: Along;
  readonly way: Way;
  readonly opened: OpenedItem;
  readonly located: Located | null;
  readonly fallback: Fallback;
};

function itemOf(asking: Asking, data: LoadedData, { next, along, way, opened, located, fallback }: SeenEntry) {
  const { uri, path: before, direction } = opened.data;
  const kept = direction === null || direction === way.direction ? before : before.slice(-1);
  const path = [...kept, next.methods.map(row => methodName(data.profile.methods, row))];
  const link: HierarchyData = { uri, direction: way.direction, path, seen: true };
  const amounts = { part: next.amount, whole: along.whole };
  const numbers = partText(next.amount, along.whole);
  return itemOfRows(asking, data, next.methods, located, { amounts, numbers, link, fallback });
}

function nameOf(located: Located): Fallback {
  const { uri, range } = placeOf(located);
  return { uri, range };
}

function givenPlace({ uri, selectionRange }: OpenedItem): Fallback {
  return { uri, range: selectionRange };
}
