// The abilities that the server offers when it starts, nearly the same to every client; hierarchy-offer.ts offers the ones that some take only later.
import { PositionEncodingKind, type ServerCapabilities, TextDocumentSyncKind } from 'vscode-languageserver/node';

/**
 * A kind of its own: neither a fix nor a refactoring, for which editors show a light bulb or run on saving, nor of `source`, which
 * some leave out of the menu.
 */
export const CODE_ACTION_KIND = 'insitu';

/** Capabilities that only some clients are offered. */
type OfferedFeatures = {
  /** Some clients show one call hierarchy a language only: ours would take the place of another. */
  readonly callHierarchy: boolean;
  /** Names of commands. */
  readonly commands: readonly string[];
};

export function serverCapabilities({ callHierarchy, commands }: OfferedFeatures): ServerCapabilities {
  return {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
    inlayHintProvider: { resolveProvider: false },
    hoverProvider: true,
    codeLensProvider: { resolveProvider: false },
    codeActionProvider: { codeActionKinds: [CODE_ACTION_KIND], resolveProvider: false },
    implementationProvider: true,
    ...(callHierarchy && { callHierarchyProvider: true }),
    executeCommandProvider: { commands: [...commands] },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  };
}
