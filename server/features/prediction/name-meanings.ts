// The meanings of names in a file: the values of its constants, and the methods and fields that had other names when they were recorded.
import type { Outline } from '../../../grammar/outline.ts';
import type { TextComparison } from '../../mapping/stale/text-comparison.ts';

/** Characters: the value of a longer constant is not looked at. */
const LONGEST = 500;

/** The expressions that final fields are initialised with, by the fields' names. */
export function constantsOf({ declarations }: Outline, text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { kind, name, modifiers, nameSpan, span, parent } of declarations) {
    const isConstant = modifiers.includes('final') || declarations[parent]?.kind === 'interface';
    if (kind !== 'field' || !isConstant || span.end - nameSpan.end > LONGEST) continue;
    const [, value] = /^\s*=\s*(.*?)\s*[;,]?\s*$/s.exec(text.slice(nameSpan.end, span.end)) ?? [];
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

/** Present names by recorded ones, of methods and fields that are still there. */
export function renamedOf(comparison: TextComparison): Readonly<Record<string, string>> {
  const { profiled, current } = comparison;
  const found: Record<string, string> = {};
  for (const { row, kind, name } of current.declarations) {
    if ((kind !== 'method' && kind !== 'field') || comparison.profiledRow(row) < 0) continue;
    const before = profiled.declarations[comparison.profiledRow(row)]!;
    if (before.name !== name) found[before.name] = name;
  }
  // A name that is still there is another thing's.
  const present = new Set(current.declarations.map(({ name }) => name));
  return Object.fromEntries(Object.entries(found).filter(([before]) => !present.has(before)));
}
