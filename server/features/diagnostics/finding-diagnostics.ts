// Marks the methods whose code stands for a finding of a comparison: one diagnostic each, on the name.
import type { Span } from '../../../grammar/outline.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { Finding } from '../compare/door.ts';

/** `regression` of what got slower, `improvement` of what got faster. */
export type FindingDiagnostic = {
  readonly span: Span;
  readonly message: string;
  readonly code: 'regression' | 'improvement';
};

/** Findings about methods of the document that are at least as large as the setting says, in source order. */
export function findingDiagnostics(document: DocumentView, findings: readonly Finding[]): FindingDiagnostic[] {
  const { mapped, outline, settings } = document;
  const limit = settings['diagnostics.regressions'];
  if (mapped === null || limit <= 0) return [];
  const large = findings.filter(({ change }) => Math.abs(change) >= limit);
  return mapped.map.declarations.flatMap(({ declaration, methods, onlyLines }) => {
    if (onlyLines !== undefined) return [];
    const { nameSpan } = outline.declarations[declaration]!;
    return large
      .filter(({ row }) => methods.includes(row))
      .map(({ verdict, sentence }) => ({
        span: nameSpan,
        message: sentence,
        code: verdict === 'slower' ? ('regression' as const) : ('improvement' as const),
      }));
  });
}
