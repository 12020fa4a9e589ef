// A hash of what a method does: the same for texts that differ in layout, comments, names of locals and redundant syntax.
import { createHash } from 'node:crypto';
import type { IToken } from 'chevrotain';
import { pairBrackets, partnerOf } from './brackets.ts';
import { decodeName } from './draft.ts';
import { codeTokens } from './lexer.ts';
import { dropParentheses } from './parentheses.ts';
import * as T from './tokens.ts';

/** A declaration's text, the name in it, and the names that may be chosen freely: parameters, locals, type variables. */
export type Subject = {
  readonly text: string;
  readonly name: string;
  /** The name is a method's: where it is not called, it is a field of the same name. */
  readonly isMethod: boolean;
  readonly free: ReadonlySet<string>;
};

/**
 * Fingerprint of a method, constructor, initialiser or field. Not part of it: layout and comments, the declaration's own
 * name, the choice of names for what is local, `final` on locals and parameters, `this.` where no local has the name,
 * the type arguments of `new X<…>`, redundant parentheses, the order of modifiers and annotations.
 */
export function fingerprintOf(subject: Subject): string {
  return createHash('sha1').update(normalise(subject).words.join(' ')).digest('base64url').slice(0, 16);
}

/** A declaration in its normal form, and where each of its words stands. */
export type NormalForm = {
  /** All tokens of the text, brackets paired. */
  readonly tokens: readonly IToken[];
  /** The words whose hash is the fingerprint. */
  readonly words: readonly string[];
  /** Row in `tokens` of each word (of its first token where a word is a whole annotation). */
  readonly tokenOfWord: readonly number[];
};

/** The words of a declaration in their normal form. Two declarations with the same words have the same fingerprint. */
export function normalise(subject: Subject): NormalForm {
  return normaliseSyntax(subject, syntaxOf(codeTokens(subject.text)));
}

/** Tokens whose brackets are paired, and what the words of the others depend on. */
export type TokenSyntax = {
  readonly tokens: readonly IToken[];
  /** 1 for redundant parentheses. */
  readonly dropped: Uint8Array;
  readonly labels: ReadonlySet<string>;
};

export function syntaxOf(tokens: readonly IToken[]): TokenSyntax {
  pairBrackets(tokens);
  const dropped = new Uint8Array(tokens.length);
  dropParentheses(tokens, dropped);
  return { tokens, dropped, labels: labelsOf(tokens) };
}

/** The same as `normalise` for a subject whose tokens are known. */
export function normaliseSyntax(
  { name, isMethod, free }: Subject,
  { tokens, dropped, labels }: TokenSyntax,
): NormalForm {
  const { words, tokenOfWord, next } = header(tokens);
  const renamed = new Map<string, string>();
  for (let i = next; i < tokens.length; i++) {
    if (dropped[i] === 1) continue;
    const token = tokens[i]!;
    const type = token.tokenType;
    const after = tokens[i + 1];
    if (type === T.Final) continue;
    if (
      type === T.This &&
      after?.tokenType === T.Dot &&
      tokens[i - 1]?.tokenType !== T.Dot &&
      !free.has(tokens[i + 2]?.image ?? '')
    ) {
      const member = tokens[i + 2]?.tokenType;
      if (member === T.Identifier) {
        i++;
        continue;
      }
    }
    if (type === T.Identifier) words.push(nameOf(tokens, i, { name, isMethod, free, labels, renamed }));
    else words.push(wordOf(token));
    tokenOfWord.push(i);
    if (type !== T.New) continue;
    const created = i + 1;
    i = skipTypeArguments(tokens, i, words);
    // The tokens after `new` are taken without a gap, except for the type arguments at its end.
    for (let at = created; tokenOfWord.length < words.length; at++) tokenOfWord.push(Math.min(at, i));
  }
  return { tokens, words, tokenOfWord };
}

type Names = {
  readonly name: string;
  readonly isMethod: boolean;
  readonly free: ReadonlySet<string>;
  readonly labels: ReadonlySet<string>;
  readonly renamed: Map<string, string>;
};

function nameOf(tokens: readonly IToken[], i: number, { name, isMethod, free, labels, renamed }: Names): string {
  const image = decodeName(tokens[i]!.image);
  const before = tokens[i - 1]?.tokenType;
  const isCalled = tokens[i + 1]?.tokenType === T.LParen;
  const isQualified = before === T.Dot || before === T.ColonColon;
  const isOwn = isCalled || (isMethod ? before === T.ColonColon : !free.has(image));
  if (image === name && isOwn && (!isQualified || tokens[i - 2]?.tokenType === T.This)) return '@';
  if (isQualified || isCalled || !(free.has(image) || labels.has(image))) return image;
  const known = renamed.get(image);
  if (known !== undefined) return known;
  const fresh = `$${renamed.size}`;
  renamed.set(image, fresh);
  return fresh;
}

/** Each line of a text block ends with a line feed, whatever it ends with in the source (JLS 3.10.6). */
function wordOf({ tokenType, image }: IToken): string {
  return tokenType === T.TextBlock ? image.replace(/\r\n?/g, '\n') : image;
}

/** The modifiers and annotations in front, sorted, and the index of what follows them. */
function header(tokens: readonly IToken[]): { words: string[]; tokenOfWord: number[]; next: number } {
  const parts: { word: string; token: number }[] = [];
  let i = 0;
  for (;;) {
    const start = i;
    if (tokens[i]?.tokenType === T.At && tokens[i + 1]?.tokenType === T.Identifier) {
      i += 2;
      while (tokens[i]?.tokenType === T.Dot && tokens[i + 1]?.tokenType === T.Identifier) i += 2;
      if (tokens[i]?.tokenType === T.LParen && partnerOf(tokens[i]!) > i) i = partnerOf(tokens[i]!) + 1;
    } else if (tokens[i]?.tokenType.CATEGORIES?.includes(T.ModifierWord) === true) i++;
    else break;
    const images = tokens.slice(start, i).map(wordOf);
    parts.push({ word: images.join(' '), token: start });
  }
  parts.sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0));
  return { words: parts.map(({ word }) => word), tokenOfWord: parts.map(({ token }) => token), next: i };
}

/** After `new`: the created type, its type arguments reduced to `<>`. Returns the index of the last token taken. */
function skipTypeArguments(tokens: readonly IToken[], from: number, words: string[]): number {
  let i = from;
  while (tokens[i + 1]?.tokenType === T.Identifier || tokens[i + 1]?.tokenType === T.Dot)
    words.push(tokens[++i]!.image);
  if (tokens[i + 1]?.tokenType !== T.Less) return i;
  let depth = 0;
  let end = i + 1;
  for (; end < tokens.length; end++) {
    const type = tokens[end]!.tokenType;
    if (type === T.Less) depth++;
    else if (type === T.Greater && --depth === 0) break;
    else if (type === T.Semicolon) return i;
  }
  words.push('<', '>');
  return end;
}

function labelsOf(tokens: readonly IToken[]): Set<string> {
  const labels = new Set<string>();
  const starts = new Set([T.Semicolon, T.LCurly, T.RCurly, T.RParen, T.Colon, T.Block]);
  for (let i = 1; i + 1 < tokens.length; i++) {
    const isLabel = tokens[i]!.tokenType === T.Identifier && tokens[i + 1]!.tokenType === T.Colon;
    if (isLabel && starts.has(tokens[i - 1]!.tokenType)) labels.add(tokens[i]!.image);
  }
  return labels;
}
