// A text has the same declarations, lines, calls and fingerprints whatever ends its lines: a line feed, a carriage return, or both.
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JavaDocument } from '../../grammar/document.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { callLines, declarationLines } from './outline-text.ts';

const FILES = globSync('samples/shop/v1/src/main/java/**/*.java').map(path => readFileSync(path, 'utf8'));

const MEMBERS = [
  '  // tail {',
  '  int a() {',
  '    return 1; // x }',
  '  }',
  '  int b() { return 2; }',
  '  String s = """',
  '    text { block " }',
  '    """ + \'{\';',
  '  void m() { go(() -> new T(1) { int x() { return 1; } }); } // {',
  '  /*',
  '   * int c() {',
  '   */',
  '  enum E { ONE, TWO(2) { void x() { } }, THREE; }',
  '  {',
  '  }',
  '}',
  'class C {',
  '<<<<<<< ours',
  '>>>>>>> theirs',
  '',
  '  /**',
  '  int d(int e) { for (;;) { e(); } }',
  '  "open',
];

const generated = fc
  .array(fc.constantFrom(...MEMBERS), { maxLength: 25 })
  .map(members => ['class A {', ...members, '}', ''].join('\n'));
const damaged = fc
  .tuple(fc.constantFrom(...FILES), fc.nat(), fc.nat({ max: 20 }))
  .map(([text, place, removed]) => text.slice(0, place % text.length) + text.slice((place % text.length) + removed));
const texts = fc.oneof(generated, damaged, fc.constantFrom(...FILES));
const END = fc.constantFrom('\n', '\r', '\r\n');
const ends = fc.oneof(
  END.map(end => [end]),
  fc.array(END, { minLength: 2, maxLength: 20 }),
);

/** Ends each line by the next of the ends; no line feed follows a carriage return that ends a line of its own. */
function withEnds(text: string, given: readonly string[]): string {
  const lines = text.split('\n');
  let before = '';
  const ended = lines.map((line, at) => {
    const drawn = at < lines.length - 1 ? given[at % given.length]! : '';
    before = before === '\r' && line === '' && drawn === '\n' ? '\r' : drawn;
    return line + before;
  });
  return ended.join('');
}

function readingOf(text: string): object {
  const outline = outlineOf(text, 'A.java');
  return {
    declarations: declarationLines(outline),
    calls: callLines(text),
    fingerprints: outline.declarations.map(({ fingerprint }) => fingerprint),
    problems: outline.problems.length,
    lines: outline.lineStarts.length,
  };
}

test('javac counts the lines of a text whose lines end in carriage returns', () => {
  const text = 'class A {\r  // tail\r  int a() {\r    return 1; // x\r  }\r  int b() { return 2; }\r}\r';
  expect(declarationLines(outlineOf(text)).slice(1)).toEqual(['  method a : int @3-5', '  method b : int @6']);
});

test('all kinds of line ends, in one text and mixed', () => {
  fc.assert(
    fc.property(texts, ends, (text, given) => {
      expect(readingOf(withEnds(text, given))).toEqual(readingOf(text));
    }),
    { numRuns: 250 },
  );
});

test('a text that is typed into keeps the lines of one that is read anew', () => {
  const text = 'class A {\r  int a() {\r    f(); // x\r  }\r  int b() { return 2; }\r}\r';
  const document = new JavaDocument(text);
  const at = text.indexOf('f();');
  const outline = document.edit({ start: at, end: at + 4, text: 'g(); // {\r    h();\r\n    i();' });
  expect(outline).toEqual(outlineOf(document.text));
  expect(outline.callSites.map(({ name, line }) => `${name} ${line}`)).toEqual(['g 3', 'h 4', 'i 5']);
});
