// The callers that an edited method makes slower, or may make slower, directly and through others.
import {
  isTold,
  type PredictedCaller,
  type PredictedFile,
  type PredictedMethod,
} from '../../analysis/prediction/prediction.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

/** Callers that may get slower, the one that may get slowest first, and behind them callers of which nothing is known. */
export function slowerCallers({ callers }: PredictedFile, { rows }: PredictedMethod): readonly PredictedCaller[] {
  const reached = new Set(rows);
  const found = new Set<PredictedCaller>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const caller of callers) {
      if (found.has(caller) || !caller.through.some(row => reached.has(row))) continue;
      found.add(caller);
      reached.add(caller.row);
    }
  }
  const most = ({ ends }: PredictedCaller) => ends?.[1] ?? 0;
  const isSlower = (caller: PredictedCaller) => most(caller) > 0 && isTold(most(caller), caller.measured);
  return [...found].filter(caller => caller.ends === null || isSlower(caller)).sort((a, b) => most(b) - most(a));
}

/** The edited method whose name stands on the line of an offset, or in whose code it lies; null where there is none. */
export function predictedMethodAt(
  { outline }: DocumentView,
  { methods }: PredictedFile,
  offset: number,
): PredictedMethod | null {
  const line = lineOf(outline, offset);
  const within = ({ declaration }: PredictedMethod) => {
    const { span } = outline.declarations[declaration]!;
    return span.start <= offset && offset <= span.end;
  };
  return methods.find(method => method.line === line) ?? methods.find(within) ?? null;
}
