// One connected client: takes its notifications into the workspace, keeps data loaded, and tells it when hints have changed.

import type { Connection, InitializeParams, InitializeResult } from 'vscode-languageserver/node';
import type { TransferableData } from '../analysis/loaded-data.ts';
import { QuestionThread } from '../analysis/question-thread.ts';
import { inTurns } from '../base/pause.ts';
import { printableLine } from '../base/printable.ts';
import type { Outcome, Problem } from '../base/problem.ts';
import { allClaims } from '../features/facts/class-claims.ts';
import type { KeptHints } from '../features/hints/final-hints.ts';
import { sourceStatus, withReason } from '../features/status.ts';
import { pathOfUri } from '../mapping/file-uris.ts';
import { PairingKeeper } from '../workspace/code/pairing-keeper.ts';
import { ProfiledTextKeeper } from '../workspace/code/profiled-text-keeper.ts';
import type { Choice } from '../workspace/data/choice.ts';
import { DataKeeper } from '../workspace/data/data-keeper.ts';
import type { Loader } from '../workspace/data/loader.ts';
import { type Source, sourceKey } from '../workspace/data/source.ts';
import { KeptOutline } from '../workspace/document/kept-outline.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { Workspace } from '../workspace/state.ts';
import { serverCapabilities } from './capabilities.ts';
import { type ClientFeatures, clientFeatures } from './client-features.ts';
import { ClientSettings } from './client-settings.ts';
import { codeDiagnostics } from './code-diagnostics.ts';
import { ConfigurationFiles } from './configuration-files.ts';
import { limitDiagnostics } from './limit-diagnostics.ts';
import { OpenDocuments } from './open-documents.ts';
import { takeFileChanges, takeFolderChanges, watchFiles } from './outside-files.ts';
import { OutsideWatch } from './outside-watch.ts';
import { PicturePages } from './pictures/picture-pages.ts';
import { DiagnosticsPublisher } from './publish-diagnostics.ts';
import { Recordings } from './recording/started-recordings.ts';
import type { RequestLog } from './request.ts';
import type { ServerOptions } from './server-options.ts';
import { ChangeNotifier } from './showing/change-notifier.ts';
import { HierarchyOffer } from './showing/hierarchy-offer.ts';
import { HintNeeds } from './showing/hint-needs.ts';
import { Later } from './showing/later.ts';
import { LoadProgressShower } from './showing/load-progress.ts';
import { NewerData } from './showing/newer-data.ts';
import { Pages } from './showing/pages.ts';
import { Predictions } from './showing/predictions.ts';
import { ProblemLog } from './showing/problem-log.ts';
import { Readiness } from './showing/readiness.ts';
import { HintRefresher } from './showing/refresher.ts';
import { ShownFindings } from './showing/shown-findings.ts';
import { ShownStatus } from './showing/shown-status.ts';
import { beginProgress, type ProgressWindow, type TaskProgress } from './showing/task-progress.ts';
import { TrackRecords } from './showing/track-records.ts';
import { foldersOf } from './wire/from-lsp.ts';

const WATCH_MILLIS = 2_000;
/** The same while a page of pictures is looked at, which is to follow a recorder. */
const WATCHED_MILLIS = 500;
/** Other files are looked at when the open ones have their first hints. */
const INDEX_AFTER_MILLIS = 200;

