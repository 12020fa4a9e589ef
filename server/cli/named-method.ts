// The methods that an argument names, or the end of the command with what may have been meant.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { methodsNamed, type NamedMethods } from '../analysis/named-methods.ts';
import { printableName, suggested } from '../base/printable.ts';
import { listedMethod, listedText } from '../features/text/listed-method.ts';
import { methodsLike } from '../metrics/methods-like.ts';
import { failed } from './failure.ts';

/** What help says of such an argument. */
export const METHOD_ARGUMENT = 'Class.method as top lists it, Class#method, or the method alone where one class has it';

const MOST_NAMES = 8;

/** For people: the parameters stand there where one method is meant. */
export function methodTitle({ profile: { methods } }: LoadedData, { name, rows }: NamedMethods): string {
  return printableName(rows.length === 1 ? listedText(listedMethod(methods, rows[0]!)) : name);
}

export function namedMethod(data: LoadedData, text: string): NamedMethods {
  const found = methodsNamed(data.profile.methods, text);
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map(({ name }) => suggested(name));
    const more = names.length > MOST_NAMES ? `, or another of ${names.length}` : '';
    const remedy = `write ${names.slice(0, MOST_NAMES).join(' or ')}${more}`;
    throw failed(`several methods are called "${text}"`, { remedy });
  }
  const names = methodsLike(data.profile.methods, text).map(suggested).join(' or ');
  const remedy = names === '' ? 'insitu top --platform lists the methods that ran' : `did you mean ${names}?`;
  throw failed(`no method that ran is called "${text}"`, { remedy });
}
