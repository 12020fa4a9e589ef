// The fields of a word-sized graphic: how many callers, callees and threads a declaration has, and the shares of the largest.

import { factsOf } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { aroundFact } from './around-facts.ts';

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
/** Facts that a graphic is drawn from. */
export const GRAPHIC_FACTS = ['callers', 'calleeMethods', 'threads'] as const;

/** Whether those facts were gathered. */
export function hasGraphic({ answers }: LoadedData, { methods }: MappedDeclaration): boolean {
  const known = answers.surroundingsOf(methods);
  return GRAPHIC_FACTS.every(fact => known[fact] !== undefined);
}

export function graphicOf(data: LoadedData, entry: MappedDeclaration): WordGraphic {
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
function threadName({ profile: { threads } }: LoadedData, row: number): string {
  return threadGroupName(threads.name[row]!) || (threads.virtual[row] === 1 ? 'unnamed virtual threads' : 'unnamed');
}
