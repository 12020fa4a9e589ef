// The optional section with a profile's response times: columns of its rows, then one sketch for each method and caller.

import type { Times } from '../cct/profile.ts';
import { sharedInt32 } from '../cct/shared-columns.ts';
import { findTimesFlaw } from '../cct/times.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { FormatFlaw } from './format.ts';
import { packNumbers, unpackNumbers } from './numbers.ts';

export const TIMES = 'times';

/** Bytes that a row, a pair and a bucket take at least: none is claimed that the section has no bytes for. */
const LEAST_ROW_BYTES = 8;
const LEAST_BUCKET_BYTES = 2;

/** The section's bytes. */
export function packTimes(times: Times): Uint8Array {
  const { length, method, caller, window, sketches } = times;
  const writer = new ByteWriter(length * 20 + sketches.bucket.length * 3 + 64);
  const pairs = sketches.offset.length - 1;
  writer.varint(length);
  writer.varint(pairs);
  writer.varint(sketches.bucket.length);
  for (let row = 0; row < length; row++) writer.varint(method[row]! - (row === 0 ? 0 : method[row - 1]!));
  for (let row = 0; row < length; row++) writer.signed(caller[row]! - (row === 0 ? 0 : caller[row - 1]!));
  for (let row = 0; row < length; row++) writer.signed(window[row]! - (row === 0 ? 0 : window[row - 1]!));
  for (const column of AMOUNTS) packNumbers(writer, times[column]);
  for (let pair = 0; pair < pairs; pair++) writer.varint(sketches.offset[pair + 1]! - sketches.offset[pair]!);
  for (const [row, bucket] of sketches.bucket.entries())
    writer.signed(bucket - (row === 0 ? 0 : sketches.bucket[row - 1]!));
  packNumbers(writer, sketches.count);
  return writer.finish();
}

const AMOUNTS = ['count', 'sum', 'squares', 'least', 'greatest'] as const;
type Amounts = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/** Reads what packTimes wrote; throws FormatFlaw. */
export function unpackTimes(bytes: Uint8Array, methods: number, windows: number): Times {
  const reader = new ByteReader(TIMES, bytes);
  const mostRows = Math.ceil(bytes.length / LEAST_ROW_BYTES);
  const length = reader.row(mostRows + 1, 'number of rows');
  const pairs = reader.row(length + 1, 'number of pairs');
  const buckets = reader.row(Math.ceil(bytes.length / LEAST_BUCKET_BYTES) + 1, 'number of buckets');
  const [method, caller, window] = [sharedInt32(length), sharedInt32(length), sharedInt32(length)];
  const [offset, bucket] = [sharedInt32(pairs + 1), sharedInt32(buckets)];
  const within = (value: number, limit: number, what: string) => {
    if (!(value >= 0 && value < limit)) reader.fail(`${what} ${value} is outside its table of ${limit}`);
    return value;
  };
  for (let row = 0, at = 0; row < length; row++) {
    at += reader.varint();
    method[row] = within(at, methods, 'method');
  }
  for (let row = 0, at = 0; row < length; row++) {
    at += reader.signed();
    caller[row] = within(at, methods, 'caller');
  }
  for (let row = 0, at = 0; row < length; row++) {
    at += reader.signed();
    window[row] = within(at, windows, 'window');
  }
  const [count, sum, squares, least, greatest] = AMOUNTS.map(() => unpackNumbers(reader, length)) as Amounts;
  for (let pair = 0; pair < pairs; pair++) {
    offset[pair + 1] = offset[pair]! + reader.row(buckets - offset[pair]! + 1, 'bucket');
  }
  if (offset[pairs] !== buckets) reader.fail(`has ${buckets} buckets instead of ${offset[pairs]}`);
  for (let row = 0, at = 0; row < buckets; row++) {
    at += reader.signed();
    bucket[row] = within(at + 1, 2 ** 16, 'bucket') - 1;
  }
  const sketches = { offset, bucket, count: unpackNumbers(reader, buckets) };
  reader.end();
  const times: Times = { length, method, caller, window, count, sum, squares, least, greatest, sketches };
  const flaw = findTimesFlaw(times, methods, windows);
  if (flaw !== null) throw new FormatFlaw(`column ${flaw.column}, row ${flaw.row}`, flaw.message);
  return times;
}
