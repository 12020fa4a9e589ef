// A document against a profile: which declarations get which methods, shared ones by lines.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import { MethodTableBuilder } from '../../server/cct/method-table.ts';
import { METHOD_FLAG } from '../../server/cct/profile.ts';
import { linesOfMethod } from '../../server/mapping/class-index.ts';
import { mapDocument } from '../../server/mapping/map-document.ts';
import { lineOf } from '../../server/mapping/observed-lines.ts';
import { indexMethods, indexProfile, observedLines } from '../support/profiles/class-index.ts';
import { profileOfStacks, type RawSample } from '../support/profiles/profiles.ts';

type Row = readonly [method: string, descriptor?: string | null, flags?: number];

/** One line a mapped declaration: `12 method run ← run(I)V: exact`. */
function mapped(text: string, rows: readonly Row[]): string[] {
  const builder = new MethodTableBuilder();
  for (const [method, descriptor = null, flags = 0] of rows) {
    const dot = method.lastIndexOf('.');
    builder.method(method.slice(0, dot), method.slice(dot + 1), descriptor, flags);
  }
  const methods = builder.finish();
  const map = mapDocument(outlineOf(text), indexMethods(methods));
  return map.declarations.map(({ declaration, methods: own, confidence, alternatives, onlyLines }) => {
    const { kind, name, nameSpan } = map.outline.declarations[declaration]!;
    const names = own.map(
      row => methods.strings[methods.name[row]!]! + (methods.strings[methods.descriptor[row]!] ?? ''),
    );
    const place = [lineOf(map.outline, nameSpan.start), kind, name].filter(part => part !== '').join(' ');
    const only = onlyLines === undefined ? '' : ` on ${onlyLines.map(pair => pair.join('-')).join(',')}`;
    return `${place} ← ${names.join(' ')}: ${confidence}${alternatives.length > 0 ? ` (${alternatives.length} more)` : ''}${only}`;
  });
}

test('overloads, constructors and initialisers', () => {
  const text = `package p;
class A {
  static int x = f();
  int y = f();
  A() { this(1); }
  A(int i) {}
  void run(int a) {}
  void run(long b) {}
  static int f() { return 1; }
}
`;
  const rows: Row[] = [
    ['p.A.<clinit>', '()V'],
    ['p.A.<init>', '()V'],
    ['p.A.<init>', '(I)V'],
    ['p.A.run', '(I)V'],
    ['p.A.run', '(J)V'],
    ['p.A.run', '(Ljava/lang/Object;)V', METHOD_FLAG.known | METHOD_FLAG.bridge],
    ['p.B.run', '(I)V'],
  ];
  expect(mapped(text, rows)).toEqual([
    '2 class A ← <clinit>()V: header',
    '3 field x ← <clinit>()V: line on 3-3',
    '4 field y ← <init>(I)V: line on 4-4',
    '5 constructor A ← <init>()V: exact',
    '6 constructor A ← <init>(I)V: exact',
    '7 method run ← run(I)V: exact',
    '8 method run ← run(J)V: exact',
  ]);
});

test('a method without descriptor is ambiguous between overloads, and gives way to one that is sure', () => {
  const text = 'class A {\n  void run(int a) {}\n  void run(long b) {}\n}\n';
  expect(mapped(text, [['A.run']])).toEqual([
    '2 method run ← run: ambiguous (1 more)',
    '3 method run ← run: ambiguous (1 more)',
  ]);
  expect(mapped(text, [['A.run'], ['A.run', '(I)V']])).toEqual([
    '2 method run ← run(I)V: exact',
    '3 method run ← run: ambiguous (1 more)',
  ]);
});

test('documents of any scheme answer by their package clause: the map needs the text alone', () => {
  expect(
    mapped('package q; record R(int x) {}', [
      ['q.R.x', '()I'],
      ['q.R.<init>', '(I)V'],
    ]),
  ).toEqual(['1 record R ← x()I <init>(I)V: header']);
});

const frames = fc.array(
  fc.record({ method: fc.constantFrom('A.a', 'A.b', 'B.c'), line: fc.integer({ min: 0, max: 9 }) }),
  { maxLength: 6 },
);

test('observed lines are those of all frames of a method', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ frames }), { maxLength: 20 }), (samples: RawSample[]) => {
      const profile = profileOfStacks(samples);
      const index = indexProfile(profile);
      const seen = new Set(samples.flatMap(sample => sample.frames.map(frame => `${frame.method}:${frame.line}`)));
      const { methods } = profile;
      const listed: string[] = [];
      for (let row = 2; row < methods.length; row++) {
        const name = `${methods.strings[methods.className[row]!]}.${methods.strings[methods.name[row]!]}`;
        for (const line of linesOfMethod(index, row)) listed.push(`${name}:${line}`);
      }
      expect(listed.sort()).toEqual([...seen].filter(text => !text.endsWith(':0')).sort());
    }),
  );
});

test('many lines make the set grow', () => {
  const stack = (line: number): RawSample => ({ frames: [{ method: `A.m${line % 7}`, line: line + 1 }] });
  const profile = profileOfStacks(Array.from({ length: 9000 }, (_, line) => stack(line)));
  const lines = observedLines(profile);
  expect(lines.line.length).toBe(9000);
});
