// The type of a tool: an answer of the table, or one that only agents ask for.

import type { ObjectSchema } from '../features/answers/answer.ts';
import type { Data } from '../features/answers/answer-text.ts';

export type Tool = {
  readonly name: string;
  readonly title: string;
  /** A description of one sentence. */
  readonly description: string;
  readonly whenEmpty?: string;
  readonly parameters: ObjectSchema;
  readonly result: ObjectSchema;
  /** Whether the tool adds data, or acts on a JVM: agents ask their user first. */
  readonly writes: boolean;
  /** Other calls go on beside the tool, since it waits and loads nothing. */
  readonly runsBeside?: true;
  /** Rejects with `AskFailed`. @param given has been checked against `parameters` */
  answer(given: Data, signal: AbortSignal): Promise<Data>;
};
