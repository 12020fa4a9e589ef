// Loops and branches that are statements, and switches: found from the last token to the first, so that their inner statements are known.
import type { IToken } from 'chevrotain';
import { partnerOf } from './brackets.ts';
import type { PartDraft, PartRole, StatementDraft, StatementForm } from './statement.ts';
import * as T from './tokens.ts';

/** The loops, `if`, `switch` and `try` among the tokens of a body; brackets have their partners. */
export function compoundsIn(tokens: readonly IToken[], isHole: Uint8Array): StatementDraft[] {
  const found = new Compounds(tokens);
  for (let at = tokens.length - 1; at >= 0; at--) if (isHole[at] === 0) found.add(at);
  return found.list();
}

class Compounds {
  readonly #tokens: readonly IToken[];
  readonly #found = new Map<number, StatementDraft>();
  /** Last token of the statement that begins with a keyword, by the keyword's index. */
  readonly #ends = new Map<number, number>();

  constructor(tokens: readonly IToken[]) {
    this.#tokens = tokens;
  }

  list(): StatementDraft[] {
    return [...this.#found.values()];
  }

  add(at: number): void {
    const { tokenType, image } = this.#tokens[at]!;
    if (tokenType === T.For) this.#for(at);
    else if (tokenType === T.Try) this.#try(at);
    else if (tokenType === T.Switch) this.#switch(at);
    else if (tokenType === T.Synchronized) this.#synchronized(at);
    else if (tokenType === T.Condition && image === 'if') this.#if(at);
    else if (tokenType === T.Condition) this.#while(at);
    else if (tokenType === T.Block && image === 'do') this.#do(at);
  }

  #is(at: number, image: string): boolean {
    return this.#tokens[at]?.image === image;
  }

