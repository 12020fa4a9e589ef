// Names types as javac does: `Outer$Inner`, `Outer$1`, `Outer$1Local`.
import { type Columns, Place } from './columns.ts';
import type { Draft } from './draft.ts';

/** Whether a row is a type of any kind. */
export function isType({ kind, bodyStart }: Draft): boolean {
  switch (kind) {
    case 'class':
    case 'interface':
    case 'enum':
    case 'record':
    case 'annotation':
    case 'anonymousClass':
      return true;
    case 'enumConstant':
      return bodyStart >= 0;
    default:
      return false;
  }
}

/**
 * The binary name of every row, empty for what is no type. Types inside bodies are numbered in the order of their bodies,
 * one counter for each enclosing type and simple name.
 */
export function binaryNamesOf({ width, heads, numbers }: Columns<Draft>, packageName: string): string[] {
  const prefix = packageName === '' ? '' : `${packageName}.`;
  const outer = new Int32Array(heads.length);
  const numbered: number[] = [];
  heads.forEach((draft, row) => {
    const parent = numbers[row * width]!;
    outer[row] = parent < 0 ? -1 : isType(heads[parent]!) ? parent : outer[parent]!;
    const isNumbered = isType(draft) && (draft.local || draft.name === '' || draft.kind === 'enumConstant');
    if (isNumbered) numbered.push(row);
  });
  const turnOf = (row: number): number => {
    const turn = numbers[row * width + Place.turn]!;
    return turn < 0 ? numbers[row * width + Place.bodyStart]! : turn;
  };
  numbered.sort((a, b) => turnOf(a) - turnOf(b));
  const numberOf = new Map<number, number>();
  const counters = new Map<number, Map<string, number>>();
  for (const row of numbered) {
    const counter = counters.get(outer[row]!) ?? new Map<string, number>();
    counters.set(outer[row]!, counter);
    const name = simpleName(heads[row]!);
    const number = (counter.get(name) ?? 0) + 1;
    counter.set(name, number);
    numberOf.set(row, number);
  }
  const names: string[] = [];
  heads.forEach((draft, row) => {
    if (!isType(draft)) {
      names.push('');
      return;
    }
    const number = numberOf.get(row);
    const own = number === undefined ? draft.name : `${number}${simpleName(draft)}`;
    const around = outer[row]!;
    names.push(around < 0 ? `${prefix}${number === undefined ? '' : '$'}${own}` : `${names[around]}$${own}`);
  });
  return names;
}

function simpleName(draft: Draft): string {
  return draft.kind === 'enumConstant' ? '' : draft.name;
}
