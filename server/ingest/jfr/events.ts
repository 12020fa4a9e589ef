// Scans the events of a chunk in order and collects the wanted ones; everything else is stepped over by its size.
import { type Cursor, type Key, sevenBits } from './cursor.ts';
import {
  COUNT,
  type EventPlan,
  FACTOR,
  FAILED,
  LEAF,
  OBJECT,
  OWNER,
  STACK,
  START,
  STATE,
  THREAD,
  WEIGHT,
} from './event-plan.ts';
import { FormatError } from './format-error.ts';
import { type Layout, walk } from './layout.ts';
import { readNumber } from './plain-numbers.ts';
import { NONE, type Samples } from './samples.ts';

const TWO_28 = 2 ** 28;

/** The events that a scan looks for and the places where it puts them. */
type EventScan = {
  readonly cursor: Cursor;
  /** Plans by event type. */
  readonly plans: ReadonlyMap<Key, EventPlan>;
  /** Event types whose places are noted for a later look. */
  readonly noted: ReadonlyMap<Key, number[]>;
  /** Event types that are not read and may have stacks. */
  readonly unread: ReadonlyMap<Key, StackCount>;
  readonly samples: Samples;
  /** Whether the chunk is known to end somewhere inside an event. */
  readonly endsEarly: boolean;
  readonly report: (message: string, offset: number) => void;
};

/** How many events of a type there are, and whether one of them has a stack. */
export type SeenStacks = { events: number; hasStack: boolean };

/** Counts the events of a type; `layout` notes where the key of the stack stands. */
export type StackCount = { readonly layout: Layout; readonly seen: SeenStacks };

/** Ids of types below this are looked up in a table: those of two bytes. */
const DENSE = 1 << 14;
/** How many wanted events are found before they are taken: what finds them need not foresee which they are. */
const BLOCK = 1 << 10;
/** The high bits of a word's bytes, and which of them an integer of four bytes has set. */
const HIGH_BITS = 0x80808080 | 0;
const HIGH_BITS_OF_FOUR = 0x80_8080;

/** Number of the taker + 1 of each small type, and 1 for types that have one; all 0 between scans. */
const takerNumbers = new Uint16Array(DENSE);
const isWanted = new Uint8Array(DENSE);
/** Where each event of a block starts, where its fields start, and its type. */
const found = {
  start: new Int32Array(BLOCK),
  fields: new Int32Array(BLOCK),
  type: new Int32Array(BLOCK),
};

/**
 * Scans events from `from` to the cursor's end. An event that cannot be what its type says is reported and stepped over;
 * a size that leads nowhere ends the scan with a report.
 */
export function scanEvents(scan: EventScan, from: number): void {
  const takers: Taker[] = [];
  const dense: number[] = [];
  for (const id of new Set([...scan.plans.keys(), ...scan.noted.keys(), ...scan.unread.keys()])) {
    if (typeof id !== 'number' || id >= DENSE) continue;
    dense.push(id);
    takerNumbers[id] = takers.push(takerOf(scan, id));
    isWanted[id] = 1;
  }
  try {
    const { compressed, end } = scan.cursor;
    let pos = from;
    while (pos < end) {
      const next = compressed ? scanBlock(scan, takers, pos) : pos;
      pos = next > pos ? next : scanOne(scan, takers, pos);
    }
  } finally {
    for (const id of dense) takerNumbers[id] = isWanted[id] = 0;
  }
}

/** Scans usual events until a block of wanted ones is full, and takes those; returns where it came to. */
function scanBlock(scan: EventScan, takers: readonly Taker[], from: number): number {
  const { view, end } = scan.cursor;
  const { start: starts, fields, type: types } = found;
  let pos = from | 0;
  let count = 0;
  while (pos < end && count < BLOCK) {
    // Sizes have one byte, or four where the recorder left room for them. Bytes past the end are padding.
    const word = view.getInt32(pos, true);
    let size = word & 0x7f;
    let at = (pos + 1) | 0;
    let behind = word >>> 8;
    if ((word & 0x80) !== 0) {
      if ((word & HIGH_BITS) !== HIGH_BITS_OF_FOUR) break;
      size = sevenBits(word);
      at = (pos + 4) | 0;
      behind = view.getInt32(at, true);
    }
    // Types have one or two bytes, at random: they are taken apart without a branch. Longer types come out as too large.
    const second = (behind >>> 7) & 1;
    const type = (behind & 0x7f) | ((behind >>> 1) & 0x7f80 & -second);
    at = (at + 1 + second) | 0;
    const next = (pos + size) | 0;
    if (type >= DENSE || size === 0 || next > end) break;
    starts[count] = pos;
    fields[count] = at;
    types[count] = type;
    count += isWanted[type]!;
    pos = next;
  }
  takeFound(scan, takers, count);
  return pos;
}

/** Takes the first `count` events of the block. */
function takeFound(scan: EventScan, takers: readonly Taker[], count: number): void {
  const { start, fields, type } = found;
  const { cursor } = scan;
  for (let i = 0; i < count; i++) {
    const taker = takers[takerNumbers[type[i]!]! - 1]!;
    if (taker.plan === undefined) {
      taker.noted?.push(fields[i]!);
      if (taker.unread !== undefined) countStack(cursor, taker.unread, fields[i]!);
      continue;
    }
    cursor.pos = start[i]!;
    takeEvent(scan, taker, start[i]!, fields[i]!, start[i]! + cursor.int());
  }
}

