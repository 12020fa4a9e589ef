// Adds to an answer the fields that only editors need: a short name and an address for each method, angle and colour of each change.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { printableName } from '../../base/printable.ts';
import { type Data, isData } from '../../features/answers/answer-text.ts';
import { nameInClass } from '../../features/text/runtime-names.ts';
import { parametersOf } from '../../mapping/parameters.ts';
import type { Change, Method, Place } from '../../model/terms.ts';
import type { EditorMethod, Location } from '../protocol.ts';
import { changeInEditor } from './messages.ts';

/** The answer as the type `InEditor` says. @param root folder that places are relative to */
export function forEditors(answer: Data, root: string): Data {
  return inEach(answer, each => {
    if (isMethod(each)) return methodInEditor(each, root);
    return isChange(each) ? changeInEditor(each) : each;
  });
}

function inEach(value: Data, mapped: (each: Data) => Data): Data {
  const within = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(within);
    return isData(inner) ? inEach(inner, mapped) : inner;
  };
  return mapped(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)])));
}

function isMethod(value: Data): value is Method {
  const { key, className, name } = value;
  return typeof key === 'string' && typeof className === 'string' && typeof name === 'string';
}

export function methodInEditor(method: Method, root: string): EditorMethod {
  const { className, name, descriptor, place } = method;
  return {
    ...method,
    label: printableName(`${nameInClass(className, name)}${parametersOf(descriptor)}`),
    location: place && locationOf(place, root),
    certain: place?.certain ?? false,
  };
}

function locationOf({ file, line, column }: Place, root: string): Location {
  const start = { line: line - 1, character: column - 1 };
  const uri = /^[a-z][a-z\d+.-]+:\/\//i.test(file) ? file : pathToFileURL(resolve(root, file)).href;
  return { uri, range: { start, end: start } };
}

function isChange(value: Data): value is Change {
  const { baseline, current, verdict } = value;
  return typeof baseline === 'number' && typeof current === 'number' && typeof verdict === 'string';
}