  /** Index of the parenthesis or brace that closes the one at `at`, −1 where none opens there. */
  #closerOf(at: number, open: '(' | '{'): number {
    return this.#is(at, open) ? partnerOf(this.#tokens[at]!) : -1;
  }

  /** Last token of the statement that begins at `at`. */
  #endOf(at: number): number {
    const tokens = this.#tokens;
    let first = at;
    while (tokens[first]?.tokenType === T.Identifier && tokens[first + 1]?.tokenType === T.Colon) first += 2;
    const known = this.#ends.get(first);
    if (known !== undefined) return known;
    const block = this.#closerOf(first, '{');
    if (block >= 0) return block;
    for (let i = first; i < tokens.length; i++) {
      const { tokenType } = tokens[i]!;
      if (tokenType === T.Semicolon) return i;
      const partner = partnerOf(tokens[i]!);
      if (partner > i) i = partner;
      else if (partner >= 0 || tokenType === T.RCurly) return Math.max(i - 1, first);
    }
    return tokens.length - 1;
  }

  #keep(form: StatementForm, first: number, last: number, parts: readonly (PartDraft | null)[]): void {
    this.#ends.set(first, last);
    this.#found.set(first, { form, first, last, parts: parts.filter(part => part !== null) });
  }

  #if(at: number): void {
    const close = this.#closerOf(at + 1, '(');
    if (close < 0) return;
    const then = this.#endOf(close + 1);
    const hasElse = this.#is(then + 1, 'else');
    const end = hasElse ? this.#endOf(then + 2) : then;
    const otherwise = hasElse ? part('else', then + 2, end) : null;
    this.#keep('if', at, end, [part('condition', at + 2, close - 1), part('then', close + 1, then), otherwise]);
  }

  #while(at: number): void {
    const close = this.#closerOf(at + 1, '(');
    if (close < 0) return;
    const end = this.#endOf(close + 1);
    this.#keep('while', at, end, [part('condition', at + 2, close - 1), part('body', close + 1, end)]);
  }

  #do(at: number): void {
    const body = this.#endOf(at + 1);
    const header = body + 1;
    const close = this.#is(header, 'while') ? this.#closerOf(header + 1, '(') : -1;
    if (close < 0) return;
    // The `while` that was taken for a loop without a body is the end of this loop.
    this.#found.delete(header);
    const end = this.#is(close + 1, ';') ? close + 1 : close;
    this.#keep('do', at, end, [part('body', at + 1, body), part('condition', header + 2, close - 1)]);
  }

  #for(at: number): void {
    const open = at + 1;
    const close = this.#closerOf(open, '(');
    if (close < 0) return;
    const end = this.#endOf(close + 1);
    const body = part('body', close + 1, end);
    const [first, second] = this.#semicolonsIn(open, close);
    if (first !== undefined && second !== undefined) {
      const header = [
        part('init', open + 1, first - 1),
        part('condition', first + 1, second - 1),
        part('update', second + 1, close - 1),
      ];
      this.#keep('for', at, end, [...header, body]);
      return;
    }
    const colon = this.#colonIn(open, close);
    this.#keep('forEach', at, end, [part('iterable', colon + 1, close - 1), body]);
  }

  #semicolonsIn(open: number, close: number): number[] {
    const found: number[] = [];
    for (let i = open + 1; i < close; i++) {
      if (this.#tokens[i]!.tokenType === T.Semicolon) found.push(i);
      i = Math.max(i, partnerOf(this.#tokens[i]!));
    }
    return found;
  }

  /** The first colon outside of brackets: behind it stands an expression. */
  #colonIn(open: number, close: number): number {
    for (let i = open + 1; i < close; i++) {
      if (this.#tokens[i]!.tokenType === T.Colon) return i;
      i = Math.max(i, partnerOf(this.#tokens[i]!));
    }
    return open;
  }

  #try(at: number): void {
    const resources = this.#closerOf(at + 1, '(');
    const open = resources < 0 ? at + 1 : resources + 1;
    let end = this.#closerOf(open, '{');
    if (end < 0) return;
    const parts = [resources < 0 ? null : part('resources', at + 2, resources - 1), part('body', open, end)];
    while (this.#is(end + 1, 'catch')) {
      const close = this.#closerOf(end + 2, '(');
      const last = close < 0 ? -1 : this.#closerOf(close + 1, '{');
      if (last < 0) break;
      parts.push(part('catch', end + 1, last));
      end = last;
    }
    const last = this.#is(end + 1, 'finally') ? this.#closerOf(end + 2, '{') : -1;
    if (last >= 0) {
      parts.push(part('finally', end + 2, last));
      end = last;
    }
    this.#keep('try', at, end, parts);
  }

  #synchronized(at: number): void {
    const close = this.#closerOf(at + 1, '(');
    const end = close < 0 ? -1 : this.#closerOf(close + 1, '{');
    if (end >= 0) this.#ends.set(at, end);
  }

  #switch(at: number): void {
    const close = this.#closerOf(at + 1, '(');
    const end = close < 0 ? -1 : this.#closerOf(close + 1, '{');
    if (end < 0) return;
    const labels: number[] = [];
    for (let i = close + 2; i < end; i++) {
      if (this.#isLabel(i)) labels.push(i);
      i = Math.max(i, partnerOf(this.#tokens[i]!));
    }
    const cases = labels.map((label, i) => part('case', label, (labels[i + 1] ?? end) - 1));
    this.#keep('switch', at, end, [part('selector', at + 2, close - 1), ...cases]);
  }

  /** `case`, or `default` that is none of a `case null, default`. */
  #isLabel(at: number): boolean {
    const { tokenType } = this.#tokens[at]!;
    if (tokenType !== T.Default) return tokenType === T.Case;
    return this.#tokens[at - 1]?.tokenType !== T.Comma;
  }
}

/** A part from one token to another, null where there is none between them. */
function part(role: PartRole, first: number, last: number): PartDraft | null {
  return first > last ? null : { role, first, last };
}
