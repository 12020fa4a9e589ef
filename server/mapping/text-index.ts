// Calls and initialisers of a text by their places, for questions that are asked about every declaration.
import type { CallSite, Declaration, Outline } from '../../grammar/outline.ts';
import { type LineRanges, lineOf } from './observed-lines.ts';

export type TextIndex = {
  readonly outline: Outline;
  /** Call sites by line; the line of the `(` and the line of the name both count (compilers differ). */
  readonly sitesByLine: ReadonlyMap<number, readonly CallSite[]>;
  /** Call sites by the row of the declaration whose code they are. */
  readonly sitesByDeclaration: ReadonlyMap<number, readonly CallSite[]>;
  /** Names after `::` anywhere in the file. */
  readonly referencedNames: ReadonlySet<string>;
  /** Lines that run in every constructor of a type: fields, initialisers and enum constants, by the type's row. */
  readonly initializerLines: ReadonlyMap<number, LineRanges>;
};

/** Takes time for every call of the text: the holder of a text makes its index once. */
export function indexText(outline: Outline): TextIndex {
  const sitesByLine = new Map<number, CallSite[]>();
  for (const site of outline.callSites) {
    addTo(sitesByLine, site.line, site);
    const nameLine = lineOf(outline, site.nameSpan.start);
    if (nameLine !== site.line) addTo(sitesByLine, nameLine, site);
  }
  const initializerLines = new Map<number, LineRanges[number][]>();
  for (const { parent, kind, lines } of outline.declarations)
    if (runsInConstructors(kind)) for (const range of lines) addTo(initializerLines, parent, range);
  const references = outline.callSites.filter(({ kind }) => kind === 'methodReference');
  return {
    outline,
    sitesByLine,
    sitesByDeclaration: Map.groupBy(outline.callSites, site => site.declaration),
    referencedNames: new Set(references.map(({ name }) => name)),
    initializerLines,
  };
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function runsInConstructors(kind: Declaration['kind']): boolean {
  return kind === 'field' || kind === 'instanceInitializer' || kind === 'enumConstant';
}

/** Lines of the declaration's code; the return at a closing brace and an implicit `super()` stand on its last and first. */
export function ownLines(outline: Outline, declaration: Declaration): LineRanges {
  const first = lineOf(outline, declaration.nameSpan.start);
  const last = lineOf(outline, Math.max(declaration.span.start, declaration.span.end - 1));
  return [...declaration.lines, [first, first], [last, last]];
}
