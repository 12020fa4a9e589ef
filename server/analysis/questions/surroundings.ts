// The question for the surroundings of sets of methods: callers, callees, lines and threads.

import type { Pause } from '../../base/pause.ts';
import { timeTypeAmounts } from '../../capabilities/typed/door.ts';
import { listedRows } from '../../cct/listed-metrics.ts';
import { ROOT_METHOD } from '../../cct/profile.ts';
import {
  calleeMethodsInTable,
  callersInTable,
  effectiveSamplesInTable,
  linesInTable,
  threadCountInTable,
} from '../../metrics/around-lookup.ts';
import {
  type CallSite,
  calleeMethodsOf,
  calleesInTable,
  calleesOf,
  callersOf,
  effectiveSamplesOf,
  linesOf,
  threadsOf,
} from '../../metrics/around-method.ts';
import { type AroundTables, aroundTables } from '../../metrics/around-tables.ts';
import { objectsOf } from '../../metrics/objects.ts';
import { amountOfMetric, wholeOfMetric } from '../../metrics/other-metrics.ts';
import { responseTimesOf } from '../../metrics/response-times.ts';
import { threadsOfEach } from '../../metrics/threads-of-each.ts';
import type { LoadedData } from '../loaded-data.ts';
import type { SurroundingFact, Surroundings, SurroundingsWish } from '../surroundings-answer.ts';
import type { Question } from './question.ts';

/** Above so many sets the tables of all methods take less time than a walk for each. */
const FEW_SETS = 8;

/** The facts that are asked for, of each set in their order. */
export const surroundings: Question<SurroundingsWish, readonly Partial<Surroundings>[]> = (
  data,
  { sets, facts },
  pause,
) => {
  const areMany = sets.length > FEW_SETS;
  const tables = areMany ? tablesOf(data, pause) : data.answers.around;
  const single = areMany && facts.includes('threads') ? sets.flatMap(set => (set.length === 1 ? set : [])) : [];
  const threads = single.length > 0 ? threadsOfEach(data.analysis, single, pause) : null;
  return sets.map(methods => {
    const known = methods.length === 1 ? tables : null;
    const ofThreads = methods.length === 1 ? threads?.get(methods[0]!) : undefined;
    const found = facts.map(fact => {
      const isKnown = fact === 'threads' && ofThreads !== undefined;
      return [fact, isKnown ? ofThreads : FACTS[fact](data, methods, known, pause)] as const;
    });
    return Object.fromEntries(found) as Partial<Surroundings>;
  });
};

function tablesOf(data: LoadedData, pause: Pause): AroundTables {
  const { answers, analysis, values, lines } = data;
  answers.around ??= aroundTables(analysis, values.sites, lines, pause);
  return answers.around;
}

type Find<T> = (data: LoadedData, methods: readonly number[], tables: AroundTables | null, pause: Pause) => T;

const FACTS: { readonly [Fact in SurroundingFact]: Find<Surroundings[Fact]> } = {
  callers: ({ analysis, values }, methods, tables, pause) =>
    tables === null ? callersOf(analysis, methods, pause) : callersInTable(tables, values.sites, methods[0]!),
  callees,
  calleeMethods: (data, methods, tables, pause) => {
    const sites = callees(data, methods, tables, pause);
    // Summed up, a sample of a callee that was called from several lines would count more than once.
    if (new Set(sites.map(({ method }) => method)).size === sites.length) return sites;
    return tables === null
      ? calleeMethodsOf(data.analysis, methods, pause)
      : calleeMethodsInTable(tables, data.values.sites, methods[0]!);
  },
  lines: ({ analysis, lines }, methods, tables, pause) =>
    tables === null ? linesOf(analysis, methods, pause) : linesInTable(tables, lines, methods[0]!),
  threads: ({ analysis }, methods, _, pause) => threadsOf(analysis, methods, pause),
  threadCount: ({ analysis }, methods, tables, pause) =>
    (tables === null ? null : threadCountInTable(tables, methods)) ?? threadsOf(analysis, methods, pause).length,
  effectiveSamples: ({ analysis, values }, methods, tables, pause) =>
    tables === null
      ? effectiveSamplesOf(analysis, methods, pause)
      : effectiveSamplesInTable(tables, values.total, methods[0]!),
  metrics: ({ analysis, profile }, methods, _, pause) =>
    listedRows(profile).flatMap(row => {
      if (row === analysis.selection.metric) return [];
      const metric = profile.metrics[row]!;
      const total = amountOfMetric(analysis, row, methods, pause);
      if (total.count === 0) return [];
      const { samples, ...whole } = wholeOfMetric(analysis, row, pause);
      return [{ metric, total, whole, samples }];
    }),
  responseTimes: ({ analysis, profile }, methods) =>
    responseTimesOf(profile, [methods], analysis.selection.windows)[0]!,
  timeTypes: ({ analysis }, methods, _, pause) => timeTypeAmounts(analysis, methods, pause),
  objects: ({ analysis }, methods, _, pause) =>
    objectsOf(analysis, methods.length === 1 && methods[0] === ROOT_METHOD ? null : methods, pause),
};

function callees(
  { analysis, values }: LoadedData,
  methods: readonly number[],
  _: AroundTables | null,
  pause: Pause,
): readonly CallSite[] {
  return methods.length === 1
    ? calleesInTable(values.sites, values.siteAmounts, methods[0]!)
    : calleesOf(analysis, methods, pause);
}
