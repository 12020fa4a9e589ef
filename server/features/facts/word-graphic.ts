// The fields of a word-sized graphic: how many callers, callees and threads a declaration has, and the shares of the largest.

import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';
import type { Steps } from '../../metrics/around-method.ts';
import { aroundFact, aroundSteps } from './around-facts.ts';
import { factsOf } from './method-facts.ts';

/** Shares are fractions of the declaration's methods, largest first. */
export type WordGraphic = {
  readonly callers: { readonly count: number; readonly largest: readonly number[] };
  readonly callees: { readonly count: number; readonly largest: readonly number[] };
  /** Threads are known without their numbers: each kind of them is a group. */
  readonly threads: {
    readonly count: number;
    readonly groups: readonly { readonly group: string; readonly share: number }[];
  };
};

const MOST_ARROWS = 3;
const MOST_SQUARES = 6;

/** Small, so that those of all methods of a large project are kept: what stands around them is not. */
const graphicsOfData = new WeakMap<LoadedData, Map<string, WordGraphic>>();

function knownOf(data: LoadedData): Map<string, WordGraphic> {
  const known = graphicsOfData.get(data) ?? new Map<string, WordGraphic>();
  graphicsOfData.set(data, known);
  return known;
}

/** Works out in small steps what `graphicOf` looks up. */
export function* graphicSteps(data: LoadedData, entry: MappedDeclaration): Steps<void> {
  if (knownOf(data).has(entry.methods.join())) return;
  yield* aroundSteps(data, entry, ['callers', 'calleeMethods', 'threads']);
  graphicOf(data, entry);
  yield;
}

/** null where it has not been worked out. */
export function knownGraphic(data: LoadedData, entry: MappedDeclaration): WordGraphic | null {
  return knownOf(data).get(entry.methods.join()) ?? null;
}

/** Remembered as long as the data live. */
export function graphicOf(data: LoadedData, entry: MappedDeclaration): WordGraphic {
  const known = knownOf(data);
  const key = entry.methods.join();
  const found = known.get(key) ?? makeGraphic(data, entry);
  known.set(key, found);
  return found;
}

function makeGraphic(data: LoadedData, entry: MappedDeclaration): WordGraphic {
  const { methods: whole } = factsOf(data, entry);
  const share = ({ weight }: Amount) => (whole.weight > 0 ? Math.min(1, weight / whole.weight) : 0);
  const callers = aroundFact(data, entry, 'callers').map(({ amount }) => share(amount));
  const callees = aroundFact(data, entry, 'calleeMethods').map(({ amount }) => share(amount));
  const threads = aroundFact(data, entry, 'threads');
  return {
    callers: { count: callers.length, largest: callers.slice(0, MOST_ARROWS) },
    callees: { count: callees.length, largest: callees.slice(0, MOST_ARROWS) },
    threads: {
      count: threads.length,
      groups: threads.slice(0, MOST_SQUARES).map(({ thread, amount }) => ({
        group: threadName(data, thread),
        share: share(amount),
      })),
    },
  };
}

/** `pool-#-thread-#`, or what unnamed ones are called. */
export function threadName({ profile: { threads } }: LoadedData, row: number): string {
  return threads.name[row] || (threads.virtual[row] === 1 ? 'unnamed virtual threads' : 'unnamed');
}
