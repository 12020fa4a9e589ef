// Which method a call in the source means, as far as declarations of the workspace's files tell: receivers, fields, locals, imports.
import { isLineBreak } from '../../../grammar/lines.ts';
import type { CallSite, Declaration } from '../../../grammar/outline.ts';
import type { SourceFile } from '../../workspace/files/source-file.ts';
import { enclosingType, type TypeAt, type WrittenType, type WrittenTypes } from './written-types.ts';

/** The target of a written call. */
export type WrittenTarget = {
  /** Binary name of the class that declares it; of the receiver's type where no source of it is known. */
  readonly className: string;
  /** As the JVM names it. */
  readonly name: string;
  readonly source: { readonly file: SourceFile; readonly declaration: Declaration } | null;
};

/** A call site with its file, and the types that its names may mean. */
type Asked = { readonly types: WrittenTypes; readonly file: SourceFile; readonly site: CallSite };

/** Calls that are receivers of calls are followed so far. */
const MOST_LINKS = 8;

/** null where the type of what is called on is not known, and for calls without syntax. */
export function targetOf(types: WrittenTypes, file: SourceFile, site: CallSite, links = 0): WrittenTarget | null {
  if (links > MOST_LINKS) return null;
  const asked: Asked = { types, file, site };
  switch (site.kind) {
    case 'implicit':
      return null;
    case 'new':
      return constructorIn(types.typeNamed(file, site.declaration, site.name), site);
    case 'this':
      return constructorIn(enclosingType(file, site.declaration), site);
    case 'super':
      return constructorIn(typeAbove(asked), site);
    case 'methodReference': {
      const receiver = typeOfExpression(asked, site.openParenthesis, links);
      return site.name === 'new' ? constructorIn(receiver, site) : methodIn(types, receiver, site);
    }
    case 'call': {
      const dot = dotBefore(file.text, site.nameSpan.start);
      // Type arguments between the dot and the name.
      if (file.text[skipBlanks(file.text, site.nameSpan.start) - 1] === '>') return null;
      if (dot < 0) return unqualified(asked);
      return methodIn(types, typeOfExpression(asked, dot, links), site);
    }
  }
}

/** The method that a call of a name on a type means, in the type or above it. */
function methodIn(types: WrittenTypes, type: WrittenType | null, site: CallSite): WrittenTarget | null {
  if (type === null) return null;
  for (const { name, source } of types.withSupertypes(type)) {
    if (source === null) continue;
    const rows = source.type.methodsByName.get(site.name) ?? [];
    const declaration = bestOverload(
      rows.map(row => source.file.outline.declarations[row]!),
      site.argumentCount,
    );
    if (declaration !== null) return { className: name, name: site.name, source: { file: source.file, declaration } };
  }
  // A method of the workspace's type that is not written there is inherited from elsewhere or made by a tool.
  return type.source === null ? { className: type.name, name: site.name, source: null } : null;
}

function constructorIn(type: WrittenType | null, site: CallSite): WrittenTarget | null {
  if (type === null) return null;
  if (type.source === null) return { className: type.name, name: '<init>', source: null };
  const { file, type: index } = type.source;
  if (index.declaration.kind === 'interface') return null;
  const written = index.constructors.map(row => file.outline.declarations[row]!);
  const declaration = bestOverload(written, site.argumentCount) ?? index.declaration;
  return { className: type.name, name: '<init>', source: { file, declaration } };
}

/** The first candidate that takes so many arguments; the first one of all for −1. */
function bestOverload(candidates: readonly Declaration[], argumentCount: number): Declaration | null {
  if (argumentCount < 0) return candidates[0] ?? null;
  const exact = candidates.find(({ parameters }) => parameters.length === argumentCount);
  const variable = candidates.find(
    ({ parameters }) => parameters.at(-1)?.varargs === true && argumentCount >= parameters.length - 1,
  );
  return exact ?? variable ?? null;
}

/** A method of a type around the call, else one that is imported. */
function unqualified({ types, file, site }: Asked): WrittenTarget | null {
  const { typeOfRow } = file.types;
  const { declarations, imports } = file.outline;
  for (let row = typeOfRow[site.declaration] ?? -1; row >= 0; row = typeOfRow[declarations[row]!.parent] ?? -1) {
    const found = methodIn(types, enclosingType(file, row), site);
    if (found !== null) return found;
  }
  for (const { kind, name } of imports) {
    const isNamed = kind === 'static' && name.endsWith(`.${site.name}`);
    if (!isNamed && kind !== 'staticOnDemand') continue;
    const type = types.binary(isNamed ? name.slice(0, -site.name.length - 1) : name);
    if (type.source === null && !isNamed) continue;
    const found = methodIn(types, type, site);
    if (found !== null) return found;
  }
  return null;
}

