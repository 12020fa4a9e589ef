// Writes a profile as pprof (gzip around profile.proto): every metric a column of values, threads and windows as labels.

import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { listedRows } from '../../cct/listed-metrics.ts';
import { type Cells, isWeighted, type Metric, PARTIAL_METHOD, type Profile, ROOT_METHOD } from '../../cct/profile.ts';
import { COUNT_SUFFIX } from '../../ingest/pprof/column-metrics.ts';
import { LABEL } from '../../ingest/pprof/labels.ts';
import { METRIC_NOTE } from '../../ingest/pprof/profile-tables.ts';
import { ByteWriter } from '../byte-writer.ts';
import { eachFrame, methodName, PairNumbers } from './stack-walk.ts';

const PART_BYTES = 1 << 18;
const MAX_VALUE = Number.MAX_SAFE_INTEGER;

/**
 * The compressed file in parts. A metric that counts is a column of its name; one of time or bytes is two: `<id>_samples` and
 * `<id>` in its unit, rounded to whole units. Strings (`insitu metric {…}`) keep what columns cannot say of a metric.
 * Only one metric when `metric` names one. Function names are `Class.method`; system names have the descriptor.
 */
export function toPprof(profile: Profile, metric?: string): AsyncIterable<Uint8Array> {
  return Readable.from(pprofParts(profile, metric), { objectMode: false }).pipe(createGzip());
}

/** The same before compression. */
function* pprofParts(profile: Profile, metric?: string): Generator<Uint8Array> {
  const writer = new PprofWriter(profile, metric);
  yield writer.types();
  yield* writer.samples();
  yield* writer.locations();
  yield* writer.functions();
  yield writer.facts();
  yield* writer.strings();
}

class PprofWriter {
  readonly #profile: Profile;
  readonly #rows: readonly number[];
  readonly #strings = new Map<string, number>([['', 0]]);
  readonly #locations = new PairNumbers();

  constructor(profile: Profile, metric: string | undefined) {
    this.#profile = profile;
    this.#rows = listedRows(profile).filter(row => metric === undefined || profile.metrics[row]!.id === metric);
  }

