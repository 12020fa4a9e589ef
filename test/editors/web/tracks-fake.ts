// Tracks of stacks in memory, as the server answers them.
import type { AskTracks, TracksHeader } from 'insitu/views';
import { packageOf } from '../../../clients/web/src/name-trimming.ts';
import { packedBytes } from '../../../server/views/picture-frame.ts';
import type { FakeStack } from './stacks-fake.ts';

const total = (stacks: readonly FakeStack[]): number => stacks.reduce((sum, { count }) => sum + count, 0);

/** By package of the innermost own frame; every other stack of a pool ran on the first of two threads. */
export function fakeTracks(
  selected: readonly FakeStack[],
  { of, unfolded, rows: [first, end] }: AskTracks,
  windows: TracksHeader['windows'],
): Buffer {
  const stacks = selected.filter(({ frames }) => of === null || frames.some(({ key }) => key === of));
  const kindOf = ({ frames }: FakeStack) => {
    const frame = frames.findLast(({ library }) => !library) ?? frames.at(-1);
    return { name: frame === undefined ? '' : packageOf(frame), library: frame?.library ?? true };
  };
  const kinds = new Map(stacks.map(stack => [JSON.stringify(kindOf(stack)), kindOf(stack)]));
  const keys = [...kinds.keys()];
  const rows = [...Map.groupBy(stacks, ({ thread }) => thread)]
    .sort(([, a], [, b]) => total(b) - total(a))
    .flatMap(([group, own]) => {
      const threads = group.includes('#') ? 2 : 0;
      const isUnfolded = unfolded.some(([, name]) => name === group);
      const single = isUnfolded && threads > 0 ? [0, 1].map(at => own.filter((_, row) => row % 2 === at)) : [];
      return [
        { name: group, level: 1 as const, threads, own },
        ...single.map((of, at) => ({
          ...{ name: group.replace('#', `${at + 1}`), level: 2 as const, threads: 0, own: of },
        })),
      ];
    });
  const told = rows.map(({ own }, at) => (at >= first && at < end ? own : []));
  const tracks = rows.map(({ own, ...row }, at) => ({
    ...{ ...row, group: 'main', weight: total(own), running: total(own), cells: told[at]!.length },
  }));
  const header: TracksHeader = {
    ...{ metric: 'cpu', unit: 'samples', cells: told.flat().length, windows, isJoined: false },
    ...{ from: windows[0]!.from, to: windows.at(-1)!.to, kinds: [...kinds.values()] },
    ...{ weight: total(stacks), running: total(stacks), tracks },
  };
  const column = (of: (stack: FakeStack) => number) => told.flat().map(of);
  return Buffer.from(
    packedBytes(header, [
      Int32Array.from(column(({ window }) => window)),
      Int32Array.from(column(stack => keys.indexOf(JSON.stringify(kindOf(stack))))),
      Float64Array.from(column(({ count }) => count)),
    ]),
  );
}
