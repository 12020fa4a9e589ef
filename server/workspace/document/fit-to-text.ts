// Decides whether what was observed fits the text that is taken for the profiled one, so that no number ever stands at a wrong line.

import type { CallSite, Declaration, ImplicitConstruct, Outline } from '../../../grammar/outline.ts';
import { factsOf } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { CallGroup } from '../../analysis/method-facts.ts';
import { type ClassIndex, everyLineOfMethod } from '../../mapping/class-index.ts';
import { simpleClassName } from '../../mapping/class-names.ts';
import type { DocumentMap, MappedDeclaration } from '../../mapping/document-map.ts';
import { inRanges, lineOf } from '../../mapping/observed-lines.ts';
import { isType } from '../../mapping/outline-index.ts';
import type { ProfiledText } from '../../mapping/recorded/profiled-text.ts';
import { ownLines, type TextIndex } from '../../mapping/text-index.ts';

/** How many of a method's named calls must be found on their lines before any of them is believed, in a file that fits. */
const BELIEVED_SHARE = 0.5;

/** How many of a file's named calls must be found for it to fit. */
const BELIEVED_FILE_SHARE = 0.8;

/** Whether every line seen in the declaration's methods is one of its present lines; unknown lines say nothing. */
export function linesFit(
  { outline, initializerLines }: TextIndex,
  classes: ClassIndex,
  mapped: MappedDeclaration,
): boolean {
  if (mapped.onlyLines !== undefined) return true;
  const declaration = outline.declarations[mapped.declaration]!;
  const own = ownLines(outline, declaration);
  const initializers = runsInitializers(declaration)
    ? (initializerLines.get(isType(declaration) ? declaration.row : declaration.parent) ?? [])
    : [];
  const fits = (line: number) => line <= 0 || inRanges(own, line) || inRanges(initializers, line);
  return mapped.methods.every(row => everyLineOfMethod(classes, row, fits));
}

/** Instance initialisers and field values run inside every constructor. */
function runsInitializers(declaration: Declaration): boolean {
  return declaration.kind === 'constructor' || declaration.kind === 'compactConstructor' || isType(declaration);
}

/**
 * The calls of one declaration that still stand where they were seen.
 *
 * A call fits when its line has a call of that name or a construct that calls that name without syntax. What runs in place of
 * the name in the text (a lambda, a referenced or reflectively called method, a static initialiser) fits where its line calls
 * anything at all, and boxing and the closing of resources where there is no trace in the text. All this holds only where most
 * of the method's named calls are found on their lines; in a file of which most are not, all of them must be.
 *
 * @param fileFits whether most named calls of the whole file are found on their lines (`TextFit.isFound`).
 */
export function fittingCalls(
  calls: readonly CallGroup[],
  declaration: Declaration,
  index: TextIndex,
  fileFits: boolean,
): readonly CallGroup[] {
  const onLine = ({ line }: CallGroup) => index.sitesByLine.get(line) ?? [];
  if (!isBelieved(calls, declaration, index, fileFits)) return [];
  return calls.filter(call => {
    if (fitsByName(call, onLine(call))) return true;
    if (call.kind === 'creation' && isHeaderLine(call.line, declaration, index.outline)) return true;
    if (isBoxing(call, declaration, index) || closesResource(call, declaration, index)) return true;
    const sites = onLine(call);
    return sites.length > 0 && (standsForAnother(call, declaration, index) || sites.some(isReflective));
  });
}

/** Whether the recorded lines of a declaration are taken for its lines in the text: its named calls are found on theirs. */
export function isBelieved(
  calls: readonly CallGroup[],
  declaration: Declaration,
  index: TextIndex,
  fileFits: boolean,
): boolean {
  const { named, found, callsFound } = namedCalls(calls, declaration, index);
  return fileFits ? found >= BELIEVED_SHARE * named : callsFound > 1 && found === named;
}

/** Samples of calls that have a name which the text must show, and of those among them that are found on their lines. */
type NamedCalls = { readonly named: number; readonly found: number; readonly callsFound: number };

/** Samples are what counts: compiled code gives a few to neighbouring lines. */
function namedCalls(calls: readonly CallGroup[], declaration: Declaration, index: TextIndex): NamedCalls {
  const named = calls.filter(call => !standsForAnother(call, declaration, index));
  const found = named.filter(call => fitsByName(call, index.sitesByLine.get(call.line) ?? []));
  return { named: samplesOf(named), found: samplesOf(found), callsFound: found.length };
}

function samplesOf(calls: readonly CallGroup[]): number {
  return calls.reduce((sum, call) => sum + call.amount.count, 0);
}

/** The methods of the recorded text, in data, and where that text comes from. */
type Recorded = { readonly data: LoadedData; readonly recorded: DocumentMap; readonly from: ProfiledText['from'] };

