// One call hierarchy of two: the Java server's entries with shares and in the order of what ran, and entries for what only ran.
import type { CallHierarchyItem, Range } from 'vscode-languageserver/node';
import { isSamePlace } from './places.ts';

/** An entry as each server knows it; null where that one does not. */
type Parts = { readonly java: CallHierarchyItem | null; readonly own: CallHierarchyItem | null };

/** A call upwards or downwards: the entry that it leads to, and where it stands. */
export type Call = { readonly item: CallHierarchyItem; readonly fromRanges: readonly Range[] };

/** The parts of an item that a client gave back; entries of the Java server that we added nothing to are its own. */
export function partsOf(item: CallHierarchyItem): Parts {
  const { data } = item;
  const parts = isRecord(data) && Object.keys(data).length === 1 && isRecord(data.insitu) ? data.insitu : null;
  if (parts === null || !('java' in parts || 'own' in parts)) return { java: item, own: null };
  return { java: itemIn(parts.java), own: itemIn(parts.own) };
}

function itemIn(value: unknown): CallHierarchyItem | null {
  return isItem(value) ? value : null;
}

function isItem(value: unknown): value is CallHierarchyItem {
  return isRecord(value) && typeof value.uri === 'string' && isRecord(value.selectionRange);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entry for the client; both servers get theirs back as they gave it. */
function merged({ java, own }: Parts): CallHierarchyItem | null {
  const shown = java ?? own;
  if (shown === null) return null;
  // Only one half of it is written where the other is missing: some clients lose null.
  const data = { insitu: { ...(java !== null && { java }), ...(own !== null && { own }) } };
  if (java === null || own === null) return { ...shown, data };
  const numbers = own.detail ?? '';
  // In lists that show names alone ours carry their numbers there.
  const suffix = numbers !== '' && own.name.endsWith(` · ${numbers}`) ? ` · ${numbers}` : '';
  const detail = [numbers, java.detail ?? ''].filter(text => text !== '').join(' · ');
  return { ...java, name: `${java.name}${suffix}`, detail, data };
}

/** Where a call hierarchy may begin: what ran first, each once. */
export function mergedItems(
  java: readonly CallHierarchyItem[],
  own: readonly CallHierarchyItem[],
): CallHierarchyItem[] {
  const left = [...java];
  const ran = own.map(item => merged({ java: taken(left, other => isSameItem(other, item)), own: item }));
  return [...ran.filter(item => item !== null), ...left];
}

/**
 * Calls of both: what ran as ours has it, heaviest first, then what is only written, as the Java server has it.
 * Where it has an answer, it knows better than ours what is written.
 */
export function mergedCalls(java: readonly Call[], own: readonly Call[]): Call[] {
  const left = [...java];
  const notes = new Map<Call, Call>();
  const ran: Call[] = [];
  for (const call of own) {
    const same = taken(left, other => isSameCall(other, call, left));
    const item = merged({ java: same?.item ?? null, own: call.item });
    if (item === null) continue;
    const entry = { item, fromRanges: same !== null && same.fromRanges.length > 0 ? same.fromRanges : call.fromRanges };
    if (wasSeen(call.item)) ran.push(entry);
    else if (same !== null) notes.set(same, entry);
    else if (java.length === 0) ran.push(entry);
  }
  const written = java.filter(call => left.includes(call) || notes.has(call)).map(call => notes.get(call) ?? call);
  return [...ran, ...written];
}

/** The first that fits, taken out of the list. */
function taken<T>(list: T[], fits: (item: T) => boolean): T | null {
  const at = list.findIndex(fits);
  return at < 0 ? null : list.splice(at, 1)[0]!;
}

/** Whether both stand at the same name. */
export function isSameItem(one: CallHierarchyItem, other: CallHierarchyItem): boolean {
  return isSamePlace({ uri: one.uri, range: one.selectionRange }, { uri: other.uri, range: other.selectionRange });
}

/** Where ours has no source, it has the method's name, and the call; overloads are told apart by that. */
function isSameCall(java: Call, own: Call, others: readonly Call[]): boolean {
  if (isSameItem(java.item, own.item)) return true;
  if (!hasNameOf(java.item, own.item)) return false;
  const alike = others.filter(({ item }) => hasNameOf(item, own.item));
  return alike.length === 1 || java.fromRanges.some(range => own.fromRanges.some(ours => overlaps(range, ours)));
}

function overlaps(one: Range, other: Range): boolean {
  return (
    one.start.line === other.start.line &&
    one.start.character <= other.end.character &&
    other.start.character <= one.end.character
  );
}

/** By the runtime name in our data: Eclipse writes the class, with its package, into `detail`, and constructors as their class. */
function hasNameOf(java: CallHierarchyItem, own: CallHierarchyItem): boolean {
  const key = methodKey(own);
  if (key === null) return false;
  const className = key.className.replaceAll('$', '.');
  const name = key.name === '<init>' ? className.slice(className.lastIndexOf('.') + 1) : key.name;
  return java.detail === className && java.name.replace(/\(.*/s, '') === name;
}

function methodKey({ data }: CallHierarchyItem): { readonly className: string; readonly name: string } | null {
  const path: unknown = isRecord(data) ? data.path : null;
  const step: unknown = Array.isArray(path) ? path.at(-1) : null;
  const key: unknown = Array.isArray(step) && step.length === 1 ? step[0] : null;
  return isRecord(key) && typeof key.className === 'string' && typeof key.name === 'string'
    ? { className: key.className, name: key.name }
    : null;
}

function wasSeen({ data }: CallHierarchyItem): boolean {
  return !isRecord(data) || data.seen !== false;
}
