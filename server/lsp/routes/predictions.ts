// Where predictions join the answers about numbers: hints and hovers.
import type { InlayHint } from 'vscode-languageserver/node';
import type { LineRange } from '../../features/hints/hints.ts';
import type { HoverText } from '../../features/hover/hover.ts';
import { predictedHints } from '../../features/prediction/prediction-hints.ts';
import { predictedHover } from '../../features/prediction/prediction-hover.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { Session } from '../session.ts';
import { predictedHint } from '../wire/prediction-to-lsp.ts';

type Asking = Pick<Session, 'predictions'>;

/** Hints of predictions, behind the hints of numbers. */
export function predictedHintsIn(
  { predictions }: Asking,
  document: DocumentView,
  { first, last }: LineRange,
): InlayHint[] {
  const found = predictions.of(document);
  // Where earlier predictions failed, none is told unasked.
  if (found === null || found.methods.length === 0 || predictions.recordOf(document)?.holds === false) return [];
  const shown = predictedHints(document, found).filter(({ line }) => line >= first && line <= last);
  return shown.map(predictedHint);
}

/** What is predicted stands above what was measured. */
export function withPrediction(
  { predictions }: Asking,
  document: DocumentView,
  offset: number,
  measured: HoverText | null,
): HoverText | null {
  const found = predictions.of(document);
  const data = document.mapped?.data ?? null;
  const predicted =
    found === null || data === null
      ? null
      : predictedHover(document, found, data, { offset, record: predictions.recordOf(document) });
  if (predicted === null || measured === null) return predicted ?? measured;
  return { markdown: `${predicted.markdown}\n\n${measured.markdown}`, span: measured.span };
}
