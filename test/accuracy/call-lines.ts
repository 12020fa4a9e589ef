// On which lines of a class file the call of a site may stand: javac gives some instructions the line of what ran before them.
import { codeTokens } from '../../grammar/lexer.ts';
import type { CallSite, Declaration } from '../../grammar/outline.ts';
import { lineOf } from '../../server/mapping/observed-lines.ts';
import type { OutlineIndex } from '../../server/mapping/outline-index.ts';

/** A call site and a construct by line. */
export type SitesByLine = ReadonlyMap<number, readonly CallSite[]>;

/**
 * A method call has a line of its own (that of its `(`). The call of a constructor has none: it runs on the line of whatever
 * its arguments ran last, or where its statement begins: any line from there to the closing `)` is right. What constructs call runs on the line where
 * their statement stands, and `close` on the last line of the block, too.
 */
export function sitesByLine(index: OutlineIndex, text: string): SitesByLine {
  const tokens = new TokenWalk(index, text);
  const sites = new Map<number, CallSite[]>();
  const add = (site: CallSite, first: number, last: number): void => {
    for (let line = first; line <= last; line++) {
      const list = sites.get(line);
      if (list === undefined) sites.set(line, [site]);
      else list.push(site);
    }
  };
  for (const site of index.outline.callSites) {
    const { kind, line, openParenthesis, construct } = site;
    if (kind === 'new' || kind === 'super' || kind === 'this') {
      add(site, tokens.statementLines(site.nameSpan.start)[0], Math.max(line, tokens.closingLine(openParenthesis)));
    } else if (construct === undefined) add(site, line, line);
    else {
      const [first, last] = tokens.statementLines(site.nameSpan.start);
      add(site, Math.min(first, line), Math.max(last, line));
      const end = construct === 'tryWithResources' ? tokens.lastLineOfTry(site.nameSpan.start) : 0;
      if (end > 0) add(site, end, end);
    }
  }
  for (const constant of index.outline.declarations)
    if (constant.kind === 'enumConstant') addConstant(index, constant, add);
  return sites;
}

function addConstant(
  { outline }: OutlineIndex,
  constant: Declaration,
  add: (site: CallSite, first: number, last: number) => void,
): void {
  const { nameSpan, span, body, name, row } = constant;
  const line = lineOf(outline, span.start);
  const site: CallSite = {
    declaration: row,
    kind: 'implicit',
    name,
    construct: 'enumConstant',
    argumentCount: -1,
    nameSpan,
    openParenthesis: -1,
    line,
  };
  add(site, line, lineOf(outline, (body?.start ?? span.end) - 1));
}

/** The tokens of a file with their brackets matched. */
class TokenWalk {
  readonly #starts: Int32Array;
  readonly #images: readonly string[];
  readonly #partner: Int32Array;
  readonly #index: OutlineIndex;

  constructor(index: OutlineIndex, text: string) {
    const tokens = codeTokens(text);
    this.#index = index;
    this.#starts = Int32Array.from(tokens, token => token.startOffset);
    this.#images = tokens.map(token => token.image);
    this.#partner = new Int32Array(tokens.length).fill(-1);
    const open: number[] = [];
    for (const [at, image] of this.#images.entries()) {
      if (image === '(' || image === '{') open.push(at);
      else if (image === ')' || image === '}') {
        const start = open.pop();
        if (start !== undefined) this.#partner[start] = at;
      }
    }
  }

  /** Line of the `)` behind the `(` at an offset; 0 when there is none. */
  closingLine(offset: number): number {
    return offset < 0 ? 0 : this.#lineAt(this.#partner[this.#at(offset)] ?? -1);
  }

  /** First and last line of the statement around an offset. */
  statementLines(offset: number): readonly [number, number] {
    const at = this.#at(offset);
    let first = at;
    while (first > 0 && !isBoundary(this.#images[first - 1]!)) first--;
    let last = at;
    while (last < this.#images.length - 1 && !isBoundary(this.#images[last]!)) last++;
    return [this.#lineAt(first), this.#lineAt(last)];
  }

  /** Line of the `}` of the `try` whose resources hold the offset. */
  lastLineOfTry(offset: number): number {
    let at = this.#at(offset);
    while (at > 0 && this.#images[at] !== 'try') at--;
    return this.#lineAt(this.#partner[(this.#partner[at + 1] ?? -2) + 1] ?? -1);
  }

  #at(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lineAt(at: number): number {
    return at < 0 ? 0 : lineOf(this.#index.outline, this.#starts[at]!);
  }
}

function isBoundary(image: string): boolean {
  return image === ';' || image === '{' || image === '}' || image === '->';
}
