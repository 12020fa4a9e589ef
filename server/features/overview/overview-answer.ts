// The answer `overview`: what a program does, where it waits, what it allocates, how long it stands still, what changed, and what the data lack.
import * as v from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MetricPart, Overview, WaitPart } from '../../analysis/questions/overview.ts';
import { isoTime } from '../../base/moment-text.ts';
import { certaintyOf } from '../../capabilities/typed/door.ts';
import type { Metric } from '../../cct/profile.ts';
import type { Amount } from '../../metrics/analysis.ts';
import { changeSchema, described, methodSchema, type Share, shareSchema } from '../../model/terms.ts';
import { TIME_TYPES, TYPED } from '../../model/time-types.ts';
import { DIRECTED } from '../../model/verdict.ts';
import { type AnswerContext, defineDataAnswer, placesFor } from '../answers/answer.ts';
import { changeOf, listOf, methodOf, OWN_SHARE, optional, type Places, shareOf } from '../answers/vocabulary.ts';
import { amountText } from '../hover/amount-text.ts';
import { classNameOf, methodLabel } from '../text/runtime-names.ts';
import { changesSince, versionBefore } from './changes-since.ts';
import { missingIn } from './missing.ts';
import { holdsUp, overviewSentence, pausedNanos, percent, typedRow } from './sentence.ts';

/** Rows of each list. */
const ROWS = 5;

const amount = described(v.string(), 'The weight with its unit');

const partSchema = v.object({
  metric: v.string(),
  amount,
  rate: described(v.string(), 'For each second of recording, of one JVM'),
  rows: v.array(v.object({ method: methodSchema, share: shareSchema, amount })),
});

