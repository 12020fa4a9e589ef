// A column of amounts as bytes: varints where all are whole, else doubles.
import { sharedFloat64 } from '../cct/shared-columns.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

const ALL_WHOLE = 0;
const ANY_NUMBER = 1;

/** Writes a byte that says how the values are written, then each of them. */
export function packNumbers(writer: ByteWriter, values: Float64Array): void {
  const whole = values.every(value => Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0));
  writer.byte(whole ? ALL_WHOLE : ANY_NUMBER);
  if (whole) for (const value of values) writer.varint(value);
  else for (const value of values) writer.float64(value);
}

/** Reads `length` values that packNumbers wrote. */
export function unpackNumbers(reader: ByteReader, length: number): Float64Array {
  const values = sharedFloat64(length);
  const kind = reader.byte();
  if (kind === ALL_WHOLE) for (let i = 0; i < length; i++) values[i] = reader.varint();
  else if (kind === ANY_NUMBER) for (let i = 0; i < length; i++) values[i] = reader.float64();
  else reader.fail(`has numbers of the unknown kind ${kind}`);
  return values;
}
