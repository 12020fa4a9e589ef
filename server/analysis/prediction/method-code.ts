// The code of one method, read from its text alone: a prediction needs no outline of the file.
import type { Span } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';

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
};

/** Offsets and lines of the statements are those of `text`. */
export type MethodCode = {
  readonly text: string;
  readonly statements: readonly Statement[];
  /** Offset of `text` in the file. */
  readonly offset: number;
  readonly lines: number;
};

/** @param file the text in which the method stands */
export function readMethod(file: string, { name, isConstructor, span, line }: WrittenMethod): MethodCode {
  // Constructors are told by the name of their class.
  const opening = `class ${isConstructor ? name : 'A'} {`;
  const text = `${opening}${file.slice(span.start, span.end)}}`;
  const outline = outlineOf(text, 'A.java');
  const found = outline.declarations.find(({ parent, kind }) => parent === 0 && kind !== 'field');
  const statements = found === undefined ? [] : statementsOf(text, outline, found);
  return { text, statements, offset: span.start - opening.length, lines: line - 1 };
}
