// Methods whose text is being typed: brackets or texts without their end, or two expressions with nothing between them.
import { codeTokens } from '../../../grammar/lexer.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';

/** Why nothing is predicted of such a method. */
export const UNFINISHED = 'its text is unfinished';

/** Whether the text of a method is none that a compiler takes, as far as brackets, texts and missing semicolons tell. */
export function isUnfinished(text: string, { problems }: Outline, { span }: Declaration): boolean {
  // A problem at the end of a method is found behind it.
  if (problems.some(problem => problem.span.start < span.end + 1 && problem.span.end > span.start)) return true;
  const words = codeTokens(text.slice(span.start, span.end)).map(({ image }) => image);
  const body = words.indexOf('{');
  const opened: string[] = [];
  for (const [at, word] of words.entries()) {
    if (word === '(') opened.push(words[at - 1] ?? '');
    const [next, behind] = [words[at + 1] ?? '', words[at + 2]];
    if (word === ')') {
      const before = opened.pop() ?? '';
      const isCall = isName(before) && !HEADS.has(before) && !isAnnotation(words, at);
      if (isCall && isName(next) && !BEHIND.has(next)) return true;
    } else if (isName(word) && isName(next) && behind === '(' && !BEFORE.has(word) && !HEADS.has(next)) {
      // A declaration has a type in front of its name, and a body.
      const end = words[closing(words, at + 2) + 1];
      if (at > body && end !== '{' && end !== 'throws') return true;
    }
  }
  return false;
}

/** Words before the brackets of no call. */
const HEADS = new Set([
  'if',
  'while',
  'for',
  'switch',
  'catch',
  'synchronized',
  'try',
  'return',
  'throw',
  'assert',
  'yield',
  'case',
  'when',
  'else',
  'do',
  'new',
  'instanceof',
]);
/** Words that may stand behind a call. */
const BEHIND = new Set(['instanceof', 'when', 'throws']);
/** Words before a call. */
const BEFORE = new Set([
  ...HEADS,
  'final',
  'record',
  'default',
  'super',
  'this',
  'finally',
  'static',
  'extends',
  'implements',
  'throws',
  'class',
  'interface',
  'enum',
]);

/** Index of the bracket that closes the one at `open`. */
function closing(words: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < words.length; at++) {
    if (words[at] === '(') depth++;
    else if (words[at] === ')' && --depth === 0) return at;
  }
  return words.length;
}

function isName(word: string): boolean {
  return /^[A-Za-z_$]/.test(word);
}

/** Whether the bracket at `close` is that of an annotation: `@A(…)`. */
function isAnnotation(words: readonly string[], close: number): boolean {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (words[at] === ')') depth++;
    else if (words[at] === '(' && --depth === 0) {
      let name = at - 1;
      while (isName(words[name] ?? '') && words[name - 1] === '.') name -= 2;
      return words[name - 1] === '@';
    }
  }
  return false;
}
