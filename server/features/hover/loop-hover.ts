// Says of a hot line that is the header of a loop that the time of the loop's body may be counted there.
import { loopHeadersIn } from '../../../grammar/loops.ts';
import type { Declaration, Span } from '../../../grammar/outline.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView, Mapped } from '../../workspace/document/document-view.ts';
import { entryOf } from '../facts/entry-of.ts';
import type { HintCandidate } from '../hints/hint-content.ts';
import { hintOptions } from '../hints/hint-options.ts';
import { lineHints } from '../hints/line-hints.ts';
import { ownsCode } from '../hints/method-hints.ts';

/** The metrics of running code, which is sampled at places that the compiler chose; events of other metrics know their line. */
const SAMPLED: ReadonlySet<string> = new Set(['cpu', 'cpu-time', 'wall']);
export const LOOP_NOTE =
  'This line is the header of a loop: compiled code may report time of the body of the loop here, as its debug information names few lines.';

/** A header on a hot line, and the time of the line itself as a sentence. */
type HotHeader = { readonly span: Span; readonly explanation: string };

/** The header that stands at an offset, where its line is hot. */
export function hotHeaderAt(document: DocumentView, offset: number): HotHeader | null {
  const { mapped, outline } = document;
  const declaration = outline.declarations.findLast(
    each => ownsCode(each) && each.body !== null && each.body.start <= offset && offset <= each.body.end,
  );
  const entry = declaration === undefined ? null : entryOf(document, declaration.row);
  if (mapped === null || declaration === undefined || entry === null) return null;
  const span = headersOf(document, declaration).find(({ start, end }) => start <= offset && offset <= end);
  const hint = span === undefined ? undefined : hotLine(document, mapped, entry, lineOf(outline, offset));
  return span === undefined || hint === undefined ? null : { span, explanation: hint.explanation };
}

/** Whether a line of the entry is hot and has the header of a loop, or a part of it. */
export function isHotHeader(document: DocumentView, entry: MappedDeclaration, line: number): boolean {
  const { mapped, outline } = document;
  if (mapped === null || hotLine(document, mapped, entry, line) === undefined) return false;
  const isOnLine = ({ start, end }: Span) => lineOf(outline, start) <= line && line <= lineOf(outline, end - 1);
  return headersOf(document, outline.declarations[entry.declaration]!).some(isOnLine);
}

function headersOf({ text }: DocumentView, { body }: Declaration): readonly Span[] {
  return body === null ? [] : loopHeadersIn(text, body);
}

/** The hint of the line itself, whether such hints are switched on or not. */
function hotLine(
  document: DocumentView,
  mapped: Mapped,
  entry: MappedDeclaration,
  line: number,
): HintCandidate | undefined {
  if (!SAMPLED.has(mapped.data.metric.id)) return undefined;
  const options = { ...hintOptions(document.settings), lines: true };
  return lineHints({ document, mapped, options, baseline: null }, entry).find(each => each.line === line);
}
