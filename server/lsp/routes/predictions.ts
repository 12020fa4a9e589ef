// Where predictions join the answers about numbers: hints and hovers, which come without predictions where these take long or fail.
import type { PredictedFile } from '../../analysis/prediction/prediction.ts';
import type { HoverText } from '../../features/hover/hover.ts';
import { predictedHover } from '../../features/prediction/prediction-hover.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { Session } from '../session.ts';

/** Numbers are not held back for longer than this; a client that refreshes hints gets later predictions too. */
const HINTS_MILLIS = 100;
/** The longest wait of hovers, and of hints in clients that cannot refresh them. */
export const LONGEST_MILLIS = 1_000;

/** The predictions of a document that hints tell; null for none. */
export async function toldPrediction(
  { predictions, features, later, refresher }: Session,
  document: DocumentView,
): Promise<PredictedFile | null> {
  const millis = features.refreshesHints ? HINTS_MILLIS : LONGEST_MILLIS;
  const predict = async () => hasMethods(await predictions.of(document));
  if (!predictions.isSettled(document))
    await later.within(millis, `predictions ${document.uri}`, predict, () => refresher.changed());
  const found = predictions.known(document);
  // Where earlier predictions failed, none is told unasked.
  const isTold = hasMethods(found) && predictions.recordOf(document)?.holds !== false;
  return isTold ? { ...found, held: predictions.held(document) } : null;
}

function hasMethods(found: PredictedFile | null): found is PredictedFile {
  return found !== null && found.methods.length + found.unpredicted.length > 0;
}

/** Puts the prediction above the measured numbers. */
export async function withPrediction(
  { predictions }: Session,
  document: DocumentView,
  offset: number,
  measured: HoverText | null,
): Promise<HoverText | null> {
  const found = await predictions.within(LONGEST_MILLIS, document);
  const data = document.mapped?.data ?? null;
  const predicted =
    found === null || data === null
      ? null
      : predictedHover(document, found, data, { offset, record: predictions.recordOf(document) });
  if (predicted === null || measured === null) return predicted ?? measured;
  return { markdown: `${predicted.markdown}\n\n${measured.markdown}`, span: measured.span };
}
