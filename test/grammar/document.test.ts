// A document after any edits has the outline of its text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JavaDocument } from '../../grammar/document.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { runs } from '../support/runs.ts';

const text = `package p;
class A<T> {
  int n = f(x -> x + 1), m;
  void one(int a) {
    int b = a;
    g(new B() { void h() { k(); } });
  }
  enum E { X(1) {
 void q() { r(); } }, Y; E() { } }
  Object o =
    new B(() ->

  { s(); }) { void i() { t(p -> { u(); }); int v = 1; } },
    k2 = (a, b)
 -> { v(); };
  static { for (String s : list) { s.t("}"); } }
  <U> U two(U u) { class L { } /* } */ return (U) v(() -> { w(); }); }
}
`;
const compact = `import module java.base;
int n = f(x -> x + 1), m;
void one(int a) {
  g(new B() { void h() { k(); } });
}
record R(int x) { void q() { r(); } }
static { s(); }
void main() {
  t(() -> { u(); class L { } });
}
`;
const pieces = [
  'x',
  '{',
  '}',
  '(',
  ')',
  ';',
  '\n',
  '"',
  "'",
  '/*',
  '*/',
  '\n/**\n * doc\n',
  '\n int swallowed;\n',
  '//',
  '->',
  'f();',
  'new C() { };',
  'class D { }',
  '<<<<<<< a\n',
  'package p;',
  'void main() { }',
  '\\u007b',
  ' ',
];
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 6 }),
  piece: fc.constantFrom(...pieces, ''),
});

test.each([
  ['a file', text, ''],
  ['a compact source file', compact, 'p/C.java'],
])('after random edits of %s it equals a full parse', (_, text, file) => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), edits => {
      const document = new JavaDocument(text, file);
      for (const { at, removed, piece } of edits) {
        const start = Math.floor(at * document.text.length);
        const earlier = document.outline;
        const shown = JSON.stringify(earlier);
        document.edit({ start, end: Math.min(start + removed, document.text.length), text: piece });
        const whole = outlineOf(document.text, file);
        expect(document.outline).toEqual(whole);
        expect(JSON.stringify(document.outline)).toBe(JSON.stringify(whole));
        expect(JSON.stringify(earlier)).toBe(shown);
      }
    }),
    { numRuns: runs(120) },
  );
});

test('an edit inside a body of a compact source file leaves its class around it', () => {
  const document = new JavaDocument(compact, 'C.java');
  const start = document.text.indexOf('k();');
  const outline = document.edit({ start, end: start, text: 'f(() -> z);' });
  expect(outline).toEqual(outlineOf(document.text, 'C.java'));
  expect(outline.declarations[0]).toMatchObject({ kind: 'class', binaryName: 'C' });
});

test('an edit inside a body leaves the skeleton as it is', () => {
  const document = new JavaDocument(text);
  const start = document.text.indexOf('int b');
  const outline = document.edit({ start, end: start, text: 'f(y -> z);\n' });
  expect(outline).toEqual(outlineOf(document.text));
  expect(outline.callSites.some(site => site.name === 'f' && site.line === 5)).toBe(true);
});

test('an edit inside a member that a comment swallows may undo what was mended', () => {
  const document = new JavaDocument(
    'class A {\n  /**\n   * Doc.\n\n  void a() { x(); }\n  /** Doc. */\n  void b() { }\n}\n',
  );
  expect(document.outline.declarations.map(one => one.name)).toEqual(['A', 'a', 'b']);
  const start = document.text.indexOf('x();');
  const outline = document.edit({ start, end: start, text: '/* y */ ' });
  expect(outline).toEqual(outlineOf(document.text));
  expect(outline.declarations.map(one => one.name)).not.toContain('a');
});