export const overview = defineDataAnswer({
  name: 'overview',
  title: 'What the program does',
  description:
    'Says in a sentence what a program does, with its hottest own code, its waits, its allocation and exceptions, its garbage collections, what changed since the version before, and what the data lack. Ask it first.',
  parameters: {
    baseline: optional(v.string(), 'Version to compare with; default: the one recorded before'),
    changes: optional(v.boolean(), 'Whether versions are compared, which takes seconds; default true'),
    places: optional(v.boolean(), 'Whether the places of declarations are looked for; default true'),
  },
  result: {
    sentence: v.string(),
    ...listOf({
      method: methodSchema,
      own: OWN_SHARE,
      total: shareSchema,
      change: described(v.nullable(changeSchema), 'Change of "total"'),
      overTime: described(
        v.array(v.nullable(v.number())),
        'Own share of each span of "spans"; null where nothing was recorded in it',
      ),
    }),
    spans: v.array(v.object({ from: v.string(), to: v.string() })),
    waiting: described(
      v.nullable(
        v.object({
          amount: described(
            v.string(),
            'Time of threads that run own code, waiting or not, without time that is known to be outside of it',
          ),
          types: v.array(v.object({ type: v.string(), words: v.string(), share: shareSchema, amount })),
          classes: described(
            v.array(
              v.object({
                threads: described(v.string(), 'Class of threads'),
                words: v.string(),
                type: v.string(),
                share: described(shareSchema, 'Share of the time of that class, as in "amount"'),
                atLeast: v.boolean(),
                holder: v.nullable(v.string()),
              }),
            ),
            'Which class of threads is held up for how much of its time (by locks, data, processors), most time first',
          ),
          rows: v.array(
            v.object({
              words: described(v.string(), 'The time type in words'),
              type: v.string(),
              method: methodSchema,
              share: described(shareSchema, 'Share of "amount"'),
              amount,
              atLeast: described(v.boolean(), 'True if waits below a threshold are missing'),
              threads: described(v.string(), 'The class of threads that waits most there'),
              holder: described(v.nullable(v.string()), 'Class of threads, or method, that they wait for most'),
            }),
          ),
          aside: described(
            v.object({ amount, threads: v.array(v.string()) }),
            "Time outside of own code: the time of threads that run none, such as the JVM's own, and of idle threads of pools",
          ),
        }),
      ),
      'Null where it was not recorded what threads do; see "waits"',
    ),
    waits: described(v.array(partSchema), 'Waits that events tell, where "waiting" is null'),
    allocation: v.nullable(partSchema),
    exceptions: v.nullable(partSchema),
    collections: described(
      v.nullable(
        v.object({
          amount: described(v.string(), 'How long all threads stood still for garbage collections'),
          share: described(v.number(), 'Fraction of the time of recording, from 0 to 1'),
          text: described(v.string(), 'The share for people'),
          count: described(v.number(), 'Collections'),
          mean: described(v.string(), 'How long the pauses of one collection are on average'),
          kinds: described(
            v.array(
              v.object({ kind: described(v.string(), 'Collector and cause'), amount: v.string(), count: v.number() }),
            ),
            'Longest pauses first',
          ),
        }),
      ),
      'Garbage collections of the whole JVMs, whatever threads or methods are looked at; null where none was recorded',
    ),
    processors: described(
      v.nullable(v.string()),
      'Processors that the JVMs used on average, of the processors that they could use; null where it was not recorded',
    ),
    changes: described(
      v.nullable(
        v.object({
          version: v.string(),
          shown: described(v.string(), 'The version for people: the beginning of a hash'),
          text: described(v.string(), 'The verdict of the test over JVMs'),
          findings: v.array(v.object({ text: v.string(), verdict: v.picklist(DIRECTED) })),
        }),
      ),
      'Changes since another version; null where there is none, or it was not asked for',
    ),
    missing: v.array(
      v.object({
        text: v.string(),
        remedy: v.string(),
        line: described(v.nullable(v.string()), 'The line that does the remedy, to be copied'),
      }),
    ),
  },
  async answer(data, given, context) {
    const found = await context.reach.ask(data, 'overview', { rows: ROWS });
    const version = given.changes === false ? null : (given.baseline ?? (await versionBefore(context, data)));
    const hottest = found.rows.map(({ method }) => method);
    const since = version === null ? null : await changesSince(context, data, version, hottest);
    const changes = since === null ? null : since.changes;
    const methods = new Set([
      ...hottest,
      ...(found.waits?.rows.map(({ method }) => method) ?? []),
      ...found.metrics.flatMap(({ rows }) => rows.map(({ method }) => method)),
    ]);
    const places = await placesFor(context, data, [...methods], given.places);
    const told = changes?.findings.length ? `since ${changes.shown} ${changes.text}` : null;
    const partOfMetric = (id: string) => {
      const part = found.metrics.find(each => each.id === id);
      return part === undefined ? null : partRow(data, part, found.processors.elapsed, places);
    };
    const hasSource = given.places === false ? null : await hasSourceOf(context, data, found.rows[0]?.method);
    return {
      sentence: overviewSentence(data, found, told),
      ...{ total: found.methods, leftOut: found.methods - found.rows.length },
      rows: found.rows.map(({ method, total, ...own }, row) => ({
        method: methodOf(data, method, places),
        own: shareOf(data, own),
        total: shareOf(data, total),
        change: since === null || since.ofMethods === null ? null : changeOf(since.ofMethods[row]!),
        overTime: found.spans.map(({ whole, own: all }) => (whole > 0 ? all[row]! / whole : null)),
      })),
      spans: found.spans.map(({ from, to }) => ({ from: isoTime(from) ?? '', to: isoTime(to) ?? '' })),
      waiting: found.waits === null ? null : waitingRow(data, found.waits, places),
      waits: found.metrics
        .filter(({ id }) => id !== 'alloc' && id !== 'exception')
        .map(part => partRow(data, part, found.processors.elapsed, places)),
      allocation: partOfMetric('alloc'),
      exceptions: partOfMetric('exception'),
      collections: collectionsOf(found),
      processors: processorsText(found.processors),
      changes: changes && { ...changes, findings: [...changes.findings] },
      missing: [...missingIn(data, found, hasSource)],
    };
  },
});

