// The documents that the client has open: takes what it says of them into the workspace.
import { type Connection, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { documentKey, pathOfUri } from '../mapping/file-uris.ts';
import type { Workspace } from '../workspace/state.ts';

export type DocumentReactions = {
  opened(uri: string): void;
  changed(uri: string): void;
  closed(uri: string): void;
};

export class OpenDocuments {
  readonly #documents = new TextDocuments(TextDocument);
  readonly #workspace: Workspace;
  readonly #reactions: DocumentReactions;

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

  #changed(document: TextDocument): void {
    const { uri } = document;
    const isNew = this.#workspace.view().document(uri) === null;
    this.#workspace.apply({ kind: 'documentChanged', uri, path: pathOfUri(uri), text: document.getText() });
    if (isNew) this.#reactions.opened(uri);
    else this.#reactions.changed(uri);
  }

  #closed({ uri }: TextDocument): void {
    this.#workspace.apply({ kind: 'documentClosed', uri });
    const path = pathOfUri(uri);
    // It may be open by another spelling of its address.
    const other = this.#documents.all().find(each => documentKey(each.uri) === documentKey(uri));
    if (other !== undefined)
      this.#workspace.apply({ kind: 'documentChanged', uri: other.uri, path, text: other.getText() });
    if (path !== null) this.#workspace.files.apply([{ path, kind: 'written' }]);
    this.#reactions.closed(uri);
  }
}
