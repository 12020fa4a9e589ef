// What all of insitu's own messages are made of, beside the terms of answers: places, names of methods, and what a question is about.

/** As in the Language Server Protocol: 0-based line and UTF-16 character. */
export type Position = { readonly line: number; readonly character: number };

export type Range = { readonly start: Position; readonly end: Position };

export type Location = { readonly uri: string; readonly range: Range };

export type TextDocumentIdentifier = { readonly uri: string };

/** Names a runtime method; what one answer gives can be asked about in the next. */
export type MethodName = {
  readonly className: string;
  readonly name: string;
  /** JVM descriptor, null where the recording has none. */
  readonly descriptor: string | null;
};

/** What became of a declaration since it was recorded. */
export type StateName = 'unchanged' | 'moved' | 'renamed' | 'changed' | 'new' | 'affected' | 'unknown';

/** The subject of a question: what stands at a position, or a runtime method. */
export type Subject =
  | { readonly textDocument: TextDocumentIdentifier; readonly position: Position }
  | { readonly textDocument?: TextDocumentIdentifier; readonly method: MethodName };

/** The data that a question is about: those of a document, or of the workspace's first source. */
export type About = { readonly textDocument?: TextDocumentIdentifier };
