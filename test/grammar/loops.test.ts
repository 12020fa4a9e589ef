// The headers of loops: from the word to the parenthesis that closes, wherever the body puts them.
import { expect, test } from 'vitest';
import { loopHeadersIn } from '../../grammar/loops.ts';

function headers(body: string): string[] {
  const text = `class A { void m() ${body} }`;
  const start = text.indexOf('{', text.indexOf('m()'));
  return loopHeadersIn(text, { start, end: start + body.length }).map(({ start, end }) => text.slice(start, end));
}

test('every kind of loop has its header, in the order of the text', () => {
  expect(headers('{ for (int i = 0; i < n; i++) while (next()) { for (var x : xs()) f(x); } }')).toEqual([
    'for (int i = 0; i < n; i++)',
    'while (next())',
    'for (var x : xs())',
  ]);
  expect(headers('{ do { f(); } while (more(a, (b))); }')).toEqual(['while (more(a, (b)))']);
});

test('words in texts and comments, names that begin alike and headers without an end are none', () => {
  expect(headers('{ s = "while (x)"; /* for (;;) */ format(1); whileAway(2); // while (y)\n }')).toEqual([]);
  expect(headers('{ while (f( }')).toEqual([]);
});
