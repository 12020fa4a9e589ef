// Scans the events of a chunk in order and collects the wanted ones; everything else is stepped over by its size.
import type { Cursor, Key } from './cursor.ts';
import type { EventRule } from './event-table.ts';
import { FormatError } from './format-error.ts';
import { type Layout, type Layouts, walk } from './layout.ts';
import { type Field, fieldOf, type JfrType, type Types } from './metadata.ts';
import { type NumberType, numberType, readNumber } from './numbers.ts';
import { NONE, type Samples } from './samples.ts';

const START = 0;
const STACK = 1;
const THREAD = 2;
const WEIGHT = 3;
const COUNT = 4;
const STATE = 5;
const LEAF = 6;
const FAILED = 7;

const TWO_28 = 2 ** 28;

/** How to take samples from one event type of one chunk. */
export type EventPlan = {
  readonly rule: number;
  /** Id of the event type. */
  readonly type: Key;
  readonly layout: Layout;
  readonly hasStack: boolean;
  readonly hasThread: boolean;
  readonly hasStart: boolean;
  readonly hasState: boolean;
  readonly hasFailed: boolean;
  /** Type of the weight and count fields, when they are numbers. */
  readonly weight: NumberType | null;
  readonly count: NumberType | null;
  /** What the weight is to be divided by. */
  readonly weightDivisor: number;
  /** A field that the rule wants as a number and the event does not have as one. */
  readonly missing: string | null;
  /**
   * Where the event is nothing but LEB128 integers and counts once: the wanted field that each integer is, −1 for none.
   * Then one pass reads the event. Null where the general way must be taken.
   */
  readonly integers: Int8Array | null;
  readonly stackType: JfrType | undefined;
  readonly threadType: JfrType | undefined;
  readonly stateType: JfrType | undefined;
  /** Type of the method that the event is about, when the rule wants it. */
  readonly leafType: JfrType | undefined;
};

/** How many of a span's unit are a nanosecond; 1 for plain numbers. The JDK's reader divides ticks the same way. */
export function divisorOf(unit: string, ticksPerSecond: number): number {
  switch (unit) {
    case 'TICKS':
      return ticksPerSecond / 1e9;
    case 'MICROSECONDS':
      return 1e-3;
    case 'MILLISECONDS':
      return 1e-6;
    case 'SECONDS':
      return 1e-9;
    default:
      return 1;
  }
}

/** The plan for one rule; null when the chunk has no such event or it cannot be laid out. */
export function planEvent(
  types: Types,
  layouts: Layouts,
  rule: EventRule,
  number: number,
  ticksPerSecond: number,
): EventPlan | null {
  const type = types.byName.get(rule.event);
  if (type === undefined || rule.summary) return null;
  const field = (name: string | null | undefined) => (name ? fieldOf(type, name) : undefined);
  const thread = field('sampledThread') ?? field('eventThread');
  const stack = field('stackTrace');
  const [state, leaf, failed] = [field(rule.state), field(rule.leaf), field(rule.failed)];
  const names = [rule.weight ?? '', rule.count ?? '', state?.name ?? '', leaf?.name ?? '', failed?.name ?? ''];
  const wanted = ['startTime', 'stackTrace', thread?.name ?? '', ...names];
  const layout = layouts.wanted(type, wanted);
  if (layout === null) return null;
  // A slot takes a field once: what stands under two names in the list belongs to the first.
  const numberAt = (slot: number) =>
    wanted.indexOf(wanted[slot]!) === slot ? numberType(types, field(wanted[slot])) : null;
  const [weight, count] = [numberAt(WEIGHT), numberAt(COUNT)];
  const missing = rule.weight !== null && weight === null ? rule.weight : null;
  return {
    rule: number,
    type: type.id,
    layout,
    hasStack: isReference(stack),
    hasThread: isReference(thread),
    hasStart: numberType(types, field('startTime')) === 'long',
    hasState: isReference(state),
    hasFailed: types.of(failed)?.name === 'boolean' && !failed?.array,
    weight,
    count,
    weightDivisor: divisorOf(field(rule.weight)?.unit ?? '', ticksPerSecond),
    missing: missing ?? (rule.count !== undefined && count === null ? rule.count : null),
    integers: count === null ? integersOf(type, layout, wanted) : null,
    stackType: types.of(stack),
    threadType: types.of(thread),
    stateType: types.of(state),
    leafType: isReference(leaf) ? types.of(leaf) : undefined,
  };
}

function isReference(field: Field | undefined): boolean {
  return field?.pooled === true && !field.array;
}

function integersOf(type: JfrType, layout: Layout, wanted: readonly string[]): Int8Array | null {
  // A structure in place would take several integers for one field.
  if (layout.integers === 0 || layout.integers !== type.fields.length) return null;
  return Int8Array.from(type.fields, field => wanted.indexOf(field.name));
}

