// The text of one open document, kept so that neither many changes in one message nor a change in a long text take long.
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { FILE_BYTES_MAX } from '../mapping/source-walk.ts';
import { ChunkedText } from './chunked-text.ts';

/** Each change makes a plain text anew; more than these in one message are applied to chunks. */
const MOST_PLAIN_CHANGES = 8;

export class OpenText {
  readonly uri: string;
  version: number;
  /** In chunks while it is too large to be looked into: it is never put together then. */
  #text: TextDocument | ChunkedText;

  static create(uri: string, _language: string, version: number, text: string): OpenText {
    return new OpenText(uri, version, text);
  }

  /** Changes are made one after the other; each one's range is of the text after the one before. */
  static update(document: OpenText, changes: readonly TextDocumentContentChangeEvent[], version: number): OpenText {
    document.#change(changes, version);
    return document;
  }

  private constructor(uri: string, version: number, text: string) {
    this.uri = uri;
    this.version = version;
    this.#text = this.#keep(text);
  }

  /** Of one that is too large to be looked into, its size in UTF-8 alone. */
  get text(): string | { readonly bytes: number } {
    return this.#text instanceof ChunkedText ? { bytes: this.#text.bytes } : this.#text.getText();
  }

  #change(changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    this.version = version;
    if (!(this.#text instanceof ChunkedText) && changes.length <= MOST_PLAIN_CHANGES) {
      const { length } = TextDocument.update(this.#text, [...changes], version).getText();
      if (length > FILE_BYTES_MAX) this.#text = new ChunkedText(this.#text.getText());
      return;
    }
    let chunks = this.#text instanceof ChunkedText ? this.#text : new ChunkedText(this.#text.getText());
    for (const change of changes)
      if ('range' in change && change.range !== undefined) chunks.replace(change.range, change.text);
      else chunks = new ChunkedText(change.text);
    this.#text = chunks.length > FILE_BYTES_MAX ? chunks : this.#keep(chunks.toString());
  }

  /** A character takes a byte or more: a text with more characters than the limit has bytes is too large in any case. */
  #keep(text: string): TextDocument | ChunkedText {
    if (text.length > FILE_BYTES_MAX) return new ChunkedText(text);
    return TextDocument.create(this.uri, 'java', this.version, text);
  }
}
