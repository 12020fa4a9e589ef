// The page of pictures beside an editor: it shows the data of the hints, opens sources there and changes what hints show.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type CancellationToken, CancellationTokenSource } from 'vscode-languageserver/node';
import { AskFailed } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { Cancelled, turns } from '../../base/pause.ts';
import { present } from '../../base/present.ts';
import { asInEditor, formatInEditor, type Problem } from '../../base/problem.ts';
import { refused } from '../../features/answers/answer.ts';
import { type Asking, locateAll, locateDeclaration } from '../../features/calls/locate.ts';
import { lossesText } from '../../features/text/data-text.ts';
import type { Look } from '../../model/look.ts';
import { feedsNow } from '../../views/feeds-now.ts';
import { SeenOrders } from '../../views/seen-orders.ts';
import { type EditorBeside, MOST_LOOKS, type Viewed, type ViewHost } from '../../views/view-host.ts';
import type { ViewSource } from '../../views/view-messages.ts';
import { subjectOf } from '../../views/viewed-data.ts';
import { type Choice, describeBaseline } from '../../workspace/data/choice.ts';
import { versionsSaid } from '../../workspace/data/commits-of-data.ts';
import { projectFolder } from '../../workspace/data/store-watch.ts';
import type { WantedSource } from '../../workspace/data/wanted-sources.ts';
import { type Asked, ask, askedAbout, configurationOf } from '../operations/about.ts';
import { homeOf } from '../operations/answers.ts';
import type { Session } from '../session.ts';

/** Packages of new files are known to the page this much later. */
const OWN_MILLIS = 5_000;
/** The first picture waits so long for the packages of the project: others would change it. */
const KNOWN_MILLIS = 1_000;

export class EditorHost implements ViewHost {
  readonly door: Session['questions'];
  readonly looks = new LRUCache<string, Promise<LoadedData>>({ max: MOST_LOOKS });
  readonly orders = new SeenOrders();
  readonly editor: EditorBeside = {
    open: (viewed, row) => this.#open(viewed, row),
    use: (viewed, look) => this.#use(viewed, look),
  };
  readonly #session: Session;
  /** Of an open document, or null for the first folder's data. */
  readonly #uri: string | null;
  /** Resolves when the workspace is indexed, or time is up; null until there are data. */
  #packagesKnown: Promise<void> | null = null;
  #own: readonly string[] | null = null;
  #tags: Viewed['tags'] = new Map();
  /** The versions that they are of. */
  #tagsOf = '';
  #ownDue = 0;

  constructor(session: Session, uri: string | null) {
    this.door = session.questions;
    this.#session = session;
    this.#uri = uri;
  }

