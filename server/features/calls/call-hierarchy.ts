// Call hierarchies: callers and callees, as they ran and as they are written, measured calls first, within the path that was opened.

import type { Span } from '../../../grammar/outline.ts';
import { factsOf, type Reach } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { firstNames } from '../../base/printable.ts';
import { type MethodName, methodName } from '../../cct/method-names.ts';
import { documentKey } from '../../mapping/file-uris.ts';
import type { Along, Way } from '../../metrics/along-calls.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { seenWith } from '../../workspace/files/seen-with.ts';
import { ownsCode } from '../hints/method-hints.ts';
import { hoverTarget } from '../hover/hover-target.ts';
import { methodLabel } from '../text/runtime-names.ts';
import {
  beginning,
  type Fallback,
  type HierarchyCall,
  type HierarchyItem,
  itemOfDeclaration,
  itemOfRows,
  namesOf,
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

/** The entries for a position: the declaration whose name stands there, or each method that ran behind a call. */
export async function hierarchyAt(document: DocumentView, offset: number, reach: Reach): Promise<HierarchyItem[]> {
  const target = hoverTarget(document, offset);
  if (target === null) return [];
  const { mapped, outline } = document;
  const fallback: Fallback = { uri: document.uri, range: rangeOf(outline, target.span) };
  if (target.kind === 'declaration') {
    const { declaration, entry } = target;
    const located: Located = { document, path: null, declaration, certain: true };
    if (mapped === null || entry === null) return startOfUnseen(document, located, reach);
    const { data } = mapped;
    const { total } = factsOf(data, entry);
    const amounts = total.count === 0 ? null : { part: total, whole: data.analysis.whole };
    return [itemOfDeclaration(located, wholeText(data, total), beginning(document, data, entry.methods), amounts)];
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
  const { mapped } = document;
  if (!ownsCode(declaration) && declaration.kind !== 'method') return [];
  const behind = mapped === null ? [] : await overridesOf(document, declaration, reach);
  if (mapped === null || behind.length === 0) return [itemOfWritten(document, located, [])];
  const { data } = mapped;
  const rows = behind.slice(0, MOST_SEEN);
  const [all] = await reach.ask(data, 'numbers', { sets: [{ methods: rows }] });
  const part = all!.total;
  const detail = `${ranBehindText(data, rows)} · ${wholeText(data, part)}`;
  const amounts = { part, whole: data.analysis.whole };
  return [itemOfDeclaration(located, detail, beginning(document, data, rows), amounts)];
}

/** So many of them are named. */
const MOST_NAMED = 3;

/** `what ran behind it: LockedQueue.take, Ring.take and 2 more`. */
function ranBehindText({ profile: { methods } }: LoadedData, rows: readonly number[]): string {
  const names = [...new Set(rows.map(row => methodLabel(methods, row)))];
  return `what ran behind it: ${firstNames(names, MOST_NAMED)}`;
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
    const link = beginning(asking, data, [row]);
    const entry = { amounts: { part, whole }, numbers: wholeText(data, part), link, fallback };
    items.push(itemOfRows(asking, data, [row], locateDeclaration(asking, row), entry));
    await reach.turn();
  }
  return items;
}

/** Entry that is opened, as the client gives it back: its text may have changed since. */
export type OpenedItem = Pick<HierarchyItem, 'uri' | 'selectionRange' | 'data'>;

/** The callees of an entry, within its path. Ranges are in the entry's own text. */
export function calleeItems(asking: Asking, opened: OpenedItem, reach: Reach): Promise<HierarchyCall[]> {
  return nextItems(asking, opened, 'callees', reach);
}

/** The callers of an entry, within its path. Ranges are in the callers' texts. */
export function callerItems(asking: Asking, opened: OpenedItem, reach: Reach): Promise<HierarchyCall[]> {
  return nextItems(asking, opened, 'callers', reach);
}

async function nextItems(
  asking: Asking,
  opened: OpenedItem,
  direction: Way['direction'],
  reach: Reach,
): Promise<HierarchyCall[]> {
  const { path, way, located, data } = context(asking, opened, direction);
  const own: Fallback = located === null ? { uri: opened.uri, range: opened.selectionRange } : nameOf(located);
  const isDown = direction === 'callees';
  const calls: HierarchyCall[] = [];
  const explained = new Set<number>();
  const listed = new Set<string>();
  if (data !== null) {
    const { along, places } = await seenCalls(asking, data, way, reach);
    for (const { methods, lines, amount } of along.next.slice(0, MOST_SEEN)) {
      const next = placeAmong(asking, places, methods[0]!);
      for (const row of methods) listed.add(nameId(methodName(data.profile.methods, row)));
      if (next !== null) listed.add(declarationId(next.document.uri, next.declaration));
      const caller = isDown ? located : next;
      const [callers, callees] = isDown ? [way.steps.at(-1)!, methods] : [methods, way.steps.at(-1)!];
      const spans = caller === null ? [] : spansOfCall(caller.document, { callers, callees, lines });
      if (isDown) for (const { start } of spans) explained.add(start);
      const ranges = caller === null ? [] : rangesOf(caller, spans);
      const fallback = isDown ? { uri: own.uri, range: ranges[0] ?? own.range } : own;
      const link = { uri: opened.data.uri, direction, path: [...path, namesOf(data, methods)], seen: true };
      const amounts = { part: amount, whole: along.whole };
      const numbers = partText(amount, along.whole);
      calls.push({ item: itemOfRows(asking, data, methods, next, { amounts, numbers, link, fallback }), ranges });
      await reach.turn();
    }
  }
  if (located === null) return calls;
  const written = isDown
    ? await writtenCallees(asking, located, { explained, listed }, reach)
    : await writtenCallers(asking, located, listed, reach);
  return [...calls, ...written];
}

/** Where calls stand in the text of their caller; the caller's name where the text does not show them. */
function rangesOf(caller: Located, spans: readonly Span[]): HierarchyCall['ranges'] {
  return spans.length === 0 ? [nameOf(caller).range] : spans.map(span => rangeOf(caller.document.outline, span));
}

/** An entry that was reached in the other direction begins a path of its own. */
function context(asking: Asking, opened: OpenedItem, direction: Way['direction']) {
  const { data } = asking.state;
  const { path: all, seen, direction: before } = opened.data;
  const path = before === null || before === direction ? all : all.slice(-1);
  const steps = data === null || !seen ? [] : path.map(step => rowsOf(data, step));
  const last = steps.at(-1) ?? [];
  const isKnown = steps.length > 0 && steps.every(rows => rows.length > 0);
  const located = last.length > 0 ? locateDeclaration(asking, last[0]!) : null;
  return {
    data: isKnown ? data : null,
    path,
    way: { direction, steps },
    // Where the entry stands now.
    located: located ?? declarationAt(asking, opened),
  };
}

/** The declaration whose name stands where the entry was; for what never ran. */
function declarationAt(asking: Asking, { uri, selectionRange, data }: OpenedItem): Located | null {
  const { name = '', className = '' } = data.path.at(-1)?.[0] ?? {};
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

/** The methods that ran next, with their places; several runtime methods of one declaration are one. */
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

function nameOf(located: Located): Fallback {
  const { uri, range } = placeOf(located);
  return { uri, range };
}
