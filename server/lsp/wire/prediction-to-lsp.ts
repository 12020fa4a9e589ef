// Turns hints of predictions into the protocol's inlay hints.
import type { InlayHint } from 'vscode-languageserver/node';
import type { PredictedHint } from '../../features/prediction/prediction-hints.ts';
import type { HintData } from '../protocol.ts';

/** A prediction is no share of anything: it has no heat. */
const DATA: HintData = { heat: 0, kind: 'prediction' };

export function predictedHint({ line, character, text, explanations }: PredictedHint): InlayHint {
  const label = [{ value: text, tooltip: explanations.join('\n') }];
  return { position: { line: line - 1, character }, label, paddingLeft: true, data: DATA };
}