  async viewed(signal: AbortSignal, source: string | null): ReturnType<ViewHost['viewed']> {
    const asked = await this.#asked(signal, source);
    const { data, wanted, settings } = asked;
    if (data !== null) {
      this.#packagesKnown ??= this.#session.workspace.files.whenComplete(KNOWN_MILLIS);
      await this.#packagesKnown;
    }
    const problems = wanted?.state?.problems ?? [];
    const isReading = wanted !== null && (wanted.state === null || wanted.state.kind === 'loading');
    if (data === null) return { value: null, problems: [...problems.map(asInEditor), NO_DATA], isReading };
    const compared = wanted?.baseline ?? null;
    const baseline =
      compared === null || asked.baseline === null
        ? null
        : { data: asked.baseline.data, pairing: asked.baseline.pairing, name: describeBaseline(compared.wish) };
    const losses = lossesText(data);
    if (wanted !== null) this.#learnTags(wanted);
    const value: Viewed = {
      data,
      baseline,
      tasks: settings.tasks,
      aspects: settings.aspects,
      own: this.#ownPackages(),
      tags: this.#tags,
      notes: [
        ...(losses === '' ? [] : [losses]),
        ...problems.filter(({ severity }) => severity !== 'info').map(formatInEditor),
      ],
      live: projectFolder(data.wish) !== null && feedsNow(data),
      sources: viewSources(this.#session.workspace.view().sources),
      source: wanted && keyOfSource(wanted),
    };
    return { value, problems };
  }

  async home({ source }: Viewed): ReturnType<ViewHost['home']> {
    const { wanted } = await this.#asked(NEVER, source);
    const view = this.#session.workspace.view();
    const configuration = (wanted && configurationOf(view, wanted)) ?? view.configuration(null);
    if (configuration === null) throw refused('no folder is open', 'open the folder of a project');
    return homeOf(this.#session, configuration);
  }

  async documentOf(viewed: Viewed, row: number): ReturnType<ViewHost['documentOf']> {
    const asking = await this.#asking(viewed);
    await locateAll(asking, [row], turns());
    return locateDeclaration(asking, row)?.document ?? null;
  }

  async #asked(signal: AbortSignal, source: string | null): Promise<Asked> {
    const context = { session: this.#session, token: tokenOf(signal), asksPerson: false };
    const about = this.#uri === null ? {} : { textDocument: { uri: this.#uri } };
    if (signal.aborted) throw new Cancelled();
    const asked = await ask(context, about);
    const view = this.#session.workspace.view();
    const chosen = view.sources.find(wanted => keyOfSource(wanted) === source);
    return chosen === undefined || chosen === asked.wanted ? asked : askedAbout(view, chosen);
  }

  /** Files are looked for as for the document that the page is beside. */
  async #asking({ data, source }: Viewed): Promise<Asking> {
    const { document, settings, wanted } = await this.#asked(NEVER, source);
    const state = { kind: 'ready', data, problems: [] } as const;
    const { files } = this.#session.workspace;
    return document?.state.data === data ? document : { state, settings, source: wanted?.source ?? null, files };
  }

  /** git is asked again where other versions are shown; what it tells is shown as it comes. */
  #learnTags(wanted: WantedSource): void {
    const versions = versionsSaid(wanted);
    const key = JSON.stringify(versions);
    if (key === this.#tagsOf) return;
    this.#tagsOf = key;
    void this.#session.status.tagsOf(wanted.source, versions).then(tags => {
      this.#tags = new Map(Object.entries(tags));
    });
  }

  #ownPackages(): readonly string[] | null {
    const now = performance.now();
    if (now < this.#ownDue) return this.#own;
    this.#ownDue = now + OWN_MILLIS;
    const packages = new Set<string>();
    for (const { packageName } of this.#session.workspace.files.indexed()) packages.add(packageName);
    this.#own = packages.size === 0 ? null : [...packages].sort();
    return this.#own;
  }

  async #open(viewed: Viewed, row: number): Promise<string | null> {
    if (!this.#session.features.showsDocuments) return 'this editor opens no files when it is told to';
    const place = (await locateAll(await this.#asking(viewed), [row], turns())).get(row) ?? null;
    if (place === null) return 'no source of this method is in the workspace';
    const { uri, range } = place;
    const document = { uri, external: false, takeFocus: true, selection: range };
    return (await this.#session.pages.showDocument(document)) ? null : 'the editor did not open the file';
  }

  /** The same as the operations `select` and `focus` do. */
  async #use(viewed: Viewed, look: Look): Promise<string | null> {
    try {
      // Says why where it means nothing in the data.
      await this.door.ask(subjectOf(viewed, look), 'hottest', { limit: 1, by: 'total', platform: true });
    } catch (error) {
      if (error instanceof AskFailed) return error.message;
      throw error;
    }
    const asked = await this.#asked(NEVER, viewed.source);
    const uri = asked.uri ?? this.#placeIn(asked);
    if (uri === undefined) return 'open a file of this program first';
    this.#session.choose(uri, withLook(this.#session.workspace.view().choice(uri), look));
    return null;
  }

  /** The place that names a configuration: null for the first one, an open file for another; undefined where none is open. */
  #placeIn({ wanted }: Asked): string | null | undefined {
    const view = this.#session.workspace.view();
    const configuration = wanted && configurationOf(view, wanted);
    if (configuration === null || configuration === view.configuration(null)) return null;
    return view.openFiles.find(({ uri }) => view.configuration(uri) === configuration)?.uri;
  }
}

/** Called after their programs, and their folders where those are not enough. */
function viewSources(sources: readonly WantedSource[]): ViewSource[] {
  const named = sources.map(wanted => {
    const { project, program, root } = wanted.source.wish;
    const name = wanted.state?.data?.provenance.program ?? program ?? project;
    return { key: keyOfSource(wanted), name, root };
  });
  return named.map(({ key, name, root }) => {
    const isAlone = named.filter(other => other.name === name).length === 1;
    return { key, name: isAlone ? name : `${name} · ${basename(root)}` };
  });
}

/** The same whatever part of its data is chosen. */
function keyOfSource({ source }: WantedSource): string {
  const { store, project, program, root } = source.wish;
  return createHash('sha256')
    .update(JSON.stringify([store, project, program, root]))
    .digest('base64url')
    .slice(0, 16);
}

const NEVER = new AbortController().signal;

const NO_DATA: Problem = {
  severity: 'info',
  message: 'there are no data to show',
  remedy: 'the command insitu.status says why',
};

/** Program and version stay, unless the look names others. */
function withLook({ program, version, baseline }: Choice, look: Look): Choice {
  return { ...present({ program, version, baseline }), ...look };
}

function tokenOf(signal: AbortSignal): CancellationToken {
  const source = new CancellationTokenSource();
  signal.addEventListener('abort', () => source.cancel(), { once: true });
  return source.token;
}
