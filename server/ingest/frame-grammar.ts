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
/** The place that a StackTraceElement has behind the method. */
const PLACE =
  /\((?:Native Method|Unknown Source|<generated>|[^()\s,;:]+\.(?:java|kts?|scala|groovy|clj|jsp|jrag)|[^()\s,;:]+:(-?\d{1,10}))\)$/;
/** Parts that a C compiler or linker adds to a symbol, libraries, and offsets in symbols. */
const NATIVE =
  /`|@@|@plt$|\.(?:isra|part|constprop|cold|lto_priv|llvm|localalias|clone)(?:\.\d+)*$|\.(?:so|dylib|dll|exe)(?:\.[\d.]+)?$|\+0x[\da-f]+$/i;
/** `com/acme/Shop`, with what follows the slash of a hidden class: `com/acme/Shop$$Lambda/0x0000` or `…+0x0000`. */
const INTERNAL_CLASS = /^((?:[^\s./;(:]+\/)+[^\s./;(:$]*(?:\$[^./;(:]*?)?)((?:[/+.]0x[0-9a-fA-F]+|\/\d+)?)$/;
const HIDDEN_ONLY = /^[^/]+\/(?:0x[0-9a-fA-F]+|\d+)$/;
/** A symbol of native-image without debug information: class without package, method, digest in hexadecimal or base 62. */
const NATIVE_IMAGE =
  /^\p{Lu}[\w$.]*_[\w$]+_(?:[\da-f]{40}|(?=[A-Za-z]*\d)(?=[\da-z]*[A-Z])(?=[\dA-Z]*[a-z])[\dA-Za-z]{22})$/u;
/** A class with a package or of the default one, in which blanks stand only behind a `$`: Kotlin's names of tests may hold them. */
const SPOKEN_CLASS = /^(?:[\p{L}_$][\p{L}\p{N}_$-]*\.)*\p{Lu}[\p{L}\p{N}_]*(?:\$[^.;[\]/<>:]*)?$/u;

/** The frames in one name, the caller first: inlined callees may stand behind `->`. */
export function parseFrames(text: string): readonly Frame[] {
  if (!text.includes('->')) return [parseFrame(text)];
  const frames = text.split('->').map(parseFrame);
  return frames.every(({ className }) => className !== '') ? frames : [parseFrame(text)];
}

/** Takes a frame apart. docs/formats.md lists the notations with their readings. */
function parseFrame(text: string): Frame {
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

/** Whether a frame is a symbol of native-image, which holds no package. */
export function isNativeImage({ className, name }: FrameName): boolean {
  return className === '' && NATIVE_IMAGE.test(name);
}

/** Whether a method has a class in front that no name of a thread has; blanks in the method are those of a sentence. */
export function hasClassBefore({ className, name }: FrameName): boolean {
  if (className === '' || !/^[\p{L}_$][^/]*$/u.test(className)) return false;
  if (!/\s/.test(className + name)) return true;
  // In the default package a capital letter tells a thread of a product: `AWS.Sdk worker 1`.
  return SPOKEN_CLASS.test(className) && !/^[\s)]/.test(name) && (className.includes('.') || /^\p{Ll}/u.test(name));
}

/** Whether a frame without a class is written as if it had one: its notation is none that is known here. */
export function isUnread({ className, flags }: FrameName, text: string): boolean {
  return className === '' && (flags & METHOD_FLAG.foreign) === 0 && /[./(\s]/.test(text) && !/^\[.*\]$/.test(text);
}

/** A method without line, mark and place. */
function parseMethod(text: string): FrameName {
  const open = text.lastIndexOf('(');
  if (open > 0 && descriptorEnd(text, open) === text.length && !text.endsWith('()'))
    return parseOwner(text.slice(0, open), text.slice(open).replaceAll('|', ';'), text);
  if (open > 0 && text.endsWith(')') && !/\s/.test(text[open - 1]!)) {
    const head = headOf(text.slice(0, open));
    const types = parameterTypes(text.slice(open + 1, -1));
    // Behind a sentence brackets hold types only where they look like types.
    const isSpoken = head?.method.includes(' ');
    if (head !== null && types !== null && (!isSpoken || types.every(isTypeLike)))
      return parseOwner(
        head.method,
        descriptorOf(types, head.result),
        text,
        types.some(type => type.includes('.')),
      );
  }
  return parseOwner(text, null, text);
}

/** `int com.acme.Work.add` as method and result, which is null where none is given; null where something else stands before the method. */
function headOf(text: string): { readonly method: string; readonly result: string | null } | null {
  const bare = withoutTypeArguments(text);
  const separator = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf('::'));
  const from = bare.lastIndexOf(' ', separator < 0 ? bare.length : separator) + 1;
  const before = bare.slice(0, from).trimEnd();
  if (!/^[\w.$[\]* ]*$/.test(before)) return null;
  const result = /(?:unsigned short|signed char|\S+)$/.exec(before)?.[0] ?? null;
  return { method: bare.slice(from), result: result === null ? null : withoutPointer(result) };
}

/** `Map<K, List<V>>` → `Map`; the names in angle brackets that the JVM gives stay. */
function withoutTypeArguments(text: string): string {
  let [before, after] = ['', text];
  while (after !== before) [before, after] = [after, after.replace(/(?<=[\w$\]])\s*<[^<>]*>/g, '')];
  return after;
}

/** The type without the stars of a pointer: debug information has objects as pointers. */
function withoutPointer(type: string): string {
  return type.replace(/\s*\*+$/, '');
}

function isTypeLike(type: string): boolean {
  return PRIMITIVES.has(type.replaceAll('[]', '')) || /[./]|^\p{Lu}|\[\]$/u.test(type);
}

/**
 * `pkg.Class.method` in all its notations; `whole` is the name where it turns out to be no Java. `isJava`: the types of the method are of Java, whatever
 * its class.
 */
function parseOwner(text: string, descriptor: string | null, whole: string, isJava = false): FrameName {
  const head = withoutModule(text);
  const paren = head.indexOf('(', 1);
  const colons = /^(.*?)(:::|;::|::|[:;]\.)([^:]+)$/s.exec(head);
  if (colons !== null) {
    // A class loader may stand before the class, as a namespace.
    const owner = colons[1]!.replace(/^.*::(?=[^:]*[./])/, '');
    // `Thread::run` is C++ of the VM: only a package, or types with packages, tell a class of Java.
    const java = (isJava || /[/.]/.test(owner)) && !/[\s<>:(*&]/.test(owner.replace(/\$.*$/, ''));
    if (!java && colons[2] === '::') return foreign(whole);
    const found = method(owner, colons[3]!, descriptor);
    const isConstructor = [/[^.]*$/, /[^.$]*$/].some(simple => simple.exec(found.className)?.[0] === found.name);
    return isConstructor ? { ...found, name: '<init>' } : found;
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

/** Types between the parentheses of `m(int, java.lang.String)`, without their arguments; null where they are not types of Java. */
function parameterTypes(text: string): string[] | null {
  const bare = withoutTypeArguments(text);
  if (bare.trim() === '') return [];
  const types = bare.split(',').map(type => withoutPointer(type.trim()).replace(/\.\.\.$/, '[]'));
  const isType = (type: string) => CPP_PRIMITIVES.has(type) || /^[\p{L}_$][\p{L}\p{N}_$./]*(?:\[\])*$/u.test(type);
  return types.every(isType) ? types : null;
}

/** Descriptors of Java's types by the names that demanglers of C++ give them. */
const CPP_PRIMITIVES: ReadonlyMap<string, string> = new Map([
  ['bool', 'Z'],
  ['signed char', 'B'],
  ['unsigned short', 'C'],
]);

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
  return dimensions + (PRIMITIVES.get(name) ?? CPP_PRIMITIVES.get(name) ?? `L${binary};`);
}
