// Turns hints of predictions into JSON of the protocol's inlay hints.
import type { PredictedHint } from '../../features/prediction/prediction-hints.ts';
import type { HintData } from '../protocol.ts';
import { asciiJson, positionText } from './json-text.ts';

/** A prediction is no share of anything: it has no heat. */
const DATA: HintData = { heat: 0, kind: 'prediction' };

export function predictedHintText({ line, character, text, explanations }: PredictedHint): string {
  const label = asciiJson([{ value: text, tooltip: explanations.join('\n') }]);
  const position = positionText({ line: line - 1, character });
  return `{"position":${position},"label":${label},"paddingLeft":true,"data":${asciiJson(DATA)}}`;
}