export class Session {
  readonly connection: Connection;
  readonly log: RequestLog;
  readonly workspace: Workspace;
  readonly refresher: HintRefresher;
  readonly needs: HintNeeds;
  readonly readiness: Readiness;
  readonly pages: Pages;
  readonly diagnostics: DiagnosticsPublisher;
  readonly questions = new QuestionThread();
  /** The state that answers with hints and lenses leave to the next ones. */
  readonly later: Later;
  /** By address: the last hints of each open document, from which the next ones are made. */
  readonly hints = new Map<string, KeptHints>();
  readonly #trackRecords = new TrackRecords(() => {
    this.hints.clear();
    this.predictions.clear();
    this.refresher.changed();
    this.#diagnoseAll();
  });
  readonly predictions: Predictions;
  readonly findings: ShownFindings;
  /** The recordings that the user started from here. */
  readonly recordings: Recordings;
  readonly pictures: PicturePages;
  readonly status: ShownStatus;
  features: ClientFeatures = clientFeatures({ capabilities: {} });
  readonly #options: ServerOptions;
  readonly #loader: Loader;
  readonly #keeper: DataKeeper;
  readonly #profiledTexts: ProfiledTextKeeper;
  readonly #pairings: PairingKeeper;
  readonly #progressWindow: ProgressWindow;
  readonly #progress: LoadProgressShower;
  readonly #newer: NewerData;
  readonly #hierarchy: HierarchyOffer;
  readonly #notifier: ChangeNotifier;
  readonly #settings: ClientSettings;
  readonly #configurationFiles: ConfigurationFiles;
  readonly #outside: OutsideWatch;
  readonly #documents: OpenDocuments;
  readonly #initialized = Promise.withResolvers<void>();
  readonly #ending = new AbortController();
  readonly #problemLog: ProblemLog;
  /** The configurations that held when a document was opened or closed last. */
  #configurations: readonly Configuration[] = [];
  #isInitialized = false;

  constructor(connection: Connection, loader: Loader, options: ServerOptions = {}) {
    this.connection = connection;
    this.#loader = loader;
    this.#options = options;
    this.log = {
      trace: line => connection.tracer.log(line),
      error: line => connection.console.error(`insitu: ${printableLine(line)}`),
    };
    this.predictions = new Predictions({
      ...{ questions: this.questions, records: this.#trackRecords, log: this.log },
      changed: () => this.refresher.changed(),
    });
    this.findings = new ShownFindings(this.questions, this.log);
    this.later = new Later(this.log);
    this.pictures = new PicturePages(this.log);
    this.#problemLog = new ProblemLog(connection.console);
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
    this.#hierarchy = new HierarchyOffer(connection, this.pages);
    this.#settings = new ClientSettings(connection, {
      workspace: this.workspace,
      canAsk: () => this.features.givesConfiguration,
      tell: problems => this.#problemLog.tell(problems),
      changed: () => this.#settingsChanged(),
    });
    this.#configurationFiles = new ConfigurationFiles(this.workspace, this.pages);
    this.#notifier = new ChangeNotifier(
      connection,
      () => this.#isInitialized && this.features.takesNotifications,
      () => this.status.now(),
    );
    this.recordings = new Recordings({
      changed: () => this.#notifier.changed(),
      tell: text => this.pages.tell(`insitu: ${text}`),
    });
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
      this.#pairings.sync();
    });
    this.status = new ShownStatus(this.workspace, this.#profiledTexts, this.#newer, this.recordings);
    this.#pairings = new PairingKeeper(this.workspace, this.#profiledTexts, this.questions, () => {
      this.#numbersChanged();
      this.#diagnoseAll();
    });
    const providers = [
      (uri: string) => codeDiagnostics(this, uri),
      (uri: string) => limitDiagnostics(this, uri),
      (uri: string) => this.#configurationFiles.diagnosticsOf(uri),
    ];
    this.workspace.files.learnFrom((file, asking) => this.#profiledTexts.profiledOf(file, asking));
    this.diagnostics = new DiagnosticsPublisher(connection, providers, { onError: this.log.error });
    this.needs = new HintNeeds(this.workspace, this.#keeper, this.#profiledTexts);
    // Some clients that are told of new hints later do not draw them over an empty answer for the same text.
    this.readiness = new Readiness(
      uri => !this.features.refreshesHints || this.needs.areMissing(uri),
      uri => (this.features.refreshesHints ? this.needs.whenMet(uri) : this.whenPaired(uri)),
    );
    this.#outside = this.#watchOutside();
    this.#documents = new OpenDocuments(this.workspace, {
      opened: uri => this.#openedOrClosed(uri),
      changed: uri => {
        this.#profiledTexts.textChanged(uri);
        this.diagnostics.changed(uri);
      },
      closed: uri => {
        this.hints.delete(uri);
        this.predictions.forget(uri);
        this.#openedOrClosed(uri);
      },
    });
  }

  /** Registers what the session itself takes from the client. */
  start(): void {
    this.connection.onInitialize(params => this.#initialize(params));
    this.connection.onInitialized(() => this.#afterHandshake());
    this.connection.onDidChangeConfiguration(({ settings }) => this.#settings.pushed(settings));
    this.connection.onShutdown(() => this.#end());
    this.#documents.listen(this.connection);
    takeFileChanges(this.connection, this.workspace);
    // The parsers are made while the editor sends its first file and the other thread loads.
    void inTurns(new KeptOutline().prepare(''));
  }

  /** Whether the client has asked to end. */
  get isShutDown(): boolean {
    return this.#ending.signal.aborted;
  }

  /** For problems that no answer has room for; each is logged once. */
  logProblems(problems: readonly Problem[]): void {
    this.#problemLog.tell(problems);
  }

  /** Reads configuration, repositories and snapshots anew: commits that are fetched move no HEAD. */
  reloadAll(): void {
    this.workspace.apply({ kind: 'configurationFilesChanged' });
    this.#profiledTexts.headMoved();
    this.workspace.files.lookAgain();
    this.#keeper.reloadAll();
    this.#pairings.lookAgain();
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

  /** Reads data that are not shown, for one answer; null when it was cancelled. */
  async load(source: Source): Promise<Outcome<TransferableData | null> | null> {
    return await this.#loader.load(source, () => {}).result;
  }

  /** Predictions count with this time of a method's calls, or with what was measured where it is null, until the server ends. */
  assume(method: string, time: string | null): void {
    this.hints.clear();
    this.predictions.assume(method, time);
    this.refresher.changed();
    this.#diagnoseAll();
  }

  /** An insitu.json was written. */
  configurationFilesChanged(): void {
    this.workspace.apply({ kind: 'configurationFilesChanged' });
    this.#configurationChanged();
  }

  #configurationChanged(): void {
    this.#sync();
    // Commits of the same versions may be known now, or others.
    this.#pairings.lookAgain();
    this.#numbersChanged();
    this.#diagnoseAll();
  }

  /** Version of an open document's text as the client counts; null where it is not open. */
  versionOf(uri: string): number | null {
    return this.#documents.versionOf(uri);
  }

  beginProgress(title: string, cancel: () => void): TaskProgress {
    return beginProgress(this.#progressWindow, title, cancel);
  }

  /** Resolves when the data of the document, or all where it is null, and what they are compared with are loaded and paired. */
  async whenPaired(uri: string | null, onProgress?: (done: number, all: number) => void): Promise<void> {
    await this.needs.whenMet(uri);
    const isCompared = this.workspace.view().sources.some(({ baseline }) => baseline !== null);
    if (isCompared) await this.#pairings.whenDone(onProgress);
  }

  #watchOutside(): OutsideWatch {
    return new OutsideWatch(this.workspace, this.#keeper, this.#profiledTexts, {
      configurationChanged: () => this.#configurationChanged(),
      headMoved: () => this.readiness.changed(),
      storeChanged: () => void this.#newer.storeChanged(),
    });
  }

  #openedOrClosed(uri: string): void {
    const { configurations } = this.workspace.view();
    // A document beside others changes nothing for them.
    if (configurations !== this.#configurations) this.#placesChanged();
    this.#configurations = configurations;
    this.#profiledTexts.openedOrClosed(uri);
    this.diagnostics.changed(uri);
    if (this.workspace.stateOf(uri) !== 'tooLarge') return;
    const file = pathOfUri(uri) ?? uri;
    this.#problemLog.tell(this.workspace.view().documentProblems.filter(problem => problem.file === file));
  }

  #initialize(params: InitializeParams): InitializeResult {
    this.features = clientFeatures(params);
    this.workspace.apply({ kind: 'foldersChanged', folders: foldersOf(params) });
    this.#settings.take(params.initializationOptions);
    this.#sync();
    const { version } = this.#options;
    const serverInfo = version === undefined ? { name: 'insitu' } : { name: 'insitu', version };
    const callHierarchy = this.#hierarchy.atStart(this.#hierarchySetting(), this.features);
    return { capabilities: serverCapabilities({ callHierarchy, commands: this.#options.commands ?? [] }), serverInfo };
  }

  #hierarchySetting(): string {
    return this.workspace.view().configuration(null)?.settings.callHierarchy ?? 'auto';
  }

  async #afterHandshake(): Promise<void> {
    this.#isInitialized = true;
    this.#initialized.resolve();
    this.#numbersChanged();
    this.#hierarchy.changed(this.#hierarchySetting(), this.features);
    if (this.features.changesFolders) takeFolderChanges(this.connection, this.workspace, () => this.#sync());
    if (this.features.watchesFiles) watchFiles(this.connection);
    const { watchMillis = WATCH_MILLIS } = this.#options;
    const pause = () => (this.pictures.areWatched ? Math.min(watchMillis, WATCHED_MILLIS) : watchMillis);
    void this.#outside.run(pause, this.#ending.signal);
    await this.#settings.pull();
    await this.#askForTrust();
  }

  #settingsChanged(): void {
    this.readiness.changed();
    if (this.#isInitialized) this.#hierarchy.changed(this.#hierarchySetting(), this.features);
    this.#sync();
    this.#pairings.lookAgain();
    this.#numbersChanged();
    this.#diagnoseAll();
  }

  #sync(): void {
    // Kept hints and predictions hold their data.
    this.hints.clear();
    this.predictions.clear();
    this.#placesChanged();
    this.#profiledTexts.sync();
    // The baseline may have been loaded before.
    this.#pairings.sync();
  }

  /** Other sources or configurations may hold than before; nothing here looks at each document. */
  #placesChanged(): void {
    this.#keeper.sync();
    this.#pin();
    this.#problemLog.tell(this.workspace.view().configurationProblems);
    for (const uri of this.#configurationFiles.uris()) this.diagnostics.changed(uri);
    if (this.#isInitialized) void this.#askForTrust();
  }

  /** The thread that answers questions keeps what is on screen. */
  #pin(): void {
    const { loads } = this.workspace.view();
    this.questions.pin(loads.flatMap(({ state }) => state?.data?.dataset ?? []));
  }

  async #askForTrust(): Promise<void> {
    if (!(await this.#configurationFiles.askForTrust())) return;
    this.workspace.apply({ kind: 'configurationFilesChanged' });
    this.#sync();
    this.#numbersChanged();
  }

  /** The numbers that clients show are out of date. */
  #numbersChanged(): void {
    this.refresher.changed();
    this.#notifier.changed();
  }

  #loadEnded(source: Source): void {
    if (this.isShutDown) return;
    this.#progress.ended(source);
    this.hints.clear();
    this.predictions.clear();
    const key = sourceKey(source);
    const { sources, loads } = this.workspace.view();
    const wanted = sources.find(other => other.key === key);
    const load = wanted ?? loads.find(other => other.key === key);
    if (load === undefined) return;
    if (wanted !== undefined) this.connection.console.info(`insitu: ${withReason(sourceStatus(wanted)).join('; ')}`);
    this.#problemLog.tell(load.state?.problems ?? []);
    this.#pin();
    this.#profiledTexts.sync();
    this.#pairings.sync();
    this.#diagnoseAll();
    void this.#newer.loaded();
    // After the hints that wait for these data.
    if (load.state?.data) setTimeout(() => void this.#indexFiles(), INDEX_AFTER_MILLIS).unref();
    this.refresher.dataChanged();
    this.#notifier.changed();
  }

  async #indexFiles(): Promise<void> {
    const { files } = this.workspace;
    files.begin();
    await files.whenComplete();
    this.#problemLog.tell(files.problems);
    const view = this.workspace.view();
    const documents = view.openFiles.flatMap(({ uri }) => view.document(uri) ?? []);
    if (documents.every(document => allClaims(document).length === 0)) return;
    this.workspace.apply({ kind: 'filesIndexed' });
    this.refresher.dataChanged();
  }

  #diagnoseAll(): void {
    const open = this.workspace.view().openFiles.map(({ uri }) => uri);
    this.diagnostics.changedAll([...open, ...this.#configurationFiles.uris()]);
  }

  #end(): void {
    this.#ending.abort();
    this.pages.close();
    this.pictures.close();
    this.recordings.close();
    this.#trackRecords.close();
    this.#notifier.close();
    this.#progress.close();
    this.#profiledTexts.close();
    this.diagnostics.close();
    this.workspace.files.close();
    this.refresher.close();
    this.#loader.close();
    this.questions.close();
  }
}
