// Tracks of stacks in memory, as the server answers them.
import type { MethodKey, TracksHeader } from 'insitu/views';
import { packageOf } from '../../../clients/web/src/name-trimming.ts';
import { packedBytes } from '../../../server/views/picture-frame.ts';
import type { FakeStack } from './stacks-fake.ts';

const total = (stacks: readonly FakeStack[]): number => stacks.reduce((sum, { count }) => sum + count, 0);

/** By package of the innermost own frame; every other stack of a pool ran on the first of two threads. */
export function fakeTracks(
  selected: readonly FakeStack[],
  of: MethodKey | null,
  windows: TracksHeader['windows'],
): Buffer {
  const stacks = selected.filter(({ frames }) => of === null || frames.some(({ key }) => key === of));
  const kindOf = ({ frames }: FakeStack) => {
    const frame = frames.findLast(({ library }) => !library) ?? frames.at(-1);
    return { name: frame === undefined ? '' : packageOf(frame), library: frame?.library ?? true };
  };
  const kinds = new Map(stacks.map(stack => [JSON.stringify(kindOf(stack)), kindOf(stack)]));
  const keys = [...kinds.keys()];
  const columns = { window: [] as number[], kind: [] as number[], weight: [] as number[] };
  const add = (own: readonly FakeStack[]): void => {
    for (const stack of own) {
      columns.window.push(stack.window);
      columns.kind.push(keys.indexOf(JSON.stringify(kindOf(stack))));
      columns.weight.push(stack.count);
    }
  };
  const groups = [...Map.groupBy(stacks, ({ thread }) => thread)]
    .sort(([, a], [, b]) => total(b) - total(a))
    .map(([name, own]) => {
      // Every other stack ran on the first of two threads.
      const single = name.includes('#') ? [0, 1].map(number => own.filter((_, at) => at % 2 === number)) : [own];
      single.forEach(add);
      const amount = (of: readonly FakeStack[]) => ({ weight: total(of), running: total(of) });
      const threads = single.map((of, at) => ({
        ...{ name: name.replace('#', `${at + 1}`), ...amount(of), rows: of.length },
      }));
      return { ...{ group: 'main', name }, ...amount(own), threads };
    });
  const header: TracksHeader = {
    ...{ metric: 'cpu', unit: 'samples', rows: columns.window.length, windows },
    ...{ kinds: [...kinds.values()], weight: total(stacks), groups },
  };
  const { window, kind, weight } = columns;
  return Buffer.from(packedBytes(header, [Int32Array.from(window), Int32Array.from(kind), Float64Array.from(weight)]));
}
