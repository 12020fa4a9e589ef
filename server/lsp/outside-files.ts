// Takes over what happens to Java files outside the editor, as far as the client tells.
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
