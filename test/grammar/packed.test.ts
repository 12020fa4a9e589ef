// A document made of what an earlier one had packed is that document: the same outline, now and after any edits.
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JavaDocument } from '../../grammar/document.ts';
import { outlineOf } from '../../grammar/parse.ts';

const text = `package p;
import java.util.*;
@Deprecated public abstract class A<T extends List<T>> extends B implements C, D {
  int n = f(x -> x + 1), m[];
  @Override public <U> U one(int a, final String... b) {
    int c = a; var d = b;
    g(new B() { void h() { k("" + c); } });
  }
  enum E { X(1) { void q() { r(); } }, Y; E() { } }
  Object o = new B(() -> { s(); }) { void i() { t(p -> { u(); }); int v = 1; } };
  static { for (String s : list) { s.t(A::new); } }
  { class Local { record R(int x) { R { assert x > 0; } } } }
}
`;
const compact = 'int n = f(x -> x + 1);\nvoid main() { g(new B() { void h() { k(); } }); }\nrecord R(int x) { }\n';
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 4 }),
  piece: fc.constantFrom('x', '{', '}', '(', ';', '\n', '"', '/*', 'f();', 'new C() { };', 'class D { }', '\u2028', ''),
});

test.each([
  ['a file', text, 'p/A.java'],
  ['a compact source file', compact, 'p/C.java'],
  ['no Java at all', '}} what ((', ''],
  ['an empty text', '', ''],
])('%s', (_, text, file) => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 4 }), fc.array(edit, { maxLength: 3 }), (before, after) => {
      const document = new JavaDocument(text, file);
      for (const each of before) apply(document, each);
      const packed = document.packed;
      if (packed === null) throw new Error('nothing was packed');
      const again = new JavaDocument(document.text, file, deserialize(serialize(packed)));
      expect(again.text).toBe(document.text);
      expect(JSON.stringify(again.outline)).toBe(JSON.stringify(outlineOf(document.text, file)));
      for (const each of after) {
        apply(again, each);
        expect(JSON.stringify(again.outline)).toBe(JSON.stringify(outlineOf(again.text, file)));
      }
    }),
    { numRuns: 40 },
  );
});

function apply(document: JavaDocument, { at, removed, piece }: { at: number; removed: number; piece: string }): void {
  const start = Math.floor(at * document.text.length);
  document.edit({ start, end: Math.min(start + removed, document.text.length), text: piece });
}
