// Patterns with stars: what they fit, and that no number of stars makes them slow.
import { expect, test } from 'vitest';
import { wildcard } from '../../server/base/wildcard.ts';

/** The slow and obvious meaning of a pattern. */
function fits(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] !== '*') return pattern[0] === text[0] && fits(pattern.slice(1), text.slice(1));
  return fits(pattern.slice(1), text) || (text !== '' && fits(pattern, text.slice(1)));
}

/** All texts of up to `most` of these letters. */
function textsOf(letters: string, most: number): string[] {
  const texts = [''];
  for (let at = 0; at < texts.length; at++)
    if (texts[at]!.length < most) texts.push(...Array.from(letters, letter => texts[at] + letter));
  return texts;
}

test('every short pattern fits what its meaning says', () => {
  const texts = textsOf('ab', 5);
  for (const pattern of textsOf('ab*', 5)) {
    const matches = wildcard(pattern);
    expect([pattern, texts.filter(matches)]).toEqual([pattern, texts.filter(text => fits(pattern, text))]);
  }
});

test('signs of regular expressions and line breaks are letters like any other', () => {
  expect(wildcard('pool.[1]-*')('pool.[1]-a\nb')).toBe(true);
  expect(wildcard('pool.*')('poolx')).toBe(false);
});

test('thousands of stars take no longer than one', () => {
  expect(wildcard(`${'*'.repeat(9_000)}#`)('http-nio-8080-exec-'.repeat(50))).toBe(false);
  expect(wildcard('*a'.repeat(5_000))(`${'a'.repeat(10_000)}b`)).toBe(false);
});
