// A text that is read in pieces has the outline that it has when it is read at once, wherever the pieces end.
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineFrom, outlineOf, parseSteps, resultOf } from '../../grammar/parse.ts';
import { runs } from '../support/runs.ts';

const FILES = globSync('samples/shop/v1/src/main/java/**/*.java').map(path => readFileSync(path, 'utf8'));

const MEMBERS = [
  'int a = 1, b, c[] = { 1, 2 };\n',
  'void m() { go(() -> new T(1) { int x() { return 1; } }); }\n',
  'enum E { @A ONE, TWO(2) { void x() { } }, THREE; int y; }\n',
  'static class Inner<T> { Inner(int a) { super(a); } record R(int i) { R { } } }\n',
  '@interface A { int value() default 3; }\n',
  '@A(b = 1) public static { class Local { } switch (a) { case 1 -> { } default -> b(); } }\n',
  'String s = """\n  text { block " }\n  """ + \'{\';\n',
  'import java.util.List;\n',
  '// a comment {\n/* another } */\n',
];
const PIECES = [
  ...MEMBERS,
  '{',
  '}',
  '(',
  ')',
  ';',
  ',',
  '/*',
  '*/',
  '"',
  '\n',
  'class C {',
  'enum E { A B',
  'public ',
  ') {',
  '@',
  '<',
];

const generated = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...MEMBERS) }, fc.constantFrom(...PIECES)), { maxLength: 25 })
  .map(members => `class A {\n${members.join('')}}\n`);

const written = fc.tuple(fc.constantFrom(...FILES), fc.nat(), fc.nat({ max: 20 }), fc.constantFrom('', ...PIECES));
const damaged = written.map(([text, place, removed, piece]) => {
  const at = place % text.length;
  return text.slice(0, at) + piece + text.slice(at + removed);
});

const onOneLine = fc.oneof(generated, damaged).map(text => text.replace(/\s+/g, ' '));

test('of files, generated and broken texts', () => {
  fc.assert(
    fc.property(fc.oneof(generated, damaged, onOneLine), fc.integer({ min: 1, max: 60 }), (text, pieceTokens) => {
      const parsed = resultOf(parseSteps(text, 'A.java', { pieceTokens }));
      expect(outlineFrom(text, 'A.java', parsed)).toEqual(outlineOf(text, 'A.java'));
    }),
    { numRuns: runs(400) },
  );
});

test('while other texts are read between its pieces', () => {
  const texts = [
    ...FILES.slice(0, 8),
    `class A {\n${MEMBERS.join('')}}`,
    'class A { void m() { { }\n void n() { a(() -> { }); }\n}',
  ];
  const readings = texts.map(text => ({ text, steps: parseSteps(text, 'A.java', { pieceTokens: 10 }) }));
  let left = readings;
  while (left.length > 0)
    left = left.filter(({ text, steps }) => {
      const { done, value } = steps.next();
      if (done === true) expect(outlineFrom(text, 'A.java', value)).toEqual(outlineOf(text, 'A.java'));
      return done !== true;
    });
});
