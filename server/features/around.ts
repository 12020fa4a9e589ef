// Who calls the methods of a subject and whom they call, and on which threads: plain rows for lists.

import { aroundFact, factsOf, type Need } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { SurroundingFact } from '../analysis/surroundings-answer.ts';
import { isWeighted } from '../cct/profile.ts';
import { inRanges } from '../mapping/observed-lines.ts';
import type { Amount } from '../metrics/analysis.ts';
import { calleesInTable, type GroupAndAmount, groupsOf } from '../metrics/around-method.ts';
import type { Subject } from './facts/subject.ts';

/** `line` is the recorded line of the call, 0 when unknown. */
export type AroundRow = { readonly method: number; readonly line: number; readonly amount: Amount };

type ThreadRow = { readonly thread: number; readonly amount: Amount };

type AroundList<Row> = {
  /** Samples of the subject's methods: what the rows are shares of. */
  readonly whole: Amount;
  /** How many equally weighted samples have the same sampling error as the whole. */
  readonly samples: number;
  /** Heaviest first. */
  readonly rows: readonly Row[];
};

/** What the lists below need, `fact` among it. */
export function aroundNeeds(data: LoadedData, { entry }: Subject, fact: SurroundingFact): Need[] {
  const facts: SurroundingFact[] = isWeighted(data.metric) ? [fact, 'effectiveSamples'] : [fact];
  return [
    { data, sets: [entry] },
    { data, around: { sets: [entry.methods], facts } },
  ];
}

export function callersOfSubject(data: LoadedData, subject: Subject): AroundList<AroundRow> {
  const rows = aroundFact(data, subject.entry, 'callers').map(({ method, amount }) => ({
    method,
    line: lineOfCall(data, method, subject),
    amount,
  }));
  return { ...wholeOf(data, subject), rows };
}

/** The line from which the caller calls the subject most. */
function lineOfCall({ values }: LoadedData, caller: number, { entry }: Subject): number {
  const sites = calleesInTable(values.sites, values.siteAmounts, caller);
  return sites.find(({ method, line }) => line > 0 && entry.methods.includes(method))?.line ?? 0;
}

/** One row a callee and line. */
export function calleesOfSubject(data: LoadedData, subject: Subject): AroundList<AroundRow> {
  const { onlyLines } = subject.entry;
  const all = aroundFact(data, subject.entry, 'callees');
  const rows = all.filter(({ line }) => onlyLines === undefined || inRanges(onlyLines, line));
  return { ...wholeOf(data, subject), rows };
}

/** Threads, and what each thread group ran in sum, heaviest first. */
export function threadsOfSubject(
  data: LoadedData,
  subject: Subject,
): AroundList<ThreadRow> & { readonly groups: readonly GroupAndAmount[] } {
  const rows = aroundFact(data, subject.entry, 'threads');
  return { ...wholeOf(data, subject), rows, groups: groupsOf(data.profile.threads, rows) };
}

function wholeOf(data: LoadedData, { entry }: Subject): { whole: Amount; samples: number } {
  const { methods: whole } = factsOf(data, entry);
  return { whole, samples: isWeighted(data.metric) ? aroundFact(data, entry, 'effectiveSamples') : whole.count };
}
