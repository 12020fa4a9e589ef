// The loop at a place of the text of which a prediction does not know how often it runs.

import { loopKey } from '../../analysis/prediction/assumptions.ts';
import { asksIterations, type PredictedFile } from '../../analysis/prediction/prediction.ts';
import { lineOf } from '../../mapping/observed-lines.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

/** Loops as `predict.iterations` names them. */
type OpenLoop = {
  readonly loop: string;
  /** The next loop around it of which it is not known how often it runs either; null where there is none. */
  readonly outer: string | null;
};

/** The innermost loop of the offset's line, or around a predicted call of it; null where all is known. */
export function openLoopAt({ outline }: DocumentView, { methods }: PredictedFile, offset: number): OpenLoop | null {
  const line = lineOf(outline, offset);
  for (const { terms, measured, title } of methods) {
    const open = terms.filter(term => asksIterations(term, measured));
    const loops = open.flatMap(({ loops, line: called }) =>
      loops.filter(({ times, start }) => times === null && (called === line || lineOf(outline, start) === line)),
    );
    const [innermost] = loops.toSorted((a, b) => b.start - a.start);
    if (innermost === undefined) continue;
    const around = open
      .filter(({ loops }) => loops.some(({ start }) => start === innermost.start))
      .flatMap(({ loops }) => loops.filter(({ times, start }) => times === null && start < innermost.start));
    const [outer] = around.toSorted((a, b) => b.start - a.start);
    return {
      loop: loopKey(title, innermost.header),
      outer: outer === undefined ? null : loopKey(title, outer.header),
    };
  }
  return null;
}
