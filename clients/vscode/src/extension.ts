// The extension's beginning and end: puts the server, the drawing, the views, the status bar and the commands together.
import type { Status, ViewAnswerMessage } from 'insitu/protocol';
import * as vscode from 'vscode';
import { aboutFile } from './about.ts';
import type { Ask } from './calls.ts';
import { shownSource } from './chips.ts';
import { recordingText } from './choices.ts';
import { placeOf } from './client.ts';
import { askingCommands } from './commands.ts';
import { HintDrawing } from './drawing.ts';
import type { Lines, ServerHint } from './looks.ts';
import { hasNoData, noDataText, WAYS, withTitles } from './no-data.ts';
import { warn } from './notices.ts';
import { openShared } from './open-shared.ts';
import { goTo } from './open-source.ts';
import type { FilterSurroundings } from './path-filter.ts';
import { offerWays } from './picking.ts';
import { showPicturePanel } from './picture-panel.ts';
import { RecordedSources } from './recorded-sources.ts';
import { Server } from './server.ts';
import { shortHashes } from './shown-text.ts';
import { statusText, tagsOf } from './status-text.ts';
import { CallsView, ExecutionsView, HotMethodsView, TasksView } from './views.ts';

/** Changes of data come in bursts; the views take part in one of them. */
const VIEW_PAUSE_MILLIS = 300;

/** Settings that hold from the next start of the server. */
const AT_START = ['insitu.nodePath', 'insitu.drawing'];
/** Settings of the drawing alone. */
const OF_DRAWING = ['insitu.enabled', 'insitu.marks', 'insitu.scale', 'insitu.drawing'];

let running: { readonly stop: () => Promise<void> } | null = null;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const insitu = new Insitu(context);
  running = insitu;
  await insitu.begin();
}

export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}

