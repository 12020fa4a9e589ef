// Turns the plain answers of features into the protocol's types.
import { type Diagnostic, DiagnosticSeverity, type Hover, MarkupKind, type Position } from 'vscode-languageserver/node';
import type { Outline } from '../../../grammar/outline.ts';
import type { FindingDiagnostic } from '../../features/diagnostics/finding-diagnostics.ts';
import type { RegressionDiagnostic } from '../../features/diagnostics/regression-diagnostics.ts';
import type { StaleDiagnostic } from '../../features/diagnostics/stale-diagnostics.ts';
import type { HoverText } from '../../features/hover/hover.ts';
import type { PredictionDiagnostic } from '../../features/prediction/prediction-limit.ts';
import { plainText } from '../../features/text/markdown.ts';
import { lineOf } from '../../mapping/observed-lines.ts';

export function hover({ markdown, span }: HoverText, outline: Outline, rendersMarkdown: boolean): Hover {
  const contents = rendersMarkdown
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: plainText(markdown) };
  return { contents, range: { start: positionAt(outline, span.start), end: positionAt(outline, span.end) } };
}

const SEVERITIES = {
  'changed-since-recorded': DiagnosticSeverity.Hint,
  regression: DiagnosticSeverity.Information,
  improvement: DiagnosticSeverity.Hint,
  predicted: DiagnosticSeverity.Warning,
  'query-in-loop': DiagnosticSeverity.Warning,
} as const;

/** A hint of the editor, never a mistake in the code, and never greyed out: the code runs. Who sets a limit is warned. */
export function diagnostic(
  found: StaleDiagnostic | FindingDiagnostic | RegressionDiagnostic | PredictionDiagnostic,
  outline: Outline,
): Diagnostic {
  const { span, message, code } = found;
  const range = { start: positionAt(outline, span.start), end: positionAt(outline, span.end) };
  const severity = SEVERITIES[code];
  return { range, severity, source: 'insitu', code, message };
}

/** Offsets are UTF-16, as are the protocol's characters. */
function positionAt({ lineStarts }: Pick<Outline, 'lineStarts'>, offset: number): Position {
  const line = lineOf({ lineStarts }, offset);
  return { line: line - 1, character: offset - lineStarts[line - 1]! };
}
