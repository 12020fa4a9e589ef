// What the server offers when it starts, nearly the same to every client; what some take only later is offered by hierarchy-offer.ts.
import { PositionEncodingKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { COMMANDS } from './operations/table.ts';
import { CODE_ACTION_KIND } from './routes/code-action.ts';

/** What is part of it only for some. */
export type OfferedFeatures = {
  /** Some clients show one call hierarchy a language only: ours would take the place of another. */
  readonly callHierarchy: boolean;
};

export function serverCapabilities({ callHierarchy }: OfferedFeatures): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
    inlayHintProvider: { resolveProvider: false },
    hoverProvider: true,
    codeLensProvider: { resolveProvider: false },
    codeActionProvider: { codeActionKinds: [CODE_ACTION_KIND], resolveProvider: false },
    implementationProvider: true,
    ...(callHierarchy && { callHierarchyProvider: true }),
    executeCommandProvider: { commands: [...COMMANDS] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
