// What an answer is: a name, a description, schemas of parameters and result, and the function that computes plain data.

import type * as v from 'valibot';
import type { Reach } from '../../analysis/ask.ts';
import { AskFailed } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { Settings } from '../../base/config.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { Baseline } from '../facts/compare.ts';
import type { AnswerPlace, DataChoice } from './vocabulary.ts';

/** One execution in the store. */
export type StoredExecution = {
  readonly program: string;
  readonly version: string;
  readonly instance: string;
  readonly from: string;
  readonly to: string;
  readonly snapshots: number;
};

/** Everything that answers need. There is one implementation for each home of the data. All methods reject with `AskFailed`. */
export type AnswerContext = {
  readonly settings: Settings;
  readonly reach: Reach;
  /** The chosen data, as they are in the store now. */
  data(choice: DataChoice): Promise<LoadedData>;
  /** Another version of the program, with its methods paired. */
  baseline(data: LoadedData, version: string): Promise<Baseline>;
  /** A Java file, by a path that is absolute or relative to the root; with `text` in place of what it holds. */
  document(path: string, data: LoadedData, text?: string): Promise<DocumentView>;
  /** Declarations of methods, by their rows; methods without a source file are absent. */
  places(data: LoadedData, rows: readonly number[]): Promise<ReadonlyMap<number, AnswerPlace>>;
  executions(): Promise<{
    readonly store: string;
    readonly project: string;
    readonly rows: readonly StoredExecution[];
  }>;
};

type ObjectSchema = v.GenericSchema<unknown, Record<string, unknown>>;

export type Answer<P extends ObjectSchema = ObjectSchema, R extends ObjectSchema = ObjectSchema> = {
  /** One name for the request, the tool and the page's question. */
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  readonly parameters: P;
  readonly result: R;
  answer(context: AnswerContext, parameters: v.InferOutput<P>, signal: AbortSignal): Promise<v.InferOutput<R>>;
};

/** Infers the types of parameters and result from the schemas. */
export function defineAnswer<P extends ObjectSchema, R extends ObjectSchema>(answer: Answer<P, R>): Answer<P, R> {
  return answer;
}

/** An answer that cannot be given: what is wrong and what to do. */
export function refused(message: string, remedy: string): AskFailed {
  return new AskFailed([{ severity: 'error', message, remedy }]);
}