/** Whether a file declares the class of a method; also where there is no method. */
async function hasSourceOf(context: AnswerContext, { profile }: LoadedData, method?: number): Promise<boolean> {
  return method === undefined || (await context.fileOf(classNameOf(profile.methods, method))) !== null;
}

function metricOf({ profile }: LoadedData, id: string): Metric {
  return profile.metrics.find(metric => metric.id === id)!;
}

/** A share of another metric than the one that is looked at. */
function shareIn(data: LoadedData, metric: Metric, part: Amount, whole: Amount): Share {
  return shareOf({ ...data, metric }, part, whole);
}

function partRow(data: LoadedData, { id, whole, rows }: MetricPart, elapsed: number, places: Places) {
  const metric = metricOf(data, id);
  return {
    metric: id,
    amount: amountText(whole.weight, metric),
    rate: `${amountText(elapsed > 0 ? (whole.weight * 1e9) / elapsed : 0, metric)} a second`,
    rows: rows.map(({ method, ...own }) => ({
      method: methodOf(data, method, places),
      share: shareIn(data, metric, own, whole),
      amount: amountText(own.weight, metric),
    })),
  };
}

function waitingRow(data: LoadedData, { whole: weight, types, classes, rows, aside }: WaitPart, places: Places) {
  const { profile } = data;
  const metric = metricOf(data, TYPED.id);
  const whole = { weight, count: types.reduce((sum, { count }) => sum + count, 0) };
  const words = (nanos: number) => amountText(nanos, TYPED);
  const isAtLeast = (type: string) => certaintyOf(profile, typedRow(profile), type).lowerBound;
  const nameOf = (holder: WaitPart['classes'][0]['holder']) =>
    holder && (holder.method === null ? holder.name : methodLabel(profile.methods, holder.method));
  return {
    amount: words(weight),
    types: types.map(({ type, ...own }) => ({
      ...{ type, words: TIME_TYPES[type].words, amount: words(own.weight) },
      share: shareIn(data, metric, own, whole),
    })),
    classes: classes
      .filter(holdsUp)
      .slice(0, 3)
      .map(({ threads, type, holder, weight: own, count, whole: all }) => ({
        ...{ threads, words: TIME_TYPES[type].words, type, atLeast: isAtLeast(type), holder: nameOf(holder) },
        share: shareIn(data, metric, { weight: own, count }, { weight: all, count: whole.count }),
      })),
    rows: rows.map(({ type, method, threads, holder, weight: own, count }) => ({
      ...{ words: TIME_TYPES[type].words, type, method: methodOf(data, method, places), amount: words(own) },
      share: shareIn(data, metric, { weight: own, count }, whole),
      ...{ atLeast: isAtLeast(type), threads: threads.name, holder: nameOf(holder) },
    })),
    aside: { amount: words(aside.weight), threads: aside.threads.slice(0, 3).map(({ name }) => name) },
  };
}

function collectionsOf({ pauses, processors: { elapsed } }: Overview) {
  if (pauses.length === 0) return null;
  const nanos = pausedNanos(pauses);
  const count = pauses.reduce((sum, each) => sum + each.count, 0);
  const words = (time: number) => amountText(time, TYPED);
  return {
    ...{ amount: words(nanos), share: elapsed > 0 ? nanos / elapsed : 0, text: percent(nanos, elapsed), count },
    mean: words(nanos / count),
    kinds: pauses.slice(0, 3).map(({ kind, nanos: own, count: times }) => ({
      ...{ kind, amount: words(own), count: times },
    })),
  };
}

/** `1.7 of 4`. */
function processorsText({ used, usable, elapsed }: { used: number | null; usable: number | null; elapsed: number }) {
  if (used === null || !(elapsed > 0)) return null;
  const count = (nanos: number) => Number((nanos / elapsed).toPrecision(2));
  return usable === null ? `${count(used)}` : `${count(used)} of ${count(usable)}`;
}
