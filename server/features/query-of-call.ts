// The query of a call by call paths, for links and actions at calls.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { elementText } from '../analysis/paths/refined-text.ts';
import { focusNames } from './facts/subject.ts';

/** A call with more combinations of caller and callee has no query that a person reads. */
const MOST_CALLS = 4;

/** The query of a direct call, by rows of callers and callees: `Shop.run CardPayment.pay`; null where none, or too many, are meant. */
export function queryOfCall(data: LoadedData, callers: readonly number[], callees: readonly number[]): string | null {
  const namesOf = (methods: readonly number[]) => focusNames(data, methods).map(name => elementText(name, false));
  const targets = namesOf(callees);
  const calls = namesOf(callers).flatMap(caller => targets.map(callee => `${caller} ${callee}`));
  return calls.length === 0 || calls.length > MOST_CALLS ? null : calls.join(' or ');
}
