// Chooses among methods or constructors of one name: by descriptor first, then by lines among the candidates that are left.
import type { Declaration } from '../../grammar/outline.ts';
import { METHOD_FLAG } from '../cct/profile.ts';
import { type DescriptorType, parseDescriptor } from './descriptor.ts';
import { type Agreement, agree, RANK } from './erasure.ts';
import { type Frame, found, type Resolution } from './frame.ts';
import { bestByLines } from './observed-lines.ts';
import type { OutlineIndex } from './outline-index.ts';

/** Gives the descriptor's parameters that stand for the written ones, in each way the compiler may have added others. */
export type ParameterViews = (
  declaration: Declaration,
  parameters: readonly DescriptorType[],
) => readonly ParameterView[];

/** `cost` is added to the rank: what the compiler does seldom loses against what it does mostly. */
export type ParameterView = { readonly types: readonly DescriptorType[]; readonly cost: number };

/** Methods have exactly their written parameters. */
const PLAIN_PARAMETERS: ParameterViews = (_, types) => [{ types, cost: 0 }];

/** Ranks nearer than this are decided by lines, where lines are known. */
const CLEARLY_BETTER = RANK.againstScope - RANK.sameName;

/**
 * The declarations among `rows` (never empty) that the frame means. Null when a descriptor is given that fits none of them.
 * Several that fit equally come back as `ambiguous`, all named.
 */
export function chooseOverload(
  index: OutlineIndex,
  rows: readonly number[],
  frame: Frame,
  views: ParameterViews = PLAIN_PARAMETERS,
): Resolution | null {
  const { declarations } = index.outline;
  const descriptor = frame.descriptor === null ? null : parseDescriptor(frame.descriptor);
  const possible = fitFlags(declarations, rows, frame.flags);
  if (descriptor === null) return chooseWithoutDescriptor(index, possible, frame);
  const ranked: { row: number; agreement: Agreement }[] = [];
  for (const row of possible) {
    const declaration = declarations[row]!;
    let agreement = worst();
    for (const { types, cost } of views(declaration, descriptor.parameters)) {
      const { rank, erased } = agreeParameters(index, declaration, types);
      if (rank + cost < agreement.rank) agreement = { rank: rank + cost, erased };
    }
    if (agreement.rank < RANK.none)
      ranked.push({ row, agreement: withResult(index, declaration, descriptor.result, agreement) });
  }
  if (ranked.length === 0) return null;
  const best = Math.min(...ranked.map(entry => entry.agreement.rank));
  const close = ranked.filter(entry => entry.agreement.rank < best + CLEARLY_BETTER);
  const byLines = bestByLines(
    declarations,
    close.map(entry => entry.row),
    frame.lines,
  );
  const left = close.filter(entry => byLines.rows.includes(entry.row));
  const leftBest = Math.min(...left.map(entry => entry.agreement.rank));
  const winners = left.filter(entry => entry.agreement.rank === leftBest);
  if (winners.length > 1)
    return ambiguous(
      index,
      winners.map(entry => entry.row),
    );
  return found(winners[0]!.row, winners[0]!.agreement.erased ? 'erased' : 'exact');
}

/** Written parameters; a compact constructor has those of its record's header. */
export function parametersOf(index: OutlineIndex, declaration: Declaration): Declaration['parameters'] {
  if (declaration.kind !== 'compactConstructor') return declaration.parameters;
  return index.outline.declarations[declaration.parent]!.parameters;
}

/** `ambiguous`, with every declaration named. */
export function ambiguous(index: OutlineIndex, rows: readonly number[]): Resolution {
  const names = rows.map(row => signatureText(index.outline.declarations[row]!));
  return { declarations: rows, confidence: 'ambiguous', reason: `ambiguous between ${names.join(' and ')}` };
}

/** `run(int, T[])`, as people write it. */
function signatureText(declaration: Declaration): string {
  const parameters = declaration.parameters.map(parameter => {
    const type = parameter.type;
    if (type === null) return parameter.name;
    const { name, dimensions } = type;
    return parameter.varargs ? `${name}${'[]'.repeat(dimensions - 1)}...` : name + '[]'.repeat(dimensions);
  });
  return `${declaration.name === '' ? declaration.kind : declaration.name}(${parameters.join(', ')})`;
}

function chooseWithoutDescriptor(index: OutlineIndex, rows: readonly number[], frame: Frame): Resolution {
  const withBody = frame.lines.length > 0 ? rows.filter(row => index.outline.declarations[row]!.body !== null) : rows;
  const byLines = bestByLines(index.outline.declarations, withBody.length > 0 ? withBody : rows, frame.lines);
  if (byLines.rows.length > 1) return ambiguous(index, byLines.rows);
  return found(byLines.rows[0]!, byLines.hits > 0 ? 'line' : 'name only');
}

function worst(): Agreement {
  return { rank: RANK.none, erased: false };
}

function agreeParameters(index: OutlineIndex, declaration: Declaration, types: readonly DescriptorType[]): Agreement {
  const parameters = parametersOf(index, declaration);
  if (parameters.length !== types.length) return worst();
  let rank = 0;
  let erased = false;
  for (let i = 0; i < parameters.length; i++) {
    const parameter = parameters[i]!;
    if (parameter.type === null) continue;
    const agreement = agree(index, declaration.row, parameter.type, types[i]!);
    if (agreement.rank === RANK.none) return worst();
    rank += agreement.rank;
    erased ||= agreement.erased;
  }
  return { rank, erased };
}

/** The result type cannot rule a method out (a bridge returns something else), but it may tell two equal ones apart. */
function withResult(
  index: OutlineIndex,
  declaration: Declaration,
  result: DescriptorType,
  agreement: Agreement,
): Agreement {
  if (declaration.type === null || result.name === '') return agreement;
  const own = agree(index, declaration.row, declaration.type, result);
  return { rank: agreement.rank + Math.min(own.rank, RANK.sameName), erased: agreement.erased };
}

/** Leaves out what contradicts the class file's flags; all rows when nothing is left. */
function fitFlags(declarations: readonly Declaration[], rows: readonly number[], flags: number): readonly number[] {
  if ((flags & METHOD_FLAG.known) === 0 || rows.length < 2) return rows;
  const fitting = rows.filter(row => {
    const { modifiers } = declarations[row]!;
    if (modifiers.includes('static') !== ((flags & METHOD_FLAG.static) !== 0)) return false;
    return modifiers.includes('native') === ((flags & METHOD_FLAG.native) !== 0);
  });
  return fitting.length === 0 ? rows : fitting;
}
