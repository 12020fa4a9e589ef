// The parts of answers: the writers of the terms, parameters that several answers have, and lists.

import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { isoTime } from '../../base/moment-text.ts';
import { present } from '../../base/present.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { type ComparedShare, changeText } from '../../capabilities/compare/door.ts';
import { methodName } from '../../cct/method-names.ts';
import { hasSamplingError } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { wilsonInterval } from '../../metrics/interval.ts';
import type { ResponseTimes } from '../../metrics/response-times.ts';
import { describeLook } from '../../model/look.ts';
import {
  type Change,
  described,
  type Method,
  type Origin,
  type Place,
  type Problems,
  type Share,
  shareSchema,
  type Times,
} from '../../model/terms.ts';
import { flawsOf, lossesOf, spanLookedAt, storedDataText } from '../text/data-text.ts';
import { knownCount, partOf, shareInHint } from '../text/format-share.ts';
import { listedMethod, listedText } from '../text/listed-method.ts';
import { responseTimesText } from '../text/times-text.ts';

export const subjectTextSchema = described(v.string(), 'The subject for people: several methods may be taken as one');

export function problemsOf(problems: readonly Problem[]): Problems {
  return problems.map(problem => ({ severity: problem.severity, text: formatProblem(problem) }));
}

/** Problems of data in each answer. */
const MOST_PROBLEMS = 5;

/** The first of many problems, and how many more there are. */
function firstProblems(problems: readonly Problem[]): Problems {
  const told = [...new Map(problemsOf(problems).map(problem => [problem.text, problem])).values()];
  const more = told.length - MOST_PROBLEMS;
  const rest = more > 0 ? [{ severity: 'warning' as const, text: `${more} more problems of this kind` }] : [];
  return [...told.slice(0, MOST_PROBLEMS), ...rest];
}

/** The parameter of answers that compare. */
export const BASELINE = {
  baseline: optional(
    v.string(),
    'Version to compare with; only editors and their pages have a default, the baseline that they show',
  ),
} as const;

/** The own time: the cost of own code with the libraries that it calls. */
export const OWN_SHARE = described(
  shareSchema,
  'Samples in which the method, or code of the group, is the innermost own code: each sample counts once',
);

/** Rows of a list that is not limited by the asker. */
const USUAL_ROWS = 20;
const MOST_ROWS = 10_000;

const rowsSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_ROWS));

export const LIMIT = { limit: optional(rowsSchema, `Rows; default ${USUAL_ROWS}`) };

/** Lists that are read in parts. */
export const OFFSET = {
  offset: optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 'Rows to leave out before the first one; default 0'),
};

/** Parameters of lists of methods: a search makes them shorter, and files need not be read for them. */
export const LISTED = {
  search: optional(
    v.string(),
    'Only methods with this text in class and name (capitals are meant as they are written), or that fit /an expression/',
  ),
  places: optional(v.boolean(), 'Whether the places of declarations are looked for; default true'),
};

/** For lists that are seldom cut. */
export const LIMIT_OF_ALL = { limit: optional(rowsSchema, 'Rows; default: all') };

/** The fields of every list about the rows that it leaves out. */
export const listSchema = {
  total: described(v.number(), 'Rows that there are'),
  leftOut: described(v.number(), 'Rows that limit and offset leave out'),
};

/** The field about entries that other lists than the rows leave out. */
export const LEFT_OUT_OF = {
  leftOutOf: v.exactOptional(
    described(v.record(v.string(), v.number()), 'How many entries other lists are without, by their names'),
  ),
};

/** The fields of a result with a list of such rows. */
export function listOf<R extends v.ObjectEntries>(row: R) {
  return { ...listSchema, rows: v.array(v.object(row)) };
}

/** Rows that a list has at most. */
export function limitOf(limit: number | null | undefined): number {
  return limit ?? USUAL_ROWS;
}

