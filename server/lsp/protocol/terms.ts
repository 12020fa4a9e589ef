// The terms of all of insitu's own messages, beside the terms of answers: places, names of methods, and subjects of questions.

import type { MethodName, Position, TextDocumentIdentifier } from '../../features/answers/answer-types.ts';

/** The subject of a question: the declaration or call at a position, or a runtime method. */
export type Subject =
  | { readonly textDocument: TextDocumentIdentifier; readonly position: Position }
  | { readonly textDocument?: TextDocumentIdentifier; readonly method: MethodName };

/** The data that a question is about: the data of a document, or of the workspace's first source. */
export type About = { readonly textDocument?: TextDocumentIdentifier };
