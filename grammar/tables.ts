// What was found in a text as tables of columns, from which an outline makes its rows when they are asked for.
import { binaryNamesOf, isType } from './binary-names.ts';
import {
  CALL_WIDTH,
  CallPlace,
  type Columns,
  DECLARATION_WIDTH,
  firstRowFrom,
  LOCAL_WIDTH,
  LocalPlace,
  Place,
  replaceRows,
  replaceStarts,
  type Shift,
} from './columns.ts';
import { type CallDraft, type Draft, isBodyHole, type LocalDraft, type Sheet } from './draft.ts';
import { firstInk, lastInk, lineStartsOf } from './lines.ts';
import type { Import } from './outline.ts';

export type TableProblem = {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** It was found while reading members, not in a body. */
  readonly ofMembers: boolean;
};

/** Everything about one state of a text. Never changed once made. */
export type Tables = {
  readonly packageName: string;
  readonly imports: readonly Import[];
  readonly declarations: Columns<Draft>;
  /** By row; empty for what is no type. */
  readonly binaryNames: readonly string[];
  readonly calls: Columns<CallDraft>;
  readonly locals: Columns<LocalDraft>;
  readonly problems: readonly TableProblem[];
  readonly lineStarts: Int32Array;
};

/** What was found in one piece of text; its offsets count from `base`. */
export type Part = { readonly base: number; readonly sheet: Sheet };

/** Tables of a text, of which the parts hold all that was found in it, the skeleton first. */
export function tablesOf(text: string, parts: readonly Part[]): Tables {
  const { packageName, imports } = parts[0]!.sheet;
  const declarations = declarationColumns(parts, text, 0, 0);
  return {
    packageName,
    imports,
    declarations,
    binaryNames: binaryNamesOf(declarations, packageName),
    calls: callColumns(parts),
    locals: localColumns(parts),
    problems: problemsOf(parts, parts[0]!),
    lineStarts: lineStartsOf(text),
  };
}

/**
 * The tables after the code of one pair of braces has changed: all that `part` says stands where the region of `shift` was.
 * `text` is that of the braces. Null when the row before them is not the declaration that they belong to.
 */
export function withPart(tables: Tables, part: Part, owner: Draft, text: string, shift: Shift): Tables | null {
  const { declarations: old, packageName } = tables;
  const { start, end } = shift;
  const first = firstRowFrom(old, start + 1);
  const last = firstRowFrom(old, end);
  if (old.numbers[(first - 1) * old.width + Place.bodyStart] !== start) return null;
  owner.row = first - 1;
  const fresh = declarationColumns([part], text, start, first);
  const moves = { ...shift, row: last, rowsBy: fresh.heads.length - (last - first) };
  const declarations = replaceRows(old, first, last, fresh, moves);
  const hasTypes = fresh.heads.some(isType) || old.heads.slice(first, last).some(isType);
  const replaceIn = <Head>(columns: Columns<Head>, other: Columns<Head>): Columns<Head> =>
    replaceRows(columns, firstRowFrom(columns, start), firstRowFrom(columns, end), other, moves);
  return {
    ...tables,
    declarations,
    binaryNames: hasTypes || moves.rowsBy !== 0 ? binaryNamesOf(declarations, packageName) : tables.binaryNames,
    calls: replaceIn(tables.calls, callColumns([part])),
    locals: replaceIn(tables.locals, localColumns([part])),
    problems: replaceProblems(tables.problems, problemsOf([part], null), shift),
    lineStarts: replaceStarts(
      tables.lineStarts,
      lineStartsOf(text)
        .subarray(1)
        .map(at => at + start),
      shift,
    ),
  };
}

