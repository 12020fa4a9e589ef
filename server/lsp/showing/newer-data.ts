// Notices data that were recorded later than those the user chose to look at, and offers them once.

import { momentText } from '../../base/moment-text.ts';
import { printableName } from '../../base/printable.ts';
import type { StoreEntry } from '../../store/store.ts';
import type { Choice } from '../../workspace/data/choice.ts';
import { latestEntry } from '../../workspace/data/store-contents.ts';
import type { WantedSource } from '../../workspace/data/wanted-sources.ts';
import type { Workspace } from '../../workspace/state.ts';
import type { Pages } from './pages.ts';

export class NewerData {
  readonly #workspace: Workspace;
  readonly #pages: Pick<Pages, 'choose'>;
  readonly #choose: (uri: string | null, choice: Choice) => void;
  /** Newer data that were offered, or were there already when the choice was made. */
  readonly #known = new Set<string>();
  /** By the key of the source that is shown. */
  #texts: ReadonlyMap<string, string> = new Map();
  /** Counts up: a look that was overtaken by another leaves no texts. */
  #turn = 0;
  /** Since the last load. */
  #isChosen = false;

  /** @param choose shows what was offered and taken. */
  constructor(
    workspace: Workspace,
    pages: Pick<Pages, 'choose'>,
    choose: (uri: string | null, choice: Choice) => void,
  ) {
    this.#workspace = workspace;
    this.#pages = pages;
    this.#choose = choose;
  }

  /** `shop 1.5 was recorded at …`; null where nothing is newer than what is shown by choice. */
  textOf(key: string): string | null {
    return this.#texts.get(key) ?? null;
  }

  /** The user has chosen: data that are newer by then are known and not offered. */
  chosen(): void {
    this.#isChosen = true;
  }

  /** Data were loaded: only now it is known of which program. */
  async loaded(): Promise<void> {
    const found = await this.#find();
    if (!this.#isChosen) return;
    this.#isChosen = false;
    for (const { entry } of found) this.#known.add(nameOf(entry));
  }

  /** The store has changed. */
  async storeChanged(): Promise<void> {
    for (const { entry, wanted, text } of await this.#find()) {
      if (this.#known.has(nameOf(entry))) continue;
      this.#known.add(nameOf(entry));
      const answer = await this.#pages.choose(text, [
        { title: 'Show it', value: true },
        { title: 'Keep', value: false },
      ]);
      if (answer === true) this.#show(wanted, entry);
    }
  }

  /** Looks up what the store has; texts are kept for the status. */
  async #find(): Promise<{ wanted: WantedSource; entry: StoreEntry; text: string }[]> {
    const found: { wanted: WantedSource; entry: StoreEntry; text: string }[] = [];
    const texts = new Map<string, string>();
    const turn = ++this.#turn;
    for (const wanted of this.#workspace.view().sources) {
      const program = wanted.choice.program ?? wanted.state?.data?.provenance.program;
      if (!isPinned(wanted.choice) || program === undefined) continue;
      const entry = await latestEntry(wanted.source.wish, program);
      if (entry === null || isShown(entry, wanted)) continue;
      const { version } = entry.execution;
      const text = `${printableName(program)} ${printableName(version)} was recorded at ${momentText(entry.startMillis)}`;
      texts.set(wanted.key, text);
      found.push({ wanted, entry, text });
    }
    if (this.#turn === turn) this.#texts = texts;
    return found;
  }

  /** By now something else may have been chosen; what that was of threads and focus stays. */
  #show({ source, key }: WantedSource, { execution }: StoreEntry): void {
    const view = this.#workspace.view();
    const open = view.openFiles.find(({ uri }) => view.document(uri)?.source === source);
    const uri = view.sources[0]?.key === key ? null : (open?.uri ?? null);
    const { instances: _instances, from: _from, to: _to, ...choice } = view.choice(uri);
    this.#choose(uri, { ...choice, program: execution.program, version: execution.version });
  }
}

/** Whether what is shown stays the same when newer data arrive. */
function isPinned({ version, instances, to }: Choice): boolean {
  return version !== undefined || instances !== undefined || to !== undefined;
}

/** Whether the entry is among what is shown, or not newer than that. */
function isShown({ execution, startMillis }: StoreEntry, { choice, state }: WantedSource): boolean {
  const { instances, to = Number.POSITIVE_INFINITY } = choice;
  const { entries = [], executions = [] } = state?.data?.provenance ?? {};
  // A chosen tag stands for the version that was found by it.
  const named = [choice.version, ...executions.map(({ version }) => version)];
  const isOfVersion = choice.version === undefined || named.includes(execution.version);
  const isOfPart = (instances?.includes(execution.instance) ?? true) && startMillis < to;
  return (isOfVersion && isOfPart) || entries.some(entry => entry.startMillis >= startMillis);
}

/** An execution that goes on is offered once. */
function nameOf({ execution: { program, version, instance } }: StoreEntry): string {
  return JSON.stringify([program, version, instance]);
}
