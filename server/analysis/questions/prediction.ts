// The question of the cost of the edits of one file, from the texts of its changed methods and the response times of production.
import { noPause } from '../../base/pause.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { Assumptions } from '../prediction/assumptions.ts';
import { BodyCosts } from '../prediction/body-costs.ts';
import { type EditedFile, predictMethod } from '../prediction/edited-method.ts';
import type { EditedMethod } from '../prediction/method-code.ts';
import { passOn } from '../prediction/pass-on.ts';
import {
  asksIterations,
  isTold,
  type PredictedFile,
  type PredictedMethod,
  type UnpredictedMethod,
} from '../prediction/prediction.ts';
import { TimedMethods } from '../prediction/timed-methods.ts';
import type { Question } from './question.ts';

/** All methods of both texts: code may have moved between them, and that of a callee may tell the cost of a call. */
type PredictionWish = EditedFile & {
  readonly edited: readonly EditedMethod[];
  readonly assumptions: Assumptions;
};

/** Calls of one file that differ from the recorded ones: methods behind them are left out. */
const MOST_TERMS = 5_000;

export const prediction: Question<PredictionWish, PredictedFile> = (data, wish, pause = noPause) => {
  const timed = timedMethods(data);
  if (timed.size === 0) return { methods: [], callers: [], unpredicted: [], obstacle: 'notTimed' };
  const { before, after, edited, assumptions } = wish;
  const oldNames = Object.fromEntries(Object.entries(before.names.renamed).map(([old, name]) => [name, old]));
  const known = { timed, assumptions, oldNames };
  const grounds = { ...known, bodies: new BodyCosts(known, after, pause), pause };
  const found: PredictedMethod[] = [];
  const unpredicted: UnpredictedMethod[] = [];
  let terms = 0;
  for (const method of edited) {
    pause();
    const one = terms > MOST_TERMS ? leftOut(method) : predictMethod(grounds, { before, after }, method);
    if (one === null) continue;
    if (!('terms' in one)) unpredicted.push(one);
    else {
      found.push(one);
      terms += one.terms.length;
    }
  }
  const { methods, callers } = passOn(found, timed);
  const told = methods.filter(matters);
  const affected = callers.filter(({ ends, measured }) => ends === null || ends.some(end => isTold(end, measured)));
  return { methods: told, callers: told.length === 0 ? [] : affected, unpredicted, obstacle: null };
};

function leftOut({ declaration, name, nameLine: line }: EditedMethod): UnpredictedMethod {
  const most = MOST_TERMS.toLocaleString('en');
  return { declaration, name, line, reason: `more than ${most} calls before it differ from what was recorded` };
}

/** Whether a prediction is shown. A term that is not known matters as long as it can be large. */
function matters({ ends, measured, terms }: PredictedMethod): boolean {
  if (ends === null || ends.some(end => isTold(end, measured))) return true;
  return terms.some(term => term.cost === null || asksIterations(term, measured));
}

/** The methods with response times, from one walk over all response times for each look at data. */
export function timedMethods({ profile, analysis, answers }: LoadedData): TimedMethods {
  answers.timed ??= new TimedMethods(profile, analysis.selection.windows);
  return answers.timed;
}
