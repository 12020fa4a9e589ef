// The language client: what it tells the server, and which of its library's parts the extension does itself.
import * as vscode from 'vscode';
import {
  type ClientCapabilities,
  type InitializeParams,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
} from 'vscode-languageclient/node';
import { isCompared, LINKED_COMMANDS, linkLine, withCodeLinks } from './links.ts';
import { withTitles } from './no-data.ts';
import { showSource } from './open-source.ts';
import { givenSettings, serverKeys } from './settings.ts';

/** How the server is started. */
export type ServerProgram = { readonly node: string; readonly script: string };

export type ClientWishes = {
  readonly program: ServerProgram;
  readonly output: vscode.LogOutputChannel;
  /** Settings of package.json, with `insitu.` before them. */
  readonly contributed: readonly string[];
  readonly isFocused: () => boolean;
};

type Feature = Parameters<LanguageClient['registerFeature']>[0];

/** Leaves inlay hints to the editor. */
export class InsituClient extends LanguageClient {
  constructor(wishes: ClientWishes) {
    super('insitu', 'insitu', serverOptions(wishes.program), clientOptions(wishes));
  }

  override registerFeature(feature: Feature): void {
    if (!('registrationType' in feature && this.doesItself(feature.registrationType.method)))
      super.registerFeature(feature);
  }

  /** The base class asks while it is being constructed, so this may depend on nothing but the class. */
  protected doesItself(method: string): boolean {
    // The library would register the server's commands under the names of the extension's own.
    return method === 'workspace/executeCommand';
  }

  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    // The server knows editors that are made from VS Code by this beginning.
    params.clientInfo = { name: `Visual Studio Code (${vscode.env.appName})`, version: vscode.version };
  }
}

/** Draws hints itself, and asks for them itself. */
export class DrawingClient extends InsituClient {
  constructor(wishes: ClientWishes, refresh: () => void) {
    super(wishes);
    this.registerFeature({
      fillClientCapabilities: (capabilities: ClientCapabilities): void => {
        capabilities.textDocument = { ...capabilities.textDocument, inlayHint: {} };
        capabilities.workspace = { ...capabilities.workspace, inlayHint: { refreshSupport: true } };
      },
      initialize: (): void => {
        this.onRequest('workspace/inlayHint/refresh', () => {
          refresh();
          return null;
        });
      },
      getState: () => ({ kind: 'static' }),
      clear: (): void => {},
    });
  }

  protected override doesItself(method: string): boolean {
    return super.doesItself(method) || method === 'textDocument/inlayHint';
  }
}

function serverOptions({ node, script }: ServerProgram): ServerOptions {
  // The library hands on only these variables. The editor's own program is Node.js only when it is told so.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return { command: node, args: [script, '--stdio'], options: { env } };
}

/** The settings that the user has set, as they are now. */
export function settingsNow(contributed: readonly string[]): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration('insitu');
  return givenSettings(serverKeys(contributed), key => configuration.inspect(key));
}

function clientOptions({ output, contributed, isFocused }: ClientWishes): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: 'file', language: 'java' },
      { scheme: 'file', pattern: '**/insitu.json' },
    ],
    outputChannel: output,
    // Failures are told by the status bar, and by the log.
    revealOutputChannelOn: 4,
    initializationOptions: () => ({ insitu: { ...settingsNow(contributed), notifications: true, graphics: true } }),
    markdown: { isTrusted: { enabledCommands: LINKED_COMMANDS } },
    middleware: {
      workspace: {
        configuration: ({ items }) =>
          items.map(({ section }) => (section === 'insitu' ? settingsNow(contributed) : null)),
      },
      window: {
        showDocument: async (params, token, next) => {
          if (params.external === true || params.takeFocus === false) return next(params, token);
          const { start, end } = params.selection ?? {};
          const place = start && end && new vscode.Range(start.line, start.character, end.line, end.character);
          await showSource(vscode.Uri.parse(params.uri), place);
          return { success: true };
        },
      },
      provideHover: async (document, position, token, next) => {
        const hover = await next(document, position, token);
        const first = hover?.contents[0];
        if (first instanceof vscode.MarkdownString) {
          const subject = { textDocument: { uri: document.uri.toString() }, position: placeOf(position) };
          first.value = `${linkLine(subject, { focused: isFocused(), compared: isCompared(first.value) })}\n\n${withCodeLinks(withTitles(first.value))}`;
        }
        return hover;
      },
    },
  };
}

/** A position as the protocol writes it: an editor's own object has further fields. */
export function placeOf({ line, character }: vscode.Position): { line: number; character: number } {
  return { line, character };
}
