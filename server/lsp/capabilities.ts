// What the server offers, the same to every client: nothing is registered later, because not every client allows it.
import { PositionEncodingKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { COMMANDS } from './operations/table.ts';

export function serverCapabilities(): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
    inlayHintProvider: { resolveProvider: false },
    hoverProvider: true,
    executeCommandProvider: { commands: [...COMMANDS] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
