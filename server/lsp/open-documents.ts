// The documents that the client has open: takes what it says of them into the workspace.
import { type Connection, TextDocuments } from 'vscode-languageserver/node';
import { documentKey, pathOfUri } from '../mapping/file-uris.ts';
import type { Workspace } from '../workspace/state.ts';
import { OpenText } from './open-text.ts';

type DocumentReactions = {
  /** Also told where a document has become too large to be looked into, or is so no longer. */
  opened(uri: string): void;
  changed(uri: string): void;
  closed(uri: string): void;
};

export class OpenDocuments {
  readonly #documents = new TextDocuments(OpenText);
  readonly #workspace: Workspace;
  readonly #reactions: DocumentReactions;
  /** By `documentKey`: the addresses by which the client has a document open. */
  readonly #spellings = new Map<string, Set<string>>();

  constructor(workspace: Workspace, reactions: DocumentReactions) {
    this.#workspace = workspace;
    this.#reactions = reactions;
  }

  listen(connection: Connection): void {
    // Opening is told by this event too, and after the one for opening alone.
    this.#documents.onDidChangeContent(({ document }) => this.#changed(document));
    this.#documents.onDidClose(({ document }) => this.#closed(document));
    this.#documents.listen(connection);
  }

  /** Version of a document's text as the client counts; null where it is not open. */
  versionOf(uri: string): number | null {
    return this.#documents.get(uri)?.version ?? null;
  }

  #changed(document: OpenText): void {
    const { uri } = document;
    const key = documentKey(uri);
    this.#spellings.set(key, (this.#spellings.get(key) ?? new Set()).add(uri));
    const before = this.#workspace.stateOf(uri);
    this.#workspace.apply({ kind: 'documentChanged', uri, path: pathOfUri(uri), text: document.text });
    const now = this.#workspace.stateOf(uri);
    if (before !== now) this.#reactions.opened(uri);
    else if (now === 'open') this.#reactions.changed(uri);
  }

  #closed({ uri }: OpenText): void {
    this.#workspace.apply({ kind: 'documentClosed', uri });
    const path = pathOfUri(uri);
    const other = this.#otherSpelling(uri);
    if (other !== undefined) this.#workspace.apply({ kind: 'documentChanged', uri: other.uri, path, text: other.text });
    if (path !== null) this.#workspace.files.apply([{ path, kind: 'written' }]);
    this.#reactions.closed(uri);
  }

  /** A document that was closed may be open by another spelling of its address. */
  #otherSpelling(uri: string): OpenText | undefined {
    const key = documentKey(uri);
    const left = this.#spellings.get(key) ?? new Set();
    left.delete(uri);
    const [spelling] = left;
    if (spelling === undefined) this.#spellings.delete(key);
    return spelling === undefined ? undefined : this.#documents.get(spelling);
  }
}
