// The text of a method as it was recorded: whole lines, and the file that they stand in.

import type { Span } from '../../../grammar/outline.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { stateOf } from './code-state.ts';

type RecordedText = {
  readonly text: readonly string[];
  /** From 1. */
  readonly firstLine: number;
  /** Whether the code on screen is another one now. */
  readonly changed: boolean;
  /** In the commit, or below the folder of the project. */
  readonly file: string;
};

/** Why there is no text, and what to do. */
type NoText = { readonly missing: string; readonly remedy: string };

/** @param row of the method table. */
export function recordedText(document: DocumentView, row: number): RecordedText | NoText {
  const { mapped } = document;
  const { declarationOfMethod = new Map<number, number>(), outline } = mapped?.recorded ?? {};
  const declaration = outline?.declarations[declarationOfMethod.get(row) ?? -1];
  if (mapped === null || outline === undefined || declaration === undefined)
    return { missing: 'its file does not say which code this method is', remedy: 'see where it is called' };
  const { profiled, map } = mapped;
  const onScreen = map.declarationOfMethod.get(row);
  const state = onScreen === undefined ? 'changed' : stateOf(document, onScreen).name;
  const changed = state === 'changed' || state === 'new';
  // Fingerprints tell that a text is another one, not which.
  if (profiled.from === 'fingerprints' && changed)
    return {
      missing: 'the text that ran is not known: this method has changed since',
      remedy: 'fetch the commit that was recorded',
    };
  const { first, lines } = wholeLines(profiled.text ?? document.text, outline, declaration.span);
  return { text: lines, firstLine: first, changed, file: fileOf(document) };
}

function wholeLines(
  text: string,
  outline: Pick<DocumentView['outline'], 'lineStarts'>,
  { start, end }: Span,
): { readonly first: number; readonly lines: readonly string[] } {
  const first = lineOf(outline, start);
  const last = lineOf(outline, Math.max(start, end - 1));
  const { lineStarts } = outline;
  const all = text.slice(lineStarts[first - 1], lineStarts[last] ?? text.length).split(/\r\n|\r|\n/);
  return { first, lines: all.slice(0, last - first + 1) };
}

function fileOf({ mapped, source, outline, uri }: DocumentView): string {
  const recorded = mapped?.profiled.path ?? null;
  if (recorded !== null) return recorded;
  const file = outline.file || uri;
  const root = source?.wish.root ?? '';
  return root !== '' && file.startsWith(root) ? file.slice(root.length).replace(/^[\\/]+/, '') : file;
}
