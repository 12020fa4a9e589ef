// The grammar of frame names: every notation in which tools write a Java method, and which names are no Java.
import { METHOD_FLAG } from '../cct/profile.ts';

/** A frame's method in the words of a profile. */
export type FrameName = {
  /** Binary name with dots; empty for frames without a class. */
  readonly className: string;
  readonly name: string;
  readonly descriptor: string | null;
  /** Bits of METHOD_FLAG. */
  readonly flags: number;
};

/** A frame as it stands in a stack. `line` is 0 where the notation holds none. */
export type Frame = FrameName & { readonly line: number };

/**
 * `(ILjava/lang/String;)V`, anywhere in a text, also with `|` for `;`, and without the result where only the parameters are known; a class
 * file allows 255 parameters.
 */
const DESCRIPTOR = /\((?:\[*(?:[BCDFIJSZ]|L[^;|()]+[;|])){0,255}\)(?:\[*(?:[BCDFIJSZV](?![\w$])|L[^;|()]+[;|]))?/y;

/** The end of the method descriptor that begins at `open`, or −1 where none does. */
export function descriptorEnd(text: string, open: number): number {
  DESCRIPTOR.lastIndex = open;
  return DESCRIPTOR.test(text) ? DESCRIPTOR.lastIndex : -1;
}

/** Marks that async-profiler puts behind a name: compiled, inlined, kernel, interpreted, first tier. */
export const MARK = /_\[([jik01])\]$/;
const LINE = /(?<!:):(-?\d{1,10})$/;
/** A bytecode index. It is never a line. */
const BYTECODE_INDEX = /@-?\d{1,10}$/;
/** What a StackTraceElement has behind the method. */
const PLACE =
  /\((?:Native Method|Unknown Source|<generated>|[^()\s,;:]+\.(?:java|kts?|scala|groovy|clj|jsp|jrag)|[^()\s,;:]+:(-?\d{1,10}))\)$/;
/** Parts that a C compiler or linker adds to a symbol, libraries, and offsets in symbols. */
const NATIVE =
  /`|@@|@plt$|\.(?:isra|part|constprop|cold|lto_priv|llvm|localalias|clone)(?:\.\d+)*$|\.(?:so|dylib|dll|exe)(?:\.[\d.]+)?$|\+0x[\da-f]+$/i;
/** `com/acme/Shop`, with what follows the slash of a hidden class: `com/acme/Shop$$Lambda/0x0000` or `…+0x0000`. */
const INTERNAL_CLASS = /^((?:[^\s./;(:]+\/)+[^\s./;(:]+?)((?:[/+.]0x[0-9a-fA-F]+|\/\d+)?)$/;
const HIDDEN_ONLY = /^[^/]+\/(?:0x[0-9a-fA-F]+|\d+)$/;

/** Takes a frame apart. docs/formats.md lists the notations with their readings. */
export function parseFrame(text: string): Frame {
  let rest = text;
  let line = 0;
  const lineBehind = LINE.exec(rest);
  if (lineBehind !== null) rest = rest.slice(0, lineBehind.index);
  const mark = MARK.exec(rest);
  if (mark !== null) rest = rest.slice(0, mark.index);
  const lineBefore = mark === null ? null : LINE.exec(rest);
  if (lineBefore !== null) rest = rest.slice(0, lineBefore.index);
  line = Number(lineBehind?.[1] ?? lineBefore?.[1] ?? 0) | 0;
  if (mark?.[1] === 'k' || NATIVE.test(rest)) return { ...foreign(rest), line };
  rest = rest.replace(BYTECODE_INDEX, '');
  const place = PLACE.exec(rest);
  if (place !== null && rest.slice(0, place.index).includes('.')) {
    rest = rest.slice(0, place.index).trimEnd();
    line = Number(place[1] ?? line) | 0;
  }
  return { ...parseMethod(rest.replace(/^class /, '')), line };
}

/** Whether a frame without a class is written as if it had one: its notation is none that is known here. */
export function isUnread({ className, flags }: FrameName, text: string): boolean {
  return className === '' && (flags & METHOD_FLAG.foreign) === 0 && /[./(\s]/.test(text) && !/^\[.*\]$/.test(text);
}

/** A method without line, mark and place. */
function parseMethod(text: string): FrameName {
  const open = text.indexOf('(', 1);
  if (open > 0 && descriptorEnd(text, open) === text.length)
    return parseOwner(text.slice(0, open), text.slice(open).replaceAll('|', ';'), text);
  if (open > 0 && text.endsWith(')')) {
    const typed = /^(?:(?:[\w.$[\]]+ )*?([\w.$[\]]+) )?(\S+)$/.exec(text.slice(0, open));
    const types = parameterTypes(text.slice(open + 1, -1));
    if (typed !== null && types !== null && !typed[2]!.includes('::'))
      return parseOwner(typed[2]!, descriptorOf(types, typed[1] ?? null), text);
  }
  return parseOwner(text, null, text);
}

/** `pkg.Class.method` in all its notations; `whole` is the name where it turns out to be no Java. */
function parseOwner(text: string, descriptor: string | null, whole: string): FrameName {
  const head = withoutModule(text);
  const paren = head.indexOf('(', 1);
  const colons = /^(.*?)(:::|;::|::|[:;]\.)([^:]+)$/s.exec(head);
  if (colons !== null) {
    const owner = colons[1]!;
    // `Thread::run` is C++ of the VM: only a package tells a class of Java.
    const java = /[/.]/.test(owner) && !/[\s<>:(*&]/.test(owner);
    return java || colons[2] !== '::' ? method(owner, colons[3]!, descriptor) : foreign(whole);
  }
  if (head.includes('::')) return foreign(whole);
  const dot = head.lastIndexOf('.', paren < 0 ? head.length : paren);
  if (dot <= 0 || dot === head.length - 1) return { className: '', name: head, descriptor, flags: 0 };
  return method(head.slice(0, dot), head.slice(dot + 1), descriptor);
}

function method(owner: string, name: string, descriptor: string | null): FrameName {
  const bare = owner.replace(/;$/, '').replace(/^L(?=[a-z][\w$]*\/)/, '');
  return { className: withDots(bare), name, descriptor, flags: 0 };
}

/** Leaves out `app//`, `java.base@21/`, `app/acme@1.2/` and other loaders and modules, whose names may hold spaces. */
function withoutModule(text: string): string {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return text;
  const before = text.slice(0, slash + 1);
  const rest = text.slice(slash + 1);
  // Behind the slash of a hidden class stands an address or a number.
  const hidden = /\/(?:0x[\da-fA-F]+|\d+)[.:]/.exec(text);
  if (hidden !== null) return withoutModule(text.slice(0, hidden.index)) + text.slice(hidden.index);
  if (/\/\/|@[\w.+-]+\//.test(before)) {
    const end = before.lastIndexOf('//') + 2;
    const versioned = /^.*@[\w.+-]+\//.exec(before)?.[0].length ?? 0;
    return text.slice(Math.max(end === 1 ? 0 : end, versioned));
  }
  const dotted = rest.split('.').length > 2 && !/\.0x[\da-fA-F]/.test(rest);
  const moduleBefore = /(?:^|\/)[\w$]+(?:\.[\w$]+)+\/$/.test(before);
  return moduleBefore || dotted ? rest : text;
}

function foreign(name: string): FrameName {
  return { className: '', name, descriptor: null, flags: METHOD_FLAG.foreign };
}

/** `com/acme/Shop` with dots; names that have them already, and slashes of hidden classes, stay as they are. */
function withDots(className: string): string {
  if (!className.includes('/') || HIDDEN_ONLY.test(className)) return className;
  const parts = INTERNAL_CLASS.exec(className);
  return parts === null ? className : parts[1]!.replaceAll('/', '.') + parts[2]!;
}

/** Types between the parentheses of `m(int, java.lang.String)`; null where they are not types of Java. */
function parameterTypes(text: string): string[] | null {
  if (text.trim() === '') return [];
  const types = text.split(',').map(type => type.trim().replace(/\.\.\.$/, '[]'));
  return types.every(type => /^[\p{L}_$][\p{L}\p{N}_$./]*(?:\[\])*$/u.test(type)) ? types : null;
}

const PRIMITIVES: ReadonlyMap<string, string> = new Map([
  ['boolean', 'Z'],
  ['byte', 'B'],
  ['char', 'C'],
  ['double', 'D'],
  ['float', 'F'],
  ['int', 'I'],
  ['long', 'J'],
  ['short', 'S'],
  ['void', 'V'],
]);

/** Simple names that tools write for classes of `java.lang`. */
const LANG = new Set(
  [
    'Object',
    'String',
    'CharSequence',
    'Class',
    'Boolean',
    'Byte',
    'Character',
    'Double',
    'Float',
    'Integer',
    'Long',
  ].concat([
    'Number',
    'Short',
    'Void',
    'Iterable',
    'Comparable',
    'Runnable',
    'Thread',
    'Throwable',
    'Exception',
    'Error',
  ]),
);

/** `result` is null where it is not known. */
function descriptorOf(types: readonly string[], result: string | null): string {
  return `(${types.map(typeDescriptor).join('')})${result === null ? '' : typeDescriptor(result)}`;
}

function typeDescriptor(type: string): string {
  const name = type.replaceAll('[]', '');
  const dimensions = '['.repeat((type.length - name.length) / 2);
  const binary = LANG.has(name) ? `java/lang/${name}` : name.replaceAll('.', '/');
  return dimensions + (PRIMITIVES.get(name) ?? `L${binary};`);
}
