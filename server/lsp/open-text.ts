// The text of one open document, kept so that neither many changes in one message nor a change in a long text take long.
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { FILE_BYTES_MAX } from '../mapping/source-walk.ts';
import { ChunkedText } from './chunked-text.ts';

export class OpenText {
  readonly uri: string;
  version: number;
  /** In chunks while it is too large to be looked into: it is never put together then. */
  #text: string | ChunkedText;

  static create(uri: string, _language: string, version: number, text: string): OpenText {
    return new OpenText(uri, version, text);
  }

  /** Changes are made one after the other; each one's range is of the text after the one before. */
  static update(document: OpenText, changes: readonly TextDocumentContentChangeEvent[], version: number): OpenText {
    document.version = version;
    document.#text = changed(document.#text, changes);
    return document;
  }

  private constructor(uri: string, version: number, text: string) {
    this.uri = uri;
    this.version = version;
    this.#text = kept(text);
  }

  /** Of one that is too large to be looked into, its size in UTF-8 alone. */
  get text(): string | { readonly bytes: number } {
    return this.#text instanceof ChunkedText ? { bytes: this.#text.bytes } : this.#text;
  }
}

function changed(text: string | ChunkedText, changes: readonly TextDocumentContentChangeEvent[]): string | ChunkedText {
  let chunks = typeof text === 'string' ? new ChunkedText(text) : text;
  for (const change of changes)
    if ('range' in change && change.range !== undefined) chunks.replace(change.range, change.text);
    else chunks = new ChunkedText(change.text);
  return chunks.length > FILE_BYTES_MAX ? chunks : chunks.toString();
}

/** A character takes a byte or more: a text with more characters than the limit has bytes is too large in any case. */
function kept(text: string): string | ChunkedText {
  return text.length > FILE_BYTES_MAX ? new ChunkedText(text) : text;
}
