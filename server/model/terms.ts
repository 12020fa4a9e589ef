// The terms that all faces share: methods with places, shares, changes, times of calls, and the origin of numbers; each as schema and type.

import * as v from 'valibot';
import { VERDICT_MEANING, VERDICTS } from './verdict.ts';

const count = v.number();

/** A schema with what people and coding agents read of it. */
export function described<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

const placeSchema = v.object({
  file: described(v.string(), 'Path of the file, relative to the root where it lies below it'),
  line: described(v.number(), 'Line of the declaration, from 1'),
  column: described(v.number(), 'Column of its name, from 1, in UTF-16 units'),
  certain: described(v.boolean(), 'False if other declarations could be meant'),
});
export type Place = v.InferOutput<typeof placeSchema>;

export const methodSchema = v.object({
  key: described(v.string(), 'Name that every parameter "method" takes, such as com.acme.Shop.search(String)'),
  id: described(v.string(), 'Stays the same over versions; "id:…" with it is a value of every parameter "method" too'),
  className: v.string(),
  name: v.string(),
  descriptor: v.nullable(v.string()),
  place: v.nullable(placeSchema),
});
export type Method = v.InferOutput<typeof methodSchema>;

export const shareSchema = v.object({
  text: described(v.string(), 'The share for people; the count alone below 0.1 %'),
  share: described(v.number(), 'Fraction of the whole, from 0 to 1'),
  count: described(v.nullable(count), 'Samples in the part; null where the recording does not tell'),
  of: described(v.nullable(count), 'Samples in the whole; null where the recording does not tell'),
  weight: described(v.number(), 'The part in the unit of the metric'),
  interval: described(
    v.nullable(v.tuple([v.number(), v.number()])),
    '95 % interval of the share, sampling error only; null where the counts are exact or not known, or the share is a lower bound, estimated, or of what was recorded',
  ),
});
export type Share = v.InferOutput<typeof shareSchema>;

export const timesSchema = v.object({
  text: v.string(),
  count: described(v.number(), 'Calls'),
  mean: described(v.number(), 'Nanoseconds from entry to exit, with all that was called'),
  deviation: described(v.nullable(v.number()), 'Standard deviation; null where only sums were recorded'),
  least: v.number(),
  greatest: v.number(),
  p50: described(v.nullable(v.number()), 'Half of the calls took no longer; null where it is not known'),
  p95: v.nullable(v.number()),
  perSecond: described(v.nullable(v.number()), 'Calls a second, of all JVMs together'),
});
export type Times = v.InferOutput<typeof timesSchema>;

/** The hash, author, date and message of a commit. */
export const commitSchema = v.object({
  hash: v.string(),
  author: v.string(),
  dateMillis: v.nullable(v.number()),
  subject: v.string(),
  parent: v.nullable(v.string()),
});

/** The problems beside the answer that was asked for. */
export const problemsSchema = v.array(
  v.object({ severity: v.picklist(['error', 'warning', 'info']), text: v.string() }),
);
export type Problems = v.InferOutput<typeof problemsSchema>;

export const verdictSchema = described(v.picklist(VERDICTS), VERDICT_MEANING);

export const changeSchema = v.object({
  text: v.string(),
  baseline: described(v.number(), 'Share before, a fraction of everything'),
  current: described(v.number(), 'Share now, a fraction of everything'),
  verdict: described(
    verdictSchema,
    'The result of a test over JVMs; only "slower" and "faster" are evidence of a change',
  ),
});
export type Change = v.InferOutput<typeof changeSchema>;

export const originSchema = v.object({
  project: v.string(),
  program: v.string(),
  versions: v.array(v.string()),
  instances: v.array(v.string()),
  from: described(v.string(), 'Begin of the time that is looked at'),
  to: described(v.string(), 'End of the time that is looked at'),
  ageMinutes: described(v.number(), 'Minutes since the last sample was recorded'),
  metric: v.string(),
  unit: v.string(),
  samples: described(count, 'Samples that are 100 %'),
  weight: described(v.number(), 'The weight that is 100 %, in the unit of the metric'),
  incomplete: described(count, 'Samples that no share counts, because their stacks were cut off'),
  losses: described(
    v.object({ truncatedStacks: count, withoutStack: count, lostSamples: count }),
    'Stacks that were cut off, samples without a stack, and samples that the recorder lost',
  ),
  own: described(v.string(), 'Packages that are own code, and why they are'),
  part: described(v.string(), 'Threads, time and focus that were chosen; empty for everything'),
  code: described(v.string(), 'How the recorded version relates to the code checked out; empty if unknown'),
  baseline: described(
    v.nullable(v.string()),
    'Data that are compared with: program, version, instances, time, samples',
  ),
  problems: described(
    problemsSchema,
    'Data that were not read, or were not as asked: the numbers are without them. Also of the baseline',
  ),
});
export type Origin = v.InferOutput<typeof originSchema>;

/** The schemas by the names that references and types have for them. */
export const TERMS = {
  Origin: originSchema,
  Method: methodSchema,
  Place: placeSchema,
  Share: shareSchema,
  Change: changeSchema,
  Times: timesSchema,
};
