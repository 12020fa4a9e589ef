// The buckets that the fake server gives: an aspect has the classes whose simple names stand in its definition; a naive count.
import type { Answers } from 'insitu/views';
import { fakeOrigin } from '../../support/protocol/fake-origin.ts';
import type { FakeStack } from './stacks-fake.ts';

type Found = Answers['aspects'];
export type FakeAspect = { readonly name: string; readonly value: string };
type Window = { readonly from: number; readonly to: number };

/** The aspects that the page tries, then the ones of the settings, in the wanted order. */
export function askedAspects(parameters: object, saved: readonly FakeAspect[]): readonly FakeAspect[] {
  const { aspects, names } = parameters as { aspects: readonly FakeAspect[]; names: readonly string[] | null };
  const all = [...aspects, ...saved];
  return names?.flatMap(name => all.find(each => each.name === name) ?? []) ?? all;
}

/** What the program's packages would give. */
export const EXAMPLE: readonly FakeAspect[] = [
  { name: 'search', value: 'Ranker | Index' },
  { name: 'shop', value: 'Shop' },
];

export function bucketsOf(
  stacks: readonly FakeStack[],
  aspects: readonly FakeAspect[],
  windows: readonly Window[],
): Found {
  const all = total(stacks);
  const shareOf = (own: readonly FakeStack[]) => {
    const count = total(own);
    const share = all > 0 ? count / all : 0;
    return { text: `${Math.round(100 * share)}%`, share, count, of: all, weight: count, interval: null };
  };
  const belongs = ({ frames }: FakeStack, { value }: FakeAspect) =>
    frames.some(({ className }) => value.split(' | ').includes(className.slice(className.lastIndexOf('.') + 1)));
  const placeOf = (stack: FakeStack): number => {
    const at = aspects.findIndex(aspect => belongs(stack, aspect));
    return at < 0 ? aspects.length : at;
  };
  const bucket = (place: number) => {
    const own = stacks.filter(stack => placeOf(stack) === place);
    return {
      ...{ share: shareOf(own), amount: `${total(own)} samples`, threads: null },
      overTime: windows.map((_, at) => total(own.filter(({ window }) => window === at))),
      query: [aspects[place], ...aspects.slice(0, place)]
        .flatMap((aspect, at) => (aspect === undefined ? [] : `${at === 0 ? '' : 'not '}..${aspect.name}`))
        .join(' and '),
    };
  };
  return {
    origin: fakeOrigin({ samples: all, weight: all }),
    counted: shareOf(stacks),
    several: shareOf(stacks.filter(stack => aspects.filter(aspect => belongs(stack, aspect)).length > 1)),
    ...{ total: aspects.length, leftOut: 0 },
    rows: aspects.map((aspect, place) => ({
      ...{ ...aspect, ...bucket(place), methods: 1, unmatched: [], note: null },
      all: shareOf(stacks.filter(stack => belongs(stack, aspect))),
      alsoIn: aspects.slice(place + 1).flatMap(other => {
        const both = stacks.filter(stack => placeOf(stack) === place && belongs(stack, other));
        return both.length === 0 ? [] : [{ name: other.name, share: shareOf(both) }];
      }),
    })),
    rest: bucket(aspects.length),
    spans: windows.map(({ from, to }, at) => ({
      ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      weight: total(stacks.filter(({ window }) => window === at)),
    })),
    ...{ example: aspects.length === 0 ? EXAMPLE : [], problems: [] },
  };
}

function total(stacks: readonly FakeStack[]): number {
  return stacks.reduce((sum, { count }) => sum + count, 0);
}
