// The question how samples divide among aspects: each belongs to the first one that a frame of its stack belongs to.
import type { Pause } from '../../base/pause.ts';
import { timeTypeKinds } from '../../capabilities/typed/door.ts';
import type { Amount, Analysis } from '../../metrics/analysis.ts';
import { type Bucket, bucketKinds, bucketSums, type StackSets, stackSets } from '../../metrics/paths/aspect-buckets.ts';
import { timeSpans } from '../../metrics/time-spans.ts';
import { TYPED } from '../../model/time-types.ts';
import { isAspectName } from '../paths/aspect-mistakes.ts';
import { bucketQuery } from '../paths/bucket-query.ts';
import { type Aspect, type DefinedAspect, resolveAspects } from '../paths/resolve-query.ts';
import type { Question } from './question.ts';

type AspectsWish = {
  /** Aspects beside the saved ones; they come first. */
  readonly given: readonly Aspect[];
  readonly saved: readonly Aspect[];
  /** Aspects that are wanted, in the order that decides; null for all. Names of no aspect are left out. */
  readonly names: readonly string[] | null;
  /** The most spans of time. */
  readonly spans: number;
};

type ThreadTime = {
  /** Time in nanoseconds. */
  readonly weight: number;
  /** The types, most time first; an empty type stands for samples without one. */
  readonly types: readonly { readonly type: string; readonly weight: number }[];
};

type NamedBucket = {
  readonly amount: Amount;
  /** The weight in each span, in the unit of the metric. */
  readonly overTime: readonly number[];
  /** The time of threads by type: the samples of typed time, divided the same way; null where no typed time was recorded. */
  readonly threads: ThreadTime | null;
  /** The query that its samples satisfy; null where no method that ran belongs to the aspect. */
  readonly query: string | null;
};

type AspectRow = NamedBucket &
  Pick<DefinedAspect, 'name' | 'value' | 'mistake' | 'unmatched' | 'origin'> & {
    /** All samples of the aspect, also the ones in earlier buckets. */
    readonly total: Amount;
    readonly also: readonly { readonly name: string; readonly amount: Amount }[];
    /** Methods that ran and belong to it. */
    readonly methods: number;
  };

type AspectsAnswer = {
  readonly rows: readonly AspectRow[];
  readonly rest: NamedBucket;
  readonly several: Amount;
  /** The buckets and the rest together: all that is looked at, of a path filter what satisfies it. */
  readonly counted: Amount;
  readonly spans: readonly { readonly from: number; readonly to: number; readonly weight: number }[];
  /** Names of all aspects, wanted or not. */
  readonly known: readonly string[];
  /** Wanted names that no aspect has. */
  readonly unknown: readonly string[];
};

/** The aspects that the path filter defines come first, then the given ones, then the saved ones. */
export const aspects: Question<AspectsWish, AspectsAnswer> = ({ analysis, profile, selection }, wish, pause) => {
  const within = selection.path ?? null;
  const known = resolveAspects(profile, within, wish, pause);
  const byName = new Map(known.map(each => [each.name, each]));
  const wanted = wish.names === null ? known : [...new Set(wish.names)].flatMap(name => byName.get(name) ?? []);
  const sets = wanted.map(each => (isCounted(each) ? each.methods : new Uint8Array(each.methods.length)));
  const stacks = stackSets(analysis, sets, pause);
  const times = timeSpans(analysis, wish.spans);
  const sums = bucketSums(analysis, stacks, sets.length, times, pause);
  const types = typesOf(analysis, stacks, sets.length, pause);
  const names = wanted.filter((_, at) => sets[at]!.includes(1)).map(({ name }) => name);
  const given = new Set(wish.given.map(({ name }) => name));
  const unsaved = known.filter(({ name, origin }) => origin === 'listed' && given.has(name));
  const knownNames = known.map(({ name }) => name);
  const bucket = ({ amount, overTime }: Bucket, at: number, place: number): NamedBucket => ({
    ...{ amount, overTime: [...overTime], threads: types?.[at] ?? null },
    query: place < 0 ? null : bucketQuery({ names, place, known: knownNames, unsaved, saved: wish.saved, within }),
  });
  return {
    rows: wanted.map(({ name, value, origin, mistake, unmatched }, at) => ({
      ...{ name, value, origin, mistake, unmatched, total: sums.sets[at]!.total },
      ...bucket(sums.sets[at]!, at, names.indexOf(name)),
      also: [...sums.sets[at]!.also].map(([set, amount]) => ({ name: wanted[set]!.name, amount })),
      methods: sets[at]!.reduce((sum, belongs) => sum + belongs, 0),
    })),
    rest: bucket(sums.rest, sets.length, names.length),
    ...{ several: sums.several, counted: sums.all.amount },
    spans: times.spans.map((span, at) => ({ ...span, weight: sums.all.overTime[at]! })),
    known: knownNames,
    unknown: (wish.names ?? []).filter(name => !byName.has(name)),
  };
};

/** Whether an aspect has a bucket: not with a mistake in its definition, nor with a name that queries cannot write. */
export function isCounted({ mistake, name }: Pick<DefinedAspect, 'mistake' | 'name'>): boolean {
  return mistake === null && isAspectName(name);
}

/** By bucket, the rest last; null where no typed time was recorded. The time type is the first one on a stack: the part behind it has other types. */
function typesOf(a: Analysis, stacks: StackSets, sets: number, pause: Pause): readonly ThreadTime[] | null {
  const metric = a.profile.metrics.findIndex(({ id }) => id === TYPED.id);
  if (metric < 0) return null;
  const { types, ofMethod } = timeTypeKinds(a.profile.methods);
  const ofTyped = { ...a, selection: { ...a.selection, metric } };
  const kinds = { ofMethod, kinds: types.length };
  return bucketKinds(ofTyped, stacks, sets, kinds, pause).map(sums => ({
    weight: sums.reduce((sum, own) => sum + own, 0),
    types: types
      .map((type, kind) => ({ type, weight: sums[kind]! }))
      .filter(({ weight }) => weight > 0)
      .sort((x, y) => y.weight - x.weight),
  }));
}
