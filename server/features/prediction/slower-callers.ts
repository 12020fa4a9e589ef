// The callers that an edited method makes slower, directly and through others: the one that gets slowest first.
import type { PredictedCaller, PredictedFile, PredictedMethod } from '../../analysis/prediction/prediction.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

/** Callers that get slower, and behind them callers of which nothing is known. */
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
  const size = ({ change }: PredictedCaller) => change ?? 0;
  return [...found].filter(({ change }) => change === null || change > 0).sort((a, b) => size(b) - size(a));
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
