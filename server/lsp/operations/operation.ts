// The type of an operation: one name, its parameters, its answer, and how the answer is shown to a person whose editor knows nothing of insitu.

import * as v from 'valibot';
import type { CancellationToken } from 'vscode-languageserver/node';
import { printableLine } from '../../base/printable.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import type { SessionAnswer } from '../../features/answers/answer.ts';
import { checked } from '../../features/answers/checked.ts';
import type { EditorAnswers, SessionAnswers } from '../protocol.ts';
import type { Session } from '../session.ts';

/** The context that an operation works with. */
export type Context = {
  readonly session: Session;
  readonly token: CancellationToken;
  /** The user ran the command and sees nothing but what the server shows: choices may be asked for. */
  readonly asksPerson: boolean;
};

type Door = 'request' | 'command';

/** One row of the table of operations; the request `insitu/<name>` and the command `insitu.<name>` do the same. */
export type Operation = {
  readonly name: string;
  /** Only a command: a request would ask a person for what it does not say. */
  readonly commandOnly: boolean;
  /** Rejects with a WrongParameters where the given parameters make no sense. */
  run(session: Session, given: unknown, door: Door, token: CancellationToken): Promise<unknown>;
};

/** Parameters that no operation can make sense of; the message names the key. */
export class WrongParameters extends Error {
  constructor(message: string) {
    super(printableLine(message));
  }
}

/** The name of an operation at one of its doors. */
export function titleAt(door: Door, name: string): string {
  return `${door === 'command' ? 'insitu.' : 'insitu/'}${name}`;
}

export function refusal(title: string, problems: readonly Problem[]): WrongParameters {
  return new WrongParameters(`${title}: ${problems.map(formatProblem).join('; ')}`);
}

type KeysThatMayBeAbsent<E extends v.ObjectEntries> = {
  [K in keyof E]: E[K] extends { readonly type: 'nullish'; readonly default: undefined } | { readonly type: 'optional' }
    ? K
    : never;
}[keyof E];

/** Parameters as the schemas of their keys have them. Null is as good as an absent key, but where it takes back a choice. */
export type Given<E extends v.ObjectEntries> = {
  readonly [K in Exclude<keyof E, KeysThatMayBeAbsent<E>>]: v.InferOutput<E[K]>;
} & {
  readonly [K in KeysThatMayBeAbsent<E>]?: E[K] extends { readonly type: 'optional' }
    ? Exclude<v.InferOutput<E[K]>, undefined>
    : NonNullable<v.InferOutput<E[K]>>;
};

type Definition<E extends v.ObjectEntries, A> = {
  readonly name: string;
  readonly commandOnly?: true;
  readonly parameters: E;
  /** The mistake in several keys together; null where there is none. */
  readonly flaw?: (parameters: Given<E>) => string | null;
  readonly answer: (context: Context, parameters: Given<E>) => A | Promise<A>;
  /** Shows the answer of a command; nothing is shown when absent. */
  readonly show?: (context: Context, answer: A, parameters: Given<E>) => void | Promise<void>;
};

/** The command door shows its result unless this is true. */
const QUIET = { quiet: v.nullish(v.boolean()) };

/** A row with the types of its parameters and answer checked here and forgotten in the table. */
export function operation<const E extends v.ObjectEntries, A>(definition: Definition<E, A>): Operation {
  const { name, commandOnly = false, parameters, flaw, answer, show } = definition;
  const schema = v.strictObject({ ...parameters, ...QUIET });
  return {
    name,
    commandOnly,
    run: async (session, given, door, token) => {
      const title = titleAt(door, name);
      const { value, problems } = checked(schema, given);
      if (value === null) throw refusal(title, problems);
      const { quiet, ...others } = value as Record<string, unknown>;
      const read = givenOf(parameters, others);
      const wrong = flaw?.(read) ?? null;
      if (wrong !== null) throw new WrongParameters(`${title}: ${wrong}`);
      const context = { session, token, asksPerson: door === 'command' && quiet !== true };
      const answered = await answer(context, read);
      if (context.asksPerson && !token.isCancellationRequested) await show?.(context, answered, read);
      return answered;
    },
  };
}

/** The operation that gives an answer of the table from the session, or null where there is nothing to tell. */
export function sessionOperation<
  N extends keyof SessionAnswers,
  E extends v.ObjectEntries,
  A extends EditorAnswers[N] | null,
>(
  { name, parameters }: SessionAnswer<v.StrictObjectSchema<E, undefined>> & { readonly name: N },
  definition: Pick<Definition<E, A>, 'flaw' | 'answer' | 'show'>,
): Operation {
  return operation({ name, parameters: parameters.entries, ...definition });
}

function givenOf<E extends v.ObjectEntries>(entries: E, values: Readonly<Record<string, unknown>>): Given<E> {
  const isPresent = ([key, value]: [string, unknown]) =>
    value !== undefined && (value !== null || entries[key]?.type !== 'nullish');
  return Object.fromEntries(Object.entries(values).filter(isPresent)) as Given<E>;
}