/** What a scan looks for and where it puts it. */
export type EventScan = {
  readonly cursor: Cursor;
  /** Plans by event type. */
  readonly plans: ReadonlyMap<Key, EventPlan>;
  /** Event types whose places are noted for a later look. */
  readonly noted: ReadonlyMap<Key, number[]>;
  readonly samples: Samples;
  /** Whether the chunk is known to end somewhere inside an event. */
  readonly endsEarly: boolean;
  readonly report: (message: string, offset: number) => void;
};

/** Ids of types below this are looked up in a table. */
const DENSE = 1 << 14;
/** What two bytes cannot hold: the second one has its high bit set. */
const LONGER = 0x80 << 7;

/**
 * Scans events from `from` to the cursor's end. An event that cannot be what its type says is reported and stepped over;
 * a size that leads nowhere ends the scan with a report.
 */
export function scanEvents(scan: EventScan, from: number): void {
  const { cursor } = scan;
  const { bytes, end, compressed } = cursor;
  const takers: Taker[] = [];
  // Number of the taker + 1 of each small type; 0 for types that nobody wants.
  const wanted = new Uint16Array(DENSE);
  let sparse = false;
  for (const id of new Set([...scan.plans.keys(), ...scan.noted.keys()])) {
    if (typeof id === 'number' && id < DENSE) wanted[id] = takers.push(takerOf(scan, id));
    else sparse = true;
  }
  let pos = from;
  while (pos < end) {
    const start = pos;
    // Nearly all events have sizes and types of one or two bytes. What is read past the end is padding, which ends both.
    let size = bytes[pos++]!;
    if (size >= 0x80) size = (size & 0x7f) | (bytes[pos++]! << 7);
    let type = bytes[pos++]!;
    if (type >= 0x80) type = (type & 0x7f) | (bytes[pos++]! << 7);
    if (size >= LONGER || type >= LONGER || !compressed) {
      cursor.pos = start;
      size = cursor.int();
      const key = cursor.key();
      type = typeof key === 'number' && key < DENSE ? key : -1;
      pos = cursor.pos;
      if (type < 0 && sparse && size > 0) takeEvent(scan, takerOf(scan, key), start, pos, Math.min(start + size, end));
    }
    if (size <= 0 || size > end - start || pos > end) {
      const message = size <= 0 ? `an event has a size of ${size} bytes` : 'the last event is cut off';
      if (size <= 0 || !scan.endsEarly) scan.report(`${message}; what follows in this chunk is lost`, start);
      return;
    }
    const taker = type >= 0 ? wanted[type]! : 0;
    if (taker > 0) takeEvent(scan, takers[taker - 1]!, start, pos, start + size);
    pos = start + size;
  }
}

/** What happens to the events of one type. */
type Taker = { readonly plan: EventPlan | undefined; readonly noted: number[] | undefined };

function takerOf({ plans, noted }: EventScan, type: Key): Taker {
  return { plan: plans.get(type), noted: noted.get(type) };
}

function takeEvent(scan: EventScan, { plan, noted }: Taker, start: number, fields: number, end: number): void {
  noted?.push(fields);
  if (plan === undefined) return;
  try {
    takeSample(scan, plan, fields, end);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    scan.report(`an event is broken and left out: ${error.message}`, start);
  }
}

const slots = new Int32Array(8);

function takeSample(scan: EventScan, plan: EventPlan, fields: number, end: number): void {
  const { cursor, samples } = scan;
  if (plan.integers !== null) {
    takeIntegers(scan, plan, plan.integers, fields, end);
    return;
  }
  cursor.pos = fields;
  walk(cursor, plan.layout, slots);
  cursor.check('the event', end);
  const keyAt = (slot: number): Key => {
    cursor.pos = slots[slot]!;
    return cursor.key();
  };
  const stack = plan.hasStack ? keyAt(STACK) : 0;
  const thread = plan.hasThread ? keyAt(THREAD) : 0;
  const state = plan.hasState ? small(keyAt(STATE)) : 0;
  let ticks = Number.NaN;
  let weight = 1;
  let count = 1;
  if (plan.hasStart) {
    cursor.pos = slots[START]!;
    ticks = cursor.long();
  }
  if (plan.count !== null) {
    cursor.pos = slots[COUNT]!;
    count = Math.max(0, Math.trunc(readNumber(cursor, plan.count)));
    weight = count;
  }
  if (plan.weight !== null) {
    cursor.pos = slots[WEIGHT]!;
    weight = weightOf(readNumber(cursor, plan.weight), plan);
  }
  samples.push(plan.rule, stack, thread, ticks, weight, count, state);
  if (plan.leafType !== undefined) samples.leaf(keyAt(LEAF));
  if (plan.hasFailed && cursor.bytes[slots[FAILED]!] !== 0) samples.failed++;
}

