// One OperationExecutionRecord of a Kieker log, and the names in its signature.
import type { FrameName } from '../frame-grammar.ts';
import { fieldsOf } from './fields.ts';

/** An execution of an operation: when, in which trace, and where in it. */
type ExecutionRecord = {
  /** As AspectJ writes it: modifiers, return type, class, name, parameter types. */
  readonly signature: string;
  readonly session: string;
  readonly trace: string;
  /** Milliseconds since the epoch. */
  readonly startMillis: number;
  readonly durationNanos: number;
  readonly host: string;
  /** Execution order index: the operations of a trace numbered in the order in which they were entered. */
  readonly order: number;
  /** Execution stack size: how many operations of the trace were open when this one was entered. */
  readonly depth: number;
};

/** Nanoseconds of one tick of a log's clock, by the name that its metadata record gives the unit. */
export const TICK_NANOS: ReadonlyMap<string, number> = new Map([
  ['NANOSECONDS', 1],
  ['MICROSECONDS', 1e3],
  ['MILLISECONDS', 1e6],
  ['SECONDS', 1e9],
]);

const RECORD = /^\$\d+;[^;]*;/;
const NUMBERS = /^-?\d{1,19}$/;

/** Whether a line begins as every record of a Kieker log does: `$type;`, with more fields behind it. */
export function isRecord(line: string): boolean {
  return RECORD.test(line);
}

/**
 * The record of `$type;[logged;]signature;session;trace;tin;tout;host;eoi;ess`, null for other records. Which type number it is, and
 * whether the moment of logging is there, stands in other files: the form decides.
 */
export function parseRecord(line: string, tickNanos: number): ExecutionRecord | null {
  const fields = fieldsOf(line, 11);
  if (!isRecord(line)) return null;
  const isLogged = fields.length === 10 && NUMBERS.test(fields[1]!);
  if (!isLogged && fields.length !== 9) return null;
  const [signature, session, trace, entry, exit, host, eoi, ess] = fields.slice(isLogged ? 2 : 1);
  if (!NUMBERS.test(trace!) || !NUMBERS.test(entry!) || !NUMBERS.test(exit!)) return null;
  if (!/^-?\d{1,9}$/.test(eoi!) || !/^-?\d{1,9}$/.test(ess!) || !signature!.includes('.')) return null;
  return {
    signature: signature!,
    session: session!,
    trace: `${trace}@${session}`,
    startMillis: (Number(entry) * tickNanos) / 1e6,
    durationNanos: ticksBetween(entry!, exit!) * tickNanos,
    host: host!,
    order: Number(eoi),
    depth: Number(ess),
  };
}

/** `later − earlier` exactly: nanoseconds since the epoch have more digits than a double. */
export function ticksBetween(earlier: string, later: string): number {
  if (earlier.length < 16 && later.length < 16) return Number(later) - Number(earlier);
  return Number(BigInt(later) - BigInt(earlier));
}

const MODIFIERS =
  /^(?:(?:public|protected|private|static|final|abstract|synchronized|native|strictfp|default|transient|volatile|bridge|varargs|synthetic|new) )+/;
const PRIMITIVES: ReadonlyMap<string, string> = new Map([
  ['void', 'V'],
  ['boolean', 'Z'],
  ['byte', 'B'],
  ['char', 'C'],
  ['short', 'S'],
  ['int', 'I'],
  ['long', 'J'],
  ['float', 'F'],
  ['double', 'D'],
]);
/** The most parameters that a class file allows. */
const MAX_PARAMETERS = 255;

/** The method that a signature such as `public static int com.acme.Shop.count(java.lang.String, int[])` names. */
export function parseSignature(signature: string): FrameName {
  const open = signature.indexOf('(');
  const close = signature.lastIndexOf(')');
  const head = (open < 0 ? signature : signature.slice(0, open)).trim().replace(MODIFIERS, '');
  const space = head.lastIndexOf(' ');
  const qualified = head.slice(space + 1);
  const dot = qualified.lastIndexOf('.');
  const last = qualified.slice(dot + 1);
  const className = qualified.slice(0, Math.max(0, dot));
  const result = last === '<init>' ? 'void' : head.slice(0, Math.max(0, space)).trim();
  const parameters = open < 0 || close < open ? null : signature.slice(open + 1, close);
  return { className, name: last, descriptor: descriptor(parameters, result), flags: 0 };
}

/** The JVM's descriptor, null where a type's binary name cannot be told from the text. */
function descriptor(parameters: string | null, result: string): string | null {
  if (parameters === null) return null;
  const split = parameters.split(',', MAX_PARAMETERS + 1);
  if (split.length > MAX_PARAMETERS) return null;
  const types = parameters.trim() === '' ? [] : split.map(each => typeDescriptor(each.trim()));
  const returned = typeDescriptor(result);
  return types.includes(null) || returned === null ? null : `(${types.join('')})${returned}`;
}

function typeDescriptor(type: string): string | null {
  const parts = /^([\w$.]+?)((?:\[\])*)(\.\.\.)?$/.exec(type);
  if (parts === null) return null;
  const [, name = '', brackets = '', variable] = parts;
  const dimensions = '['.repeat(brackets.length / 2 + (variable === undefined ? 0 : 1));
  const primitive = PRIMITIVES.get(name);
  if (primitive !== undefined) return dimensions + primitive;
  // Two names with a capital: an outer class and its member, whose binary name has `$` where the text may have a dot.
  const capitals = name.split('.').filter(part => /^[A-Z]/.test(part)).length;
  return name.includes('.') && capitals === 1 ? `${dimensions}L${name.replaceAll('.', '/')};` : null;
}
