// Reads what a HotSpot JVM tells about itself in its performance data file, /tmp/hsperfdata_<user>/<pid>.

/** Texts and numbers by their names, such as `sun.rt.javaCommand`. */
export type PerfData = ReadonlyMap<string, string | number>;

const MAGIC = 0xcafec0c0;
const HEADER = 32;
const ENTRY = 20;
/** No JVM has as many; the file is from outside. */
const MOST_ENTRIES = 10_000;
const BYTE = 'B'.charCodeAt(0);
const LONG = 'J'.charCodeAt(0);

/** The entries of a file; null when it is none of version 2, or the JVM has not filled it in yet. Broken entries are left out. */
export function readPerfData(bytes: Uint8Array): PerfData | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getUint32(0) !== MAGIC || bytes[5] !== 2 || bytes[7] === 0) return null;
  const little = bytes[4] === 1;
  const data = new Map<string, string | number>();
  const count = Math.min(view.getInt32(28, little), MOST_ENTRIES);
  let at = view.getInt32(24, little);
  for (let i = 0; i < count && at >= HEADER && at + ENTRY <= bytes.length; i++) {
    const size = view.getInt32(at, little);
    const name = textAt(bytes, at + view.getInt32(at + 4, little));
    const length = view.getInt32(at + 8, little);
    const type = bytes[at + 12]!;
    const value = at + view.getInt32(at + 16, little);
    if (size < ENTRY) break;
    if (type === BYTE && length > 0) data.set(name, textAt(bytes.subarray(0, value + length), value));
    else if (type === LONG && length === 0 && value >= 0 && value + 8 <= bytes.length) {
      data.set(name, Number(view.getBigInt64(value, little)));
    }
    at += size;
  }
  return data;
}

/** The text at an offset, up to its zero byte. */
function textAt(bytes: Uint8Array, start: number): string {
  if (start < 0 || start >= bytes.length) return '';
  const end = bytes.indexOf(0, start);
  return new TextDecoder().decode(bytes.subarray(start, end < 0 ? bytes.length : end));
}
