// Checks that outline and mapping of a text that is being edited equal those of the text alone, whatever the edits.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { mapDocument } from '../../../server/mapping/map-document.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { editBetween } from '../../../server/workspace/document/edit-between.ts';
import { KeptMap } from '../../../server/workspace/document/kept-map.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { KeptOutline } from '../../../server/workspace/document/kept-outline.ts';
import { mapsAlike } from '../../../server/workspace/document/maps-alike.ts';
import { indexProfile } from '../../support/profiles/class-index.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';
import { runs } from '../../support/runs.ts';

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
      { numRuns: runs(300) },
    );
    expect(kept).toBeGreaterThan(runs(300) / 6);
  });

  test('has the same outline when it is parsed in steps, by any caller and with any questions meanwhile', () => {
    const taken = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 20 })), { maxLength: 12 });
    fc.assert(
      fc.property(edits, taken, (changes, turns) => {
        const outline = new KeptOutline();
        const texts = [...textsOf(changes)];
        const begun = texts.map(text => outline.prepare(text));
        for (const [kind, which] of turns) {
          const i = which % texts.length;
          if (kind === 0) expect(outline.of(texts[i]!)).toEqual(outlineOf(texts[i]!));
          else begun[i]!.next();
        }
        for (const [i, text] of texts.entries()) {
          for (const _ of begun[i]!);
          expect(outline.of(text)).toEqual(outlineOf(text));
        }
      }),
      { numRuns: runs(150) },
    );
  });

  /** Far more than what comes before a first text can be parsed. */
  const METHODS = 60;
  const many = Array.from({ length: METHODS }, (_, i) => `  void m${i}() { go${i}(() -> ${i}); }\n`).join('');
  const stepsOf = (steps: Iterable<void>) => [...steps].length;

  test('is parsed a body a step, at first and where an edit is no other body, by two that ask together once', () => {
    const outline = new KeptOutline();
    const text = `class A {\n${many}}\n`;
    const [one, two] = [outline.prepare(text), outline.prepare(text)];
    let taken = 0;
    for (let asking = [one, two]; asking.length > 0; taken += asking.length)
      asking = asking.filter(steps => steps.next().done !== true);
    expect(taken).toBeGreaterThan(METHODS);
    expect(taken).toBeLessThan(1.5 * METHODS);
    expect(stepsOf(outline.prepare(text))).toBe(0);
    expect(stepsOf(outline.prepare(text.replace('go7', 'come7')))).toBe(0);
    const larger = text.replace('void m30', 'int added; void m30');
    expect(stepsOf(outline.prepare(larger))).toBeGreaterThan(METHODS);
    expect(outline.of(larger)).toEqual(outlineOf(larger));
  });

  test('is compared with a profiled text that is parsed a body a step', () => {
    const [profiled, text] = [`class A {\n${many}}\n`, `class A {\n  int added;\n${many}}\n`];
    const outline = outlineOf(text);
    const steps = (mapping: KeptMapping) => stepsOf(mapping.prepare(text, outline));
    const mapping = new KeptMapping(openedText(profiled));
    const first = steps(mapping);
    expect(first - steps(mapping)).toBeGreaterThan(METHODS);
    expect(mapping.of(text, outline, CLASSES).comparison?.stateOf(1)).toBe('new');
  });

  const inMethod = (code: string) => `class A {\n  void a() { ${code} }\n  void b() { }\n}\n`;

  test.each([
    ['in a call', inMethod('go();'), inMethod('go(1 + 2); stop();')],
    ['in a comment', inMethod('go(A::x); f(() -> 1);'), inMethod('/* x */ go(A::x); f(() -> 1);')],
    [
      'between members',
      'class A { void a() { } void b() { f(A::x); } }',
      'class A { void a() { }   void b() { f(A::x); } }',
    ],
  ])('keeps its mapping after an edit %s', (_, before, after) => {
    expect(mapsAlike(outlineOf(before), outlineOf(after))).toBe(true);
  });

  test.each([
    ['a line more', inMethod('go();'), inMethod('\ngo();')],
    [
      'a line more between its members',
      'class A { void a() { }\nvoid b() { } }',
      'class A { void a() { }\n\nvoid b() { } }',
    ],
    ['another reference', inMethod('f(this::x);'), inMethod('f(this::y);')],
    ['one reference more', inMethod('f(A::x);'), inMethod('f(A::x, A::y);')],
    [
      'another constructor call',
      'class A { A() { this(1); } A(int i) { } }',
      'class A { A() { fits(1); } A(int i) { } }',
    ],
    [
      'a reference behind the lambda',
      inMethod('f(A::x); g(() -> 1); f(null);'),
      inMethod('f(null); g(() -> 1); f(A::x);'),
    ],
    ['the lambda behind a reference', inMethod('g(() -> 1, A::x);'), inMethod('g(A::x, () -> 1);')],
    ['a reference in the lambda', inMethod('f(A::x, () -> b(11111));'), inMethod('f(null, () -> b(A::x));')],
    ['its members moved apart', 'class A { void a() { } void b() { } }', 'class A { void a() {  } void b() {  } }'],
    ['a package', 'package p; class A { }', 'package q; class A { }'],
    ['an import', 'import p.B; class A { void a(B b) { } }', 'import q.B; class A { void a(B b) { } }'],
    ['a name', inMethod('').replace('b()', 'c()'), inMethod('')],
    ['a kind', 'class A { }', 'enum  A { }'],
    ['a modifier', 'class A { static class B { B() { } } }', 'class A { /****/ class B { B() { } } }'],
    ['an annotation', 'class A { @X void a() { } }', 'class A { @Y void a() { } }'],
    ['a type parameter', 'class A<T extends B> { void a(T t) { } }', 'class A<T extends C> { void a(T t) { } }'],
    ['a parameter', 'class A { void a(int i) { } }', 'class A { void a(I_t i) { } }'],
    ['a result', 'class A { int a() { } }', 'class A { I_t a() { } }'],
    ['a supertype', 'class A extends B { }', 'class A extends C { }'],
    ['a body', 'abstract class A { void a() { } }', 'abstract class A { void a(); }'],
    ['a declaration more', inMethod('f();'), inMethod('f(() -> 1);')],
  ])('is mapped anew with %s', (_, before, after) => {
    expect(mapsAlike(outlineOf(before), outlineOf(after))).toBe(false);
    expect(mapsAlike(outlineOf(after), outlineOf(before))).toBe(false);
  });

  test('differs by one edit', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (before, after) => {
        const { start, end, text } = editBetween(before, after);
        expect(before.slice(0, start) + text + before.slice(end)).toBe(after);
      }),
    ));
});

test('an edit in a long body is read and compared in steps', () => {
  const line = '    if (a > 1) { go(a, "some text"); }\n';
  const text = (inserted: string) =>
    `class Shop {\n  void run(int a) {\n${line.repeat(6_000)}${inserted}${line.repeat(6_000)}  }\n}\n`;
  const outline = new KeptOutline('Shop.java');
  const mapping = new KeptMapping(openedText(text('')));
  const stepsTo = (edited: string) => {
    const steps = [...outline.prepare(edited)].length;
    return [steps, [...mapping.prepare(edited, outline.of(edited), CLASSES)].length] as const;
  };
  stepsTo(text('first();'));
  // A step takes some milliseconds: both take some hundred in all.
  for (const inserted of ['second();', 'third();\n'])
    for (const steps of stepsTo(text(inserted))) expect(steps).toBeGreaterThan(20);
  const { declarations, callSites } = outline.of(text('third();\n'));
  const whole = outlineOf(text('third();\n'), 'Shop.java');
  expect(declarations).toEqual(whole.declarations);
  expect(callSites.map(({ line: at, name }) => `${at} ${name}`)).toEqual(
    whole.callSites.map(({ line: at, name }) => `${at} ${name}`),
  );
});
