// Marks methods whose share has grown against the baseline beyond a limit: one diagnostic each, on the name.
import type { Span } from '../../../grammar/outline.ts';
import { factsOf } from '../../analysis/ask.ts';
import { changeText } from '../../capabilities/compare/door.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { methodChange } from '../compare/door.ts';
import { hintOptions } from '../hints/hint-options.ts';
import { ownsCode } from '../hints/method-hints.ts';
import { partOf, shareInProse } from '../text/format-share.ts';

/** Clients that filter diagnostics tell this kind by its `code`. */
export type RegressionDiagnostic = {
  readonly span: Span;
  readonly message: string;
  readonly code: 'regression';
};

/** Methods of the document that a test finds slower, by at least the setting, in source order; none without a baseline. */
export function regressionDiagnostics(document: DocumentView): RegressionDiagnostic[] {
  const { mapped, outline, settings, baseline } = document;
  const limit = settings['diagnostics.regressions'];
  if (mapped === null || baseline === null || limit <= 0) return [];
  const { data } = mapped;
  const { minimumSamples } = hintOptions(settings);
  const found: RegressionDiagnostic[] = [];
  for (const entry of mapped.map.declarations) {
    const declaration = outline.declarations[entry.declaration]!;
    if (!ownsCode(declaration) || entry.onlyLines !== undefined || entry.confidence === 'ambiguous') continue;
    const { total } = factsOf(data, entry);
    if (total.count < minimumSamples) continue;
    const change = methodChange(data, entry.methods, total, baseline);
    if (change.verdict !== 'slower' || change.current - change.baseline < limit) continue;
    const now = shareInProse(partOf(total, data.analysis.whole));
    const versions = [...new Set(baseline.data.provenance.executions.map(({ version }) => version))].join(', ');
    const moved = change.presence === 'both' ? `${changeText(change)} points` : changeText(change);
    const message = `${now} of ${data.metric.id}, ${moved} against ${versions}`;
    found.push({ span: declaration.nameSpan, message, code: 'regression' });
  }
  return found;
}
