// Adds to an answer the fields that only editors need: a short name and an address for each method, angle and colour of each change.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GenericSchema, InferOutput } from 'valibot';
import { printableName } from '../../base/printable.ts';
import type { ANSWERS_BY_NAME } from '../../features/answers/answer-table.ts';
import { type Data, isData } from '../../features/answers/answer-text.ts';
import { nameInClass } from '../../features/text/runtime-names.ts';
import { parametersOf } from '../../mapping/parameters.ts';
import { compareShares } from '../../metrics/comparison.ts';
import type { Method, Place } from '../../model/terms.ts';
import type {
  CallsAnswer,
  HeaviestPathAnswer,
  Location,
  MethodMessage,
  MethodsAnswer,
  MovedMethodsAnswer,
  TasksAnswer,
  ThreadsAnswer,
  WhyAnswer,
} from '../protocol.ts';

type Change = { readonly baseline: number; readonly current: number; readonly verdict: string };

/** A value of an answer with the fields that editors get in addition. */
type InEditor<T> = T extends Method
  ? T & Pick<MethodMessage, 'label' | 'location' | 'certain'>
  : T extends Change
    ? T & ReturnType<typeof changeFields>
    : T extends readonly (infer E)[]
      ? number extends T['length']
        ? InEditor<E>[]
        : T
      : T extends object
        ? { [K in keyof T]: InEditor<T[K]> }
        : T;
type Given<A extends { readonly result: unknown }> = InEditor<InferOutput<Extract<A['result'], GenericSchema>>>;

/** The types of the protocol say no more than the schemas of the answers. */
type Promised = {
  readonly methods: MethodsAnswer;
  readonly movedMethods: MovedMethodsAnswer;
  readonly heaviestPath: HeaviestPathAnswer;
  readonly callers: CallsAnswer;
  readonly tasks: TasksAnswer;
  readonly threads: ThreadsAnswer;
  readonly why: WhyAnswer;
};
type Answers = { readonly [N in keyof Promised]: Given<(typeof ANSWERS_BY_NAME)[N]> };
type Result = Answers extends Promised ? Data : never;

/** The answer with `label`, `location` and `certain` in each method, and `angle` and `colour` in each change. @param root folder that places are relative to */
export function forEditors(answer: Data, root: string): Result {
  return inEach(answer, each => ({
    ...each,
    ...methodFields(each, root),
    ...(isChange(each) && changeFields(each as Change)),
  }));
}

function inEach(value: Data, fields: (each: Data) => Data): Data {
  const within = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(within);
    return isData(inner) ? inEach(inner, fields) : inner;
  };
  return fields(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, within(inner)])));
}

function methodFields({ key, className, name, descriptor, place }: Data, root: string): Data {
  if (typeof key !== 'string' || typeof className !== 'string' || typeof name !== 'string') return {};
  const parameters = parametersOf(typeof descriptor === 'string' ? descriptor : null);
  const found = isData(place) ? (place as Place) : null;
  return {
    label: printableName(`${nameInClass(className, name)}${parameters}`),
    location: found && locationOf(found, root),
    certain: found?.certain ?? false,
  };
}

function locationOf({ file, line, column }: Place, root: string): Location {
  const start = { line: line - 1, character: column - 1 };
  const uri = /^[a-z][a-z\d+.-]+:\/\//i.test(file) ? file : pathToFileURL(resolve(root, file)).href;
  return { uri, range: { start, end: start } };
}

function isChange({ baseline, current, verdict }: Data): boolean {
  return typeof baseline === 'number' && typeof current === 'number' && typeof verdict === 'string';
}

function changeFields({ baseline, current }: Pick<Change, 'baseline' | 'current'>) {
  const { angle, red, green, blue } = compareShares(baseline, current);
  return { angle, colour: { red, green, blue } };
}
