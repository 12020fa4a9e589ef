// Applies every operator to methods and counts what comparing gets right: states, kept calls, lost calls.
import { expect } from 'vitest';
import { pairBrackets, partnerOf, primaryStart } from '../../../grammar/brackets.ts';
import { codeTokens } from '../../../grammar/lexer.ts';
import type { CallSite, Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import { TextComparer } from '../../../server/mapping/stale/compare-texts.ts';
import type { TextComparison } from '../../../server/mapping/stale/text-comparison.ts';
import { assembled, type Mutant, type Piece, type Target, tokensOf } from './mutant.ts';
import { operators } from './operators.ts';

export type Count = {
  applied: number;
  states: number;
  wrongStates: number;
  kept: number;
  wrong: number;
  keepable: number;
  keptOfKeepable: number;
  lines: number;
  wrongLines: number;
  /** The first few mistakes, for people. */
  examples: string[];
};

export type Counts = Map<string, Count>;

/** One file prepared for many mutations. */
export class Subject {
  readonly text: string;
  readonly outline: Outline;
  readonly comparer: TextComparer;
  readonly targets: readonly Declaration[];

  constructor(text: string) {
    this.text = text;
    this.outline = outlineOf(text);
    this.comparer = new TextComparer(text, this.outline);
    this.targets = this.outline.declarations.filter(
      one => isMember(this.outline, one) && (one.body?.end ?? 0) - (one.body?.start ?? 0) > 30,
    );
  }

  /** Applies every operator to one target. */
  judge(member: Declaration, counts: Counts, seed: number): void {
    for (const [name, target, mutant] of this.mutants(member, seed))
      this.count(target, mutant, countOf(counts, name), this.comparer);
  }

  /** The mutants of one target by each operator that applies. */
  *mutants(member: Declaration, seed: number): Generator<readonly [operator: string, Target, Mutant]> {
    for (const [name, operator] of Object.entries(operators)) {
      let state = seed;
      const pick = (below: number) => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return (state >>> 8) % below;
      };
      const target: Target = {
        text: this.text,
        outline: this.outline,
        member,
        tokens: tokensOf(this.text, member),
        pick,
      };
      const mutant = operator(target);
      if (mutant !== null) yield [name, target, mutant];
    }
  }

  /** Compares a mutant with what `comparer` takes for the original, and counts what came out. */
  count(target: Target, mutant: Mutant, count: Count, comparer: TextComparer): void {
    const { text, moved } = assembled(this.text, mutant.pieces);
    const current = outlineOf(text);
    const comparison = comparer.compare(text, current);
    if (comparison === null) throw new Error('a mutant is equal to its original');
    count.applied++;
    const note = (what: string) => {
      if (count.examples.length < 3) count.examples.push(`${target.member.name}: ${what}`);
    };
    const rowAt = new Map(current.declarations.map(one => [`${one.kind} ${one.nameSpan.start}`, one.row]));
    for (const member of this.outline.declarations) {
      if (!isMember(this.outline, member)) continue;
      const at = moved(member.nameSpan.start);
      const row = at === null ? undefined : rowAt.get(`${member.kind} ${at}`);
      if (row === undefined) continue;
      count.states++;
      const expected = member.row === target.member.row ? mutant.state : 'unchanged';
      const found = comparison.stateOf(row);
      if (found === expected && comparison.profiledRow(row) === member.row) continue;
      count.wrongStates++;
      note(`${member.kind} ${member.name} is ${found} from row ${comparison.profiledRow(row)}, not ${expected}`);
    }
    this.#countCalls(target, mutant, { comparison, moved, count, note });
    this.#countLines(target, { comparison, moved, count, note });
  }

  #countCalls({ member }: Target, mutant: Mutant, { comparison, moved, count, note }: Judged): void {
    const extents = callExtents(this.text, member);
    for (const site of this.outline.callSites) {
      const { start } = site.nameSpan;
      if (start < member.span.start || start >= member.span.end || site.kind === 'implicit') continue;
      const expected = moved(start);
      const found = comparison.siteOf(sameSite(comparison, site));
      if (found !== null) {
        count.kept++;
        if (found.nameSpan.start !== expected) {
          count.wrong++;
          note(`call ${site.name} in line ${site.line} went to line ${found.line}`);
        }
      }
      const { doubtful } = mutant;
      if (doubtful !== undefined && doubtful.start <= start && start < doubtful.end) continue;
      const isKeepable = mutant.keepsAll ? expected !== null : isWhole(mutant.pieces, extents(site));
      if (!isKeepable) continue;
      count.keepable++;
      if (found !== null) count.keptOfKeepable++;
      else note(`call ${site.name} in line ${site.line} is lost`);
    }
  }

  #countLines({ member, tokens }: Target, { comparison, moved, count, note }: Judged): void {
    const lineOf = ({ lineStarts }: Outline, offset: number) => lineStarts.findLastIndex(start => start <= offset) + 1;
    const inner = this.outline.declarations.filter(
      ({ row, span }) => row > member.row && span.end <= member.span.end && span.start >= member.span.start,
    );
    for (const { start, image } of tokens) {
      // A token that the normal form leaves out goes with the next token.
      if (['(', ')', 'final', 'this', '.'].includes(image)) continue;
      if (inner.some(({ span }) => span.start <= start && start < span.end)) continue;
      const found = comparison.lineOf(member.row, lineOf(this.outline, start));
      const expected = moved(start);
      if (found === null) continue;
      count.lines++;
      if (expected !== null && lineOf(comparison.current, expected) === found) continue;
      count.wrongLines++;
      note(`line ${lineOf(this.outline, start)} went to line ${found}`);
    }
  }
}

