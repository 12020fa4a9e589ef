// One connected client: takes its notifications into the workspace, keeps data loaded, and tells it when hints have changed.
import {
  type Connection,
  type Diagnostic,
  type InitializeParams,
  type InitializeResult,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { formatProblem, type Problem } from '../base/problem.ts';
import { regressionDiagnostics } from '../features/diagnostics/regression-diagnostics.ts';
import { staleDiagnostics } from '../features/diagnostics/stale-diagnostics.ts';
import { type Status, sourceStatus, statusOf, withReason } from '../features/status.ts';
import { documentKey, pathOfUri } from '../mapping/file-uris.ts';
import { BaselineTexts } from '../workspace/code/baseline-texts.ts';
import { ProfiledTextKeeper } from '../workspace/code/profiled-text-keeper.ts';
import type { Choice } from '../workspace/data/choice.ts';
import { CommitsOfData } from '../workspace/data/commits-of-data.ts';
import { DataKeeper } from '../workspace/data/data-keeper.ts';
import type { Loader } from '../workspace/data/loader.ts';
import { type Source, sourceKey } from '../workspace/data/source.ts';
import { type Changed, projectFolder, watchStores } from '../workspace/data/store-watch.ts';
import { UnfocusedData } from '../workspace/data/unfocused-data.ts';
import { Workspace } from '../workspace/state.ts';
import { serverCapabilities } from './capabilities.ts';
import { type ClientFeatures, clientFeatures } from './client-features.ts';
import { ConfigurationFiles } from './configuration-files.ts';
import { DiagnosticsPublisher } from './diagnostics.ts';
import type { ServerOptions } from './main.ts';
import type { RequestLog } from './request.ts';
import { registerCodeActionRoutes } from './routes/code-action.ts';
import { registerFileRoutes, watchFiles } from './routes/files.ts';
import { registerLensRoutes } from './routes/lens.ts';
import { offersCallHierarchy, registerNavigationRoutes } from './routes/navigation.ts';
import { registerOperationRoutes } from './routes/operations.ts';
import { registerRoutes } from './routes/routes.ts';
import { ChangeNotifier } from './showing/change-notifier.ts';
import { LoadProgressShower } from './showing/load-progress.ts';
import { NewerData } from './showing/newer-data.ts';
import { Pages } from './showing/pages.ts';
import { Readiness } from './showing/readiness.ts';
import { HintRefresher } from './showing/refresher.ts';
import { beginProgress, type ProgressWindow, type TaskProgress } from './showing/task-progress.ts';
import { editorSettings, foldersOf } from './wire/from-lsp.ts';
import { diagnostic } from './wire/to-lsp.ts';

const WATCH_MILLIS = 2_000;
/** Other files are looked at when the open ones have their first hints. */
const INDEX_AFTER_MILLIS = 200;

export class Session {
  readonly connection: Connection;
  readonly log: RequestLog;
  readonly workspace: Workspace;
  readonly refresher: HintRefresher;
  readonly readiness: Readiness;
  readonly pages: Pages;
  readonly diagnostics: DiagnosticsPublisher;
  readonly unfocused: UnfocusedData;
  features: ClientFeatures = clientFeatures({ capabilities: {} });
  readonly #options: ServerOptions;
  readonly #loader: Loader;
  readonly #keeper: DataKeeper;
  readonly #profiledTexts: ProfiledTextKeeper;
  readonly #baselineTexts: BaselineTexts;
  readonly #commits: CommitsOfData;
  readonly #progressWindow: ProgressWindow;
  readonly #progress: LoadProgressShower;
  readonly #newer: NewerData;
  readonly #notifier: ChangeNotifier;
  readonly #configurationFiles: ConfigurationFiles;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #initialized = Promise.withResolvers<void>();
  readonly #ending = new AbortController();
  readonly #toldProblems = new Set<string>();
  #isInitialized = false;

  constructor(connection: Connection, loader: Loader, options: ServerOptions = {}) {
    this.connection = connection;
    this.#loader = loader;
    this.unfocused = new UnfocusedData(loader);
    this.#options = options;
    this.log = {
      trace: line => connection.tracer.log(line),
      error: line => connection.console.error(`insitu: ${line}`),
    };
    this.workspace = new Workspace(options.overrides);
    this.refresher = new HintRefresher(connection, () => ({
      hints: this.#isInitialized && this.features.refreshesHints,
      lenses: this.#isInitialized && this.features.refreshesLenses,
    }));
    this.#progressWindow = {
      createWorkDoneProgress: () => this.#initialized.promise.then(() => connection.window.createWorkDoneProgress()),
    };
    this.#progress = new LoadProgressShower(this.#progressWindow);
    this.pages = new Pages(connection, () => this.features.showsDocuments);
    this.#configurationFiles = new ConfigurationFiles(this.workspace, this.pages);
    this.#notifier = new ChangeNotifier(
      connection,
      () => this.#isInitialized && this.features.takesNotifications,
      () => this.status(),
    );
    this.#newer = new NewerData(this.workspace, this.pages, (uri, choice) => this.choose(uri, choice));
    this.#keeper = new DataKeeper(this.workspace, this.#loader, {
      started: (source, cancel) => this.#progress.started(source, cancel),
      progress: (source, progress) => this.#progress.progress(source, progress),
      ended: source => this.#loadEnded(source),
    });
    const textChanged = (uri: string) => {
      this.#numbersChanged();
      this.diagnostics.changed(uri);
    };
    this.#profiledTexts = new ProfiledTextKeeper(this.workspace, uri => {
      textChanged(uri);
      this.#baselineTexts.sync();
    });
    this.#commits = new CommitsOfData((source, data) => this.#profiledTexts.commitOf(source, data));
    this.#baselineTexts = new BaselineTexts(
      this.workspace,
      (file, document, data) => this.#profiledTexts.recordedIn(file, document, data),
      textChanged,
    );
    const providers = [
      (uri: string) => this.#codeDiagnostics(uri),
      (uri: string) => this.#configurationFiles.diagnosticsOf(uri),
    ];
    this.workspace.files.learnFrom((file, asking) => this.#profiledTexts.profiledOf(file, asking));
    this.diagnostics = new DiagnosticsPublisher(connection, providers, { onError: this.log.error });
    this.readiness = new Readiness(
      uri =>
        !this.features.refreshesHints ||
        this.#hasNoDataYet(uri) ||
        (uri !== null && this.#profiledTexts.isPending(uri)),
      uri => this.#whenReady(uri),
    );
  }

  /** Registers everything and begins to listen. */
  start(): void {
    this.connection.onInitialize(params => this.#initialize(params));
    this.connection.onInitialized(() => this.#afterHandshake());
    this.connection.onDidChangeConfiguration(({ settings }) => this.#settingsPushed(settings));
    this.connection.onShutdown(() => this.#end());
    this.#documents.onDidChangeContent(({ document }) => {
      const { uri } = document;
      const isNew = this.workspace.view().document(uri) === null;
      this.workspace.apply({ kind: 'documentChanged', uri, path: pathOfUri(uri), text: document.getText() });
      // Opening is told by this event too, and after the one for opening alone.
      if (isNew) this.#sync();
      else this.#profiledTexts.textChanged(uri);
      this.diagnostics.changed(uri);
    });
    this.#documents.onDidClose(({ document }) => {
      this.workspace.apply({ kind: 'documentClosed', uri: document.uri });
      const path = pathOfUri(document.uri);
      const other = this.#documents.all().find(({ uri }) => documentKey(uri) === documentKey(document.uri));
      if (other !== undefined)
        this.workspace.apply({ kind: 'documentChanged', uri: other.uri, path, text: other.getText() });
      if (path !== null) this.workspace.files.apply([{ path, kind: 'written' }]);
      this.#sync();
      this.diagnostics.changed(document.uri);
    });
    this.#documents.listen(this.connection);
    registerRoutes(this);
    registerOperationRoutes(this);
    registerCodeActionRoutes(this);
    registerFileRoutes(this);
    registerNavigationRoutes(this);
    registerLensRoutes(this);
    this.connection.listen();
  }

  /** Reads configuration, repositories and snapshots anew: commits that are fetched move no HEAD. */
  reloadAll(): void {
    this.workspace.apply({ kind: 'configurationFilesChanged' });
    this.#profiledTexts.headMoved();
    this.workspace.files.lookAgain();
    this.#keeper.reloadAll();
    this.#sync();
    void this.#newer.storeChanged();
    this.#numbersChanged();
  }

  /** Reads all snapshots that are shown anew. */
  reloadSources(): void {
    for (const { source } of this.workspace.view().sources) this.#keeper.reload(source);
  }

  /** Shows something else from now on, for the project of the document or the first one. */
  choose(uri: string | null, choice: Choice): void {
    this.#newer.chosen();
    this.readiness.changed();
    this.workspace.apply({ kind: 'choiceChanged', uri, choice });
    this.#sync();
    // Numbers stay what they are until a load ends, which tells of itself.
    if (this.#keeper.isIdle) this.#numbersChanged();
    else this.#notifier.changed();
  }

  status(): Status {
    const newer = (key: string) => this.#newer.textOf(key);
    return statusOf(this.workspace.view(), newer, this.workspace.files.limits, data => this.#commits.of(data));
  }

  /** The same when it is known which commits are shown. */
  async statusWithCommits(): Promise<Status> {
    await this.#commits.learn(this.workspace.view().sources);
    return this.status();
  }

  /** Version of an open document's text as the client counts; null where it is not open. */
  versionOf(uri: string): number | null {
    return this.#documents.get(uri)?.version ?? null;
  }

  beginProgress(title: string, cancel: () => void): TaskProgress {
    return beginProgress(this.#progressWindow, title, cancel);
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.features = clientFeatures(params);
    this.workspace.apply({ kind: 'foldersChanged', folders: foldersOf(params) });
    this.#applySettings(params.initializationOptions);
    this.#sync();
    const { version } = this.#options;
    const serverInfo = version === undefined ? { name: 'insitu' } : { name: 'insitu', version };
    return { capabilities: serverCapabilities({ callHierarchy: this.#offersCallHierarchy() }), serverInfo };
  }

  #offersCallHierarchy(): boolean {
    const setting = this.workspace.view().configuration(null)?.settings.callHierarchy ?? 'auto';
    return offersCallHierarchy(setting, this.features.name);
  }

  async #afterHandshake(): Promise<void> {
    this.#isInitialized = true;
    this.#initialized.resolve();
    this.#numbersChanged();
    if (this.features.changesFolders)
      this.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.flatMap(({ uri }) => pathOfUri(uri) ?? []));
        const come = added.flatMap(({ uri }) => pathOfUri(uri) ?? []);
        const folders = [...this.workspace.view().folders.filter(folder => !gone.has(folder)), ...come];
        this.workspace.apply({ kind: 'foldersChanged', folders });
        this.#sync();
      });
    if (this.features.watchesFiles) watchFiles(this);
    void this.#watch();
    await this.#pullSettings();
    await this.#askForTrust();
  }

  async #pullSettings(): Promise<void> {
    if (!this.features.givesConfiguration) return;
    // A client that announces it but cannot answer leaves what initializationOptions said.
    const sent: unknown = await this.connection.workspace.getConfiguration('insitu').catch(() => null);
    if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > 0) this.#settingsChanged(sent);
  }

  #settingsPushed(settings: unknown): void {
    if (typeof settings === 'object' && settings !== null && 'insitu' in settings) this.#settingsChanged(settings);
    else void this.#pullSettings();
  }

  #settingsChanged(sent: unknown): void {
    this.readiness.changed();
    this.#applySettings(sent);
    this.#sync();
    this.#numbersChanged();
    this.#diagnoseAll();
  }

  #applySettings(sent: unknown): void {
    const { value, problems } = editorSettings(sent);
    this.#tellProblems(problems);
    this.workspace.apply({ kind: 'editorSettingsChanged', settings: value });
  }

  #sync(): void {
    this.#keeper.sync();
    this.#profiledTexts.sync();
    this.#tellProblems(this.workspace.view().configurationProblems);
    for (const uri of this.#configurationFiles.uris()) this.diagnostics.changed(uri);
    if (this.#isInitialized) void this.#askForTrust();
  }

  async #askForTrust(): Promise<void> {
    if (!(await this.#configurationFiles.askForTrust())) return;
    this.workspace.apply({ kind: 'configurationFilesChanged' });
    this.#sync();
    this.#numbersChanged();
  }

  /** What clients show of numbers is out of date. */
  #numbersChanged(): void {
    this.refresher.changed();
    this.#notifier.changed();
  }

  #loadEnded(source: Source): void {
    this.#progress.ended(source);
    const key = sourceKey(source);
    const { sources, loads } = this.workspace.view();
    const wanted = sources.find(other => other.key === key);
    const load = wanted ?? loads.find(other => other.key === key);
    if (load === undefined) return;
    if (wanted !== undefined) this.connection.console.info(`insitu: ${withReason(sourceStatus(wanted)).join('; ')}`);
    this.#tellProblems(load.state?.problems ?? []);
    this.#profiledTexts.sync();
    this.#baselineTexts.sync();
    this.#diagnoseAll();
    void this.#newer.loaded();
    // After the hints that wait for these data.
    if (load.state?.data) setTimeout(() => this.workspace.files.begin(), INDEX_AFTER_MILLIS).unref();
    this.refresher.dataChanged();
    this.#notifier.changed();
  }

  #codeDiagnostics(uri: string): Diagnostic[] {
    const document = this.workspace.view().document(uri);
    if (document === null) return [];
    const found = [...staleDiagnostics(document), ...regressionDiagnostics(document)];
    return found.map(each => diagnostic(each, document.outline));
  }

  #diagnoseAll(): void {
    const open = this.workspace.view().openFiles.map(({ uri }) => uri);
    this.diagnostics.changedAll([...open, ...this.#configurationFiles.uris()]);
  }

  /** Into the client's log, each once: a popup at every reload would teach people to switch insitu off. */
  #tellProblems(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const line = `insitu: ${formatProblem(problem)}`;
      if (this.#toldProblems.has(line)) continue;
      this.#toldProblems.add(line);
      if (problem.severity === 'error') this.connection.console.error(line);
      else if (problem.severity === 'warning') this.connection.console.warn(line);
      else this.connection.console.info(line);
    }
  }

  /** Some clients that are told of new hints later do not draw them over an empty answer for the same text. */
  #hasNoDataYet(uri: string | null): boolean {
    const view = this.workspace.view();
    const state = uri === null ? view.sources[0]?.state : view.document(uri)?.state;
    return state?.kind === 'loading' && state.data === null;
  }

  /** A document waits for its own data and its own recorded text, not for those of all others. */
  async #whenReady(uri: string | null): Promise<void> {
    const isOpen = uri !== null && this.workspace.view().document(uri) !== null;
    if (!isOpen) await this.#keeper.whenIdle();
    else await this.#keeper.whenLoaded(() => this.#loadsFor(uri));
    await (isOpen ? this.#profiledTexts.whenKnown(uri) : this.#profiledTexts.whenIdle());
  }

  /** Keys of a document's source and of what it is compared with. */
  #loadsFor(uri: string): string[] {
    const view = this.workspace.view();
    const source = view.document(uri)?.source ?? null;
    if (source === null) return [];
    const key = sourceKey(source);
    const baseline = view.sources.find(wanted => wanted.key === key)?.baseline?.load?.key;
    return baseline === undefined ? [key] : [key, baseline];
  }

  #watch(): Promise<void> {
    const watched = () => {
      const { sources } = this.workspace.view();
      const folders = sources.flatMap(({ source, key }) => {
        const path = projectFolder(source);
        return path === null ? [] : [{ path, stamp: this.#keeper.stampOf(key) }];
      });
      return { folders, files: [...sources.flatMap(({ files }) => files), ...this.#profiledTexts.headPlaces()] };
    };
    const pause = this.#options.watchMillis ?? WATCH_MILLIS;
    return watchStores(watched, changed => this.#changedOutside(changed), pause, this.#ending.signal);
  }

  #changedOutside({ folders, files }: Changed): void {
    const heads = this.#profiledTexts.headPlaces().filter(({ path }) => files.has(path));
    if (heads.length > 0) this.#headMoved();
    if (files.size > heads.length) {
      this.workspace.apply({ kind: 'configurationFilesChanged' });
      this.#sync();
      this.#numbersChanged();
      this.#diagnoseAll();
    }
    for (const { source } of this.workspace.view().sources)
      if (folders.has(projectFolder(source) ?? '')) this.#keeper.reload(source);
    if (folders.size > 0) void this.#newer.storeChanged();
  }

  /** Another commit is checked out: another version may be the one to show, and files may have other names in it. */
  #headMoved(): void {
    this.readiness.changed();
    this.#profiledTexts.headMoved();
    this.workspace.files.lookAgain();
    for (const { source } of this.workspace.view().sources)
      if (source.repository !== undefined) this.#keeper.reload(source);
  }

  #end(): void {
    this.#ending.abort();
    this.pages.close();
    this.#notifier.close();
    this.#progress.close();
    this.#profiledTexts.close();
    this.diagnostics.close();
    this.workspace.files.close();
    this.refresher.close();
    this.#loader.close();
  }
}
