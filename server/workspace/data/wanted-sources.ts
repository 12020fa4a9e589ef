// The loads for everything open: the sources that settings and choices ask for, their baselines, and the data of both.

import type { Baseline } from '../../analysis/baseline.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { Pairing } from '../../analysis/pairing.ts';
import type { Problem } from '../../base/problem.ts';
import type { DocumentParts, SourceState } from '../document/document-view.ts';
import type { Configuration } from '../settings/configuration.ts';
import type { Change } from '../workspace-change.ts';
import { type BaselineChoice, type Choice, choiceKey, NO_CHOICE, withoutBaseline, withoutMissing } from './choice.ts';
import { baselineOf, baselineSource, isComparable, type Source, sourceKey, sourceOf } from './source.ts';

/** Something to be loaded. */
export type Load = {
  readonly source: Source;
  readonly key: string;
  /** null when no load of it has begun. */
  readonly state: SourceState | null;
};

/** A source that something open needs, with what is known about it. */
export type WantedSource = Load & {
  /** The choice for it. */
  readonly choice: Choice;
  /** Its baseline; null where there is none. */
  readonly baseline: WantedBaseline | null;
};

type WantedBaseline = {
  readonly wish: BaselineChoice;
  /** null until the data are there that say which program and metric it is. */
  readonly load: Load | null;
  /** null until they are there, and where they are of another metric, other threads or another focus than the data shown. */
  readonly compared: Baseline | null;
};

/** Folders and documents that are shown with the same data. */
export type Place = {
  /** Names it among all places. */
  readonly name: string;
  readonly configuration: Configuration;
  /** Of the first document that is shown so; null for a folder. */
  readonly path: string | null;
};

type LoadChange = Extract<Change, { source: Source }>;

/** So many pairings of methods are kept whether they are shown or not. */
const MOST_PAIRINGS = 4;

const NOT_STARTED: SourceState = { kind: 'loading', data: null, problems: [] };

/** All sources at one moment. */
export class SourcesView {
  readonly sources: readonly WantedSource[];
  readonly loads: readonly Load[];
  readonly #byPlace: ReadonlyMap<string, WantedSource>;
  readonly #shown: ReadonlyMap<string, SourceState>;

  constructor(byPlace: ReadonlyMap<string, WantedSource>, shown: ReadonlyMap<string, SourceState>) {
    this.#byPlace = byPlace;
    this.#shown = shown;
    this.sources = [...new Set(byPlace.values())];
    const loads = new Map<string, Load>(this.sources.map(wanted => [wanted.key, wanted]));
    for (const { baseline } of this.sources)
      if (baseline !== null && baseline.load !== null && !loads.has(baseline.load.key))
        loads.set(baseline.load.key, baseline.load);
    this.loads = [...loads.values()];
  }

  /** The data that a place is shown with: while its own data are read for the first time, the data shown before. */
  at(place: string): Pick<DocumentParts, 'source' | 'state' | 'baseline'> | null {
    const wanted = this.#byPlace.get(place);
    if (wanted === undefined) return null;
    const { source, key, baseline } = wanted;
    return { source, state: this.#shown.get(key) ?? NOT_STARTED, baseline: baseline?.compared ?? null };
  }
}

export class WantedSources {
  readonly #choices = new Map<string, Choice>();
  /** The problems of choices, by the same key. */
  readonly #notices = new Map<string, readonly Problem[]>();
  readonly #states = new Map<string, SourceState>();
  /** Data shown until the data of a new source are there. */
  readonly #inherited = new Map<string, LoadedData>();
  /** The latest first. */
  #pairings: readonly Pairing[] = [];
  /** Key of the source that each place had last. */
  #last: ReadonlyMap<string, string> = new Map();
  /** The roots that the sources and baselines of the last view follow from. */
  #roots: ReadonlyMap<string, readonly Root[]> = new Map();

  choiceOf(configuration: Configuration): Choice {
    return this.#choices.get(choiceKey(configuration)) ?? NO_CHOICE;
  }

  choose(configuration: Configuration, choice: Choice): void {
    const key = choiceKey(configuration);
    this.#choices.set(key, choice);
    this.#notices.delete(key);
  }

  apply(change: LoadChange): void {
    const key = sourceKey(change.source);
    const before = this.#states.get(key);
    const data = before?.data ?? this.#inherited.get(key) ?? null;
    if (change.kind === 'loadStarted') {
      this.#states.set(key, { kind: 'loading', data, problems: before?.problems ?? [] });
    } else if (change.kind === 'loadCancelled') {
      this.#states.set(key, { kind: 'none', data, problems: [cancelledProblem(change.source)] });
    } else if (this.#fallsBack(key, change)) {
      // Settings may name the same, or another folder does: what has been shown stays until what they say is there.
      this.#states.set(key, { kind: 'none', data, problems: change.problems });
    } else {
      const kind = change.data === null ? 'none' : 'ready';
      this.#states.set(key, { kind, data: change.data, problems: change.problems });
      this.#inherited.delete(key);
    }
  }

  /** Takes the place of what was known of the same tables. */
  pair(pairing: Pairing): void {
    this.#pairings = [pairing, ...this.#pairings.filter(other => !other.isLike(pairing))];
  }

