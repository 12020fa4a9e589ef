// The code of one method, read from its text alone: a prediction needs no outline of the file.
import { codeTokens } from '../../../grammar/lexer.ts';
import type { Local, Span } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { flowOf } from '../../../grammar/statements.ts';

/** A method or constructor of a file. */
export type WrittenMethod = {
  readonly name: string;
  /** Name of the method in assumptions: `Shop.review`. */
  readonly title: string;
  readonly isConstructor: boolean;
  readonly parameters: number;
  /** Span of the method in the file. */
  readonly span: Span;
  /** Line of the file on which the method begins, 1-based. */
  readonly line: number;
  /** Rows of the method table; empty for a method that was not recorded. */
  readonly rows: readonly number[];
};

/** A method whose code differs from the recorded code. */
export type EditedMethod = WrittenMethod & {
  /** Row in the outline's declarations. */
  readonly declaration: number;
  /** Line of the name of the method. */
  readonly nameLine: number;
  /** The same method in the recorded text. */
  readonly before: WrittenMethod;
};

/** A word or sign of code. */
export type Word = { readonly image: string; readonly start: number };

/** Offsets and lines of the statements are those of `text`. */
export type MethodCode = {
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly words: readonly Word[];
  /** Offset of the body. */
  readonly bodyStart: number;
  /** Names of the parameters. */
  readonly parameters: readonly string[];
  readonly locals: readonly Local[];
  /** Offset of `text` in the file. */
  readonly offset: number;
  readonly lines: number;
};

/** @param file the text in which the method stands */
export function readMethod(
  file: string,
  { name, isConstructor, span, line }: Omit<WrittenMethod, 'rows' | 'parameters' | 'title'>,
): MethodCode {
  // Constructors are told by the name of their class.
  const opening = `class ${isConstructor ? name : 'A'} {`;
  const text = `${opening}${file.slice(span.start, span.end)}}`;
  const outline = outlineOf(text, 'A.java');
  const found = outline.declarations.find(({ parent, kind }) => parent === 0 && kind !== 'field');
  return {
    text,
    statements: found === undefined ? [] : flowOf(text, outline, found),
    words: codeTokens(text).map(({ image, startOffset }) => ({ image, start: startOffset })),
    bodyStart: found?.body?.start ?? 0,
    parameters: found?.parameters.map(each => each.name) ?? [],
    locals: outline.locals,
    offset: span.start - opening.length,
    lines: line - 1,
  };
}
