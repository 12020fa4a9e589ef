// Turns the plain answers of features into the protocol's types.
import {
  type CodeLens,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  MarkupKind,
  type Position,
} from 'vscode-languageserver/node';
import type { Outline } from '../../../grammar/outline.ts';
import type { RegressionDiagnostic } from '../../features/diagnostics/regression-diagnostics.ts';
import type { StaleDiagnostic } from '../../features/diagnostics/stale-diagnostics.ts';
import type { HoverText } from '../../features/hover/hover.ts';
import type { Lens } from '../../features/lenses.ts';
import { plainText } from '../../features/text/markdown.ts';
import { lineOf } from '../../mapping/lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

export function hover({ markdown, span }: HoverText, outline: Outline, rendersMarkdown: boolean): Hover {
  const contents = rendersMarkdown
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: plainText(markdown) };
  return { contents, range: { start: positionAt(outline, span.start), end: positionAt(outline, span.end) } };
}

/**
 * Complete, so that nothing is left to be resolved. Lenses of one name begin a character after each other, because some clients
 * sort them by that alone.
 */
export function codeLenses(lenses: readonly Lens[], document: DocumentView): CodeLens[] {
  const { uri, outline } = document;
  let turn = 0;
  return lenses.map(({ span, title, asks }, i) => {
    turn = lenses[i - 1]?.span.start === span.start ? turn + 1 : 0;
    const position = positionAt(outline, span.start);
    const end = positionAt(outline, span.end);
    const start = { ...position, character: Math.min(position.character + turn, end.character) };
    const asked = { textDocument: { uri }, position };
    return { range: { start, end }, command: { title, command: `insitu.${asks}`, arguments: [asked] } };
  });
}

/** A hint of the editor, never a mistake in the code, and never greyed out: the code runs. */
export function diagnostic(found: StaleDiagnostic | RegressionDiagnostic, outline: Outline): Diagnostic {
  const { span, message, code } = found;
  const range = { start: positionAt(outline, span.start), end: positionAt(outline, span.end) };
  const severity = code === 'regression' ? DiagnosticSeverity.Information : DiagnosticSeverity.Hint;
  return { range, severity, source: 'insitu', code, message };
}

/** Offsets are UTF-16, as are the protocol's characters. */
export function positionAt({ lineStarts }: Pick<Outline, 'lineStarts'>, offset: number): Position {
  const line = lineOf({ lineStarts }, offset);
  return { line: line - 1, character: offset - lineStarts[line - 1]! };
}

/** Clamped to the text: clients may ask beyond what the server has seen. */
export function offsetAt({ lineStarts }: Pick<Outline, 'lineStarts'>, length: number, position: Position): number {
  const start = lineStarts[position.line];
  if (start === undefined) return length;
  const next = lineStarts[position.line + 1] ?? length + 1;
  return Math.min(start + position.character, next - 1);
}
