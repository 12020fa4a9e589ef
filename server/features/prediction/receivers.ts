// What calls are called on, as the text has it: the same receiver has the same classes behind it.
import type { Statement } from '../../../grammar/statement.ts';

/** Statements of a declaration with the text that they stand in. */
export type Code = { readonly text: string; readonly statements: readonly Statement[] };

/** Text of the receiver without spaces; empty for a call without one. */
export function receiverOf({ parts }: Statement, text: string): string {
  const span = parts.find(({ role }) => role === 'receiver')?.span;
  return span === undefined ? '' : text.slice(span.start, span.end).replaceAll(/\s+/g, '');
}

/** The simple name of a type that a receiver can be alone: `Costs` of `Costs.nap()`, `com.acme.Costs.nap()`; null for others. */
export function receiverType(receiver: string): string | null {
  return /^(?:[a-z_][\w$]*\.)*([A-Z][\w$]*)$/.exec(receiver)?.[1] ?? null;
}

/** By name of a call: its receiver where all calls of the name have the same one, else null. */
export function receiversByName({ text, statements }: Code): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  const walk = (list: readonly Statement[]): void => {
    for (const statement of list) {
      const { call, parts } = statement;
      if (call !== null) {
        const receiver = receiverOf(statement, text);
        found.set(call.name, (found.has(call.name) ? found.get(call.name) : receiver) === receiver ? receiver : null);
      }
      for (const part of parts) walk(part.statements);
    }
  };
  walk(statements);
  return found;
}
