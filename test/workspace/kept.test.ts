// Checks that outline and mapping of a text that is being edited equal those of the text alone, whatever the edits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import { indexProfile } from '../../server/mapping/class-index.ts';
import { mapDocument } from '../../server/mapping/map-document.ts';
import { KeptMap } from '../../server/workspace/kept-map.ts';
import { editBetween, KeptOutline } from '../../server/workspace/kept-outline.ts';
import { profileOfText } from '../support/profiles.ts';

const TEXT = `package acme;
import java.util.*;
class Shop {
  final List<String> names = make(() -> "a");
  Shop() { this(1); }
  Shop(int n) { super(); }
  void run(int a) {
    Runnable first = () -> go(a); Runnable second = this::stop;
    new Thread() { public void run() { stop(); } }.start();
  }
  void run(String b) { list.forEach(x -> { go(1); }); list.forEach(Shop::take); }
  void go(int c) { stop(); }
  static class Cart { void add() { new Cart().add(); } }
}
`;

const CLASSES = indexProfile(
  profileOfText(`
acme.Shop.run | 3@8
  acme.Shop.lambda$run$0 :8 | 2@8
    acme.Shop.go :8 | 4@12
  acme.Shop.lambda$run$1 :11 | 5@11
acme.Shop.<init> | 2@4
  acme.Shop.lambda$new$2 :4 | 2@4
acme.Shop$1.run | 3@9
acme.Shop$Cart.add | 3@13
acme.Shop.stop | 1@30`),
);

/** Changes that move a method, a lambda or a line to another declaration, or do nothing of the kind. */
const SWAPS: readonly (readonly [from: string, to: string])[] = [
  ['run(int a)', 'run(String b)'],
  ['run(String b)', 'run(int a)'],
  ['  void run(int', '\n\n\n\n\n  void run(int'],
  ['  void run(String', '\n\n\n\n\n  void run(String'],
  ['Shop(int n)', 'Shop(long n)'],
  ['void go(int c) {', 'void stop() { } void go(int c) {'],
  ['Runnable first = () -> go(a); Runnable', 'Runnable'],
  ['list.forEach(x -> { go(1); });', 'list.forEach(Shop::go); list.forEach(x -> { go(1); });'],
  ['first = () -> go(a)', 'first = this::go'],
  ['second = this::stop', 'second = () -> stop()'],
  ['make(() -> "a")', 'make(this::a)'],
  ['class Cart', 'class Card'],
  [
    'list.forEach(x -> { go(1); }); list.forEach(Shop::take);',
    'list.forEach(Shop::take); list.forEach(x -> { go(1); });',
  ],
  ['new Thread()', 'new Thread(() -> go(2))'],
  ['super();', 'super(); go(3);'],
  ['stop(); }', 'stop(); stop(); }'],
];

const piece = fc.constantFrom('x', ' ', '\n', ';', 'int y = 1;', 'a::b', '() -> 1', '{', '}', '(', 'go(2);', '"', '/*');
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...SWAPS).map(
      ([from, to]) =>
        (text: string) =>
          text.replace(from, to),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3), piece).map(([at, cut, put]) => {
      return (text: string) => {
        const start = Math.floor(at * text.length);
        return text.slice(0, start) + put + text.slice(start + cut);
      };
    }),
  },
);
const edits = fc.array(change, { minLength: 1, maxLength: 8 });

/** The texts that edits make, one after another. */
function* textsOf(changes: readonly ((text: string) => string)[]): Generator<string> {
  let text = TEXT;
  yield text;
  for (const make of changes) {
    text = make(text);
    yield text;
  }
}

describe('an edited text', () => {
  test('has the outline and the mapping that it has alone', () => {
    let kept = 0;
    fc.assert(
      fc.property(edits, changes => {
        const [outline, map] = [new KeptOutline(), new KeptMap()];
        let before: unknown = null;
        for (const text of textsOf(changes)) {
          const fresh = outlineOf(text);
          expect(outline.of(text)).toEqual(fresh);
          const mapped = map.of(outline.of(text), CLASSES);
          const { declarations, declarationOfMethod } = mapDocument(fresh, CLASSES);
          expect(mapped.declarations).toEqual(declarations);
          expect(mapped.declarationOfMethod).toEqual(declarationOfMethod);
          expect(mapped.outline).toBe(outline.of(text));
          if (mapped.declarations === before) kept++;
          before = mapped.declarations;
        }
      }),
      { numRuns: 300 },
    );
    expect(kept).toBeGreaterThan(100);
  });

  test('differs by one edit', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (before, after) => {
        const { start, end, text } = editBetween(before, after);
        expect(before.slice(0, start) + text + before.slice(end)).toBe(after);
      }),
    ));
});
