// The grammar itself is sound, which is not looked at again when a program starts.
import { Lexer } from 'chevrotain';
import { expect, test } from 'vitest';
import { CodeParser } from '../../grammar/code-parser.ts';
import { MemberParser } from '../../grammar/member-parser.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { preparations } from '../../grammar/pieces.ts';
import { vocabulary } from '../../grammar/tokens.ts';

// With bodies as tokens it cannot be asked: a body takes all that other tokens do.
test('no token hides another one, and none keeps the lexer from its quick way', () => {
  expect(() => new Lexer(vocabulary, { positionTracking: 'onlyOffset', ensureOptimizations: true })).not.toThrow();
});

test.each([MemberParser, CodeParser])('no rule is ambiguous, left-recursive or unresolved: %o', Parser => {
  expect(() => new Parser(true)).not.toThrow();
});

test('getting ready in part or whole changes nothing', () => {
  const text = 'class A { void m() { x(() -> y()); } }';
  for (const prepare of [...preparations, ...preparations]) {
    prepare();
    expect(outlineOf(text, 'A.java').callSites).toHaveLength(2);
  }
});
