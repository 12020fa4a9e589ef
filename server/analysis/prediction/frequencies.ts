// How often places of a method run in one run of it: measured where the calls in them tell, told by the text, or not known.
import type { LoopOfText } from './flow.ts';
import type { Place, Places } from './places.ts';

/** Times in one run of the method; the ends differ where only these are known. */
export type Weight = { readonly least: number; readonly most: number };

/** How often a place runs. */
export type Weighed = {
  /** null where no greatest number is known. */
  readonly weight: Weight | null;
  /** The least number of its runs. */
  readonly least: number;
  /** How often the code runs around the innermost loop of which it is not known how often it runs. */
  readonly outside: number;
  /** The reasons for the number, outermost first: `5 times (measured by find)`, `× ?`. */
  readonly reasons: readonly string[];
};

/** Calls of one method: all places in which they stand, and how often they run together in one run. */
export type Counted = { readonly name: string; readonly places: readonly Place[]; readonly times: number };

type Measured = { readonly times: number; readonly by: string | null };

/** The product of the iterations of more loops has no meaning. */
const MOST_LOOPS = 50;
/** More runs take longer than anybody waits. */
const MOST_TIMES = 1e12;

const IN_BRANCH = 'in a branch of which it is not known how often it runs';
export const UNKNOWN_TIMES = '× ?';
const IN_LAMBDA = {
  unknown: 'in a lambda of which it is not known where and how often it runs',
  elsewhere: 'on another thread',
  never: 'in a stream of which nothing asks for the elements',
};
const TOO_DEEP = `in more than ${MOST_LOOPS} loops`;
const TOO_OFTEN = 'more than 10¹² times';

export class Frequencies {
  readonly #places: Places;
  /** Iterations of a loop by its header, where they are assumed. */
  readonly #assumed: (header: string) => number | null;
  readonly #measured = new Map<Place, Measured>();
  readonly #weighed = new Map<Place, Weighed>();
  readonly #totals = new Map<string, Counted>();

  constructor(places: Places, assumed: (header: string) => number | null) {
    this.#places = places;
    this.#assumed = assumed;
    this.#measured.set(places.root, { times: 1, by: null });
  }

  /** Exact times of a place in one run; null where they are not known. */
  timesOf(place: Place): number | null {
    return this.#measured.get(place)?.times ?? null;
  }

  /** How often all calls of one method ran together that stand in these places; null where that was not counted. */
  totalOf(places: readonly Place[]): { readonly times: number; readonly reason: string } | null {
    const total = this.#totals.get(idsOf(places));
    return total === undefined
      ? null
      : { times: total.times, reason: `${timesText(total.times)} together (measured by ${total.name})` };
  }

  /** Works out what the counts of calls say of the places. */
  measure(counted: readonly Counted[]): void {
    this.#weighed.clear();
    for (const each of counted) this.#totals.set(idsOf(each.places), each);
    const all = this.#places.all();
    for (let isNew = true; isNew; ) {
      const before = this.#measured.size;
      for (const each of counted) this.#solve(each);
      for (const place of all) this.#conclude(place);
      isNew = this.#measured.size > before;
    }
  }