/** Takes or steps over one event of any form; returns where the next one is, the end where none can be found. */
function scanOne(scan: EventScan, takers: readonly Taker[], start: number): number {
  const { cursor } = scan;
  const { end } = cursor;
  cursor.pos = start;
  const size = cursor.int();
  const type = cursor.key();
  const fields = cursor.pos;
  if (size <= 0 || size > end - start || fields > end) {
    const message = size <= 0 ? `an event has a size of ${size} bytes` : 'the last event is cut off';
    if (size <= 0 || !scan.endsEarly) scan.report(`${message}; what follows in this chunk is lost`, start);
    return end;
  }
  if (typeof type !== 'number' || type >= DENSE) takeEvent(scan, takerOf(scan, type), start, fields, start + size);
  else if (isWanted[type] === 1) takeEvent(scan, takers[takerNumbers[type]! - 1]!, start, fields, start + size);
  return start + size;
}

/** The handling of the events of one type. */
type Taker = {
  readonly plan: EventPlan | undefined;
  readonly noted: number[] | undefined;
  readonly unread: StackCount | undefined;
};

function takerOf({ plans, noted, unread }: EventScan, type: Key): Taker {
  return { plan: plans.get(type), noted: noted.get(type), unread: unread.get(type) };
}

function takeEvent(scan: EventScan, { plan, noted, unread }: Taker, start: number, fields: number, end: number): void {
  noted?.push(fields);
  if (unread !== undefined) countStack(scan.cursor, unread, fields);
  if (plan === undefined) return;
  try {
    takeSample(scan, plan, fields, end);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    scan.report(`an event is broken and left out: ${error.message}`, start);
  }
}

const slots = new Int32Array(11);

/** Looks into events until one of the type has a stack. A broken event does not tell whether it has one. */
function countStack(cursor: Cursor, { layout, seen }: StackCount, fields: number): void {
  seen.events++;
  if (seen.hasStack) return;
  try {
    cursor.pos = fields;
    walk(cursor, layout, slots);
    cursor.pos = slots[0]!;
    seen.hasStack = cursor.key() !== 0;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
}

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
  const object = plan.objectType === undefined ? 0 : keyAt(OBJECT);
  const owner = plan.hasOwner ? keyAt(OWNER) : 0;
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
    const amount = readNumber(cursor, plan.weight);
    cursor.pos = slots[FACTOR]!;
    weight = weightOf(plan.factor === null ? amount : amount * readNumber(cursor, plan.factor), plan);
  }
  samples.push(plan.rule, stack, thread, ticks, weight, count, state);
  samples.about(object, owner);
  if (plan.leafType !== undefined) samples.leaf(keyAt(LEAF));
  if (plan.hasFailed && cursor.bytes[slots[FAILED]!] !== 0) samples.failed++;
}

/** As `takeSample`, for events of integers alone. Usual keys and times are read in place; larger ones take the general way. */
function takeIntegers(scan: EventScan, plan: EventPlan, integers: Int8Array, fields: number, end: number): void {
  const { cursor, samples } = scan;
  const { view } = cursor;
  let pos = fields | 0;
  let stack = 0;
  let thread = 0;
  let leaf = 0;
  let state = 0;
  let object = 0;
  let owner = 0;
  let ticks = Number.NaN;
  let weight = 1;
  for (let i = 0; i < integers.length; i++) {
    const start = pos;
    if (start > end) throw new FormatError('the event runs past its end', start);
    const word = view.getInt32(pos, true);
    let ends = ~word & HIGH_BITS;
    let low = 0;
    let high = 0;
    if (ends !== 0) {
      // How many bytes an integer has comes at random: it is taken apart without branches.
      ends &= -ends;
      low = sevenBits(word & (ends - 1));
      pos = (pos + ((32 - Math.clz32(ends)) >>> 3)) | 0;
    } else {
      const next = view.getInt32(pos + 4, true);
      ends = ~next & HIGH_BITS;
      ends &= -ends;
      low = sevenBits(word);
      high = sevenBits(next & (ends - 1));
      pos = (pos + 4 + ((32 - Math.clz32(ends)) >>> 3)) | 0;
    }
    const field = integers[i]!;
    if (field === START && high < 1 << 25 && ends !== 0) ticks = high * TWO_28 + low;
    else if (field === WEIGHT && plan.weight !== null) weight = weightAt(cursor, start, plan);
    else if (high > 0 || ends === 0) {
      takeLargeIntegers(scan, plan, integers, fields, end);
      return;
    } else if (field === STACK) stack = low;
    else if (field === THREAD) thread = low;
    else if (field === STATE) state = low;
    else if (field === LEAF) leaf = low;
    else if (field === OBJECT) object = low;
    else if (field === OWNER) owner = low;
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
  samples.about(plan.objectType === undefined ? 0 : object, plan.hasOwner ? owner : 0);
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
  let object: Key = 0;
  let owner: Key = 0;
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
    else if (field === OBJECT) object = cursor.key();
    else if (field === OWNER) owner = cursor.key();
    else if (field === WEIGHT && plan.weight !== null) weight = weightOf(readNumber(cursor, plan.weight), plan);
    else cursor.skip();
  }
  cursor.check('the event', end);
  const { hasStack, hasThread, hasState, objectType, hasOwner } = plan;
  samples.push(plan.rule, hasStack ? stack : 0, hasThread ? thread : 0, ticks, weight, 1, hasState ? state : 0);
  samples.about(objectType === undefined ? 0 : object, hasOwner ? owner : 0);
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
