// What the connected client can do, read once from its capabilities.
import type { InitializeParams } from 'vscode-languageserver/node';

export type ClientFeatures = {
  /** Asks for hints again when told to; without it the first answer has to be complete. */
  readonly refreshesHints: boolean;
  /** Answers workspace/configuration. */
  readonly givesConfiguration: boolean;
  /** Sends workspace/didChangeWorkspaceFolders. */
  readonly changesFolders: boolean;
  /** Can be asked to tell of changes to files. */
  readonly watchesFiles: boolean;
  /** Shows Markdown in hover; plain text is sent otherwise. */
  readonly rendersMarkdown: boolean;
};

export function clientFeatures({ capabilities }: Pick<InitializeParams, 'capabilities'>): ClientFeatures {
  const { workspace, textDocument } = capabilities;
  const formats = textDocument?.hover?.contentFormat;
  return {
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    givesConfiguration: workspace?.configuration === true,
    changesFolders: workspace?.workspaceFolders === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    rendersMarkdown: formats === undefined || formats.includes('markdown'),
  };
}
