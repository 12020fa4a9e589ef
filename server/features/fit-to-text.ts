// Decides whether what was observed still fits the text on screen, so that an edited file never shows a number at a wrong line.
import type { CallSite, Declaration, Outline } from '../../grammar/outline.ts';
import { type ClassIndex, linesOfMethod } from '../mapping/class-index.ts';
import type { MappedDeclaration } from '../mapping/document-map.ts';
import type { CallGroup } from './call-groups.ts';
import { inRanges } from './method-facts.ts';
import { simpleClassName } from './runtime-names.ts';

/** How many of a method's named calls must be found on their lines before calls that have no name of their own are believed. */
const BELIEVED_SHARE = 0.5;

/** 1-based line of an offset. */
export function lineAt(outline: Pick<Outline, 'lineStarts'>, offset: number): number {
  const { lineStarts } = outline;
  let [low, high] = [0, lineStarts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** Whether every line seen in the declaration's methods is one of its present lines; unknown lines say nothing. */
export function linesFit(outline: Outline, classes: ClassIndex, mapped: MappedDeclaration): boolean {
  if (mapped.onlyLines !== undefined) return true;
  const declaration = outline.declarations[mapped.declaration]!;
  const ranges = [...ownLines(outline, declaration)];
  if (runsInitializers(declaration)) ranges.push(...initializerLines(outline, declaration));
  return mapped.methods.every(row => linesOfMethod(classes, row).every(line => line <= 0 || inRanges(ranges, line)));
}

/** Lines of the declaration's code; the return at a closing brace and an implicit `super()` stand on its last and first. */
export function ownLines(outline: Outline, declaration: Declaration): readonly (readonly [number, number])[] {
  const first = lineAt(outline, declaration.nameSpan.start);
  const last = lineAt(outline, Math.max(declaration.span.start, declaration.span.end - 1));
  return [...declaration.lines, [first, first], [last, last]];
}

/** Instance initialisers and field values run inside every constructor. */
function runsInitializers(declaration: Declaration): boolean {
  return declaration.kind === 'constructor' || declaration.kind === 'compactConstructor' || isType(declaration);
}

function isType({ binaryName }: Declaration): boolean {
  return binaryName !== '';
}

function initializerLines(outline: Outline, declaration: Declaration): (readonly [number, number])[] {
  const type = isType(declaration) ? declaration.row : declaration.parent;
  return outline.declarations
    .filter(({ parent, kind }) => parent === type && /^(?:field|instanceInitializer|enumConstant)$/.test(kind))
    .flatMap(({ lines }) => lines);
}

/** Call sites of a document by line; the line of the `(` and the line of the name both count (compilers differ). */
export type CallSitesByLine = ReadonlyMap<number, readonly CallSite[]>;

export function callSitesByLine(outline: Outline): CallSitesByLine {
  const byLine = new Map<number, CallSite[]>();
  for (const site of outline.callSites) {
    for (const line of new Set([site.line, lineAt(outline, site.nameSpan.start)])) {
      const sites = byLine.get(line);
      if (sites === undefined) byLine.set(line, [site]);
      else sites.push(site);
    }
  }
  return byLine;
}

/**
 * The calls of one declaration that still stand where they were seen.
 *
 * A call fits when its line has a call of that name or one without call syntax. What runs in place of the name in the text
 * (a lambda, a referenced or reflectively called method, a static initialiser, boxing) fits where its line calls anything at
 * all, and only while most of the method's named calls are found on their lines.
 */
export function fittingCalls(
  calls: readonly CallGroup[],
  declaration: Declaration,
  outline: Outline,
  sites: CallSitesByLine,
): readonly CallGroup[] {
  const named = calls.filter(call => call.kind === 'method' && !standsForAnother(call, outline));
  const found = named.filter(call => fitsByName(call, sites.get(call.line) ?? []));
  const believed = found.length >= BELIEVED_SHARE * named.length;
  return calls.filter(call => {
    const onLine = sites.get(call.line) ?? [];
    if (fitsByName(call, onLine)) return true;
    if (call.kind === 'creation' && isHeaderLine(call.line, declaration, outline)) return true;
    return believed && onLine.length > 0 && (standsForAnother(call, outline) || onLine.some(isReflective));
  });
}

function fitsByName(call: CallGroup, onLine: readonly CallSite[]): boolean {
  return onLine.some(site => (site.kind === 'implicit' ? fitsImplicit(call, site) : fitsSite(call, site)));
}

function fitsImplicit(call: CallGroup, { construct }: CallSite): boolean {
  const creates = construct === 'superConstructor' || construct === 'enumConstant';
  return !creates || call.kind === 'creation';
}

/** Whether `site` calls what the group is by its name in the text. */
export function fitsSite(call: CallGroup, site: CallSite): boolean {
  if (call.kind === 'lambda' || site.kind === 'implicit') return false;
  if (call.kind === 'method') return site.name === call.name;
  if (site.kind === 'super' || site.kind === 'this' || site.name === 'new') return true;
  return site.kind === 'new' && fitsCreated(site.name, call.name);
}

/** Anonymous classes (`Shop$1`) are created by the name of their supertype, local ones (`Shop$1Local`) carry a number. */
function fitsCreated(written: string, binaryName: string): boolean {
  const simple = simpleClassName(binaryName).replace(/^\d+/, '');
  return simple === written || /\$\d+$/.test(binaryName);
}

/** An implicit `super()` has the line of its constructor, an enum constant creates itself. */
function isHeaderLine(line: number, declaration: Declaration, outline: Outline): boolean {
  const creates = declaration.kind === 'constructor' || declaration.kind === 'enumConstant' || isType(declaration);
  return creates && lineAt(outline, declaration.nameSpan.start) === line;
}

/** Whether the text may call it by another name, or by none. */
function standsForAnother(call: CallGroup, outline: Outline): boolean {
  if (call.kind !== 'method') return true;
  if (/^(?:\w+Value|valueOf|loadClass|linkCallSite|invoke)$/.test(call.name)) return true;
  return outline.callSites.some(site => site.kind === 'methodReference' && site.name === call.name);
}

function isReflective(site: CallSite): boolean {
  return /^(?:invoke|invokeExact|newInstance)$/.test(site.name);
}
