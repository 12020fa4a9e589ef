// Where the numbers of a declaration were recorded, and where that is in the text on screen.

import type { CallSite } from '../../../grammar/outline.ts';
import type { CallGroup } from '../../analysis/method-facts.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DeclarationState, TextComparison } from '../../mapping/stale/text-comparison.ts';
import type { TextIndex } from '../../mapping/text-index.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { fitsSite, linesFit } from '../../workspace/document/fit-to-text.ts';
import { ranElsewhere } from './class-claims.ts';

/**
 * The comparison of the profiled text in which a declaration on screen was: that of its own file, or of the file from which it
 * moved here. null where the text on screen is the profiled one, or that is not known.
 */
export function comparisonFor({ mapped }: DocumentView, declaration: number): TextComparison | null {
  const own = mapped?.comparison ?? null;
  if (own === null || mapped === null || own.profiledRow(declaration) >= 0) return own;
  return mapped.moved.find(({ comparison }) => comparison.profiledRow(declaration) >= 0)?.comparison ?? own;
}

/** Path in the commit of the file from which a declaration moved to this one; null where it was here. */
export function movedFrom({ mapped }: DocumentView, declaration: number): string | null {
  if ((mapped?.comparison?.profiledRow(declaration) ?? 0) >= 0) return null;
  return mapped?.moved.find(({ comparison }) => comparison.profiledRow(declaration) >= 0)?.path ?? null;
}

/** The text that recorded lines belong to, with the entry's row in it: the profiled one, where it is known and another. */
export function recordedPlace(
  document: DocumentView,
  entry: MappedDeclaration,
): { readonly index: TextIndex; readonly entry: MappedDeclaration } {
  const comparison = comparisonFor(document, entry.declaration);
  if (comparison === null) return { index: document.index, entry };
  return {
    index: comparison.profiledIndex,
    entry: { ...entry, declaration: comparison.profiledRow(entry.declaration) },
  };
}

/** Why the numbers of a declaration may not be those of its code on screen; null where nothing speaks against it. */
export function doubtsOf(
  document: DocumentView,
  entry: MappedDeclaration,
): 'ambiguous' | 'changed' | 'elsewhere' | null {
  const { mapped } = document;
  if (mapped === null) return null;
  if (entry.confidence === 'ambiguous') return 'ambiguous';
  if (writtenState(document, entry.declaration) === 'changed') return 'changed';
  const recorded = recordedPlace(document, entry);
  if (!linesFit(recorded.index, mapped.data.classes, recorded.entry)) return 'changed';
  return ranElsewhere(document, entry.declaration) ? 'elsewhere' : null;
}

/**
 * The state of a declaration on screen, by the texts alone: by the committed text where only that is to count. Nothing is said
 * about whether the profiled text is what ran.
 */
export function writtenState(document: DocumentView, declaration: number): DeclarationState {
  const committed = document.mapped?.committed ?? null;
  if (committed === null) return comparisonFor(document, declaration)?.stateOf(declaration) ?? 'unchanged';
  const { fromProfiled, toScreen } = committed;
  const row = toScreen === null ? declaration : toScreen.profiledRow(declaration);
  if (row < 0) return 'new';
  return fromProfiled === null ? 'unchanged' : fromProfiled.stateOf(row);
}

/** The line on screen of a recorded line of a declaration; null where it is gone or not certain. */
export function lineOnScreen(document: DocumentView, entry: MappedDeclaration, line: number): number | null {
  const comparison = comparisonFor(document, entry.declaration);
  if (comparison === null) return line;
  return comparison.lineOf(comparison.profiledRow(entry.declaration), line);
}

/**
 * The line on screen of a call that was recorded in row `declaration` of the profiled text. A call by its name goes where that
 * call stands now, one that has another name in the text or none where all calls of its line stand now; what leaves no trace
 * in the text goes with its line as long as its method is what it was.
 */
export function lineOfCall(comparison: TextComparison, declaration: number, call: CallGroup): number | null {
  const shift = comparison.shiftOf(declaration);
  if (shift !== null) return call.line + shift;
  if (comparison.currentRow(declaration) < 0) return null;
  return comparison.remembered(declaration, call, () => findLineOfCall(comparison, declaration, call));
}

/**
 * The line on screen of a call by its name in the profiled text, whose target is called `name` now: the caller is edited with
 * the method that it calls. null where it cannot be told from another.
 */
export function lineOfRenamedCall(
  comparison: TextComparison,
  declaration: number,
  call: CallGroup,
  name: string,
): number | null {
  if (call.kind !== 'method') return null;
  const { named } = sitesOnLine(comparison, declaration, call);
  return lineOfSites(comparison, named, call, site => comparison.renamedSiteOf(site, name));
}

function findLineOfCall(comparison: TextComparison, declaration: number, call: CallGroup): number | null {
  const { onLine, named } = sitesOnLine(comparison, declaration, call);
  const sites = named.length > 0 ? named : onLine;
  if (sites.length === 0) {
    const isChanged = comparison.stateOf(comparison.currentRow(declaration)) === 'changed';
    return isChanged ? null : comparison.lineOf(declaration, call.line);
  }
  return lineOfSites(comparison, sites, call, site => comparison.siteOf(site));
}

/** Sites in a declaration on the recorded line of a call: all of them, and the sites of its name. */
function sitesOnLine({ profiledIndex }: TextComparison, declaration: number, call: CallGroup) {
  const all = profiledIndex.sitesByLine.get(call.line) ?? [];
  const onLine = all.filter(site => site.declaration === declaration);
  return { onLine, named: onLine.filter(site => fitsSite(call, site)) };
}

/** The line on screen of all that sites have become; null where one of them is gone, or where they stand on several lines. */
function lineOfSites(
  { current }: TextComparison,
  sites: readonly CallSite[],
  call: CallGroup,
  siteNow: (site: CallSite) => CallSite | null,
): number | null {
  const lines = sites.map(site => {
    const now = siteNow(site);
    if (now === null) return null;
    // Some compilers give a call the line of its name.
    return site.line === call.line ? now.line : lineOf(current, now.nameSpan.start);
  });
  return new Set(lines).size === 1 ? lines[0]! : null;
}
