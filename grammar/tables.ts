// The declarations, calls and locals of a text as tables of columns, from which an outline makes its rows when they are asked for.
import { binaryNamesOf, isType } from './binary-names.ts';
import {
  type Columns,
  DECLARATION_WIDTH,
  firstRowFrom,
  OWNED_WIDTH,
  OwnedPlace,
  Place,
  replaceRows,
  replaceStarts,
  type Shift,
} from './columns.ts';
import { type CallDraft, type Draft, isBodyHole, type LocalDraft, type Sheet } from './draft.ts';
import { firstInk, lastInk, lineStartsOf } from './lines.ts';
import type { Import } from './outline.ts';

type TableProblem = {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** Whether the declaration was found while members were read, not in a body. */
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

/** The tables of one piece of text; their offsets count from `base`. */
export type Part = { readonly base: number; readonly sheet: Sheet };

/** A text that begins at offset `base`. */
export type Context = { readonly text: string; readonly base: number };

/** Tables of a text, of which the parts hold all that was found in it, the skeleton first; its declarations are known. */
export function tablesOf(
  text: string,
  parts: readonly Part[],
  named: Pick<Tables, 'declarations' | 'binaryNames'>,
): Tables {
  const { packageName, imports } = parts[0]!.sheet;
  return {
    packageName,
    imports,
    ...named,
    calls: callColumns(parts),
    locals: localColumns(parts),
    problems: problemsOf(parts, parts[0]!),
    lineStarts: lineStartsOf(text),
  };
}

/**
 * The tables after the code of one region of `owner` has changed: all that `part` says stands where the region of `shift` was,
 * whose text is now `text`. `context` reaches to the ink around it.
 */
export function withPart(
  tables: Tables,
  part: Part,
  owner: Draft,
  text: string,
  context: Context,
  shift: Shift,
): Tables {
  const { declarations: old, packageName } = tables;
  const { start, end } = shift;
  // A block is the only owner that begins where its code does.
  const from = firstRowFrom(old, start);
  const first = old.heads[from] === owner ? from + 1 : from;
  const last = firstRowFrom(old, end);
  owner.row = old.heads.lastIndexOf(owner, first - 1);
  const fresh = declarationColumns([part], context, first);
  const moves = { ...shift, row: last, rowsBy: fresh.heads.length - (last - first) };
  const declarations = replaceRows(old, first, last, fresh, moves);
  const hasTypes = fresh.heads.some(isType) || old.heads.slice(first, last).some(isType);
  const replaceIn = <Head>(columns: Columns<Head>, other: Columns<Head>): Columns<Head> =>
    replaceRows(columns, firstRowFrom(columns, start), firstRowFrom(columns, end), other, moves);
  const starts = lineStartsOf(text).filter(at => at > 0 && at < text.length);
  return {
    ...tables,
    declarations,
    binaryNames: hasTypes || moves.rowsBy !== 0 ? binaryNamesOf(declarations, packageName) : tables.binaryNames,
    calls: replaceIn(tables.calls, callColumns([part])),
    locals: replaceIn(tables.locals, localColumns([part])),
    problems: replaceProblems(tables.problems, problemsOf([part], null), shift),
    lineStarts: replaceStarts(
      tables.lineStarts,
      starts.map(at => at + start),
      shift,
    ),
  };
}

/** Sorts and numbers the rows from `firstRow` on. */
export function declarationColumns(parts: readonly Part[], context: Context, firstRow: number): Columns<Draft> {
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
    numbers[at + Place.inkBefore] = lastInk(context.text, holeStart - context.base) + context.base;
    numbers[at + Place.inkAfter] = firstInk(context.text, holeEnd - context.base) + context.base;
  });
  return { width: DECLARATION_WIDTH, heads: places.map(({ item }) => item), numbers };
}

function callColumns(parts: readonly Part[]): Columns<CallDraft> {
  return ownedColumns(
    placed(
      parts,
      sheet => sheet.calls,
      call => call.nameStart,
    ),
  );
}

function localColumns(parts: readonly Part[]): Columns<LocalDraft> {
  return ownedColumns(
    placed(
      parts,
      sheet => sheet.locals,
      local => local.nameStart,
    ),
  );
}

/** Calls or locals of one piece of code: their other offsets keep their distance from the name. */
function ownedColumns<Item extends CallDraft | LocalDraft>(
  places: readonly { item: Item; base: number }[],
): Columns<Item> {
  const numbers = new Int32Array(places.length * OWNED_WIDTH);
  places.forEach(({ item, base }, row) => {
    numbers[row * OWNED_WIDTH] = item.owner?.row ?? -1;
    numbers[row * OWNED_WIDTH + OwnedPlace.nameStart] = item.nameStart + base;
  });
  return { width: OWNED_WIDTH, heads: places.map(({ item }) => item), numbers };
}

/** The items of all parts, sorted by place in the text. */
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
