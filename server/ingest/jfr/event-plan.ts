// Plans how samples are taken from the events of a type: where its fields stand in this chunk, and what they mean.
import type { Key } from './cursor.ts';
import type { EventRule } from './event-table.ts';
import type { Layout, Layouts } from './layout.ts';
import { type Field, fieldOf, type JfrType } from './metadata.ts';
import { type NumberType, numberType } from './plain-numbers.ts';

/** The fields that are wanted of an event, in the order in which a plan names them. */
export const START = 0;
export const STACK = 1;
export const THREAD = 2;
export const WEIGHT = 3;
export const COUNT = 4;
export const STATE = 5;
export const LEAF = 6;
export const FAILED = 7;
export const FACTOR = 8;
export const OBJECT = 9;
export const OWNER = 10;

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
  /** Type of the field that the weight is multiplied by; null for none. */
  readonly factor: NumberType | null;
  /** The divisor of the weight. */
  readonly weightDivisor: number;
  /** A field that the rule wants as a number and the event does not have as one. */
  readonly missing: string | null;
  /**
   * Where the event is nothing but LEB128 integers, counts once and weighs as it says: the wanted field that each integer is, −1 for none.
   * Then one pass reads the event. Null where the general way must be taken.
   */
  readonly integers: Int8Array | null;
  readonly stackType: JfrType | undefined;
  readonly threadType: JfrType | undefined;
  readonly stateType: JfrType | undefined;
  /** Type of the class of the object that the event is about, when the rule wants it. */
  readonly objectType: JfrType | undefined;
  /** Whether the event names the thread that had the object last before. */
  readonly hasOwner: boolean;
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
export function planEvent(layouts: Layouts, rule: EventRule, number: number, ticksPerSecond: number): EventPlan | null {
  const { types } = layouts;
  const type = types.byName.get(rule.event);
  if (type === undefined || rule.summary) return null;
  const field = (name: string | null | undefined) => (name ? fieldOf(type, name) : undefined);
  const thread = field('sampledThread') ?? field('eventThread');
  const stack = field('stackTrace');
  const [state, leaf, failed] = [field(rule.state), field(rule.leaf), field(rule.failed)];
  const [object, owner] = [field(rule.object), field(rule.owner)];
  const amounts = [rule.weight ?? '', rule.count ?? ''];
  const others = [
    state?.name ?? '',
    leaf?.name ?? '',
    failed?.name ?? '',
    rule.factor ?? '',
    object?.name ?? '',
    owner?.name ?? '',
  ];
  const wanted = ['startTime', 'stackTrace', thread?.name ?? '', ...amounts, ...others];
  const layout = layouts.wanted(type, wanted);
  if (layout === null) return null;
  // A slot takes a field once: a field that the list has twice belongs to its first place.
  const numberAt = (slot: number) =>
    wanted.indexOf(wanted[slot]!) === slot ? numberType(types, field(wanted[slot])) : null;
  const [weight, count, factor] = [numberAt(WEIGHT), numberAt(COUNT), numberAt(FACTOR)];
  const missing = rule.weight !== null && weight === null ? rule.weight : null;
  const isPlain = count === null && factor === null;
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
    factor,
    weightDivisor: divisorOf(field(rule.weight)?.unit ?? '', ticksPerSecond),
    missing: missing ?? (rule.count !== undefined && count === null ? rule.count : null),
    integers: isPlain ? integersOf(type, layout, wanted) : null,
    stackType: types.of(stack),
    threadType: types.of(thread),
    stateType: types.of(state),
    objectType: isReference(object) ? types.of(object) : undefined,
    hasOwner: isReference(owner),
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