/** As `takeSample`, for events of integers alone. Usual keys and times are read in place; larger ones take the general way. */
function takeIntegers(scan: EventScan, plan: EventPlan, integers: Int8Array, fields: number, end: number): void {
  const { cursor, samples } = scan;
  const { bytes } = cursor;
  let pos = fields;
  let stack = 0;
  let thread = 0;
  let leaf = 0;
  let state = 0;
  let ticks = Number.NaN;
  let weight = 1;
  for (let i = 0; i < integers.length; i++) {
    const start = pos;
    let low = bytes[pos++]!;
    let high = 0;
    if (low >= 0x80) {
      low = (low & 0x7f) | (bytes[pos++]! << 7);
      if (low >= 1 << 14) low = (low & 0x3fff) | (bytes[pos++]! << 14);
      if (low >= 1 << 21) low = (low & 0x1f_ffff) | (bytes[pos++]! << 21);
      if (low >= 1 << 28) {
        low &= 0xfff_ffff;
        high = bytes[pos++]!;
        if (high >= 0x80) high = (high & 0x7f) | (bytes[pos++]! << 7);
        if (high >= 1 << 14) high = (high & 0x3fff) | (bytes[pos++]! << 14);
        if (high >= 1 << 21) high = (high & 0x1f_ffff) | (bytes[pos++]! << 21);
        if (high >= 1 << 25) {
          takeLargeIntegers(scan, plan, integers, fields, end);
          return;
        }
      }
    }
    const field = integers[i]!;
    if (field === START) ticks = high * TWO_28 + low;
    else if (field === WEIGHT && plan.weight !== null) weight = weightAt(cursor, start, plan);
    else if (field >= 0 && high > 0) {
      takeLargeIntegers(scan, plan, integers, fields, end);
      return;
    } else if (field === STACK) stack = low;
    else if (field === THREAD) thread = low;
    else if (field === STATE) state = low;
    else if (field === LEAF) leaf = low;
  }
  if (pos > end) throw new FormatError('the event runs past its end', pos);
  const row = samples.newRow();
  samples.rule[row] = plan.rule;
  samples.stack[row] = plan.hasStack ? samples.stackNumber(stack) : NONE;
  samples.thread[row] = plan.hasThread ? samples.threadNumber(thread) : NONE;
  samples.ticks[row] = ticks;
  samples.weight[row] = weight;
  samples.count[row] = 1;
  samples.state[row] = plan.hasState ? state : 0;
  if (plan.leafType !== undefined) samples.leaf(leaf);
}

function weightAt(cursor: Cursor, pos: number, plan: EventPlan): number {
  cursor.pos = pos;
  return weightOf(readNumber(cursor, plan.weight!), plan);
}

/** As `takeIntegers`, for integers of any size. */
function takeLargeIntegers(scan: EventScan, plan: EventPlan, integers: Int8Array, fields: number, end: number): void {
  const { cursor, samples } = scan;
  cursor.pos = fields;
  let stack: Key = 0;
  let thread: Key = 0;
  let leaf: Key = 0;
  let state = 0;
  let ticks = Number.NaN;
  let weight = 1;
  for (let i = 0; i < integers.length; i++) {
    const field = integers[i]!;
    if (field === STACK) stack = cursor.key();
    else if (field === THREAD) thread = cursor.key();
    else if (field === START) ticks = cursor.long();
    else if (field === STATE) state = small(cursor.key());
    else if (field === LEAF) leaf = cursor.key();
    else if (field === WEIGHT && plan.weight !== null) weight = weightOf(readNumber(cursor, plan.weight), plan);
    else cursor.skip();
  }
  cursor.check('the event', end);
  const { hasStack, hasThread, hasState } = plan;
  samples.push(plan.rule, hasStack ? stack : 0, hasThread ? thread : 0, ticks, weight, 1, hasState ? state : 0);
  if (plan.leafType !== undefined) samples.leaf(leaf);
}

/** States have small keys; any other is none that is known. */
function small(key: Key): number {
  return typeof key === 'number' && key < 2 ** 31 ? key : 0;
}

/** Nothing lasts or weighs less than nothing: negative values are clock trouble. */
function weightOf(value: number, plan: EventPlan): number {
  const weight = Math.trunc(value / plan.weightDivisor);
  return weight > 0 && weight < Number.POSITIVE_INFINITY ? weight : 0;
}

/** Places of all metadata and checkpoint events from `from` on, as far as sizes lead: for chunks whose header does not tell. */
export function findStructure(cursor: Cursor, from: number): { metadata: number[]; checkpoints: number[] } {
  const found = { metadata: [] as number[], checkpoints: [] as number[] };
  let pos = from;
  while (pos < cursor.end) {
    cursor.pos = pos;
    const size = cursor.int();
    const type = cursor.key();
    if (size <= 0 || size > cursor.end - pos) break;
    if (type === 0) found.metadata.push(pos);
    else if (type === 1) found.checkpoints.push(pos);
    pos += size;
  }
  return found;
}
