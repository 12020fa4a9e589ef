// Takes over what happens to Java files outside the editor, as far as the client tells.
import {
  DidChangeWatchedFilesNotification,
  type DidChangeWatchedFilesRegistrationOptions,
  FileChangeType,
} from 'vscode-languageserver/node';
import { pathOfUri } from '../../mapping/file-uris.ts';
import type { Session } from '../session.ts';

/** Some clients send these unasked, the others do once they are asked. */
export function registerFileRoutes({ connection, workspace }: Session): void {
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
export function watchFiles({ connection }: Session): void {
  const options: DidChangeWatchedFilesRegistrationOptions = { watchers: [{ globPattern: '**/*.java' }] };
  connection.client.register(DidChangeWatchedFilesNotification.type, options).catch(() => {});
}