class Insitu {
  readonly #server: Server;
  readonly #drawing: HintDrawing;
  readonly #bar = vscode.window.createStatusBarItem('insitu.status', vscode.StatusBarAlignment.Right, 90);
  readonly #recordingBar = vscode.window.createStatusBarItem('insitu.recording', vscode.StatusBarAlignment.Right, 89);
  readonly #views: { readonly refresh: () => void }[];
  readonly #calls: CallsView;
  readonly #hot: HotMethodsView;
  readonly #pages = new Pages();
  readonly #sources = new RecordedSources();
  readonly #context: vscode.ExtensionContext;
  #viewTimer: NodeJS.Timeout | undefined;
  /** The Java file that was looked at last decides which data the views show. */
  #document: vscode.TextDocument | undefined;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
    this.#server = new Server(context, contributedSettings(context), {
      refresh: () => this.#drawing.refresh(),
      changed: () => this.#changed(),
    });
    this.#drawing = new HintDrawing({
      ask: (document, lines) => this.#hintsOf(document, lines),
      isFocused: () => this.#server.isFocused,
      drawn: () => this.#showStatus(),
    });
    this.#calls = new CallsView('insitu.calls', this.#askQuietly, this.#ask);
    this.#hot = new HotMethodsView('insitu.methods', this.#askQuietly, () => shownSource(this.#server.status));
    const views = [
      this.#hot,
      this.#calls,
      new ExecutionsView('insitu.executions', this.#askQuietly),
      new TasksView('insitu.tasks', this.#askQuietly),
    ];
    this.#views = views;
    context.subscriptions.push(this.#drawing, this.#bar, this.#recordingBar, this.#server.output, ...views);
  }

  async begin(): Promise<void> {
    this.#bar.name = 'insitu';
    this.#bar.command = 'insitu.status';
    this.#recordingBar.name = 'insitu: recording';
    this.#recordingBar.command = 'insitu.stopRecording';
    this.#lookedAt(vscode.window.activeTextEditor);
    this.#follow();
    this.#registerCommands();
    this.#showStatus();
    await this.#server.restart();
    this.#drawing.refresh();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#viewTimer);
    await this.#server.stop();
  }

  readonly #ask: Ask = <Answer>(operation: string, parameters: object) =>
    this.#server.ask<Answer>(operation, this.#about(operation, parameters));

  /** For requests that the user has not just made: where one fails, or no server runs, the log has it. */
  readonly #askQuietly: FilterSurroundings['askQuietly'] = (operation, parameters, token) =>
    this.#server.request(`insitu/${operation}`, this.#about(operation, parameters), token);

  #about(operation: string, parameters: object): object {
    return aboutFile(operation, parameters, this.#document?.uri.toString() ?? null);
  }

  #hintsOf(document: vscode.TextDocument, { first, last }: Lines): Promise<readonly ServerHint[] | null> {
    const range = { start: { line: first, character: 0 }, end: placeOf(document.lineAt(last).range.end) };
    const textDocument = { uri: document.uri.toString() };
    return this.#server.request<ServerHint[]>('textDocument/inlayHint', { textDocument, range });
  }

  #follow(): void {
    const { subscriptions } = this.#context;
    vscode.workspace.onDidChangeTextDocument(event => this.#drawing.edited(event), null, subscriptions);
    vscode.workspace.onDidCloseTextDocument(document => this.#drawing.closed(document), null, subscriptions);
    vscode.window.onDidChangeVisibleTextEditors(() => this.#drawing.editorsChanged(), null, subscriptions);
    vscode.window.onDidChangeTextEditorVisibleRanges(event => this.#drawing.scrolled(event), null, subscriptions);
    vscode.window.onDidChangeActiveTextEditor(editor => this.#lookedAt(editor), null, subscriptions);
    subscriptions.push(
      vscode.languages.registerHoverProvider(
        { scheme: 'file', language: 'java' },
        { provideHover: (document, position) => this.#drawing.hoverAt(document, position) },
      ),
    );
    vscode.workspace.onDidChangeConfiguration(
      event => {
        if (!event.affectsConfiguration('insitu')) return;
        if (OF_DRAWING.some(key => event.affectsConfiguration(key))) this.#drawing.readSettings();
        if (AT_START.some(key => event.affectsConfiguration(key))) void this.#server.restart();
        else this.#server.settingsChanged();
      },
      null,
      subscriptions,
    );
  }

  #lookedAt(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.languageId === 'java' && editor.document !== this.#document) {
      this.#document = editor.document;
      // The document may belong to another project.
      this.#refreshViews();
    }
    this.#showStatus();
  }

  #changed(): void {
    this.#showStatus();
    this.#showRecordings();
    void vscode.commands.executeCommand('setContext', 'insitu.focused', this.#server.isFocused);
    this.#refreshViews();
  }

  #refreshViews(): void {
    clearTimeout(this.#viewTimer);
    if (this.#server.state !== 'running') return;
    this.#viewTimer = setTimeout(() => {
      for (const view of this.#views) view.refresh();
    }, VIEW_PAUSE_MILLIS);
  }

  #showStatus(): void {
    const document = vscode.window.activeTextEditor?.document;
    const { text, tooltip, alarming, isEmpty } = statusText({
      server: this.#server.state,
      status: this.#server.status,
      hints: document?.languageId === 'java' ? this.#drawing.count(document) : null,
      enabled: vscode.workspace.getConfiguration('insitu').get<boolean>('enabled') !== false,
    });
    this.#bar.text = text;
    this.#bar.tooltip = isEmpty ? withWays(tooltip) : tooltip;
    this.#bar.backgroundColor = alarming ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#bar.show();
  }

  #showRecordings(): void {
    const said = recordingText(this.#server.status?.recordings ?? []);
    this.#recordingBar.text = said?.text ?? '';
    this.#recordingBar.tooltip = said?.tooltip;
    if (said === null) this.#recordingBar.hide();
    else this.#recordingBar.show();
  }

  #took(status: Status | null): void {
    if (status === null) return;
    const problems = status.sources.flatMap(source => source.problems);
    const said = withTitles(shortHashes(problems.join(' '), tagsOf(status)));
    if (hasNoData(status)) void offerWays(noDataText(status));
    else if (said !== '') void warn(`insitu: ${said}`);
    void this.#server.askStatus();
  }

  #registerCommands(): void {
    const took = (status: Status | null): void => this.#took(status);
    const asking = askingCommands({
      ask: this.#ask,
      askQuietly: this.#askQuietly,
      calls: this.#calls,
      took,
      page: (title, html) => this.#pages.show(title, html),
      picture: address => this.#showPicture(address),
      sources: this.#sources.show,
    });
    const own: Record<string, () => unknown> = {
      'insitu.orderHotMethods': () => this.#chooseOrder(),
      'insitu.turnCalls': () => this.#calls.turn(),
      'insitu.refresh': () => this.#server.ask('refresh', {}),
      'insitu.restart': () => this.#server.restart(),
      'insitu.showLog': () => this.#server.output.show(),
      'insitu.toggleHints': () => {
        const configuration = vscode.workspace.getConfiguration('insitu');
        return configuration.update(
          'enabled',
          !configuration.get<boolean>('enabled'),
          vscode.ConfigurationTarget.Global,
        );
      },
      'insitu.status': () => this.#offerActions(),
    };
    const { subscriptions } = this.#context;
    subscriptions.push(
      this.#pages,
      this.#sources,
      vscode.window.registerUriHandler({
        handleUri: async uri => {
          await this.#server.started;
          await openShared({ ask: this.#ask, took }, uri);
        },
      }),
    );
    for (const [id, run] of [...Object.entries(asking), ...Object.entries(own)])
      subscriptions.push(vscode.commands.registerCommand(id, run));
    subscriptions.push(vscode.commands.registerCommand('insitu.goTo', goTo));
  }

  /** Goes on about the file that was looked at when it was opened. */
  #showPicture(address: string): void {
    const folder = vscode.Uri.joinPath(this.#context.extensionUri, 'server', 'web');
    const about = this.#about('view', {});
    showPicturePanel(folder, address, (question, token) =>
      this.#server.request<ViewAnswerMessage>('insitu/view', { ...about, question }, token),
    );
  }

  async #chooseOrder(): Promise<void> {
    const orders = [
      { label: 'Own code', description: 'with the libraries that it calls', order: 'own' },
      { label: 'Self time', description: 'without what it calls', order: 'self' },
      { label: 'Time', description: 'with all that it calls', order: 'total' },
      { label: 'Change', description: 'against what shares are compared with, largest first', order: 'change' },
    ] as const;
    const rows = orders.map(each => ({
      ...each,
      label: each.order === this.#hot.order ? `${each.label} ✓` : each.label,
    }));
    const chosen = await vscode.window.showQuickPick(rows, { title: 'Order hot methods by' });
    if (chosen !== undefined) this.#hot.orderBy(chosen.order);
  }

  /** Offers the actions of a click on the status bar. */
  async #offerActions(): Promise<void> {
    const manifest: { contributes: { commands: { command: string; title: string }[] } } =
      this.#context.extension.packageJSON;
    const titles = new Map(manifest.contributes.commands.map(({ command, title }) => [command, title]));
    const { status } = this.#server;
    const ways = WAYS.map(([, command]) => command);
    const always = ['insitu.refresh', 'insitu.restart', 'insitu.showLog'];
    const withData = [
      ...(this.#server.isFocused ? ['insitu.clearFocus'] : []),
      'insitu.heaviestPathOfAll',
      'insitu.showWholePicture',
      'insitu.showWholeBlueprint',
      ...[
        'insitu.selectExecution',
        'insitu.compareWith',
        'insitu.findings',
        'insitu.moved',
        'insitu.tasks',
        'insitu.selectMetric',
      ],
      ...[
        'insitu.selectThreads',
        'insitu.selectPath',
        'insitu.aspects',
        'insitu.selectWindows',
        'insitu.selectInstances',
      ],
      ...ways,
      'insitu.toggleHints',
      ...always,
    ];
    const isEmpty = hasNoData(status);
    const offered = (isEmpty ? [...ways, ...always] : withData).map(command => ({
      label: titles.get(command) ?? command,
      command,
    }));
    const [source] = status?.sources ?? [];
    const title =
      status !== null && isEmpty
        ? `insitu: ${noDataText(status)}`
        : shortHashes(source?.text ?? 'insitu', source?.tags);
    const chosen = await vscode.window.showQuickPick(offered, { title });
    if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command);
  }
}

