// The fields of a word-sized graphic: how many callers, callees and threads a declaration has, and the shares of the largest.

import { aroundFact, factsOf, type Need } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { SurroundingFact } from '../../analysis/surroundings-answer.ts';
import { isWeighted, type ThreadTable } from '../../cct/profile.ts';
import { threadGroupName } from '../../cct/thread-groups.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';
import type { Amount } from '../../metrics/analysis.ts';

export type WordGraphic = ReturnType<typeof graphicOf>;

const MOST_ARROWS = 3;
const MOST_SQUARES = 6;

/** Facts that a graphic is drawn from. */
const GRAPHIC_FACTS = ['callers', 'calleeMethods', 'threads'] as const;

/** The needs of the graphics of declarations beside their numbers, with how many samples are behind them. */
export function graphicNeeds(
  data: LoadedData,
  entries: readonly Pick<MappedDeclaration, 'methods'>[],
  others: readonly SurroundingFact[] = [],
): Need {
  const samples: readonly SurroundingFact[] = isWeighted(data.metric) ? ['effectiveSamples'] : [];
  const facts = [...GRAPHIC_FACTS, ...samples, ...others];
  return { data, around: { sets: entries.map(({ methods }) => methods), facts } };
}

/** Whether those facts were gathered. */
export function hasGraphic({ answers }: LoadedData, { methods }: MappedDeclaration): boolean {
  return !answers.lacksAround(methods, GRAPHIC_FACTS);
}

/** Shares are fractions of the declaration's methods, largest first. */
export function graphicOf(data: LoadedData, entry: MappedDeclaration) {
  const { methods: whole } = factsOf(data, entry);
  const share = ({ weight }: Amount) => (whole.weight > 0 ? Math.min(1, weight / whole.weight) : 0);
  const callers = aroundFact(data, entry, 'callers').map(({ amount }) => share(amount));
  const callees = aroundFact(data, entry, 'calleeMethods').map(({ amount }) => share(amount));
  const threads = aroundFact(data, entry, 'threads');
  return {
    callers: { count: callers.length, largest: callers.slice(0, MOST_ARROWS) },
    callees: { count: callees.length, largest: callees.slice(0, MOST_ARROWS) },
    /** Threads are known without their numbers: each kind of them is a group. */
    threads: {
      count: threads.length,
      groups: threads.slice(0, MOST_SQUARES).map(({ thread, amount }) => ({
        group: threadName(data.profile.threads, thread),
        share: share(amount),
      })),
    },
  };
}

/** `pool-#-thread-#`, or what unnamed ones are called. */
export function threadName(threads: ThreadTable, row: number): string {
  return threadGroupName(threads.name[row]!) || (threads.virtual[row] === 1 ? 'unnamed virtual threads' : 'unnamed');
}
