// The abilities of the connected client, read once from its capabilities.
import type { InitializeParams } from 'vscode-languageserver/node';

export type ClientFeatures = {
  /** As it calls itself; empty where it does not say. */
  readonly name: string;
  /** Asks for hints at all. */
  readonly listsHints: boolean;
  /** Asks for hints again when told to; without it the first answer has to be complete. */
  readonly refreshesHints: boolean;
  /** The same for code lenses. */
  readonly refreshesLenses: boolean;
  /** Is known to run the command of a hint's label. */
  readonly runsHintCommands: boolean;
  /** Draws word-sized graphics from what hints carry. */
  readonly drawsGraphics: boolean;
  /** Answers workspace/configuration. */
  readonly givesConfiguration: boolean;
  /** Sends workspace/didChangeWorkspaceFolders. */
  readonly changesFolders: boolean;
  /** Can be asked to tell of changes to files. */
  readonly watchesFiles: boolean;
  /** Shows Markdown in hover; plain text is sent otherwise. */
  readonly rendersMarkdown: boolean;
  /** Opens links of a hover. Neovim hides their addresses but breaks lines as if they were there, and opens them elsewhere. */
  readonly followsLinks: boolean;
  /** Shows the detail of a call hierarchy's entry. Neovim lists names alone, and asks with details which entry is meant. */
  readonly listsDetails: boolean;
  /** Shows one call hierarchy a language, so that ours would take the place of the Java server's. */
  readonly showsOneHierarchy: boolean;
  /** Call hierarchies can be offered and taken back while the server runs. */
  readonly registersHierarchies: boolean;
  /** Opens documents when told to. */
  readonly showsDocuments: boolean;
  /** Wants `insitu/dataChanged`. */
  readonly takesNotifications: boolean;
};

/** VS Code and what is made from it, and JetBrains' editors, in which LSP4IJ calls itself by the name of the editor. */
const RUN_HINT_COMMANDS =
  /Visual Studio Code|VSCodium|Code - OSS|Cursor|LSP4IJ|IntelliJ|JetBrains|Android Studio|PyCharm|WebStorm|GoLand/i;

export function clientFeatures({
  capabilities,
  clientInfo,
  initializationOptions,
}: Pick<InitializeParams, 'capabilities' | 'clientInfo' | 'initializationOptions'>): ClientFeatures {
  const { workspace, textDocument, window, experimental } = capabilities;
  const formats: unknown = textDocument?.hover?.contentFormat;
  return {
    name: clientInfo?.name ?? '',
    listsHints: textDocument?.inlayHint !== undefined || workspace?.inlayHint !== undefined,
    refreshesHints: workspace?.inlayHint?.refreshSupport === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    runsHintCommands: RUN_HINT_COMMANDS.test(clientInfo?.name ?? ''),
    drawsGraphics: isTrue(initializationOptions, 'insitu', 'graphics'),
    givesConfiguration: workspace?.configuration === true,
    changesFolders: workspace?.workspaceFolders === true,
    watchesFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    rendersMarkdown: !Array.isArray(formats) || formats.includes('markdown'),
    followsLinks: !/^Neovim/i.test(clientInfo?.name ?? ''),
    listsDetails: !/^Neovim/i.test(clientInfo?.name ?? ''),
    showsOneHierarchy: /^(?:Visual Studio Code|VSCodium|Code - OSS|Cursor)/.test(clientInfo?.name ?? ''),
    registersHierarchies: textDocument?.callHierarchy?.dynamicRegistration === true,
    showsDocuments: window?.showDocument?.support === true,
    takesNotifications:
      isTrue(initializationOptions, 'insitu', 'notifications') || isTrue(experimental, 'insitu', 'dataChanged'),
  };
}

/** Whether `true` stands under the keys, one inside the other. */
function isTrue(value: unknown, ...keys: readonly string[]): boolean {
  let inner = value;
  for (const key of keys) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return false;
    inner = (inner as Readonly<Record<string, unknown>>)[key];
  }
  return inner === true;
}
