// From what a page looks at to data: the subject of its questions, and methods as it is told of them.

import type { Subject } from '../analysis/ask.ts';
import type { Baseline } from '../analysis/baseline.ts';
import { completeData, type LoadedData } from '../analysis/loaded-data.ts';
import { Pairing } from '../analysis/pairing.ts';
import { metricRow } from '../analysis/select-data.ts';
import type { Selection } from '../analysis/selection.ts';
import { wishKey } from '../analysis/wish.ts';
import { present } from '../base/present.ts';
import type { Metric } from '../cct/profile.ts';
import { refused } from '../features/answers/answer.ts';
import { parametersOf } from '../mapping/parameters.ts';
import { type GivenLook, type Look, selectionKey } from '../model/look.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { MethodInfo } from './view-messages.ts';

/** A look as data take it, with the definitions that it may name. Without a metric it is the one that is shown. */
function selectionOf({ data, tasks, aspects }: Viewed, look: Look): Selection {
  const { program: _program, version: _version, instances: _instances, ...part } = look;
  const named = { ...(part.focus && { tasks }), ...((part.focus ?? part.path) !== undefined && { aspects }) };
  return { ...part, metric: part.metric ?? data.metric.id, ...named };
}

/** The shown look, without the definitions. */
export function lookOf({ metric, wish, selection }: LoadedData): Look {
  const { tasks: _tasks, aspects: _aspects, ...part } = selection;
  return { ...part, metric: metric.id, ...present({ instances: wish.instances }) };
}

/**
 * The viewed data of the program, version and instances that a look names. Data that are not shown yet are loaded. Rejects with
 * `AskFailed` where there are no such data.
 */
export async function viewedUnder(host: ViewHost, viewed: Viewed, look: GivenLook): Promise<Viewed> {
  const { wish, provenance, revision, metric } = viewed.data;
  const instances = look.instances?.length === 0 ? undefined : (look.instances ?? undefined);
  const program = look.program ?? wish.program ?? provenance.program;
  const wanted = { program, version: look.version ?? wish.version, ...present({ instances }) };
  const { instances: _instances, ...place } = wish;
  const other = { ...place, ...wanted };
  const isShown = wishKey(other) === wishKey({ ...wish, program: wish.program ?? program });
  if (isShown) return viewed;
  if (wish.files !== undefined)
    throw refused('a recording on disk has one program, version and instance', 'import it to choose among several');
  const key = JSON.stringify(['other', revision, wishKey(other), metric.id]);
  // A page asks several questions at once: one load answers all of them.
  let loaded = host.looks.get(key);
  if (loaded === undefined) {
    loaded = host.home(viewed).then(home => home.load({ wish: other, selection: { metric: metric.id } }));
    host.looks.set(key, loaded);
    loaded.catch(() => host.looks.delete(key));
  }
  const data = await loaded;
  // Programs are never mixed.
  const isComparable = viewed.baseline !== null && program === provenance.program;
  return { ...viewed, data, baseline: isComparable ? comparedTo(data, viewed.baseline!) : null };
}

/** A baseline with its methods paired with the methods of other data. */
export function comparedTo<B extends Baseline>(data: LoadedData, baseline: B): B {
  const { data: before, pairing } = baseline;
  if (pairing.isOf(data, before)) return baseline;
  return { ...baseline, pairing: pairing.carriedTo(data, before) ?? Pairing.pending(data, before).with() };
}

export function subjectOf(viewed: Viewed, look: Look): Subject {
  return { dataset: viewed.data.dataset, selection: selectionOf(viewed, look) };
}

/** The baseline under the look of a page: the same threads and focus, and the time that the baseline is of. */
export function comparedSubject(viewed: Viewed, baseline: NonNullable<Viewed['baseline']>, look: Look): Subject {
  const { from: _from, to: _to, ...likeness } = selectionOf(viewed, look);
  const { dataset, selection } = baseline.data;
  return { dataset, selection: { ...likeness, ...present({ from: selection.from, to: selection.to }) } };
}

/** The metric that a look shows: another one where the wanted one was not recorded. */
export function metricOf({ data: { profile, metric } }: Viewed, look: Look): Metric {
  const row = metricRow(profile, look.metric ?? metric.id);
  return row === null ? metric : profile.metrics[row]!;
}

/** Data under a selection with their columns at hand: the data are shown, kept, or asked for. */
export async function dataUnder(
  { door, looks }: ViewHost,
  shown: LoadedData,
  selection: Selection,
  signal: AbortSignal,
): Promise<LoadedData> {
  const own = selectionKey({ ...shown.selection, metric: shown.metric.id });
  if (selectionKey(selection) === own) return shown;
  const { dataset } = shown;
  const key = JSON.stringify([dataset.key, dataset.revision, selectionKey(selection)]);
  const known = looks.get(key);
  if (known !== undefined) return known;
  const selected = await door.ask({ dataset, selection }, 'look', null, { signal });
  const data = completeData({ folded: dataset.folded, selected });
  looks.set(key, Promise.resolve(data));
  return data;
}

/** The facts about methods for a page, by their rows in the table of the data. */
export function methodTeller({ own }: Viewed, { answers, profile }: LoadedData): (row: number) => MethodInfo {
  const { strings, className, name, descriptor } = profile.methods;
  const keys = answers.keysOf(profile.methods);
  const library = answers.parts.libraryOf(profile.methods, own);
  return row => {
    const signature = descriptor[row]! < 0 ? null : strings[descriptor[row]!]!;
    return {
      key: keys.keyOf(row),
      className: strings[className[row]!]!,
      name: strings[name[row]!]!,
      parameters: signature === null ? null : parametersOf(signature).slice(1, -1),
      library: library[row] === 1,
    };
  };
}
