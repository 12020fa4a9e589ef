// The target at a position of the text: a declaration by its name, or a call by the name that is called.

import type { CallSite, Declaration, Span } from '../../../grammar/outline.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf, offsetAt } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { fitsSite } from '../../workspace/document/fit-to-text.ts';
import type { TextPoint } from '../calls/locate.ts';
import { entryOf } from '../facts/entry-of.ts';
import { type CallInText, callsInText } from '../hints/call-hints.ts';

export type HoverTarget =
  | {
      readonly kind: 'declaration';
      readonly declaration: Declaration;
      readonly entry: MappedDeclaration | null;
      readonly span: Span;
    }
  | {
      readonly kind: 'call';
      readonly site: CallSite;
      /** The declaration whose code the call is. */
      readonly declaration: Declaration;
      /** null where that declaration was not seen running. */
      readonly entry: MappedDeclaration | null;
      /** The methods that were seen behind the call, heaviest first; empty when none were. */
      readonly calls: readonly CallInText[];
      readonly span: Span;
    };

export type Declared = Extract<HoverTarget, { kind: 'declaration' }>;
export type Called = Extract<HoverTarget, { kind: 'call' }>;

/** null where nothing stands that can have run. Cursors stand between characters: the end of a name belongs to it. */
export function hoverTarget(document: DocumentView, offset: number): HoverTarget | null {
  const { outline } = document;
  const touches = ({ start, end }: Span) => start <= offset && offset <= end && start < end;
  const declaration = outline.declarations.findLast(({ nameSpan, kind }) => kind !== 'field' && touches(nameSpan));
  const site = outline.callSites.find(({ kind, nameSpan }) => kind !== 'implicit' && touches(nameSpan));
  if (site !== undefined && (declaration === undefined || declaration.kind === 'anonymousClass')) {
    const caller = outline.declarations[site.declaration];
    if (caller === undefined) return null;
    const entry = entryOf(document, caller.row);
    const calls = entry === null ? [] : callsBehind(document, entry, site);
    return { kind: 'call', site, declaration: caller, entry, calls, span: site.nameSpan };
  }
  if (declaration === undefined) return null;
  return { kind: 'declaration', declaration, entry: entryOf(document, declaration.row), span: declaration.nameSpan };
}

/**
 * The offset that a question at a position is meant about: that of the position where something stands that can have run, else of the
 * only method that is declared on its line, or of the next call of its line, as the cursor stands before a name more often than on it;
 * in a body, on a line without a call, of the method around it.
 */
export function askedOffset(document: DocumentView, position: TextPoint): number {
  const { outline, text } = document;
  const offset = offsetAt(outline, text.length, position);
  if (hoverTarget(document, offset) !== null) return offset;
  const line = lineOf(outline, offset);
  const methods = outline.declarations.filter(({ kind }) => /^(?:method|constructor|compactConstructor)$/.test(kind));
  const onLine = methods.filter(({ nameSpan }) => lineOf(outline, nameSpan.start) === line);
  if (onLine.length > 0) return onLine.length === 1 ? onLine[0]!.nameSpan.start : offset;
  const calls = outline.callSites
    .filter(({ kind, nameSpan }) => kind !== 'implicit' && lineOf(outline, nameSpan.start) === line)
    .sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const call = calls.find(({ nameSpan }) => nameSpan.start >= offset) ?? calls.at(-1);
  if (call !== undefined) return call.nameSpan.start;
  const around = methods.findLast(({ body }) => body !== null && body.start <= offset && offset <= body.end);
  return around?.nameSpan.start ?? offset;
}

/** Groups of the call's own name; where there are none, groups of its line that no other call of the line explains. */
function callsBehind(document: DocumentView, entry: MappedDeclaration, site: CallSite): readonly CallInText[] {
  const { sitesByLine } = document.index;
  const lines = new Set([site.line, lineOf(document.outline, site.nameSpan.start)]);
  const onLine = callsInText(document, entry).filter(call => lines.has(call.line));
  const named = onLine.filter(call => fitsSite(call, site));
  if (named.length > 0) return named;
  return onLine.filter(call => !(sitesByLine.get(call.line) ?? []).some(other => fitsSite(call, other)));
}
