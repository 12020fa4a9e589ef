// Keeps the methods of every source paired with the methods of its baseline, by the texts of both versions.

import type { Door } from '../../analysis/ask.ts';
import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { type MethodVerdicts, type Pairing, type RenamedFrom, verdictsIn } from '../../analysis/pairing.ts';
import type { Source } from '../data/source.ts';
import type { OpenFile, View, Workspace } from '../state.ts';
import type { OnProgress } from './follow-elsewhere.ts';
import type { ProfiledTextKeeper } from './profiled-text-keeper.ts';

type RecordedTexts = Pick<ProfiledTextKeeper, 'followToBaseline' | 'followFileToBaseline' | 'whenIdle'>;

/** Two looks whose differences have not been tested. */
type Untested = Pick<Task, 'data' | 'baseline' | 'pairing'>;

/** A source whose pairing is not known, or does not know of some open files. */
type Task = {
  readonly source: Source;
  readonly data: LoadedData;
  readonly baseline: LoadedData;
  readonly pairing: Pairing;
  readonly files: readonly OpenFile[];
};

export class PairingKeeper {
  readonly #workspace: Workspace;
  readonly #texts: RecordedTexts;
  readonly #onPaired: () => void;
  readonly #questions: Door;
  readonly #listeners = new Set<OnProgress>();
  #running: Promise<void> | null = null;

  /** @param onPaired changes of everything that is shown may be others now. */
  constructor(workspace: Workspace, texts: RecordedTexts, questions: Door, onPaired: () => void) {
    this.#workspace = workspace;
    this.#questions = questions;
    this.#texts = texts;
    this.#onPaired = onPaired;
  }

  /** Pairs what is not paired; to be called when data, or the recorded text of a document, have come. */
  sync(): void {
    const view = this.#workspace.view();
    if (this.#running !== null || (taskOf(view) ?? untestedIn(view)) === null) return;
    this.#running = this.#pairAll().finally(() => {
      this.#running = null;
    });
  }

  /** Asks git anew; its earlier answers hold until then. */
  lookAgain(): void {
    for (const { state, baseline } of this.#workspace.view().sources) {
      const { data, pairing } = baseline?.compared ?? {};
      const again = data && state?.data && pairing?.carriedTo(state.data, data);
      if (again) this.#workspace.apply({ kind: 'methodsPaired', pairing: again });
    }
    this.sync();
  }

  /** Resolves when everything that has data is paired. */
  async whenDone(onProgress: OnProgress = () => {}): Promise<void> {
    this.#listeners.add(onProgress);
    await this.#running;
    this.#listeners.delete(onProgress);
  }

  async #pairAll(): Promise<void> {
    for (;;) {
      // The recorded texts of open files are what the user looks at.
      await this.#texts.whenIdle();
      const view = this.#workspace.view();
      const task = taskOf(view);
      const untested = task === null ? untestedIn(view) : null;
      if (task !== null) {
        this.#workspace.apply({ kind: 'methodsPaired', pairing: await this.#pair(task) });
        this.#onPaired();
      } else if (untested !== null) {
        const pairing = await this.#test(untested);
        this.#workspace.apply({ kind: 'methodsPaired', pairing });
        // Without a test everything looks as before.
        if (pairing.verdictsOf(untested.data, untested.baseline)?.ofMethod) this.#onPaired();
      } else return;
    }
  }

  async #test({ data, baseline, pairing }: Untested): Promise<Pairing> {
    const subjectOf = ({ dataset, selection }: LoadedData) => ({ dataset, selection });
    const wish = { became: pairing.becameRows(), scaling: 'share', work: null, code: null, check: null } as const;
    // A question that fails leaves the differences without a test.
    const found = await this.#questions
      .ask(subjectOf(data), 'evidence', wish, { baseline: subjectOf(baseline) })
      .catch(() => null);
    return pairing.withVerdicts(data, baseline, found === null ? UNTESTED : verdictsIn(found));
  }

  async #pair({ source, data, baseline, pairing, files }: Task): Promise<Pairing> {
    const renames = new Map<string, RenamedFrom>();
    const looked = new Map<string, string>();
    const onProgress: OnProgress = (done, all) => {
      for (const listener of this.#listeners) listener(done, all);
    };
    // Where a look-up fails, the names decide.
    const nothing = () => new Map<string, RenamedFrom>();
    const add = (found: ReadonlyMap<string, RenamedFrom>) => {
      for (const [name, before] of found) renames.set(name, before);
    };
    if (!isSettled(pairing)) add(await this.#texts.followToBaseline(source, data, baseline, onProgress).catch(nothing));
    for (const file of files) {
      add(await this.#texts.followFileToBaseline(file, source, data, baseline).catch(nothing));
      looked.set(file.path, file.mapping.profiled.text ?? '');
    }
    return pairing.with({ renames, files: looked });
  }
}

const UNTESTED: MethodVerdicts = { jvms: [0, 0], ofMethod: null };

function untestedIn(view: View): Untested | null {
  for (const { state, baseline } of view.sources) {
    const data = state?.data ?? null;
    const compared = baseline?.compared ?? null;
    if (data === null || compared === null) continue;
    const { data: then, pairing } = compared;
    if (pairing.verdictsOf(data, then) === null) return { data, baseline: then, pairing };
  }
  return null;
}

function taskOf(view: View): Task | null {
  for (const { source, state, baseline } of view.sources) {
    const data = state?.data ?? null;
    const compared = baseline?.compared ?? null;
    if (data === null || compared === null) continue;
    const recorded = view.openFiles.filter(
      ({ uri, mapping: { profiled } }) => profiled.from === 'commit' && view.document(uri)?.source === source,
    );
    const pairing = stillValid(compared, data, recorded);
    const files = recorded.filter(
      ({ path, mapping: { profiled } }) => !isSettled(pairing) || pairing.lookedAt(path) !== (profiled.text ?? ''),
    );
    if (!isSettled(pairing) || files.length > 0) return { source, data, baseline: compared.data, pairing, files };
  }
  return null;
}

/** Where a file that was looked at has another recorded text now, a version means another commit: all is to be asked anew. */
function stillValid({ data: baseline, pairing }: Baseline, data: LoadedData, files: readonly OpenFile[]): Pairing {
  const isOther = files.some(
    ({ path, mapping: { profiled } }) => ![undefined, profiled.text ?? ''].includes(pairing.lookedAt(path)),
  );
  return (isOther ? pairing.carriedTo(data, baseline) : null) ?? pairing;
}

function isSettled({ state, isLatest }: Pairing): boolean {
  return state === 'done' && isLatest;
}