/** Type of the expression whose last character stands before `end`, apart from blanks. */
function typeOfExpression(asked: Asked, end: number, links: number): WrittenType | null {
  const { types, file, site } = asked;
  const { text } = file;
  const at = skipBlanks(text, end);
  const last = text[at - 1] ?? '';
  if (last === '"') return { name: 'java.lang.String', source: null };
  if (last === ')') return typeOfCall(asked, at, links);
  const name = wordBefore(text, at);
  if (name === '') return null;
  const start = at - name.length;
  const dot = dotBefore(text, start);
  if (name === 'this') return dot < 0 ? enclosingType(file, site.declaration) : qualified(asked, dot);
  if (name === 'super') return typeAbove(asked);
  if (dot < 0) {
    const variable = variableAt(asked, name, start);
    if (variable === 'unknown') return null;
    return variable === null ? types.typeNamed(file, site.declaration, name) : types.typeAt(variable);
  }
  const named = qualified(asked, at);
  if (named !== null) return named;
  const owner = typeOfExpression(asked, dot, links + 1);
  const field = owner === null || links > MOST_LINKS ? null : types.fieldOf(owner, name);
  return field === null ? null : types.typeAt(field);
}

/** The first supertype of the type around the call. */
function typeAbove({ types, file, site }: Asked): WrittenType | null {
  const own = enclosingType(file, site.declaration);
  return own === null ? null : (types.supertypes(own)[0] ?? null);
}

/** `p.q.Type` or `Outer.Inner` that ends at `end`, where its first name is no variable. */
function qualified(asked: Asked, end: number): WrittenType | null {
  const { types, file, site } = asked;
  const written = /[\w$]+(?:\.[\w$]+)*$/.exec(file.text.slice(Math.max(0, end - 200), end))?.[0] ?? '';
  const name = written.replace(/\.this$/, '');
  if (!/(?:^|\.)[A-Z][\w$]*$/.test(name)) return null;
  if (variableAt(asked, name.split('.')[0]!, end) !== null) return null;
  return types.typeNamed(file, site.declaration, name);
}

/** The type that the call whose `)` stands before `end` gives back. */
function typeOfCall({ types, file, site }: Asked, end: number, links: number): WrittenType | null {
  const open = openingParenthesis(file.text, end - 1);
  const inner = file.outline.callSites.find(each => each.openParenthesis === open && each.kind !== 'methodReference');
  if (inner === undefined || inner === site) return null;
  const target = targetOf(types, file, inner, links + 1);
  if (inner.kind === 'new') return target === null ? null : types.binary(target.className);
  const source = target?.source ?? null;
  if (source === null || source.declaration.type === null) return null;
  return types.typeAt({ file: source.file, scope: source.declaration.row, text: source.declaration.type });
}

/** The written type of a local, parameter or field that a simple name means; null where none has the name. */
function variableAt({ types, file, site }: Asked, name: string, before: number): TypeAt | 'unknown' | null {
  const { declarations, locals } = file.outline;
  for (let row = site.declaration; row >= 0; row = declarations[row]!.parent) {
    const declaration = declarations[row]!;
    const local = locals.findLast(
      each => each.declaration === row && each.name === name && each.nameSpan.start < before,
    );
    if (local !== undefined) {
      if (local.type !== null) return { file, scope: row, text: local.type };
      const created = /^\s*=\s*new\s+([\w$.]+)\s*(?:<[^;(]*>)?\s*\(/.exec(
        file.text.slice(local.nameSpan.end, local.nameSpan.end + 200),
      )?.[1];
      return created === undefined ? 'unknown' : { file, scope: row, text: { name: created, dimensions: 0 } };
    }
    if (declaration.binaryName !== '') {
      const type = enclosingType(file, row);
      const field = type === null ? null : types.fieldOf(type, name);
      if (field !== null) return field;
      continue;
    }
    const parameter = declaration.parameters.find(each => each.name === name);
    if (parameter !== undefined)
      return parameter.type === null ? 'unknown' : { file, scope: row, text: parameter.type };
  }
  return null;
}

/** Offset of the dot before a name, −1 where there is none. */
function dotBefore(text: string, start: number): number {
  const at = skipBlanks(text, start);
  return text[at - 1] === '.' ? at - 1 : -1;
}

function skipBlanks(text: string, end: number): number {
  let at = end;
  while (at > 0 && /\s/.test(text[at - 1]!)) at--;
  return at;
}

function wordBefore(text: string, end: number): string {
  let at = end;
  while (at > 0 && /[\w$]/.test(text[at - 1]!)) at--;
  return text.slice(at, end);
}

/** Longer arguments are not looked through. */
const MOST_CHARACTERS = 10_000;

/** Offset of the `(` that belongs to the `)` at `close`; −1 where quotes or comments make that unclear. */
function openingParenthesis(text: string, close: number): number {
  let depth = 0;
  for (let at = close; at >= Math.max(0, close - MOST_CHARACTERS); at--) {
    const character = text[at];
    if (character === '"' || character === "'") {
      const start = quoteStart(text, at);
      if (start < 0) return -1;
      at = start;
    } else if (character === ')') depth++;
    else if (character === '(' && --depth === 0) return at;
  }
  return -1;
}

function quoteStart(text: string, close: number): number {
  const quote = text[close]!;
  for (let at = close - 1; at >= 0 && !isLineBreak(text.charCodeAt(at)); at--)
    if (text[at] === quote && text[at - 1] !== '\\') return at;
  return -1;
}
