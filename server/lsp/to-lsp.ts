// Turns the plain answers of features into the protocol's types.
import {
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  type InlayHint,
  MarkupKind,
  type Position,
} from 'vscode-languageserver/node';
import type { Outline } from '../../grammar/outline.ts';
import type { Hint } from '../features/hints.ts';
import type { HoverText } from '../features/hover.ts';
import { escapeMarkdown, plainText } from '../features/markdown.ts';
import type { StaleDiagnostic } from '../features/stale-diagnostics.ts';
import { lineOf } from '../mapping/lines.ts';

/** What a hint carries for clients that draw it themselves; see docs/lsp-extensions.md. */
export type HintData = { readonly heat: number; readonly kind: Hint['kind']; readonly stale: boolean };

/** One label part with a plain tooltip, because some clients show tooltips of parts only; the hint has the Markdown one. */
export function inlayHint(hint: Hint, outline: Outline): InlayHint {
  const data: HintData = { heat: hint.heat, kind: hint.kind, stale: hint.stale };
  const explanations = [...hint.explanations];
  if (hint.stale) explanations.unshift('~ the text has changed since this was recorded');
  return {
    position: positionAt(outline, hint.offset),
    label: [{ value: hint.text, tooltip: explanations.join('\n') }],
    tooltip: { kind: MarkupKind.Markdown, value: `**insitu**  \n${explanations.map(escapeMarkdown).join('  \n')}` },
    paddingLeft: true,
    data,
  };
}

export function hover({ markdown, span }: HoverText, outline: Outline, rendersMarkdown: boolean): Hover {
  const contents = rendersMarkdown
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: plainText(markdown) };
  return { contents, range: { start: positionAt(outline, span.start), end: positionAt(outline, span.end) } };
}

/** A hint of the editor, never a mistake in the code, and never greyed out: the code runs. */
export function diagnostic({ span, message, code }: StaleDiagnostic, outline: Outline): Diagnostic {
  const range = { start: positionAt(outline, span.start), end: positionAt(outline, span.end) };
  return { range, severity: DiagnosticSeverity.Hint, source: 'insitu', code, message };
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
