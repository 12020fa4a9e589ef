// Names of methods whose code is another than it was, so that what calls them from other files can be told to be affected.
import { outlineOf } from '../../../grammar/parse.ts';
import { TextComparer } from '../stale/compare-texts.ts';

/** Recordings without descriptors do not tell how many parameters a method has. */
export const UNKNOWN_COUNT = -1;

/** By this name a method at run time finds its declaration's state; overloads with as many parameters count as one. */
export function methodKey(className: string, name: string, parameterCount: number): string {
  return `${className}.${name}/${parameterCount}`;
}

/** A text with the path of its file. */
type FileText = { readonly text: string; readonly path: string };

/** Keys, by the names that were recorded, of methods of named types that are changed in the current text. */
export function changedMethods(profiled: FileText, current: FileText): string[] {
  const outline = outlineOf(current.text, current.path);
  const comparer = new TextComparer(profiled.text, outlineOf(profiled.text, profiled.path));
  const comparison = comparer.compare(current.text, outline);
  if (comparison === null) return [];
  return outline.declarations.flatMap(({ row, kind }) => {
    if (kind !== 'method' || comparison.stateOf(row) !== 'changed') return [];
    const before = comparison.profiled.declarations[comparison.profiledRow(row)];
    const type = before === undefined ? undefined : comparison.profiled.declarations[before.parent];
    if (before === undefined || type === undefined || type.binaryName === '') return [];
    const counts = [before.parameters.length, UNKNOWN_COUNT];
    return counts.map(count => methodKey(type.binaryName, before.name, count));
  });
}
