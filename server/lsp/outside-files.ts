// Takes over what happens to Java files outside the editor, and which folders are open, as far as the client tells.
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type DidChangeWatchedFilesRegistrationOptions,
  FileChangeType,
} from 'vscode-languageserver/node';
import { pathOfUri } from '../mapping/file-uris.ts';
import type { Workspace } from '../workspace/state.ts';

/** Some clients send these unasked, the others do once they are asked. */
export function takeFileChanges(connection: Connection, workspace: Workspace): void {
  connection.onDidChangeWatchedFiles(({ changes }) => {
    workspace.files.apply(
      changes.flatMap(({ uri, type }) => {
        const path = pathOfUri(uri);
        return path === null ? [] : [{ path, kind: type === FileChangeType.Deleted ? 'deleted' : 'written' }];
      }),
    );
  });
}

/** Asks for them; a client that refuses is one that does not tell. */
export function watchFiles(connection: Connection): void {
  const options: DidChangeWatchedFilesRegistrationOptions = { watchers: [{ globPattern: '**/*.java' }] };
  connection.client.register(DidChangeWatchedFilesNotification.type, options).catch(() => {});
}

/** Takes in which folders the client opens and closes; `changed` is called after each change. */
export function takeFolderChanges(connection: Connection, workspace: Workspace, changed: () => void): void {
  connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    const gone = new Set(removed.flatMap(({ uri }) => pathOfUri(uri) ?? []));
    const come = added.flatMap(({ uri }) => pathOfUri(uri) ?? []);
    const folders = [...workspace.view().folders.filter(folder => !gone.has(folder)), ...come];
    workspace.apply({ kind: 'foldersChanged', folders });
    changed();
  });
}