/** The text with links that get data. */
function withWays(text: string): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  // Text that is appended as such is not broken between words.
  tooltip.appendMarkdown(text.replace(/[\\`*_{}[\]()<>#+.!|~-]/g, '\\$&'));
  tooltip.appendMarkdown(`\n\n${WAYS.map(([title, command]) => `[${title}](command:${command})`).join(' · ')}`);
  tooltip.isTrusted = { enabledCommands: WAYS.map(([, command]) => command) };
  return tooltip;
}

const PAGE_STYLE = `body { max-width: 60em } th { text-align: left; font-weight: normal; opacity: 0.7 }
  td, th { padding: 0.15em 1.2em 0.15em 0 } td:nth-child(-n+2) { text-align: right } td:nth-child(3) { overflow-wrap: anywhere }`;

/** The page beside the code; a new one takes its place. Nothing in it can run but the command that goes to a place. */
class Pages {
  #panel: vscode.WebviewPanel | null = null;

  show(title: string, html: string): void {
    const options = { enableScripts: false, enableCommandUris: ['insitu.goTo'] };
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = this.#panel ?? vscode.window.createWebviewPanel('insitu.page', title, place, options);
    if (this.#panel === null) panel.onDidDispose(() => (this.#panel = null));
    this.#panel = panel;
    panel.title = title;
    const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
    panel.webview.html = `<!DOCTYPE html><meta charset="utf-8">${policy}<style>${PAGE_STYLE}</style>${html}`;
    panel.reveal(undefined, true);
  }

  dispose(): void {
    this.#panel?.dispose();
  }
}

function contributedSettings({ extension }: vscode.ExtensionContext): string[] {
  const manifest: { contributes: { configuration: { properties: object }[] } } = extension.packageJSON;
  return manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
}
