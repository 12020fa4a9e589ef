// Tables → the rows of an outline, made when they are first asked for.
import { type Columns, firstRowFrom, OwnedPlace, Place } from './columns.ts';
import { type Draft, isBodyHole } from './draft.ts';
import { type Hole, lineAt, ownLines } from './lines.ts';
import type { CallSite, Local, SyntaxProblem } from './outline.ts';
import type { Tables } from './tables.ts';

export function callSitesOf(tables: Tables): CallSite[] {
  return tables.calls.heads.map((_, row) => callSiteAt(tables, row));
}

/** The call sites in the code of one declaration. Call sites outside of its ends are neither made nor looked at. */
export function callSitesIn(tables: Tables, declaration: number): CallSite[] {
  const { declarations, calls } = tables;
  const { width, heads, numbers } = calls;
  const at = declaration * declarations.width;
  const end = declarations.numbers[at + Place.end]!;
  const found: CallSite[] = [];
  for (let row = firstRowFrom(calls, declarations.numbers[at + Place.start]!); row < heads.length; row++) {
    if (numbers[row * width + OwnedPlace.nameStart]! >= end) break;
    if (numbers[row * width + OwnedPlace.declaration] === declaration) found.push(callSiteAt(tables, row));
  }
  return found;
}

/** The call sites whose names lie between two offsets. */
export function callSitesBetween(tables: Tables, start: number, end: number): CallSite[] {
  const { width, heads, numbers } = tables.calls;
  const found: CallSite[] = [];
  for (let row = firstRowFrom(tables.calls, start); row < heads.length; row++) {
    if (numbers[row * width + OwnedPlace.nameStart]! >= end) break;
    found.push(callSiteAt(tables, row));
  }
  return found;
}

function callSiteAt({ calls: { width, heads, numbers }, lineStarts }: Tables, row: number): CallSite {
  const call = heads[row]!;
  const start = numbers[row * width + OwnedPlace.nameStart]!;
  const by = start - call.nameStart;
  const site: CallSite = {
    declaration: numbers[row * width]!,
    kind: call.kind,
    name: call.name,
    argumentCount: call.argumentCount,
    nameSpan: { start, end: call.nameEnd + by },
    openParenthesis: call.open < 0 ? -1 : call.open + by,
    line: lineAt(lineStarts, call.at + by),
  };
  return call.construct === null ? site : { ...site, construct: call.construct };
}

export function localsOf({ locals: { width, heads, numbers } }: Tables): Local[] {
  return heads.map(({ name, type, nameStart, nameEnd }, row) => {
    const start = numbers[row * width + OwnedPlace.nameStart]!;
    return { declaration: numbers[row * width]!, name, type, nameSpan: { start, end: start + nameEnd - nameStart } };
  });
}

/** Names of locals whose place is between two offsets, without making their rows. */
export function localNamesIn({ locals }: Tables, start: number, end: number): string[] {
  const names: string[] = [];
  const { width, heads, numbers } = locals;
  for (let row = firstRowFrom(locals, start); row < heads.length; row++) {
    if (numbers[row * width + OwnedPlace.nameStart]! >= end) break;
    names.push(heads[row]!.name);
  }
  return names;
}

export function problemRowsOf({ problems, lineStarts }: Tables): SyntaxProblem[] {
  return problems.map(({ message, start, end }) => ({
    message,
    span: { start, end },
    line: lineAt(lineStarts, start),
  }));
}

/** Lines of the own code of each declaration: of a type, its header alone. */
export function linesOf({ declarations, binaryNames, lineStarts }: Tables): [number, number][][] {
  const { width, heads, numbers } = declarations;
  const firstChild = new Int32Array(heads.length).fill(-1);
  const nextSibling = new Int32Array(heads.length).fill(-1);
  for (let row = heads.length - 1; row >= 0; row--) {
    const parent = numbers[row * width]!;
    if (parent < 0) continue;
    nextSibling[row] = firstChild[parent]!;
    firstChild[parent] = row;
  }
  return heads.map((_, row) => {
    const at = row * width;
    const bodyStart = numbers[at + Place.bodyStart]!;
    const isHeader = binaryNames[row] !== '' && bodyStart >= 0;
    const end = isHeader ? bodyStart + 1 : numbers[at + Place.end]!;
    const holes: Hole[] = [];
    for (let child = firstChild[row]!; child >= 0; child = nextSibling[child]!) {
      if (numbers[child * width + Place.start]! >= end) break;
      holes.push(holeOf(declarations, child));
    }
    return ownLines(lineStarts, numbers[at + Place.start]!, end, holes);
  });
}

/** The part of a declaration that is not its owner's code: all of it, or the class body alone when the rest runs in the owner. */
function holeOf({ width, heads, numbers }: Columns<Draft>, row: number): Hole {
  const at = row * width;
  const isBodyAlone = isBodyHole(heads[row]!);
  return {
    start: numbers[at + (isBodyAlone ? Place.bodyStart : Place.start)]!,
    end: numbers[at + (isBodyAlone ? Place.bodyEnd : Place.end)]!,
    inkBefore: numbers[at + Place.inkBefore]!,
    inkAfter: numbers[at + Place.inkAfter]!,
  };
}
