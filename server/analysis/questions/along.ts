// The question what ran next at the end of a way through calls: what call hierarchies are made of.
import { type Along, calleesLookedUp, callsAlong, type Way } from '../../metrics/along-calls.ts';
import type { Question } from './question.ts';

type AlongWish = {
  readonly way: Way;
  /** By method row: the row that it is taken as, where several stand for one declaration. */
  readonly groups?: ReadonlyMap<number, number>;
};

export const along: Question<AlongWish, Along> = ({ analysis, values }, { way, groups }, pause) => {
  const [first = [], ...others] = way.steps;
  const isLookedUp = groups === undefined && way.direction === 'callees' && others.length === 0 && first.length === 1;
  const found = isLookedUp ? calleesLookedUp(analysis, values, first[0]!) : null;
  return found ?? callsAlong(analysis, way, row => groups?.get(row) ?? row, pause);
};