  #string(text: string): number {
    let row = this.#strings.get(text);
    if (row === undefined) {
      row = this.#strings.size;
      this.#strings.set(text, row);
    }
    return row;
  }

  #metric(row: number): Metric {
    return this.#profile.metrics[row]!;
  }

  types(): Uint8Array {
    const out = new ByteWriter();
    for (const row of this.#rows) {
      const metric = this.#metric(row);
      if (isWeighted(metric)) message(out, 1, this.#valueType(`${metric.id}${COUNT_SUFFIX}`, 'count'));
      const unit = metric.unit === 'samples' ? 'count' : metric.unit;
      message(out, 1, this.#valueType(metric.id, unit));
    }
    return out.finish();
  }

  #valueType(type: string, unit: string): ByteWriter {
    const out = new ByteWriter(16);
    number(out, 1, this.#string(type));
    number(out, 2, this.#string(unit));
    return out;
  }

  /** One sample for each (node, thread, line, window) that any metric has: the sorted cells of all metrics side by side. */
  *samples(): Generator<Uint8Array> {
    const lists = this.#rows.map(row => this.#profile.cells[row]!);
    const at = new Int32Array(lists.length);
    let out = new ByteWriter(PART_BYTES);
    for (;;) {
      let least = -1;
      for (let i = 0; i < lists.length; i++) {
        if (at[i]! >= lists[i]!.length) continue;
        if (least < 0 || compareCells(lists[i]!, at[i]!, lists[least]!, at[least]!) < 0) least = i;
      }
      if (least < 0) break;
      const first = lists[least]!;
      const place = at[least]!;
      const values = new ByteWriter(32);
      for (let i = 0; i < lists.length; i++) {
        const same = at[i]! < lists[i]!.length && compareCells(lists[i]!, at[i]!, first, place) === 0;
        const cell = same ? at[i]!++ : -1;
        if (isWeighted(this.#metric(this.#rows[i]!))) values.varint(cell < 0 ? 0 : whole(lists[i]!.count[cell]!));
        const { count, weight } = lists[i]!;
        values.varint(cell < 0 ? 0 : whole((isWeighted(this.#metric(this.#rows[i]!)) ? weight : count)[cell]!));
      }
      message(out, 2, this.#sample(first, place, values));
      if (out.finish().length < PART_BYTES) continue;
      yield out.finish();
      out = new ByteWriter(PART_BYTES);
    }
    yield out.finish();
  }

  #sample(cells: Cells, i: number, values: ByteWriter): ByteWriter {
    const { threads, windows } = this.#profile;
    const out = new ByteWriter(256);
    const stack = new ByteWriter(128);
    eachFrame(this.#profile, cells.node[i]!, cells.line[i]!, (method, line) => {
      stack.varint(this.#locations.of(method, line) + 1);
    });
    message(out, 1, stack);
    message(out, 2, values);
    const thread = cells.thread[i]!;
    this.#textLabel(out, LABEL.thread, threads.name[thread]!);
    this.#textLabel(out, LABEL.group, threads.group[thread]!);
    if (threads.virtual[thread] === 1) this.#textLabel(out, LABEL.virtual, 'true');
    const { startMillis, endMillis, jvm = '' } = windows[cells.window[i]!]!;
    this.#timeLabel(out, LABEL.windowStart, startMillis);
    this.#timeLabel(out, LABEL.windowEnd, endMillis);
    this.#textLabel(out, LABEL.jvm, jvm);
    return out;
  }

  #textLabel(out: ByteWriter, key: string, text: string): void {
    if (text === '') return;
    const label = new ByteWriter(16);
    number(label, 1, this.#string(key));
    number(label, 2, this.#string(text));
    message(out, 3, label);
  }

  #timeLabel(out: ByteWriter, key: string, millis: number): void {
    const label = new ByteWriter(24);
    number(label, 1, this.#string(key));
    number(label, 3, whole(millis));
    number(label, 4, this.#string('milliseconds'));
    message(out, 3, label);
  }

  *locations(): Generator<Uint8Array> {
    for (const [place, [method, line]] of this.#locations.pairs.entries()) {
      const frame = new ByteWriter(16);
      number(frame, 1, method + 1);
      // Numbers below 0 are ten bytes in this format, and mean "unknown" here.
      if (line > 0) number(frame, 2, line);
      const out = new ByteWriter(32);
      number(out, 1, place + 1);
      message(out, 4, frame);
      const whole = new ByteWriter(48);
      message(whole, 4, out);
      yield whole.finish();
    }
  }

  *functions(): Generator<Uint8Array> {
    for (const row of new Set(this.#locations.pairs.map(([method]) => method))) {
      const real = row !== ROOT_METHOD && row !== PARTIAL_METHOD;
      const out = new ByteWriter(32);
      number(out, 1, row + 1);
      number(out, 2, this.#string(methodName(this.#profile, row, 'method')));
      number(out, 3, this.#string(methodName(this.#profile, row, real ? 'full' : 'method')));
      const whole = new ByteWriter(48);
      message(whole, 5, out);
      yield whole.finish();
    }
  }

  /** Time, period, notes and the column that is shown first. */
  facts(): Uint8Array {
    const { windows } = this.#profile;
    const out = new ByteWriter();
    const start = windows[0]?.startMillis ?? 0;
    const end = windows.at(-1)?.endMillis ?? 0;
    number(out, 9, Math.max(0, start) * 1e6);
    number(out, 10, Math.max(0, end - start) * 1e6);
    const periodic = this.#rows.map(row => this.#metric(row)).find(metric => metric.periodNanos > 0);
    if (periodic !== undefined) {
      message(out, 11, this.#valueType(periodic.id, 'nanoseconds'));
      number(out, 12, whole(periodic.periodNanos));
    }
    for (const row of this.#rows) {
      const { id, kind, events, periodNanos, uncounted, estimated } = this.#metric(row);
      this.#string(METRIC_NOTE + JSON.stringify({ id, kind, events, periodNanos, uncounted, estimated }));
    }
    const ids = this.#rows.map(row => this.#metric(row).id);
    const shown = ['cpu-time', 'cpu'].find(id => ids.includes(id)) ?? ids[0];
    if (shown !== undefined) number(out, 14, this.#string(shown));
    return out.finish();
  }

  *strings(): Generator<Uint8Array> {
    for (const text of this.#strings.keys()) {
      const bytes = Buffer.from(text, 'utf8');
      const out = new ByteWriter(bytes.length + 8);
      out.varint((6 << 3) | 2);
      out.varint(bytes.length);
      out.bytes(bytes);
      yield out.finish();
    }
  }
}

function whole(value: number): number {
  return Math.min(MAX_VALUE, Math.max(0, Math.round(value)));
}

/** A field that is a number from 0 on; nanoseconds since the epoch are beyond 2^53 and keep what a double holds. */
function number(out: ByteWriter, field: number, value: number): void {
  out.varint(field << 3);
  let rest = value;
  while (rest > MAX_VALUE) {
    out.byte((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  out.varint(rest);
}

function message(out: ByteWriter, field: number, content: ByteWriter): void {
  const bytes = content.finish();
  out.varint((field << 3) | 2);
  out.varint(bytes.length);
  out.bytes(bytes);
}

function compareCells(a: Cells, i: number, b: Cells, j: number): number {
  return (
    a.node[i]! - b.node[j]! || a.thread[i]! - b.thread[j]! || a.line[i]! - b.line[j]! || a.window[i]! - b.window[j]!
  );
}
