// What a query gets wrong that names a time type which no thread has.
import { printableName } from '../../base/printable.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { isTimeType } from '../../model/time-types.ts';

/** @param text the type as it is written */
export function unknownTimeType(
  { strings, className, name }: MethodTable,
  text: string,
): { readonly message: string; readonly remedy: string } {
  const types = Array.from(name, (at, row) => [strings[className[row]!]!, strings[at]!] as const)
    .filter(([owner, own]) => isTimeType(owner, own))
    .map(([, own]) => own);
  const isUndecided = types.includes(':RUNNABLE') && text !== ':RUNNABLE';
  const remedies = [
    types.length === 0
      ? 'insitu record, thread dumps, and insitu import --time-types tell what threads did with their time'
      : `there are ${types.sort().join(', ')}`,
    ...(isUndecided ? ['insitu import --processors N tells what :RUNNABLE threads got'] : []),
    ...(text === ':PRIO' && types.length > 0
      ? ['systems may ignore the priorities of Java threads, as Linux does without -XX:ThreadPriorityPolicy=1']
      : []),
  ];
  return { message: `no thread has time of the type "${printableName(text)}"`, remedy: remedies.join('; ') };
}