type Judged = {
  readonly comparison: TextComparison;
  readonly moved: (offset: number) => number | null;
  readonly count: Count;
  readonly note: (what: string) => void;
};

/** Methods, constructors and initialisers of named types that stand in no body. */
function isMember({ declarations }: Outline, { kind, parent, body }: Declaration): boolean {
  if (body === null || !['method', 'constructor', 'compactConstructor', 'staticInitializer'].includes(kind))
    return false;
  for (let row = parent; row >= 0; row = declarations[row]!.parent) {
    const one = declarations[row]!;
    if (one.local || !['class', 'interface', 'enum', 'record', 'annotation'].includes(one.kind)) return false;
  }
  return true;
}

/** From the first token of a call's receiver to the end of its arguments. */
function callExtents(text: string, { span }: Declaration): (site: CallSite) => readonly [number, number] {
  const tokens = codeTokens(text.slice(span.start, span.end));
  pairBrackets(tokens);
  const rowOf = new Map(tokens.map(({ startOffset }, i) => [span.start + startOffset, i]));
  const end = (i: number) => span.start + tokens[i]!.startOffset + tokens[i]!.image.length;
  return ({ kind, nameSpan, openParenthesis }) => {
    const name = rowOf.get(nameSpan.start)!;
    const open = rowOf.get(openParenthesis) ?? name;
    const isReference = kind === 'methodReference';
    const first = kind === 'super' || kind === 'this' ? name : primaryStart(tokens, isReference ? open - 1 : name);
    const last = isReference || open === name ? name : Math.max(open, partnerOf(tokens[open]!));
    return [span.start + tokens[first]!.startOffset, end(last)];
  };
}

function isWhole(pieces: readonly Piece[], [start, end]: readonly [number, number]): boolean {
  return pieces.some(piece => 'from' in piece && piece.from <= start && end <= piece.to);
}

/** The site in the comparison's own outline of the same text. */
function sameSite({ profiled }: TextComparison, site: CallSite): CallSite {
  const isSame = (other: CallSite) => other.nameSpan.start === site.nameSpan.start && other.kind === site.kind;
  return profiled.callSites.includes(site) ? site : (profiled.callSites.find(isSame) ?? site);
}

/** The count of one operator, begun when it is first asked for. */
export function countOf(counts: Counts, name: string): Count {
  const count = counts.get(name) ?? emptyCount();
  counts.set(name, count);
  return count;
}

function emptyCount(): Count {
  const numbers = { applied: 0, states: 0, wrongStates: 0, kept: 0, wrong: 0 };
  return { ...numbers, keepable: 0, keptOfKeepable: 0, lines: 0, wrongLines: 0, examples: [] };
}

/** Sums of all operators. */
export function sumOf(counts: Counts): Count {
  const sum = emptyCount();
  for (const count of counts.values())
    for (const key of [
      'applied',
      'states',
      'wrongStates',
      'kept',
      'wrong',
      'keepable',
      'keptOfKeepable',
      'lines',
      'wrongLines',
    ] as const)
      sum[key] += count[key];
  return sum;
}

/** One line an operator, and what went wrong first. */
export function table(counts: Counts): string {
  const row = (name: string, c: Count) =>
    `${name.padEnd(32)}${[c.applied, c.states, c.wrongStates, c.kept, c.wrong].map(n => String(n).padStart(8)).join('')}` +
    `${`${c.keptOfKeepable}/${c.keepable}`.padStart(14)}${`${c.wrongLines}/${c.lines}`.padStart(12)}`;
  const head = `${'operator'.padEnd(32)} applied  states   wrong    kept   wrong  kept/keepable  wrong lines`;
  const rows = [...counts].map(([name, count]) =>
    [row(name, count), ...count.examples.map(example => `      ${example}`)].join('\n'),
  );
  return [head, ...rows, row('all', sumOf(counts))].join('\n');
}

/** States 99.5 % right, kept calls at most 0.1 % wrong, at least 95 % of keepable ones kept, lines at most 0.1 % wrong. */
export function expectRight(counts: Counts): void {
  const sum = sumOf(counts);
  // Of the targets alone: the many methods that no operator touched would hide mistakes.
  expect(sum.wrongStates / sum.applied, 'wrong states').toBeLessThanOrEqual(0.005);
  expect(sum.wrong / sum.kept, 'wrong calls').toBeLessThanOrEqual(0.001);
  expect(sum.wrongLines / Math.max(1, sum.lines), 'wrong lines').toBeLessThanOrEqual(0.001);
  expect(sum.keptOfKeepable / sum.keepable, 'kept of keepable').toBeGreaterThanOrEqual(0.95);
}
