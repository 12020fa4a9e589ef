// A profile's method table seen from the source: methods by class, each with the lines that were observed in it.
import type { Cct, Cells, MethodTable, Profile } from '../cct/profile.ts';
import { plainClassName } from './class-names.ts';
import { transparentMethods } from './fold.ts';
import { type LambdaRules, voteLambdaRules } from './lambda-rule.ts';

/** Distinct lines observed in each method: those of row m are `line[offset[m]] … line[offset[m + 1] - 1]`, ascending. */
export type MethodLines = { readonly offset: Int32Array; readonly line: Int32Array };

/** Built once a method table; answers every open document. */
export type ClassIndex = {
  readonly methods: MethodTable;
  readonly lines: MethodLines | null;
  /** Rows of the methods of a class by its binary name; methods that folding removes are left out. */
  readonly rowsOfClass: ReadonlyMap<string, readonly number[]>;
  /** How the compilers of this program number lambdas. */
  readonly lambdaRules: LambdaRules;
};

/** Groups the methods of a profile by class and gathers the lines seen in each. */
export function indexProfile(profile: Profile): ClassIndex {
  return indexMethods(profile.methods, observedLines(profile.tree, profile.cells, profile.methods.length));
}

/** The same without a tree: `lines` null means that no line is known. */
export function indexMethods(methods: MethodTable, lines: MethodLines | null = null): ClassIndex {
  const rowsOfClass = new Map<string, number[]>();
  const listOfString = new Map<number, number[]>();
  const transparent = transparentMethods(methods);
  for (let row = 0; row < methods.length; row++) {
    if (transparent[row] === 1) continue;
    const classRow = methods.className[row]!;
    let list = listOfString.get(classRow);
    if (list === undefined) {
      const name = plainClassName(methods.strings[classRow]!);
      list = rowsOfClass.get(name);
      if (list === undefined) {
        list = [];
        rowsOfClass.set(name, list);
      }
      listOfString.set(classRow, list);
    }
    list.push(row);
  }
  return { methods, lines, rowsOfClass, lambdaRules: voteLambdaRules(namesOf(methods)) };
}

function* namesOf({ length, strings, className, name }: MethodTable): Generator<{ className: string; name: string }> {
  for (let row = 0; row < length; row++) yield { className: strings[className[row]!]!, name: strings[name[row]!]! };
}

/** Lines of one method row; empty where none is known. */
export function linesOfMethod(index: ClassIndex, row: number): readonly number[] {
  if (index.lines === null) return [];
  return Array.from(index.lines.line.subarray(index.lines.offset[row]!, index.lines.offset[row + 1]!));
}

/** Distinct (method, line) pairs of a tree: call lines belong to the parent's method, cell lines to the node's own. */
export function observedLines(tree: Cct, cells: readonly Cells[], methodCount: number): MethodLines {
  const pairs = new PairSet();
  for (let node = 1; node < tree.length; node++) {
    const line = tree.callLine[node]!;
    if (line > 0) pairs.add(tree.method[tree.parent[node]!]!, line);
  }
  for (const metric of cells) {
    for (let cell = 0; cell < metric.length; cell++) {
      const line = metric.line[cell]!;
      if (line > 0) pairs.add(tree.method[metric.node[cell]!]!, line);
    }
  }
  return pairs.toLines(methodCount);
}

/** Open addressing over two Int32 columns: a Map of numbers would cost seconds on millions of nodes. */
class PairSet {
  private method = new Int32Array(1 << 12).fill(-1);
  private line = new Int32Array(1 << 12);
  private size = 0;

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

  toLines(methodCount: number): MethodLines {
    const offset = new Int32Array(methodCount + 1);
    for (const method of this.method) if (method >= 0) offset[method + 1]!++;
    for (let row = 0; row < methodCount; row++) offset[row + 1]! += offset[row]!;
    const line = new Int32Array(this.size);
    const next = offset.slice();
    for (let slot = 0; slot < this.method.length; slot++) {
      const method = this.method[slot]!;
      if (method >= 0) line[next[method]!++] = this.line[slot]!;
    }
    for (let row = 0; row < methodCount; row++) line.subarray(offset[row]!, offset[row + 1]!).sort();
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
