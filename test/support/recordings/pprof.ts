// Writes pprof profiles as other producers fill them in, by another implementation of the format.
import * as pprof from 'pprof-format';

export type Draft = {
  readonly types: readonly (readonly [type: string, unit: string])[];
  readonly period?: readonly [type: string, unit: string, period: number];
  /** Locations as lists of `name:line`, innermost first; more than one are inlined. */
  readonly locations: Readonly<Record<string, readonly string[]>>;
  /** Locations innermost first, values, labels. */
  readonly samples: readonly (readonly [
    readonly string[],
    readonly number[],
    Readonly<Record<string, string | number>>?,
  ])[];
};

export function encoded({ types, period, locations, samples }: Draft): Uint8Array {
  const table = new pprof.StringTable();
  const text = (each: string) => table.dedup(each);
  const valueType = ([type, unit]: readonly [string, string]) => ({ type: text(type), unit: text(unit) });
  const functions = new Map<string, bigint>();
  // Keys that need all 64 bits, and differ only in their lowest.
  const id = (number: number) => 0xffff_ffff_ffff_0000n + BigInt(number);
  const ids = new Map(Object.keys(locations).map((name, i) => [name, id(i)]));
  const location = Object.entries(locations).map(([name, frames]) => {
    const line = frames.map(frame => {
      const [, method = '', at = '0'] = /^(.*?)(?:(?<!:):(\d+))?$/.exec(frame) ?? [];
      if (!functions.has(method)) functions.set(method, id(functions.size));
      return new pprof.Line({ functionId: functions.get(method)!, line: Number(at) });
    });
    return new pprof.Location({ id: ids.get(name)!, line });
  });
  const sample = samples.map(([stack, value, labels = {}]) => {
    const label = Object.entries(labels).map(
      ([key, is]) =>
        new pprof.Label(typeof is === 'string' ? { key: text(key), str: text(is) } : { key: text(key), num: is }),
    );
    return new pprof.Sample({ locationId: stack.map(name => ids.get(name)!), value: [...value], label });
  });
  const profile = new pprof.Profile({
    sampleType: types.map(each => new pprof.ValueType(valueType(each))),
    sample,
    location,
    function: [...functions].map(
      ([name, key]) => new pprof.Function({ id: key, name: text(name), systemName: text(name) }),
    ),
    timeNanos: 1_700_000_000_000_000_000n,
    durationNanos: 10_000_000_000n,
    ...(period === undefined
      ? {}
      : { periodType: new pprof.ValueType(valueType([period[0], period[1]])), period: period[2] }),
    stringTable: table,
  });
  return profile.encode();
}
