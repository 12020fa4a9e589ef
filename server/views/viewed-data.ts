// From what a page looks at to data: the subject of its questions, and methods as it is told of them.
import type { Subject } from '../analysis/ask.ts';
import { completeData, type LoadedData } from '../analysis/loaded-data.ts';
import { metricRow } from '../analysis/select-data.ts';
import { type Selection, selectionKey } from '../analysis/selection.ts';
import type { Metric } from '../cct/profile.ts';
import { parametersOf } from '../mapping/parameters.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { Look, MethodInfo } from './view-messages.ts';

/** A look as data take it. Without a metric it is the one that is shown. */
function selectionOf({ data, tasks, aspects }: Viewed, { metric, threads, from, to, focus, path }: Look): Selection {
  const span = { ...(from !== undefined && { fromMillis: from }), ...(to !== undefined && { toMillis: to }) };
  return {
    metric: metric ?? data.metric.id,
    ...(threads && { threads }),
    ...((from ?? to) !== undefined && { span }),
    ...(focus && { focus, tasks, aspects }),
    ...(path !== undefined && { path, aspects }),
  };
}

/** The other way round. */
export function lookOf({ metric, selection: { threads, span, focus, path } }: LoadedData): Look {
  return {
    metric: metric.id,
    ...(threads && { threads }),
    ...(span?.fromMillis !== undefined && { from: span.fromMillis }),
    ...(span?.toMillis !== undefined && { to: span.toMillis }),
    ...(focus && { focus }),
    ...(path !== undefined && { path }),
  };
}

export function subjectOf(viewed: Viewed, look: Look): Subject {
  return { dataset: viewed.data.dataset, selection: selectionOf(viewed, look) };
}

/** The baseline under the look of a page: the same threads and focus, and the time that the baseline is of. */
export function comparedSubject(viewed: Viewed, baseline: NonNullable<Viewed['baseline']>, look: Look): Subject {
  const { span: _span, ...likeness } = selectionOf(viewed, look);
  const { dataset, selection } = baseline.data;
  return { dataset, selection: { ...likeness, ...(selection.span && { span: selection.span }) } };
}

/** The metric that a look shows: another one where the wanted one was not recorded. */
export function metricOf({ data: { profile, metric } }: Viewed, look: Look): Metric {
  const row = metricRow(profile, look.metric ?? metric.id);
  return row === null ? metric : profile.metrics[row]!;
}

/** Data under a selection with their columns at hand: those that are shown, kept, or asked for. */
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
  looks.set(key, data);
  return data;
}

/** What a page is told of methods, by their rows in the table of the data. */
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
