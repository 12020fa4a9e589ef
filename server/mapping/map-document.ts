// Declarations of one open file → the runtime methods of a profile that stand behind them.
import type { Outline } from '../../grammar/outline.ts';
import { methodName } from '../cct/method-names.ts';
import { type ClassIndex, lambdaRuleOf, linesOfMethod, rowsOfClass } from './class-index.ts';
import type { Confidence, DocumentMap, MappedDeclaration } from './document-map.ts';
import type { Frame, Resolution } from './frame.ts';
import { Surroundings } from './lambdas.ts';
import { indexOutline, type OutlineIndex, type TypeIndex } from './outline-index.ts';
import { resolveMethod } from './resolve.ts';

type Entry = { methods: number[]; confidence: Confidence; alternatives: readonly number[]; reason: string };

/**
 * Maps one file. Constructors own their `<init>`; initialiser blocks, field initialisers and enum constants share `<init>` or
 * `<clinit>` and carry `onlyLines`; what the compiler made goes to the type's header. Methods that folding removes are
 * left out. Cost grows with the file's classes, not with the profile.
 */
export function mapDocument(outline: Outline, classes: ClassIndex): DocumentMap {
  const index = indexOutline(outline);
  const entries = new Map<number, Entry>();
  const shared: MappedDeclaration[] = [];
  const declarationOfMethod = new Map<number, number>();
  for (const [className, type] of index.typeByName) {
    const rows = rowsOfClass(classes, className);
    if (rows.length === 0) continue;
    const frames = rows.map(row => frameOfMethod(classes, row));
    const around = new Surroundings(frames, lambdaRuleOf(classes, className));
    for (const [i, frame] of frames.entries()) {
      const resolution = resolveMethod(index, frame, around);
      addMethod(entries, rows[i]!, resolution);
      if (resolution.declarations.length === 1) declarationOfMethod.set(rows[i]!, resolution.declarations[0]!);
    }
    addShared(
      shared,
      index,
      type.staticInitializers,
      rows.filter((_, i) => frames[i]!.name === '<clinit>'),
    );
    addShared(
      shared,
      index,
      type.instanceInitializers,
      rows.filter((_, i) => runsInitializers(index, type, frames[i]!)),
    );
  }
  const declarations = [...entries].map(([declaration, entry]) => toMapped(declaration, entry));
  const all = [...declarations, ...shared.filter(mapped => !entries.has(mapped.declaration))];
  return { outline, declarations: all.sort((a, b) => a.declaration - b.declaration), declarationOfMethod };
}

/** A row of a method table as a frame, with all lines that were observed in it. */
export function frameOfMethod(classes: ClassIndex, row: number): Frame {
  const { methods } = classes;
  return { ...methodName(methods, row), lines: linesOfMethod(classes, row), flags: methods.flags[row]! };
}

function addMethod(entries: Map<number, Entry>, row: number, resolution: Resolution): void {
  const { declarations, confidence, reason } = resolution;
  if (confidence === 'no source') return;
  for (const declaration of declarations) {
    const entry = entries.get(declaration);
    if (entry === undefined || (entry.confidence === 'ambiguous' && confidence !== 'ambiguous')) {
      const alternatives = declarations.filter(other => other !== declaration);
      entries.set(declaration, { methods: [row], confidence, alternatives, reason });
    } else if (confidence !== 'ambiguous' || entry.confidence === 'ambiguous') {
      // Rows that are sure of a declaration keep those out that may as well belong to another.
      entry.methods.push(row);
    }
  }
}

function addShared(
  shared: MappedDeclaration[],
  index: OutlineIndex,
  rows: readonly number[],
  methods: readonly number[],
): void {
  if (methods.length === 0) return;
  for (const row of rows) {
    const onlyLines = index.outline.declarations[row]!.lines;
    if (onlyLines.length === 0) continue;
    shared.push({ declaration: row, methods, confidence: 'line', alternatives: [], onlyLines });
  }
}

/** A constructor that calls `this(...)` leaves the initialisers to the other. */
function runsInitializers(index: OutlineIndex, type: TypeIndex, frame: Frame): boolean {
  if (frame.name !== '<init>') return false;
  if (type.instanceInitializers.length === 0) return false;
  return !resolveMethod(index, frame).declarations.every(row => index.delegating.has(row));
}

function toMapped(declaration: number, entry: Entry): MappedDeclaration {
  const { confidence, alternatives, reason } = entry;
  const methods = entry.methods.sort((a, b) => a - b);
  const plain = { declaration, methods, confidence, alternatives };
  return reason === confidence ? plain : { ...plain, reason };
}
