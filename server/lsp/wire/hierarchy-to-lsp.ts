// Call hierarchy entries as the protocol has them, and back: what a client returns is checked, it may be anything by then.
import { type CallHierarchyItem, SymbolKind } from 'vscode-languageserver/node';
import { printableLine, printableName } from '../../base/printable.ts';
import type { MethodName } from '../../cct/method-names.ts';
import type { OpenedItem } from '../../features/calls/call-hierarchy.ts';
import type { HierarchyData, HierarchyItem } from '../../features/calls/call-hierarchy-items.ts';

const KINDS: Readonly<Record<HierarchyItem['kind'], SymbolKind>> = {
  method: SymbolKind.Method,
  constructor: SymbolKind.Constructor,
  lambda: SymbolKind.Function,
  initializer: SymbolKind.Class,
};

export function callHierarchyItem({
  amounts: _,
  isCertain: __,
  kind,
  name,
  detail,
  ...item
}: HierarchyItem): CallHierarchyItem & { readonly detail: string } {
  return { ...item, name: printableName(name), detail: printableLine(detail), kind: KINDS[kind] };
}

/** An entry of a list of calls; its numbers stand in its name where the client shows nothing else. */
export function listedItem(item: HierarchyItem, listsDetails: boolean): CallHierarchyItem {
  const { name, detail, ...rest } = callHierarchyItem(item);
  return { ...rest, name: listsDetails || detail === '' ? name : `${name} · ${detail}`, detail };
}

/** null for what we did not send. */
export function openedItem({
  uri,
  selectionRange,
  data,
}: Pick<CallHierarchyItem, 'uri' | 'selectionRange' | 'data'>): OpenedItem | null {
  const known = hierarchyData(data);
  return known === null ? null : { uri, selectionRange, data: known };
}

/** Some clients lose on the way what is null. */
function hierarchyData(data: unknown): HierarchyData | null {
  if (typeof data !== 'object' || data === null) return null;
  const { uri, direction = null, path, seen } = data as { readonly [K in keyof HierarchyData]?: unknown };
  if (typeof uri !== 'string' || typeof seen !== 'boolean' || !Array.isArray(path) || path.length === 0) return null;
  if (direction !== 'callees' && direction !== 'callers' && direction !== null) return null;
  const steps: MethodName[][] = [];
  for (const step of path as readonly unknown[]) {
    if (!Array.isArray(step) || step.length === 0) return null;
    const keys = (step as readonly unknown[]).map(methodKey);
    if (keys.includes(null)) return null;
    steps.push(keys.filter(key => key !== null));
  }
  return { uri, direction, path: steps, seen };
}

function methodKey(key: unknown): MethodName | null {
  if (typeof key !== 'object' || key === null) return null;
  const { className, name, descriptor = null } = key as { readonly [K in keyof MethodName]?: unknown };
  if (typeof className !== 'string' || typeof name !== 'string') return null;
  return descriptor === null || typeof descriptor === 'string' ? { className, name, descriptor } : null;
}
