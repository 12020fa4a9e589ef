// A profile's method table seen from the source: methods by class, each with the lines that were observed in it.
import type { Cct, Cells, MethodTable, Profile } from '../cct/profile.ts';
import type { CallSites } from '../metrics/call-sites.ts';
import { packageOf, plainClassName } from './class-names.ts';
import { type LambdaRule, voteLambdaRules } from './lambda-rule.ts';

/** Distinct lines observed in each method: the lines of row m are `line[offset[m]] … line[offset[m + 1] - 1]`, ascending. */
export type MethodLines = { readonly offset: Int32Array; readonly line: Int32Array };

/** Classes of a method table as columns, which another thread can make. Row c is one class by its plain binary name. */
type ClassColumns = {
  /** Row in `methods.strings` of a class's name as the recorder printed it. */
  readonly name: Int32Array;
  /** Method rows of class c are rows[offsets[c]] … rows[offsets[c + 1] − 1], ascending; methods that folding removes are left out. */
  readonly offsets: Int32Array;
  readonly rows: Int32Array;
  /** How the compiler of the class numbers lambdas: row in LAMBDA_RULES. */
  readonly lambdaRule: Uint8Array;
  /** Open addressing by the hash of the plain name: class + 1, 0 is free. */
  readonly slots: Int32Array;
};

const LAMBDA_RULES: readonly (LambdaRule | null)[] = [null, 'perClass', 'perOwner'];

/** Made once a method table; answers every open document. */
export type ClassIndex = {
  readonly methods: MethodTable;
  /** null: no line is known. */
  readonly lines: MethodLines | null;
  readonly columns: ClassColumns;
};

/** Rows of the methods of a class by its binary name, without methods that folding removes; none for a class that the table does not have. */
export function rowsOfClass({ methods, columns }: ClassIndex, className: string): readonly number[] {
  const { offsets, rows } = columns;
  const found = classRow(methods, columns, className);
  return found < 0 ? [] : Array.from(rows.subarray(offsets[found]!, offsets[found + 1]!));
}

/** How the compiler of a class numbers lambdas; null where that is not known, and for classes that the table does not have. */
export function lambdaRuleOf(index: ClassIndex, className: string): LambdaRule | null {
  return lambdaRuleAt(index, classRow(index.methods, index.columns, className));
}

/** How the compiler of the class in this row numbers lambdas. */
export function lambdaRuleAt({ columns }: ClassIndex, row: number): LambdaRule | null {
  return LAMBDA_RULES[columns.lambdaRule[row] ?? 0]!;
}

/** Groups the rows of methods that are not `transparent` (one byte a row) by class. O(methods). */
export function classColumns(methods: MethodTable, transparent: Uint8Array): ClassColumns {
  const classOfString = new Map<number, number>();
  const classOfName = new Map<string, number>();
  const classOfRow = new Int32Array(methods.length).fill(-1);
  const printed: number[] = [];
  for (let row = 0; row < methods.length; row++) {
    if (transparent[row] === 1) continue;
    const string = methods.className[row]!;
    let found = classOfString.get(string);
    if (found === undefined) {
      const name = plainClassName(methods.strings[string]!);
      found = classOfName.get(name) ?? classOfName.size;
      if (found === printed.length) printed.push(string);
      classOfName.set(name, found);
      classOfString.set(string, found);
    }
    classOfRow[row] = found;
  }
  const rules = voteLambdaRules(lambdasOf(methods));
  const byPackage = new Map<string, number>();
  const lambdaRule = Uint8Array.from(classOfName.keys(), name => {
    const own = packageOf(name);
    const known = byPackage.get(own) ?? LAMBDA_RULES.indexOf(rules(name));
    byPackage.set(own, known);
    return known;
  });
  return {
    name: Int32Array.from(printed),
    ...groupRows(classOfRow, printed.length),
    lambdaRule,
    slots: hashed(classOfName),
  };
}

function groupRows(classOfRow: Int32Array, classes: number): Pick<ClassColumns, 'offsets' | 'rows'> {
  const offsets = new Int32Array(classes + 1);
  for (const found of classOfRow) if (found >= 0) offsets[found + 1]!++;
  for (let c = 0; c < classes; c++) offsets[c + 1]! += offsets[c]!;
  const rows = new Int32Array(offsets[classes]!);
  const next = offsets.slice();
  classOfRow.forEach((found, row) => {
    if (found >= 0) rows[next[found]!++] = row;
  });
  return { offsets, rows };
}

function hashed(classOfName: ReadonlyMap<string, number>): Int32Array {
  let size = 4;
  while (size < 2 * classOfName.size) size *= 2;
  const slots = new Int32Array(size);
  for (const [name, found] of classOfName) {
    let slot = hashOf(name) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = found + 1;
  }
  return slots;
}