/** The first `limit` of some rows from `offset` on. */
export function listed<T>(rows: readonly T[], limit: number | null | undefined, offset?: number | null) {
  const from = offset ?? 0;
  const shown = rows.slice(from, from + limitOf(limit));
  return { total: rows.length, leftOut: rows.length - shown.length, rows: shown };
}

/** A parameter that may be absent; null means absent. */
export function optional<const S extends v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>>(
  schema: S,
  description: string,
) {
  return v.nullish(described(schema, description));
}

/**
 * Part of a whole, with the interval that the whole's samples allow.
 * @param samples how many equally weighted samples have the sampling error of the whole
 */
export function shareOf(
  data: LoadedData,
  part: Amount,
  whole: Amount = data.analysis.whole,
  samples: number = whole === data.analysis.whole ? data.values.effectiveWhole : whole.count,
): Share {
  const share = whole.weight > 0 ? Math.min(1, part.weight / whole.weight) : 0;
  const { low, high } = wilsonInterval(share, samples);
  return {
    text: shareInHint(partOf(part, whole)),
    share,
    count: knownCount(part.count),
    of: knownCount(whole.count),
    weight: part.weight,
    interval: !hasSamplingError(data.metric) || !(whole.weight > 0) ? null : [low, high],
  };
}

export function timesOf(times: ResponseTimes): Times {
  const { count, mean, deviation, least, greatest, p50, p95, perSecond } = times;
  return { text: responseTimesText(times), count, mean, deviation, least, greatest, p50, p95, perSecond };
}

export function changeOf(change: ComparedShare): Change {
  const { baseline, current, verdict } = change;
  return { text: changeText(change), baseline, current, verdict };
}

/** Declarations of methods, by their rows. */
export type Places = ReadonlyMap<number, Place>;

/** The name of a method as every parameter takes it. */
export function keyOf(data: LoadedData, row: number): string {
  return listedText(listedMethod(data.profile.methods, row));
}

/** A method of the table by its row; `places` as the context found them. */
export function methodOf(data: LoadedData, row: number, places: Places): Method {
  const { methods } = data.profile;
  return {
    key: keyOf(data, row),
    id: data.answers.keysOf(methods).keyOf(row),
    ...methodName(methods, row),
    place: places.get(row) ?? null,
  };
}

const AGAINST_ITSELF: Problem = {
  severity: 'warning',
  message: 'the data are compared with themselves: nothing can differ',
  remedy: 'name another version to compare with',
};

function isSame(data: LoadedData, other: LoadedData): boolean {
  const [{ from, to }, then] = [data.selection, other.selection];
  return data.revision === other.revision && from === then.from && to === then.to;
}

export function originOf(data: LoadedData, baseline: LoadedData | null = null): Origin {
  const { provenance, analysis, metric, selection, wish } = data;
  const { project, program, executions, endMillis } = provenance;
  const [from, to] = spanLookedAt(data);
  return {
    project,
    program,
    versions: [...new Set(executions.map(({ version }) => version))],
    instances: [...new Set(executions.map(({ instance }) => instance))],
    from: isoTime(from) ?? '',
    to: isoTime(to) ?? '',
    ageMinutes: Math.max(0, Math.round((Date.now() - endMillis) / 60_000)),
    metric: metric.id,
    unit: metric.unit,
    samples: analysis.whole.count,
    weight: analysis.whole.weight,
    incomplete: analysis.incomplete.count,
    losses: lossesOf(data),
    own: data.own.text,
    part: describeLook({ ...selection, ...present({ instances: wish.instances }) }),
    code: provenance.versionReason ?? '',
    baseline: baseline === null ? null : storedDataText(baseline),
    problems: firstProblems([
      ...(baseline !== null && isSame(data, baseline) ? [AGAINST_ITSELF] : []),
      ...[data, ...(baseline === null ? [] : [baseline])].flatMap(flawsOf),
    ]),
  };
}