  /** Of several places of calls of one method the last unknown one has what the others leave. */
  #solve({ name, places, times }: Counted): void {
    const open = new Set(places.filter(place => !this.#measured.has(place)));
    const [place] = open;
    if (open.size !== 1 || place === undefined) return;
    const known = places.reduce((sum, each) => sum + (this.#measured.get(each)?.times ?? 0), 0);
    const count = places.filter(each => each === place).length;
    this.#measured.set(place, { times: Math.max(0, times - known) / count, by: name });
  }

  /** Concludes by the text from a known place to the places beside and around it, and the other way round. */
  #conclude(place: Place): void {
    const { outer, around } = place;
    if (outer === null || around === null) return;
    const [own, outside] = [this.#measured.get(place), this.#measured.get(outer)];
    if (around.kind === 'loop' && around.length !== null && !around.hasExits) {
      if (
        own === undefined &&
        outside !== undefined &&
        this.#assumed(around.header) === null &&
        place.loops <= MOST_LOOPS
      ) {
        const times = outside.times * around.length;
        if (times <= MOST_TIMES) this.#measured.set(place, { times, by: null });
      } else if (own !== undefined && outside === undefined && around.length > 0)
        this.#measured.set(outer, { times: own.times / around.length, by: own.by });
    } else if (around.kind === 'branch' && around.opposite !== null && own !== undefined && outside !== undefined) {
      const beside = this.#places.beside(place, around.opposite);
      if (beside !== null && !this.#measured.has(beside))
        this.#measured.set(beside, { times: Math.max(0, outside.times - own.times), by: own.by });
    }
  }

  weigh(place: Place): Weighed {
    const path: Place[] = [];
    let at: Place | null = place;
    for (; at !== null && !this.#weighed.has(at); at = at.outer) path.push(at);
    // A loop, since code is nested deeply.
    for (const each of path.reverse()) {
      const outside = each.outer === null ? null : this.#weighed.get(each.outer)!;
      this.#weighed.set(each, this.#weighOne(each, outside));
    }
    return this.#weighed.get(place)!;
  }

  #weighOne(place: Place, outside: Weighed | null): Weighed {
    const { around } = place;
    if (around === null || outside === null) return exactly(1, []);
    const measured = this.#measured.get(place);
    if (measured !== undefined) {
      const source = measured.by === null ? 'literal' : `measured by ${measured.by}`;
      const reasons = measured.by === null ? outside.reasons : [];
      return exactly(measured.times, [...reasons, `${timesText(this.#told(place, measured))} (${source})`]);
    }
    return this.#weighUncounted(place, outside);
  }

  /** The weight of a place by the text and assumptions alone, without the counted calls in it. */
  #weighUncounted(place: Place, outside: Weighed | null): Weighed {
    const { around } = place;
    if (around === null || outside === null) return exactly(1, []);
    if (around.kind === 'lambda') {
      const reason = IN_LAMBDA[around.runs];
      return around.runs === 'never' ? exactly(0, [...outside.reasons, reason]) : unknown(outside, reason);
    }
    if (around.kind === 'branch') return inBranch(outside);
    if (place.loops > MOST_LOOPS) return outside.reasons.at(-1) === TOO_DEEP ? outside : unknown(outside, TOO_DEEP);
    const assumed = this.#assumed(around.header);
    if (assumed !== null) return times(outside, assumed, { least: assumed, source: 'assumed' });
    if (around.length !== null)
      return times(outside, around.length, {
        least: around.mayBeNone ? 0 : around.hasExits ? Math.min(1, around.length) : around.length,
        source: 'literal',
      });
    return this.#likeBefore(place, outside) ?? unknown(outside, UNKNOWN_TIMES);
  }

  /** Of the text a product of iterations is told loop by loop. */
  #told({ outer, around }: Place, { times, by }: Measured): number {
    return by === null && around?.kind === 'loop' && around.length !== null && outer !== null ? around.length : times;
  }

  /** A loop that got exits runs no more often than it did; one that lost them runs no less often. */
  #likeBefore({ outer, around }: Place, outside: Weighed): Weighed | null {
    if (outer === null || around?.kind !== 'loop') return null;
    for (const [place, measured] of this.#measured) {
      const other = place.around;
      if (place.outer !== outer || other?.kind !== 'loop' || other.bare !== around.bare) continue;
      const { times: most, by } = measured;
      const source = by === null ? 'literal' : `measured by ${by}`;
      if (around.hasExits && !other.hasExits)
        return {
          ...{ weight: { least: 0, most }, least: 0, outside: most },
          reasons: [...outside.reasons, `up to ${timesText(most)} (${source})`],
        };
      if (!around.hasExits && other.hasExits)
        return {
          ...{ weight: null, least: most, outside: Math.max(1, most) },
          reasons: [...outside.reasons, `at least ${timesText(most)} (${source})`],
        };
    }
    return null;
  }

  /** Whether the text or an assumption tells the iterations of a loop. */
  isTold({ place: { around }, header }: LoopOfText): boolean {
    return around?.kind === 'loop' && (around.length !== null || this.#assumed(header) !== null);
  }

  /**
   * A place in new loops of which assumptions tell the iterations, though loops with the same headers may have been counted.
   * @param loops the new ones around the place; null where nothing is assumed of them
   */
  assumedIn(place: Place, loops: readonly LoopOfText[]): Weighed | null {
    const assumed = new Map(loops.flatMap(loop => [[loop.place, this.#assumed(loop.header)] as const]));
    if (![...assumed.values()].some(count => count !== null)) return null;
    const path: Place[] = [];
    for (let at: Place | null = place; at !== null; at = at.outer) path.push(at);
    let weighed: Weighed | null = null;
    let isAnew = false;
    for (const each of path.reverse()) {
      const count = assumed.get(each) ?? null;
      if (count !== null && weighed !== null) {
        weighed = times(weighed, count, { least: count, source: 'assumed' });
        isAnew = true;
      } else weighed = isAnew ? this.#weighUncounted(each, weighed) : this.weigh(each);
    }
    return weighed;
  }

  /** A loop that is new, though one with the same header was counted. */
  unknownIn({ outer }: Place): Weighed {
    return unknown(this.weigh(outer ?? this.#places.root), UNKNOWN_TIMES);
  }

  /** Iterations of one run of a loop; null where they are not known. */
  iterationsOf(place: Place): number | null {
    const { outer, around } = place;
    if (outer === null || around?.kind !== 'loop') return null;
    const [inside, outside] = [this.timesOf(place), this.timesOf(outer)];
    if (inside !== null && outside !== null && outside > 0) return inside / outside;
    return this.#assumed(around.header) ?? around.length;
  }
}

function exactly(value: number, reasons: readonly string[]): Weighed {
  return known({ least: value, most: value }, reasons);
}

function known(weight: Weight, reasons: readonly string[]): Weighed {
  return { weight, least: weight.least, outside: Math.max(1, weight.most), reasons };
}

function unknown({ outside, reasons }: Weighed, reason: string): Weighed {
  return { weight: null, least: 0, outside, reasons: [...reasons, reason] };
}

/** Branches in branches are told once. */
function inBranch({ weight, outside, reasons }: Weighed): Weighed {
  const told = reasons.at(-1) === IN_BRANCH ? reasons : [...reasons, IN_BRANCH];
  if (weight !== null) return known({ least: 0, most: weight.most }, told);
  return { weight, least: 0, outside, reasons: told };
}

function times(
  { weight, outside, reasons }: Weighed,
  most: number,
  { least, source }: { readonly least: number; readonly source: string },
): Weighed {
  const told = [...reasons, `${least < most ? 'up to ' : ''}${timesText(most)} (${source})`];
  const inside = weight === null ? null : { least: weight.least * least, most: weight.most * most };
  if (inside !== null && inside.most <= MOST_TIMES) return known(inside, told);
  const reason = inside === null ? [] : [TOO_OFTEN];
  return {
    weight: null,
    least: 0,
    outside: Math.min(MOST_TIMES, outside * Math.max(1, most)),
    reasons: [...told, ...reason],
  };
}

function timesText(value: number): string {
  const text = Number(value.toPrecision(3));
  return text === 1 ? 'once' : `${text} times`;
}

function idsOf(places: readonly Place[]): string {
  return places
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join();
}
