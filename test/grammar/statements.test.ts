// Loops, branches, calls and lambdas with their parts, case by case; the javac suite compares all of java.base.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import type { Statement } from '../../grammar/statement.ts';
import { statementsOf } from '../../grammar/statements.ts';
import { runs } from '../support/runs.ts';

/** `form(role: text of the part [statements in it] …)`, for each statement of a method with this body. */
function statementsIn(body: string): string[] {
  const text = `class A { void m() {\n${body}\n} }`;
  const outline = outlineOf(text);
  const line = ({ form, call, parts }: Statement): string => {
    const inside = parts.map(({ role, span, statements }) => {
      const nested = statements.length === 0 ? '' : ` [${statements.map(line).join(', ')}]`;
      return `${role}: ${text.slice(span.start, span.end)}${nested}`;
    });
    return `${call === null ? form : `${form} ${call.name}`}(${inside.join('; ')})`;
  };
  const method = outline.declarations.find(({ kind }) => kind === 'method')!;
  return statementsOf(text, outline, method).map(line);
}

const cases: [body: string, statements: string[]][] = [
  [
    'for (int i = a(); i < b(); i++, c()) d(i);',
    [
      'for(init: int i = a() [call a()]; condition: i < b() [call b()]; update: i++, c() [call c()]; body: d(i); [call d(argument: i)])',
    ],
  ],
  ['for (;;) { }', ['for(body: { })']],
  ['for (var x : xs()) use(x);', ['forEach(iterable: xs() [call xs()]; body: use(x); [call use(argument: x)])']],
  [
    'while (a()) if (b) c(); else d();',
    [
      'while(condition: a() [call a()]; body: if (b) c(); else d(); [if(condition: b; then: c(); [call c()]; else: d(); [call d()])])',
    ],
  ],
  ['do a(); while (b());', ['do(body: a(); [call a()]; condition: b() [call b()])']],
  [
    'do while (a) b(); while (c);',
    ['do(body: while (a) b(); [while(condition: a; body: b(); [call b()])]; condition: c)'],
  ],
  [
    'x = a() ? b() : c ? d : e();',
    [
      'conditional(condition: a() [call a()]; then: b() [call b()]; else: c ? d : e() [conditional(condition: c; then: d; else: e() [call e()])])',
    ],
  ],
  [
    'f(a ? b : c, new M<K, V>(), (P<X, Y>) z);',
    [
      'call f(argument: a ? b : c [conditional(condition: a; then: b; else: c)]; argument: new M<K, V>() [new M()]; argument: (P<X, Y>) z)',
    ],
  ],
  ['f(a < b, c > d);', ['call f(argument: a < b; argument: c > d)']],
  [
    'x = c ? new M<A, B>(a) : new M<A, B>(b);',
    ['conditional(condition: c; then: new M<A, B>(a) [new M(argument: a)]; else: new M<A, B>(b) [new M(argument: b)])'],
  ],
  ['x >>= a ? 1 : 2;', ['conditional(condition: a; then: 1; else: 2)']],
  ['a.b().c(d())', ['call c(receiver: a.b() [call b(receiver: a)]; argument: d() [call d()])']],
  [
    'xs.forEach(x -> use(x));',
    ['call forEach(receiver: xs; argument: x -> use(x) [lambda(body: use(x) [call use(argument: x)])])'],
  ],
  ['run(this::m);', ['call run(argument: this::m [methodReference m(receiver: this)])']],
  [
    'outer.new Inner(a) { void n() { b(); } }.go();',
    ['call go(receiver: outer.new Inner(a) { void n() { b(); } } [new Inner(receiver: outer; argument: a)])'],
  ],
  ['class L { void n() { a(); } } b();', ['call b()']],
  [
    'switch (a()) { case 1: b(); break; default: c(); }',
    ['switch(selector: a() [call a()]; case: case 1: b(); break; [call b()]; case: default: c(); [call c()])'],
  ],
  [
    'x = switch (o) { case P p when q(p) -> { yield (r() ? 1 : 2); } case null, default -> s(); };',
    [
      'switch(selector: o; case: case P p when q(p) -> { yield (r() ? 1 : 2); } [call q(argument: p), conditional(condition: r() [call r()]; then: 1; else: 2)]; case: case null, default -> s(); [call s()])',
    ],
  ],
  [
    'x = switch (o) { default -> { yield ((T) o).f(); } };',
    ['switch(selector: o; case: default -> { yield ((T) o).f(); } [call f(receiver: ((T) o))])'],
  ],
  [
    'try (var r = open()) { a(); } catch (E e) { b(); } finally { c(); }',
    [
      'try(resources: var r = open() [call open()]; body: { a(); } [call a()]; catch: catch (E e) { b(); } [call b()]; finally: { c(); } [call c()])',
    ],
  ],
  [
    'l: for (A a : b) synchronized (c()) { d(); }',
    ['forEach(iterable: b; body: synchronized (c()) { d(); } [call c(), call d()])'],
  ],
];

test.each(cases)('%s', (body, statements) => {
  expect(statementsIn(body)).toEqual(statements);
});

test('a field and an enum constant have code, types have none', () => {
  const text = 'enum E { A(f()) { int x = g(); }; int n = h() ? 1 : 2; }';
  const outline = outlineOf(text);
  const found = outline.declarations.map(declaration =>
    statementsOf(text, outline, declaration).map(({ form, call }) => call?.name ?? form),
  );
  const kinds = outline.declarations.map(({ kind, name }) => `${kind} ${name}`);
  expect(Object.fromEntries(kinds.map((kind, row) => [kind, found[row]]))).toEqual({
    'enum E': [],
    'enumConstant A': ['f'],
    'field x': ['g'],
    'field n': ['conditional'],
  });
});

test('thousands of nested and chained statements are read', () => {
  const depth = 3000;
  for (const body of [`${'if (a) '.repeat(depth)}b();`, `${'if (a) b(); else '.repeat(depth)}c();`]) {
    const text = `class A { void m() { ${body} } }`;
    const outline = outlineOf(text);
    let level = statementsOf(text, outline, outline.declarations[1]!);
    let found = 0;
    for (; level.length > 0; found++) level = level[0]!.parts.at(-1)?.statements ?? [];
    expect(found).toBe(depth + 1);
  }
});

test('code that is broken gives statements that lie in each other or apart', () => {
  const words = [
    'if',
    'else',
    'for',
    'while',
    'do',
    'switch',
    'case',
    'try',
    'catch',
    'a',
    'f(',
    '(',
    ')',
    '{',
    '}',
    ';',
    ':',
    '?',
    '->',
    ',',
    '<',
    '>',
    'new',
    '.',
    '::',
    '=',
    'default',
    'yield',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), code => {
      const text = `class A { void m() { ${code.join(' ')} } }`;
      const outline = outlineOf(text);
      for (const declaration of outline.declarations) {
        const check = (statements: readonly Statement[], start: number, end: number) => {
          for (const { span, parts } of statements) {
            expect(span.start).toBeGreaterThanOrEqual(start);
            expect(span.end).toBeLessThanOrEqual(end);
            for (const part of parts) check(part.statements, span.start, span.end);
          }
        };
        check(statementsOf(text, outline, declaration), 0, text.length);
      }
    }),
    { numRuns: runs(2000) },
  );
});
