// The statements in the code of a declaration: loops, branches, calls and lambdas with their parts.
import type { CallSite, Span } from './outline.ts';

/** The forms of statements: each runs its parts again, chooses among them, or runs code elsewhere. */
export type StatementForm =
  | 'for'
  | 'forEach'
  | 'while'
  | 'do'
  | 'if'
  | 'conditional'
  | 'switch'
  | 'try'
  | 'lambda'
  | 'jump'
  | 'shortCircuit'
  | Exclude<CallSite['kind'], 'implicit'>;

/**
 * The role of a part in its statement. Of loops `condition`, `iterable` and `update` are the header that runs each time (`iterable` and
 * `init` run once), of branches one of `case`, `then`, `else` and `catch` runs, or none.
 */
export type PartRole =
  | 'init'
  | 'condition'
  | 'update'
  | 'iterable'
  | 'body'
  | 'then'
  | 'else'
  | 'selector'
  | 'case'
  | 'resources'
  | 'catch'
  | 'finally'
  | 'receiver'
  | 'argument';

export type StatementPart = {
  readonly role: PartRole;
  readonly span: Span;
  /** The outermost statements of the part, in source order. */
  readonly statements: readonly Statement[];
};

/** A loop, branch, call or lambda. Code in none of its parts calls nothing. */
export type Statement = {
  readonly form: StatementForm;
  /** From its first to its last token: of a call from its receiver to the closing parenthesis. */
  readonly span: Span;
  /** Of calls and method references, as the outline has it; null for others. */
  readonly call: CallSite | null;
  /** In source order; parts without any token are left out. */
  readonly parts: readonly StatementPart[];
};

/** A statement in the making; first and last token of it and of its parts, inclusive. */
export type StatementDraft = {
  readonly form: StatementForm;
  readonly first: number;
  readonly last: number;
  readonly parts: readonly PartDraft[];
  readonly call?: CallSite;
};

export type PartDraft = { readonly role: PartRole; readonly first: number; readonly last: number };