/** Sorts and numbers the rows from `firstRow` on. `text` begins at offset `textBase`. */
function declarationColumns(parts: readonly Part[], text: string, textBase: number, firstRow: number): Columns<Draft> {
  const places = placed(
    parts,
    sheet => sheet.drafts,
    draft => draft.start,
  );
  const numbers = new Int32Array(places.length * DECLARATION_WIDTH);
  places.forEach(({ item }, at) => {
    item.row = firstRow + at;
  });
  places.forEach(({ item: draft, base }, row) => {
    const at = row * DECLARATION_WIDTH;
    const hasBody = draft.bodyStart >= 0;
    numbers[at] = draft.owner?.row ?? -1;
    numbers[at + Place.start] = draft.start + base;
    numbers[at + Place.end] = draft.end + base;
    numbers[at + Place.nameStart] = draft.nameStart + base;
    numbers[at + Place.nameEnd] = draft.nameEnd + base;
    numbers[at + Place.bodyStart] = hasBody ? draft.bodyStart + base : -1;
    numbers[at + Place.bodyEnd] = hasBody ? draft.bodyEnd + base : -1;
    numbers[at + Place.turn] = draft.turn < 0 ? -1 : draft.turn + base;
    const isBodyAlone = isBodyHole(draft);
    const holeStart = (isBodyAlone ? draft.bodyStart : draft.start) + base;
    const holeEnd = (isBodyAlone ? draft.bodyEnd : draft.end) + base;
    numbers[at + Place.inkBefore] = lastInk(text, holeStart - textBase) + textBase;
    numbers[at + Place.inkAfter] = firstInk(text, holeEnd - textBase) + textBase;
  });
  return { width: DECLARATION_WIDTH, heads: places.map(({ item }) => item), numbers };
}

function callColumns(parts: readonly Part[]): Columns<CallDraft> {
  const places = placed(
    parts,
    sheet => sheet.calls,
    call => call.nameStart,
  );
  const numbers = new Int32Array(places.length * CALL_WIDTH);
  places.forEach(({ item: call, base }, row) => {
    const at = row * CALL_WIDTH;
    numbers[at] = call.owner?.row ?? -1;
    numbers[at + CallPlace.nameStart] = call.nameStart + base;
    numbers[at + CallPlace.nameEnd] = call.nameEnd + base;
    numbers[at + CallPlace.open] = call.open < 0 ? -1 : call.open + base;
    numbers[at + CallPlace.at] = call.at + base;
  });
  return { width: CALL_WIDTH, heads: places.map(({ item }) => item), numbers };
}

function localColumns(parts: readonly Part[]): Columns<LocalDraft> {
  const places = placed(
    parts,
    sheet => sheet.locals,
    local => local.nameStart,
  );
  const numbers = new Int32Array(places.length * LOCAL_WIDTH);
  places.forEach(({ item: local, base }, row) => {
    const at = row * LOCAL_WIDTH;
    numbers[at] = local.owner?.row ?? -1;
    numbers[at + LocalPlace.nameStart] = local.nameStart + base;
    numbers[at + LocalPlace.nameEnd] = local.nameEnd + base;
  });
  return { width: LOCAL_WIDTH, heads: places.map(({ item }) => item), numbers };
}

/** What the parts found, sorted by place in the text. */
function placed<Item>(
  parts: readonly Part[],
  itemsOf: (sheet: Sheet) => readonly Item[],
  startOf: (item: Item) => number,
): { item: Item; base: number }[] {
  const found: { item: Item; base: number }[] = [];
  for (const { base, sheet } of parts) for (const item of itemsOf(sheet)) found.push({ item, base });
  return found.sort((a, b) => startOf(a.item) + a.base - startOf(b.item) - b.base);
}

function problemsOf(parts: readonly Part[], skeleton: Part | null): TableProblem[] {
  const found: TableProblem[] = [];
  for (const part of parts)
    for (const { message, start, end } of part.sheet.problems)
      found.push({ message, start: start + part.base, end: end + part.base, ofMembers: part === skeleton });
  return found.sort((a, b) => a.start - b.start);
}

function replaceProblems(
  old: readonly TableProblem[],
  fresh: readonly TableProblem[],
  { start, end, by }: Shift,
): readonly TableProblem[] {
  if (old.length === 0) return fresh;
  const at = (offset: number): number => (offset >= end ? offset + by : offset);
  const moved = old
    .filter(one => one.start < start || one.start >= end)
    .map(one => ({ ...one, start: at(one.start), end: at(one.end) }));
  return [...moved, ...fresh].sort((a, b) => a.start - b.start);
}
