// Brings those declarations of two texts into their normal form that matching will ask for, piece by piece.
import { isNamedType, isNameless, type SourceText } from './source-text.ts';
import { inChunks, type Stage } from './stages.ts';

/** So many declarations are looked up in a few milliseconds. */
const ROWS_AT_ONCE = 1_000;

/** Brings those declarations into their normal form that matching asks for in two texts most of which are equal. */
export function formStages(profiled: SourceText, current: SourceText): Stage[] {
  const [before, after] = [new Set<string>(), new Set<string>()];
  const sides = [
    { source: profiled, own: before, others: after },
    { source: current, own: after, others: before },
  ];
  return [
    ...sides.map(({ source, own }) => inChunks(rowsOfCode(source), ROWS_AT_ONCE, row => own.add(source.slice(row)))),
    ...sides.map(({ source, others }) => formStage(source, rowsOfCode(source), hasNoEqual(source, others))),
  ];
}

/** All but types, whose members are compared. */
function rowsOfCode({ outline: { declarations } }: SourceText): Iterator<number> {
  return declarations.flatMap(one => (isNamedType(one) ? [] : [one.row])).values();
}

/** Of rows in order: whether no other is equal, or it has no name and stands in a type or in such a row. */
function hasNoEqual(source: SourceText, others: ReadonlySet<string>): (row: number) => boolean {
  const isEqual = new Uint8Array(source.outline.declarations.length);
  return row => {
    isEqual[row] = others.has(source.slice(row)) ? 1 : 0;
    const one = source.declaration(row);
    return isEqual[row] === 0 || (isNameless(one) && isEqual[one.parent] !== 1);
  };
}

/** Brings a declaration a call into its normal form, a large one in several. */
export function formStage(source: SourceText, rows: Iterator<number>, isAsked: (row: number) => boolean): Stage {
  let form: Stage | null = null;
  return () => {
    if (form?.() === true) return true;
    const { done, value: row } = rows.next();
    form = done !== true && isAsked(row) ? source.formInPieces(row) : null;
    return done !== true;
  };
}
