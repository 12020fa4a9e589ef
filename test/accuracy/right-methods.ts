// Says which declaration a method of a class file was compiled from, by its lines and parameter names; never by its types alone.
import type { Declaration } from '../../grammar/outline.ts';
import { lineOf } from '../../server/mapping/observed-lines.ts';
import type { OutlineIndex, TypeIndex } from '../../server/mapping/outline-index.ts';
import type { MethodTruth } from './class-files.ts';

/** `null`: the class files do not tell which of several it is; such methods are left out of the table. */
export type RightMethod = number | null;

/** The written method of that name; the type's own row when nothing is written. */
export function rightMethod(index: OutlineIndex, type: TypeIndex, method: MethodTruth): RightMethod {
  const named = type.methodsByName.get(method.name) ?? [];
  if (named.length === 0) return type.declaration.row;
  const { declarations } = index.outline;
  const { lines, parameters } = method;
  if (lines === undefined || lines.length === 0) return bySignature(declarations, named, method);
  const onLines = named.filter(row => lines.every(line => spansLine(index, declarations[row]!, line)));
  if (onLines.length === 0) return isImplicit(type, method) ? type.declaration.row : null;
  if (onLines.length === 1) return onLines[0]!;
  const sameNames = onLines.filter(row => {
    const written = declarations[row]!.parameters.map(parameter => parameter.name);
    return written.join() === parameters?.join();
  });
  return sameNames.length === 1 ? sameNames[0]! : null;
}

/** The written constructor; the type's own row when the compiler made it. */
export function rightConstructor(index: OutlineIndex, type: TypeIndex, method: MethodTruth): RightMethod {
  const { declarations } = index.outline;
  if (type.constructors.length === 0) return type.declaration.row;
  const own = (method.lines ?? []).filter(
    line => !type.instanceInitializers.some(row => spansLine(index, declarations[row]!, line)),
  );
  const onLines = type.constructors.filter(row => own.every(line => spansLine(index, declarations[row]!, line)));
  if (onLines.length === 1 && own.length > 0) return onLines[0]!;
  if (onLines.length === 0) {
    return type.declaration.kind === 'record' && own.every(line => isHeaderLine(index, type, line))
      ? type.declaration.row
      : null;
  }
  const given = method.parameters?.join() ?? '?';
  const sameNames = onLines.filter(row => {
    const written = declarations[row]!.parameters.map(parameter => parameter.name).join();
    return written !== '' && `,${given},`.includes(`,${written},`);
  });
  return sameNames.length === 1 ? sameNames[0]! : null;
}

/** Members whose text holds the line and that run inside `<clinit>` or `<init>`. */
export function initializersOnLine(index: OutlineIndex, rows: readonly number[], line: number): readonly number[] {
  return rows.filter(row => spansLine(index, index.outline.declarations[row]!, line));
}

/** Whether the declaration's text, first to last line, holds the line. */
export function spansLine({ outline }: OutlineIndex, { span }: Declaration, line: number): boolean {
  return line >= lineOf(outline, span.start) && line <= lineOf(outline, span.end - 1);
}

function isHeaderLine(index: OutlineIndex, type: TypeIndex, line: number): boolean {
  const { span, body } = type.declaration;
  const { outline } = index;
  return line >= lineOf(outline, span.start) && line <= lineOf(outline, body?.start ?? span.end);
}

/** Implicit members of enums and records have the header's line, although a method of that name may be written. */
function isImplicit(type: TypeIndex, method: MethodTruth): boolean {
  const { kind } = type.declaration;
  if (kind === 'enum') return method.name === 'values' || method.name === 'valueOf';
  return kind === 'record';
}

/** For methods without code: the parameter types as the generic signature spells them, against those in the text. */
function bySignature(declarations: readonly Declaration[], rows: readonly number[], method: MethodTruth): RightMethod {
  const wanted = parameterTails(method.signature === '' ? method.descriptor : method.signature).join();
  const same = rows.filter(row => writtenTails(declarations[row]!).join() === wanted);
  return same.length === 1 ? same[0]! : null;
}

function writtenTails({ parameters }: Declaration): string[] {
  return parameters.map(({ type }) => {
    if (type === null) return '?';
    return type.name.slice(type.name.lastIndexOf('.') + 1) + '[]'.repeat(type.dimensions);
  });
}

const PRIMITIVES: Readonly<Record<string, string>> = {
  B: 'byte',
  C: 'char',
  D: 'double',
  F: 'float',
  I: 'int',
  J: 'long',
  S: 'short',
  Z: 'boolean',
};

/** Last names of the parameter types of a descriptor or generic signature: `(TT;Ljava/util/Map$Entry<TK;TV;>;[I)V` → T, Entry, int[]. */
export function parameterTails(signature: string): string[] {
  let text = signature.slice(signature.indexOf('(') + 1, signature.lastIndexOf(')'));
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/<[^<>]*>/g, '');
  }
  return (text.match(/\[*(?:[LT][^;]+;|[BCDFIJSZ])/g) ?? []).map(type => {
    const dimensions = type.lastIndexOf('[') + 1;
    const element = type.slice(dimensions);
    const name = PRIMITIVES[element] ?? element.slice(1, -1).split(/[/$.]/).at(-1)!;
    return name + '[]'.repeat(dimensions);
  });
}