/** How well the recorded text of a document fits what was observed. The text on screen does not count. */
export type TextFit = {
  readonly of: Recorded;
  /** Whether most named calls are found on their lines, so that calls may be believed that only their line speaks for. */
  readonly isFound: boolean;
  /** Whether anything but the lines themselves speaks for the text: the recorded commit has it, or some call is found on its line. */
  readonly isProven: boolean;
};

/** The fit of `of`; `previous` where that is of the same. `index` is that of the recorded text. */
export function fitFrom(previous: TextFit | null, of: Recorded, index: () => TextIndex): TextFit {
  if (previous !== null && isSame(previous.of, of)) return previous;
  const { named, found } = namedCallsOfText(of, index());
  const isProven = of.from === 'commit' || found > 0;
  return { of, isFound: found >= BELIEVED_FILE_SHARE * named, isProven };
}

function isSame(one: Recorded, other: Recorded): boolean {
  return one.recorded === other.recorded && one.data === other.data && one.from === other.from;
}

function namedCallsOfText({ data, recorded, from }: Recorded, index: TextIndex): Pick<NamedCalls, 'named' | 'found'> {
  const sum = { named: 0, found: 0 };
  for (const entry of recorded.declarations) {
    const declaration = index.outline.declarations[entry.declaration];
    if (declaration === undefined || isType(declaration)) continue;
    // Of what has changed a stand-in has no code that a call could be found in.
    if (from === 'fingerprints' && !index.sitesByDeclaration.has(declaration.row)) continue;
    const own = ownLines(index.outline, declaration);
    const calls = factsOf(data, entry).calls.filter(call => inRanges(own, call.line));
    const { named, found } = namedCalls(calls, declaration, index);
    sum.named += named;
    sum.found += found;
  }
  return sum;
}

function fitsByName(call: CallGroup, onLine: readonly CallSite[]): boolean {
  return onLine.some(site => (site.kind === 'implicit' ? fitsImplicit(call, site) : fitsSite(call, site)));
}

/** The names that each construct calls, with the classes that join strings at run time; other constructs are told by the objects that they create. */
const CALLED_BY: Readonly<Partial<Record<ImplicitConstruct, RegExp>>> = {
  forEach: /^(?:iterator|hasNext|next)$/,
  concatenation:
    /^(?:append|toString|valueOf|stringOf|newString|newArray|newStringBuilder|newArrayWithSuffix|stringSize|simpleConcat|mix|prepend|initialCoder|concat|doConcat|makeConcat\w*|linkCallSite)$/,
  tryWithResources: /^(?:close|addSuppressed|\$closeResource)$/,
  switch: /^(?:hashCode|equals|ordinal|typeSwitch|enumSwitch|requireNonNull|getClass|linkCallSite)$/,
  recordPattern: /./,
};

function fitsImplicit(call: CallGroup, { construct }: CallSite): boolean {
  if (call.kind === 'creation') return construct !== 'forEach';
  return call.kind === 'method' && construct !== undefined && CALLED_BY[construct]?.test(call.name) === true;
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
  const simple = simpleClassName(binaryName);
  return simple === written || /\$\d+$/.test(binaryName);
}

/** An implicit `super()` has the line of its constructor, an enum constant creates itself. */
function isHeaderLine(line: number, declaration: Declaration, outline: Outline): boolean {
  const creates = declaration.kind === 'constructor' || declaration.kind === 'enumConstant' || isType(declaration);
  return creates && lineOf(outline, declaration.nameSpan.start) === line;
}

/** Whether the text may call it by another name, or by none. */
function standsForAnother(call: CallGroup, declaration: Declaration, index: TextIndex): boolean {
  if (call.kind !== 'method' || isBoxing(call, declaration, index)) return true;
  return (
    /^(?:loadClass|linkCallSite|invoke|close|addSuppressed)$/.test(call.name) || index.referencedNames.has(call.name)
  );
}

/** Conversions between a primitive value and its object are called without a trace in the text. */
function isBoxing({ kind, name }: CallGroup, { row }: Declaration, { sitesByDeclaration }: TextIndex): boolean {
  const converts =
    kind === 'method' && /^(?:valueOf|(?:boolean|byte|char|short|int|long|float|double)Value)$/.test(name);
  return converts && !sitesByDeclaration.get(row)?.some(site => site.name === name);
}

/** Some compilers give the closing of resources the line of the brace that ends their block. */
function closesResource(call: CallGroup, { row }: Declaration, { sitesByDeclaration }: TextIndex): boolean {
  if (call.name !== 'close' && call.name !== 'addSuppressed') return false;
  const sites = sitesByDeclaration.get(row) ?? [];
  return sites.some(site => site.construct === 'tryWithResources' && site.line <= call.line);
}

function isReflective(site: CallSite): boolean {
  return /^(?:invoke|invokeExact|newInstance)$/.test(site.name);
}
