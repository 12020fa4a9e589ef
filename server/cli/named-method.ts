// The methods that an argument names, or the end of the command with what may have been meant.
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { NamedMethods } from '../analysis/named-methods.ts';
import { firstNames, printableName } from '../base/printable.ts';
import { namedMethod as answeredMethod, namedPlace } from '../features/answers/named-method.ts';
import { listedMethod, listedText } from '../features/text/listed-method.ts';
import { refusing } from './load-chosen.ts';

/** The help text of such an argument. */
export const METHOD_ARGUMENT = 'Class.method as top lists it, Class#method, or the method alone where one class has it';

/** The same of commands that give an answer. */
export const METHOD_OR_PLACE = `${METHOD_ARGUMENT}; or file:line`;

/** For people: the method that an argument means. @param found the method at the place, where the argument is a place */
export async function askedTitle(data: LoadedData, text: string, found: string): Promise<string> {
  return namedPlace(text) === null ? methodTitle(data, await namedMethod(data, text)) : printableName(found);
}

/** Overloads that a title names. */
const MOST_OVERLOADS = 8;

/** The name for people: `com.acme.Shop.find(int)`, for overloads that are taken as one `com.acme.Shop.find(int), (String)`. */
function methodTitle({ profile: { methods } }: LoadedData, { name, rows }: NamedMethods): string {
  const overloads = [...new Set(rows.map(row => listedText(listedMethod(methods, row)).slice(name.length)))].sort();
  return printableName(`${name}${firstNames(overloads, MOST_OVERLOADS)}`);
}

/** Ends the command where no method, or several, are meant. */
export function namedMethod(data: LoadedData, text: string): Promise<NamedMethods> {
  return refusing(() => answeredMethod(data, text));
}