  /** Takes back choices that name what is not there; true when there was one. */
  #fallsBack(
    key: string,
    { missing = [] }: { readonly missing?: Extract<Change, { kind: 'loadEnded' }>['missing'] },
  ): boolean {
    if (missing.length === 0) return false;
    let any = false;
    for (const { choiceKey: own, isBaseline } of this.#roots.get(key) ?? []) {
      const choice = this.#choices.get(own);
      if (choice === undefined) continue;
      const left = isBaseline ? withoutBaseline(choice) : withoutMissing(choice, missing);
      if (left === null) continue;
      this.#choices.set(own, left.choice);
      this.#notices.set(own, [...(this.#notices.get(own) ?? []), left.problem]);
      any = true;
    }
    return any;
  }

  /** The sources that the places want now; forgets sources that none of them wants any more. */
  view(places: readonly Place[]): SourcesView {
    const roots = new Map<string, Root[]>();
    const under: Under = (key, root) => roots.set(key, [...(roots.get(key) ?? []), root]);
    const drafts = new Map<string, Draft>();
    const keys = new Map<string, string>();
    for (const { name, configuration, path } of places) {
      const choice = this.choiceOf(configuration);
      const source = sourceOf(configuration, path, choice);
      const key = sourceKey(source);
      if (!drafts.has(key)) drafts.set(key, { source, choice, configuration });
      keys.set(name, key);
      under(key, { choiceKey: choiceKey(configuration), isBaseline: false });
      this.#inherit(source, key, this.#last.get(name));
    }
    const wanted = new Map(Array.from(drafts, ([key, draft]) => [key, this.#wanted(key, draft, under)]));
    this.#last = keys;
    this.#forgetPairings([...wanted.values()]);
    this.#roots = roots;
    for (const key of this.#states.keys()) if (!roots.has(key)) this.#states.delete(key);
    for (const key of this.#inherited.keys()) if (!roots.has(key)) this.#inherited.delete(key);
    const shown = new Map(Array.from(drafts, ([key]) => [key, this.#shownState(key)]));
    return new SourcesView(new Map(Array.from(keys, ([name, key]) => [name, wanted.get(key)!])), shown);
  }

  /** Data of another project are no stand-in. */
  #inherit({ wish: { project } }: Source, key: string, last: string | undefined): void {
    if (last === undefined || last === key || this.#states.has(key) || this.#inherited.has(key)) return;
    const data = this.#states.get(last)?.data ?? this.#inherited.get(last);
    if (data?.provenance.project === project) this.#inherited.set(key, data);
  }

  #shownState(key: string): SourceState {
    const data = this.#inherited.get(key);
    return this.#states.get(key) ?? (data === undefined ? NOT_STARTED : { ...NOT_STARTED, data });
  }

  #wanted(key: string, draft: Draft, under: Under): WantedSource {
    const { source, choice, configuration } = draft;
    const root = choiceKey(configuration);
    const wish = baselineOf(configuration, choice);
    const { data } = this.#shownState(key);
    const load =
      wish === null || data === null
        ? null
        : this.#load(baselineSource(source, data, wish), { choiceKey: root, isBaseline: true }, under);
    const then = load?.state?.data ?? null;
    const isShown = then !== null && data !== null && isComparable(data, then);
    const compared = isShown ? { data: then, pairing: this.#pairingOf(data, then) } : null;
    const baseline = wish === null ? null : { wish, load, compared };
    const own = this.#states.get(key) ?? null;
    const notices = this.#notices.get(root) ?? [];
    const state = own === null || notices.length === 0 ? own : { ...own, problems: [...own.problems, ...notices] };
    return { source, key, state, choice, baseline };
  }

  #pairingOf(shown: LoadedData, baseline: LoadedData): Pairing {
    const known = this.#pairings.find(pairing => pairing.isOf(shown, baseline));
    if (known !== undefined) return known;
    // Data that grow while a recorder feeds them would lose their changes each time for a moment.
    for (const pairing of this.#pairings) {
      const carried = pairing.carriedTo(shown, baseline);
      if (carried !== null) return carried;
    }
    return Pairing.pending(shown, baseline);
  }

  /** All that are shown stay, and a few that may be asked for soon. */
  #forgetPairings(wanted: readonly WantedSource[]): void {
    const shown = new Set(wanted.map(({ baseline }) => baseline?.compared?.pairing));
    this.#pairings = this.#pairings.filter((pairing, at) => shown.has(pairing) || at < MOST_PAIRINGS);
  }

  #load(source: Source, root: Root, under: Under): Load {
    const key = sourceKey(source);
    under(key, root);
    return { source, key, state: this.#states.get(key) ?? null };
  }
}

/** A choice that a source follows from, itself or as what it is compared with. */
type Root = { readonly choiceKey: string; readonly isBaseline: boolean };

/** Notes what the source with a key follows from. */
type Under = (key: string, root: Root) => void;

type Draft = {
  readonly source: Source;
  readonly choice: Choice;
  readonly configuration: Configuration;
};

function cancelledProblem({ wish: { store } }: Source): Problem {
  return {
    severity: 'warning',
    message: 'reading was cancelled',
    file: store,
    remedy: 'the command insitu.refresh reads again',
  };
}
