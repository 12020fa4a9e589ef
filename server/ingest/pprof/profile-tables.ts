// The tables of a pprof profile: everything but its samples, gathered in one walk and kept small.
import type { TimeWindow } from '../../cct/profile.ts';
import type { ByteSource } from '../byte-source.ts';
import type { ProblemList } from '../problem-list.ts';
import { type Fields, TopFields, WireError } from './wire.ts';

/** Fields of the messages in profile.proto. */
export const PROFILE = {
  sampleType: 1,
  sample: 2,
  location: 4,
  function: 5,
  string: 6,
  timeNanos: 9,
  durationNanos: 10,
  periodType: 11,
  period: 12,
} as const;
const LOCATION = { id: 1, line: 4 } as const;
const LINE = { function: 1, line: 2 } as const;
const FUNCTION = { id: 1, name: 2, systemName: 3 } as const;

/** Entries of all tables together that memory is planned for. */
const MAX_ENTRIES = 4_000_000;
const MAX_STRING_BYTES = 2 ** 27;
const MAX_NOTES = 1000;
/**
 * Strings that `insitu export` writes begin with this; JSON of a metric follows. Nothing refers to them: a comment would stand
 * above every report of pprof.
 */
export const METRIC_NOTE = 'insitu metric ';

/** Name and unit of a column of values: rows of strings. */
type ValueType = { readonly type: number; readonly unit: number };

/** Keys as the producer chose them: addresses and hashes may need all 64 bits. */
export type Id = number | bigint;

/** Tables by the producer's keys. Numbers of strings are rows of `strings`. */
export class Tables {
  readonly sampleTypes: ValueType[] = [];
  /** Strings that begin with METRIC_NOTE. */
  readonly notes: string[] = [];
  /** The place in `locationFrames` where a location has its first frame's place, and behind it the place after its last. */
  readonly locations = new Map<Id, number>();
  readonly locationFrames: number[] = [];
  /** Frames of all locations; of one location, the innermost first. */
  readonly frameFunction: Id[] = [];
  readonly frameLine: number[] = [];
  readonly functions = new Map<Id, { readonly name: number; readonly systemName: number }>();
  periodType: ValueType | null = null;
  period = 0;
  timeNanos = 0;
  durationNanos = 0;
  /** When the file was written, in milliseconds since the epoch; 0 is unknown. */
  modifiedMillis = 0;
  samples = 0;
  /** Bytes from the start that are well-formed. */
  end = 0;
  readonly #strings: string[] = [];
  #stringBytes = 0;

  /** The time that the profile says; one that does not tell ended when its file was written. */
  get span(): TimeWindow {
    const length = Math.max(0, this.durationNanos / 1e6);
    const startMillis = this.timeNanos > 0 ? this.timeNanos / 1e6 : Math.max(0, this.modifiedMillis - length);
    return { startMillis, endMillis: startMillis + length };
  }

  /** How many strings the table has. */
  get strings(): number {
    return this.#strings.length;
  }

  /** A string of the table; `''` where the table has no such row. */
  string(row: number): string {
    return this.#strings[row] ?? '';
  }

  /** Rows of the strings that `wanted` accepts. */
  rowsOf(wanted: (text: string) => boolean): Map<number, string> {
    const rows = new Map<number, string>();
    for (let row = 0; row < this.#strings.length; row++) {
      const text = this.#strings[row]!;
      if (text.length < 40 && wanted(text)) rows.set(row, text);
    }
    return rows;
  }

  /** Takes one field of the profile; false when a table has grown too large. */
  take(field: number, content: Fields | null, int: number): boolean {
    if (content === null) {
      if (field === PROFILE.timeNanos) this.timeNanos = int;
      else if (field === PROFILE.durationNanos) this.durationNanos = int;
      else if (field === PROFILE.period) this.period = int;
    } else if (field === PROFILE.sample) this.samples++;
    else if (field === PROFILE.sampleType) this.sampleTypes.push(valueType(content));
    else if (field === PROFILE.periodType) this.periodType = valueType(content);
    else if (field === PROFILE.location) this.#location(content);
    else if (field === PROFILE.function) this.#function(content);
    else if (field === PROFILE.string) this.#string(content.bytes.subarray(content.from, content.to));
    const named = this.functions.size + this.#strings.length;
    const entries = named + this.frameLine.length + this.locations.size;
    return entries < MAX_ENTRIES && this.#stringBytes < MAX_STRING_BYTES && this.sampleTypes.length < 1000;
  }

  #string(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    this.#strings.push(text);
    if (text.startsWith(METRIC_NOTE) && this.notes.length < MAX_NOTES) this.notes.push(text);
    this.#stringBytes += bytes.length;
  }

  #location(message: Fields): void {
    let id: Id = 0;
    const first = this.frameLine.length;
    while (message.next()) {
      if (message.field === LOCATION.id && !message.isBytes) id = message.id;
      else if (message.field === LOCATION.line && message.isBytes) this.#line(message.message());
    }
    this.locations.set(id, this.locationFrames.push(first, this.frameLine.length) - 2);
  }

  #line(message: Fields): void {
    let id: Id = 0;
    let line = 0;
    while (message.next()) {
      if (message.isBytes) continue;
      if (message.field === LINE.function) id = message.id;
      else if (message.field === LINE.line) line = message.int;
    }
    this.frameFunction.push(id);
    this.frameLine.push(Math.abs(line) < 2 ** 31 ? line : 0);
  }

  #function(message: Fields): void {
    let id: Id = 0;
    let name = 0;
    let systemName = 0;
    while (message.next()) {
      if (message.isBytes) continue;
      if (message.field === FUNCTION.id) id = message.id;
      else if (message.field === FUNCTION.name) name = message.int;
      else if (message.field === FUNCTION.systemName) systemName = message.int;
    }
    this.functions.set(id, { name, systemName });
  }
}

function valueType(message: Fields): ValueType {
  let type = 0;
  let unit = 0;
  while (message.next()) {
    if (message.isBytes) continue;
    if (message.field === 1) type = message.int;
    else if (message.field === 2) unit = message.int;
  }
  return { type, unit };
}

/** Reads everything but the samples. What comes behind a broken field is lost, and reported. */
export function readTables(source: ByteSource, problems: ProblemList): Tables {
  const tables = new Tables();
  tables.modifiedMillis = source.modifiedMillis ?? 0;
  const fields = new TopFields(source);
  try {
    for (let at = fields.at(0); at !== null; at = fields.at(at.next)) {
      const { field, content, int } = at.field;
      if (!tables.take(field, content, int)) {
        problems.addPart('the tables of this profile are too large: what follows was left out', `byte ${at.next}`);
        break;
      }
      tables.end = at.next;
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    problems.addPart(error.message, `byte ${error.offset}`);
  }
  return tables;
}
