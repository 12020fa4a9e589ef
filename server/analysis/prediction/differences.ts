// Calls that are new, gone, or run more or less often than before, and how often more.
import type { LoopOfText } from './flow.ts';
import { isTimed, type Run } from './frames.ts';
import { type Frequencies, UNKNOWN_TIMES, type Weighed, type Weight } from './frequencies.ts';
import type { MatchedCalls } from './matched-calls.ts';
import type { Place } from './places.ts';
import type { PredictedTerm } from './prediction.ts';

export type Difference = Pick<PredictedTerm, 'change' | 'times' | 'around' | 'direction' | 'outside'> & {
  readonly run: Run;
  /** The call in the earlier version; null for a new one. */
  readonly before: Run | null;
  /** Loops around it that are new, and of which it is not known how often they run. */
  readonly fresh: readonly LoopOfText[];
  /** Loops that are around the call now, and were not before. */
  readonly entered: readonly LoopOfText[];
};

/** In the order of the present text, then what is gone. */
export function differencesOf(
  { kept, moved, added, removed }: MatchedCalls,
  runsBefore: readonly Run[],
  frequencies: Frequencies,
): Difference[] {
  const weigh = ({ call }: Run) => frequencies.weigh(call.place);
  // A count belongs to the loop in which it was made: a new one over the same list need not run as often.
  const old = new Set(kept.flatMap(({ after }) => after.call.loops));
  for (const { before, after } of moved)
    for (const loop of after.call.loops)
      if (before.call.loops.some(({ place }) => bareOf(place) === bareOf(loop.place))) old.add(loop);
  const freshOf = ({ call }: Run) => call.loops.filter(loop => !old.has(loop) && !frequencies.isTold(loop));
  const weighNow = (run: Run): Weighed => {
    const [fresh] = freshOf(run);
    if (fresh !== undefined) return frequencies.unknownIn(fresh.place);
    const { place, loops } = run.call;
    const isNew = (loop: LoopOfText) => !old.has(loop);
    return frequencies.assumedIn(place, loops.filter(isNew)) ?? weigh(run);
  };
  const weighGone = goneWeights(runsBefore, removed, frequencies);
  const now = [
    ...added.map((run): Difference => {
      const { weight, outside, reasons } = weighNow(run);
      return {
        run,
        before: null,
        change: 'added',
        times: weight,
        around: reasons,
        direction: 1,
        outside,
        fresh: freshOf(run),
        entered: run.call.loops,
      };
    }),
    ...moved.flatMap(({ before, after }): Difference[] => {
      const [then, found] = [weigh(before), weighNow(after)];
      if (isEqual(then.weight, found.weight)) return [];
      const { times, direction } = change(then, found);
      // A condition that changed says neither more nor less.
      const around = times === null && found.weight !== null ? [...found.reasons, UNKNOWN_TIMES] : found.reasons;
      return [
        {
          run: after,
          before,
          change: 'more or less often',
          times,
          around,
          direction,
          outside: found.outside,
          fresh: freshOf(after),
          entered: after.call.loops.filter(
            loop => !before.call.loops.some(({ place }) => bareOf(place) === bareOf(loop.place)),
          ),
        },
      ];
    }),
    ...kept.flatMap(({ before, after }): Difference[] => {
      if (!isTimed(after) || valuesOf(before) === valuesOf(after)) return [];
      const { outside, reasons: around } = weigh(after);
      return [
        {
          run: after,
          before,
          change: 'with other values',
          times: null,
          around,
          direction: 0,
          outside,
          fresh: [],
          entered: [],
        },
      ];
    }),
  ].sort((a, b) => orderOf(a) - orderOf(b));
  const gone = removed.map((run): Difference => {
    const { weight, outside, reasons } = weighGone(run);
    const times = weight === null ? null : { least: -weight.most, most: negative(weight.least) };
    return {
      run,
      before: run,
      change: 'removed',
      times,
      around: reasons,
      direction: -1,
      outside,
      fresh: [],
      entered: [],
    };
  });
  return [...now, ...gone];
}

/** Characters: in a longer argument no values are looked for. */
const LONGEST_ARGUMENT = 1_000;

/** Tells a loop apart without its exits. */
function bareOf({ around }: Place): string {
  return around?.kind === 'loop' ? around.bare : '';
}

/** `each(…)`, the list whose elements a variable has: with brackets of three levels, and texts. */
const ELEMENT = /each\((?:"(?:\\.|[^"\\])*"|[^()"]|\((?:"(?:\\.|[^"\\])*"|[^()"]|\([^()"]*\))*\))*\)/g;

/** Numbers and texts among the arguments of a call, in their order. */
function valuesOf({ frame, call }: Run): string {
  const values = call.statement.parts.filter(
    ({ role, span }) => role === 'argument' && span.end - span.start <= LONGEST_ARGUMENT,
  );
  // An element is the same value, whether a loop or a stream takes it from the list.
  const forms = values.map(({ span }) => frame.flow.expressions.keyOf(span).replaceAll(ELEMENT, 'each'));
  return forms.flatMap(form => form.match(/"(?:\\.|[^"\\])*"|(?<![\w$~#@])\d[\w.]*/g) ?? []).join();
}

/** Where all calls of a callee are gone, their count tells how often they ran together. */
function goneWeights(
  runsBefore: readonly Run[],
  removed: readonly Run[],
  frequencies: Frequencies,
): (run: Run) => Weighed {
  const groupOf = ({ frame, key }: Run) => `${frame.entry.id} ${key}`;
  const all = Map.groupBy(runsBefore, groupOf);
  const gone = Map.groupBy(removed, groupOf);
  return run => {
    const own = frequencies.weigh(run.call.place);
    const [group, left] = [all.get(groupOf(run)) ?? [], gone.get(groupOf(run)) ?? []];
    const total = frequencies.totalOf(group.map(({ call }) => call.place));
    if (group.length !== left.length || total === null || isExact(own.weight)) return own;
    const times = total.times / group.length;
    return { weight: { least: times, most: times }, least: times, outside: times, reasons: [total.reason] };
  };
}

function isExact(weight: Weight | null): boolean {
  return weight !== null && weight.least === weight.most;
}

function isEqual(then: Weight | null, now: Weight | null): boolean {
  if (then === null || now === null) return false;
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(a, b);
  return isExact(then) && isExact(now) && near(then.least, now.least);
}

/** How often more; null where that is not known, or may be more or less often. */
function change(then: Weighed, now: Weighed): Pick<Difference, 'times' | 'direction'> {
  if (then.weight === null || now.weight === null) {
    const isMore = then.weight !== null && now.least >= then.weight.most;
    return { times: null, direction: isMore ? 1 : 0 };
  }
  const times = { least: now.weight.least - then.weight.most, most: now.weight.most - then.weight.least };
  if (times.least < 0 && times.most > 0) return { times: null, direction: 0 };
  return { times, direction: times.least >= 0 ? 1 : -1 };
}

/** Never −0. */
function negative(value: number): number {
  return value === 0 ? 0 : -value;
}

function orderOf({ run: { call, frame } }: Difference): number {
  const { call: site } = (frame.from ?? call).statement;
  return site?.nameSpan.start ?? 0;
}