function classRow({ strings }: MethodTable, { name, slots }: ClassColumns, className: string): number {
  const mask = slots.length - 1;
  for (let slot = hashOf(className) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const found = slots[slot]! - 1;
    if (plainClassName(strings[name[found]!]!) === className) return found;
  }
  return -1;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Nothing else says how lambdas are numbered. */
function* lambdasOf({ length, strings, className, name }: MethodTable): Generator<{ className: string; name: string }> {
  for (let row = 0; row < length; row++) {
    const text = strings[name[row]!]!;
    if (text.startsWith('lambda$')) yield { className: strings[className[row]!]!, name: text };
  }
}

/** Lines of one method row; empty where none is known. */
export function linesOfMethod(index: ClassIndex, row: number): readonly number[] {
  if (index.lines === null) return [];
  return Array.from(index.lines.line.subarray(index.lines.offset[row]!, index.lines.offset[row + 1]!));
}

/** Whether `fits` holds for all lines of one method row; true where none is known. */
export function everyLineOfMethod({ lines }: ClassIndex, row: number, fits: (line: number) => boolean): boolean {
  if (lines === null) return true;
  const end = lines.offset[row + 1]!;
  for (let at = lines.offset[row]!; at < end; at++) if (!fits(lines.line[at]!)) return false;
  return true;
}

/**
 * Distinct (method, line) pairs of a tree: call lines belong to the parent's method, cell lines to the node's own. The calls
 * have been told apart already; there are far fewer of them than nodes.
 */
export function observedLinesOfCalls({ tree, cells, methods }: Profile, calls: CallLines): MethodLines {
  const others = new PairSet(
    Math.min(
      calls.line.length,
      cells.reduce((most, { length }) => Math.max(most, length), 0),
    ),
  );
  addCellLines(others, tree, cells, calls);
  return others.toLines(methods.length, calls);
}

/** Lines of the calls of each method, ascending; 0 where none is known. */
type CallLines = Pick<CallSites, 'offsets' | 'line'>;

/** Adds lines of cells, without the lines that calls tell already. */
function addCellLines(pairs: PairSet, tree: Cct, cells: readonly Cells[], calls: CallLines): void {
  for (const metric of cells) {
    for (let cell = 0; cell < metric.length; cell++) {
      const line = metric.line[cell]!;
      if (line <= 0) continue;
      const method = tree.method[metric.node[cell]!]!;
      if (!hasCall(calls, method, line)) pairs.add(method, line);
    }
  }
}

function hasCall({ offsets, line }: CallLines, method: number, wanted: number): boolean {
  const end = offsets[method + 1]!;
  let low = offsets[method]!;
  for (let high = end; low < high; ) {
    const middle = (low + high) >> 1;
    if (line[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low < end && line[low] === wanted;
}

/** Most methods have a few lines, for which a sort of its own would cost more than all comparisons. */
function sortRange(values: Int32Array, from: number, to: number): void {
  if (to - from > 16) {
    values.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

/** Each known line of each method's calls, once. */
function forEachLine(
  { offsets, line }: CallLines,
  methods: number,
  visit: (method: number, line: number) => void,
): void {
  for (let method = 0; method < methods; method++) {
    let last = 0;
    for (let call = offsets[method]!; call < offsets[method + 1]!; call++) {
      if (line[call]! > last) visit(method, line[call]!);
      last = line[call]!;
    }
  }
}

/** Open addressing over two Int32 columns: a Map of numbers would cost seconds on millions of nodes. */
class PairSet {
  private method: Int32Array<ArrayBuffer>;
  private line: Int32Array<ArrayBuffer>;
  private size = 0;

  /** @param expected pairs that there is room for before it has to grow. */
  constructor(expected: number) {
    let slots = 1 << 12;
    while (slots < 2 * expected) slots *= 2;
    this.method = new Int32Array(slots).fill(-1);
    this.line = new Int32Array(slots);
  }

  add(method: number, line: number): void {
    const mask = this.method.length - 1;
    let slot = (Math.imul(method, 0x9e3779b1) ^ Math.imul(line, 0x85ebca6b)) & mask;
    while (this.method[slot] !== -1) {
      if (this.method[slot] === method && this.line[slot] === line) return;
      slot = (slot + 1) & mask;
    }
    this.method[slot] = method;
    this.line[slot] = line;
    if (++this.size * 2 > this.method.length) this.grow();
  }

  /** The lines of the pairs and of `calls`; no line is in both. */
  toLines(methodCount: number, calls: CallLines): MethodLines {
    const offset = new Int32Array(methodCount + 1);
    for (const method of this.method) if (method >= 0) offset[method + 1]!++;
    forEachLine(calls, methodCount, method => offset[method + 1]!++);
    for (let row = 0; row < methodCount; row++) offset[row + 1]! += offset[row]!;
    const line = new Int32Array(offset[methodCount]!);
    const next = offset.slice();
    forEachLine(calls, methodCount, (method, called) => {
      line[next[method]!++] = called;
    });
    for (let slot = 0; slot < this.method.length; slot++) {
      const method = this.method[slot]!;
      if (method >= 0) line[next[method]!++] = this.line[slot]!;
    }
    for (let row = 0; row < methodCount; row++) sortRange(line, offset[row]!, offset[row + 1]!);
    return { offset, line };
  }

  private grow(): void {
    const { method, line } = this;
    this.method = new Int32Array(method.length * 2).fill(-1);
    this.line = new Int32Array(method.length * 2);
    this.size = 0;
    for (let slot = 0; slot < method.length; slot++) if (method[slot]! >= 0) this.add(method[slot]!, line[slot]!);
  }
}
