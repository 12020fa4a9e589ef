// Which two sides say nothing by being compared.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { selectionKey } from '../../model/look.ts';

type Refusal = { readonly message: string; readonly remedy: string };

/** Why both sides are not compared: they are one, or several benchmarks would be pooled. null where they are. */
export function incomparable(data: LoadedData, baseline: LoadedData): Refusal | null {
  if (isOneSide(data, baseline)) {
    const versions = [...new Set(data.provenance.executions.map(({ version }) => version))].join(', ');
    return { message: `${versions} is compared with itself`, remedy: 'name another version' };
  }
  const [first = [], second = []] = [data, baseline].map(({ provenance }) => [...(provenance.benchmarks ?? []).keys()]);
  if (first.length <= 1 && second.length <= 1) return null;
  return severalBenchmarks([...new Set([...first, ...second])].sort().join(', '));
}

/** @param names what ran, one after another */
export function severalBenchmarks(names: string): Refusal {
  return { message: `several benchmarks ran, and are never compared as one: ${names}`, remedy: 'choose one of them' };
}

function isOneSide(data: LoadedData, baseline: LoadedData): boolean {
  // The metric may be named, or be the one that is shown unasked.
  const keyOf = ({ selection: { metric: _metric, ...selection }, metric: { id } }: LoadedData) =>
    `${id} ${selectionKey(selection)}`;
  if (keyOf(data) !== keyOf(baseline)) return false;
  const entriesOf = ({ provenance }: LoadedData) =>
    provenance.entries
      .map(({ hash }) => hash)
      .sort()
      .join();
  if (data.wish.files === undefined && baseline.wish.files === undefined)
    return entriesOf(data) !== '' && entriesOf(data) === entriesOf(baseline);
  return JSON.stringify(data.wish.files) === JSON.stringify(baseline.wish.files);
}
