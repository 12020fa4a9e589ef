// The text of a method as it was profiled, with the samples of each line.
import { relative } from 'node:path';
import type { Span } from '../../grammar/outline.ts';
import { stateOf } from '../features/facts/code-state.ts';
import { lineOf } from '../mapping/observed-lines.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { orRefuse } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskSource, Source, ViewAmount } from './view-messages.ts';
import { versionText } from './view-state.ts';
import { subjectOf } from './viewed-data.ts';

const NOTHING: ViewAmount = { weight: 0, count: 0 };

export async function sourceAnswer(
  host: ViewHost,
  viewed: Viewed,
  { look, of }: AskSource,
  signal: AbortSignal,
): Promise<Source> {
  const { method, whole, lines } = orRefuse(
    await host.door.ask(subjectOf(viewed, look), 'lineTimes', { of }, { signal }),
  );
  const document = await host.documentOf(viewed, method);
  if (document === null)
    return { missing: 'no source of this method is in the workspace', remedy: 'open the folder that has its sources' };
  const found = textOfMethod(document, method);
  if ('missing' in found) return found;
  const byLine = new Map(lines.map(each => [each.line, each]));
  const { text, firstLine, changed } = found;
  return {
    file: fileOf(document),
    version: document.mapped?.profiled.commit?.hash.slice(0, 7) ?? versionText(viewed),
    changed,
    firstLine,
    lines: text.map((line, at) => {
      const { self = NOTHING, total = NOTHING } = byLine.get(firstLine + at) ?? {};
      return { text: line, self, total };
    }),
    whole,
  };
}

type MethodText = {
  readonly text: readonly string[];
  readonly firstLine: number;
  readonly changed: boolean;
};

/** Whole lines of the recorded text. */
export function textOfMethod(document: DocumentView, row: number): MethodText | Extract<Source, { missing: string }> {
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
  return { text: lines, firstLine: first, changed };
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

/** In the commit, or below the folder of the project. */
export function fileOf({ mapped, source, outline, uri }: DocumentView): string {
  const recorded = mapped?.profiled.path ?? null;
  if (recorded !== null) return recorded;
  const file = outline.file || uri;
  const root = source?.wish.root ?? '';
  return root !== '' && file.startsWith(root) ? relative(root, file) : file;
}
