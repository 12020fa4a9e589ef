// The buffers of data: how many bytes they hold, and which of them move to another thread.
import type { FoldedData } from './folded-data.ts';
import type { SelectedData } from './loaded-data.ts';

/** Bytes of everything that grows with the tree and its cells. */
export function bytesOf({ profile, index, sites }: FoldedData): number {
  const columns = [...Object.values(profile.tree), ...Object.values(index), ...Object.values(sites)];
  const cells = profile.cells.flatMap(each => Object.values(each));
  const { times } = profile;
  const timed = times === undefined ? [] : [...Object.values(times), ...Object.values(times.sketches)];
  return [...columns, ...cells, ...timed].reduce(
    (sum: number, each) => sum + (ArrayBuffer.isView(each) ? each.byteLength : 0),
    0,
  );
}

/** All buffers of `data` that move to another thread without a copy, small ones of the selection aside; shared memory needs no transfer. */
export function transferList(data: SelectedData | FoldedData): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const pending: unknown[] = [data];
  const seen = new Set<unknown>();
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (!isTableOfStrings(value)) {
      // The thread that chose what is looked at still needs to know.
      for (const [name, each] of Object.entries(value)) if (name !== 'selection') pending.push(each);
    }
  }
  return [...buffers];
}

/** Long lists of plain strings hold no buffer; walking them would cost more than everything else. */
function isTableOfStrings(value: object): boolean {
  return Array.isArray(value) && typeof value[0] === 'string';
}
