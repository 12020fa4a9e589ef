// The heaviest matching of two small trees that keeps their order, worked out exactly by dynamic programming over pairs of contexts.
import { type Drawn, totalOf } from '../../support/profiles/compared.ts';

type Context = {
  readonly drawn: Drawn;
  readonly share: number;
  readonly ancestors: ReadonlySet<Drawn>;
  readonly level: number;
};

/** As deep as the matching that is checked looks. */
const MOST_SKIPPED = 12;

/** Weight of the matching; siblings must differ in their methods. */
export function heaviestMatching(first: Drawn, second: Drawn): number {
  const wholes = [totalOf(first), totalOf(second)] as const;
  const known = new Map<Drawn, Map<Drawn, number>>();
  const best = (x: Drawn, y: Drawn): number => {
    const found = known.get(x)?.get(y);
    if (found !== undefined) return found;
    const [below, other] = [contextsBelow(x, wholes[0]), contextsBelow(y, wholes[1])];
    const pairs = below.flatMap(a =>
      other
        .filter(b => a.drawn.method === b.drawn.method && (a.level === 0 || b.level === 0))
        .map(b => ({ a, b, weight: pairWeight(a, b) + best(a.drawn, b.drawn) })),
    );
    const value = heaviestSet(pairs);
    if (!known.has(x)) known.set(x, new Map());
    known.get(x)!.set(y, value);
    return value;
  };
  return best(first, second);
}

/** Of one pair: the smaller share times the similarity of the children. */
export function weightOf(first: Drawn, second: Drawn, shares: readonly [number, number]): number {
  const methods = new Set(first.calls.map(({ method }) => method));
  const both = 1 + second.calls.filter(({ method }) => methods.has(method)).length;
  return (Math.min(...shares) * both) / (first.calls.length + second.calls.length + 2 - both);
}

function pairWeight(a: Context, b: Context): number {
  return weightOf(a.drawn, b.drawn, [a.share, b.share]);
}

function contextsBelow(top: Drawn, whole: number): Context[] {
  const found: Context[] = [];
  const add = (each: Drawn, ancestors: readonly Drawn[]): void => {
    if (ancestors.length > MOST_SKIPPED) return;
    found.push({ drawn: each, share: totalOf(each) / whole, ancestors: new Set(ancestors), level: ancestors.length });
    for (const call of each.calls) add(call, [...ancestors, each]);
  };
  for (const call of top.calls) add(call, []);
  return found;
}

type Pair = { readonly a: Context; readonly b: Context; readonly weight: number };

/** The heaviest set of pairs of which none stands above another on either side. */
function heaviestSet(pairs: readonly Pair[]): number {
  const search = (at: number, taken: readonly Pair[]): number => {
    if (at === pairs.length) return 0;
    const pair = pairs[at]!;
    const without = search(at + 1, taken);
    if (taken.some(each => areRelated(each.a, pair.a) || areRelated(each.b, pair.b))) return without;
    return Math.max(without, pair.weight + search(at + 1, [...taken, pair]));
  };
  return search(0, []);
}

function areRelated(one: Context, other: Context): boolean {
  return one.drawn === other.drawn || one.ancestors.has(other.drawn) || other.ancestors.has(one.drawn);
}
