// A token that takes all that is left of a text once enough of it was read, so that the lexer can go on there later.
import { type CustomPatternMatcherReturn, createToken, type IToken } from 'chevrotain';

let most = Number.POSITIVE_INFINITY;

/** Chooses after how many tokens the lexer stops from now on. */
export function pauseAfter(count: number): void {
  most = count;
}

/** The token begins only at characters that nearly every line has: to try it at every character would cost more. */
export const Rest = createToken({
  name: 'Rest',
  pattern: matchRest,
  start_chars_hint: ['\n', ',', ';', '{', '}', '('],
  line_breaks: true,
  group: 'rest',
});

function matchRest(text: string, offset: number, tokens: IToken[]): CustomPatternMatcherReturn | null {
  return tokens.length < most ? null : [text.slice(offset)];
}
