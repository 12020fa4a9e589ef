// Tests the states of declarations, calls and lines case by case: overloads, duplicates, lambdas, changed statements.
import { describe, expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { TextComparer } from '../../../server/mapping/stale/compare-texts.ts';
import { longestAscending } from '../../../server/mapping/stale/longest-ascending.ts';
import type { TextComparison } from '../../../server/mapping/stale/text-comparison.ts';

function compare(before: string, after: string): TextComparison {
  const comparison = new TextComparer(before, outlineOf(before)).compare(after, outlineOf(after));
  if (comparison === null) throw new Error('the texts are equal');
  return comparison;
}

/** `name: state`, for members and lambdas of the current text; what was profiled under another name behind `←`. */
function states(before: string, after: string): string[] {
  const comparison = compare(before, after);
  return comparison.current.declarations.map(({ row, kind, name, parameters }) => {
    const from = comparison.profiled.declarations[comparison.profiledRow(row)];
    const label = name === '' ? kind : `${name}${parameters.map(({ type }) => ` ${type?.name}`).join('')}`;
    return `${label}: ${comparison.stateOf(row)}${from === undefined || from.name === name ? '' : ` ← ${from.name}`}`;
  });
}

/** `call before→after` of all calls, `-` where a call is not certain. */
function calls(before: string, after: string): string {
  const comparison = compare(before, after);
  const found = comparison.profiled.callSites.map(
    site => `${site.name} ${site.line}→${comparison.siteOf(site)?.line ?? '-'}`,
  );
  return found.join(', ');
}

const body = (...statements: string[]) => `class A {\n void m() {\n${statements.join('\n')}\n }\n}`;

describe('states', () => {
  test('equal texts are not compared', () => {
    const text = 'class A { void m() { } }';
    expect(new TextComparer(text, outlineOf(text)).compare(text, outlineOf(text))).toBe(null);
  });

  test('overloads stay apart, whatever their order', () => {
    expect(
      states(
        'class A { void m(int a) { x(a); } void m(String a) { x(a); } }',
        'class A { void m(String b) { x(b); } void m(int a) { x(a); y(); } }',
      ),
    ).toEqual(['A: unchanged', 'm String: moved', 'm int: changed']);
  });

  test('of equal methods those with the same name belong together, else nobody knows', () => {
    const two = 'class A { int a() { return x.get(1); } int b() { return x.get(1); } }';
    expect(states(two, 'class A { int b() { return x.get(1); } }')).toEqual(['A: unchanged', 'b: unchanged']);
    expect(states(two, 'class A { int c() { return x.get(1); } }')).toEqual(['A: unchanged', 'c: new']);
    expect(states(two, 'class A { int c() { return x.get(1); } int d() { return x.get(1); } }')).toEqual([
      'A: unchanged',
      'c: renamed ← a',
      'd: renamed ← b',
    ]);
  });

  test('a method that calls others of its name is renamed whether or not those calls are', () => {
    const before = 'class A { void m(int a) { m(a, 1); } void m(int a, int b) { x(a, b); } }';
    const alone = 'class A { void n(int a) { m(a, 1); } void m(int a, int b) { x(a, b); } }';
    expect(states(before, alone)).toEqual(['A: unchanged', 'n int: renamed ← m', 'm int int: unchanged']);
    expect(calls(before, alone)).toBe('m 1→1, x 1→1');
    expect(states(alone, before)).toEqual(['A: unchanged', 'm int: renamed ← n', 'm int int: unchanged']);
    const other = 'class A { void n(int a) { k(a, 1); } void m(int a, int b) { x(a, b); } }';
    expect(states(before, other)[1]).toBe('n int: new');
  });

  test('a method that calls a field by its own name is renamed like any other', () => {
    expect(states('class A { int size() { return size; } }', 'class A { int length() { return size; } }')).toEqual([
      'A: unchanged',
      'length: renamed ← size',
    ]);
  });

  test('lambdas keep their state inside a changed method', () => {
    expect(
      states(
        'class A { void m() { b(x -> q(x, 1, 2)); c(x -> r(x)); } }',
        'class A { void m() { n(z -> z); b(y -> q(y, 1, 3)); c(y -> r(y)); } }',
      ),
    ).toEqual(['A: unchanged', 'm: changed', 'lambda: new', 'lambda: changed', 'lambda: unchanged']);
  });

  test('members of a renamed type and of a type that moved into another are unchanged', () => {
    expect(
      states(
        'class A { void m() { x.y(); } class In { void n() { z(); } } } class Out { }',
        'class B { void m() { x.y(); } } class Out { class In { void n() { z(); } } }',
      ),
    ).toEqual(['B: renamed ← A', 'm: unchanged', 'Out: unchanged', 'In: moved', 'n: unchanged']);
  });

  test('uses of a renamed type are what they were, in bodies and in signatures', () => {
    const before =
      'class A { void m(In a) { a.x(); } void m(int a, In b) { new In(); b.y(); } class In { int n() { return z(1); } } }';
    expect(states(before, before.replaceAll('In ', 'Out ').replaceAll('In(', 'Out('))).toEqual([
      'A: unchanged',
      'm Out: unchanged',
      'm int Out: unchanged',
      'Out: renamed ← In',
      'n: unchanged',
    ]);
  });

  test('another list of parameters is a change of the only method of that name', () => {
    expect(
      states('class A { void m(int a) { x.y(a); z.w(a); } }', 'class A { void m(int a, int b) { x.y(a); z.w(a); } }'),
    ).toEqual(['A: unchanged', 'm int int: changed']);
    expect(states('class A { void m(int a) { x.y(a); } }', 'class A { int m() { return 1; } }')).toEqual([
      'A: unchanged',
      'm: new',
    ]);
  });
});

describe('calls of changed methods', () => {
  test('stay with their statement', () => {
    expect(calls(body('a();', 'b(1);', 'c();'), body('a();', 'new1();', 'b(1);', 'c();'))).toBe('a 3→3, b 4→5, c 5→6');
  });

  test('go where any word of their expression changed', () => {
    expect(calls(body('a(b(1), 2);', 'c();'), body('a(b(1), 3);', 'c();'))).toBe('a 3→-, b 3→3, c 4→4');
  });

  test('of equal statements only those are kept that have as many equals and the same neighbours', () => {
    const before = body('a();', 'x();', 'b();', 'x();', 'c();');
    expect(calls(before, body('a();', 'x();', 'b();', 'x();', 'c(1);'))).toBe('a 3→3, x 4→4, b 5→5, x 6→-, c 7→-');
    expect(calls(before, body('a();', 'x();', 'x();', 'b();', 'x();', 'c();'))).toBe(
      'a 3→3, x 4→-, b 5→6, x 6→7, c 7→8',
    );
  });
});

test('a line that is laid out anew goes where its words are, or nowhere when they are on several lines', () => {
  const comparison = compare(body('a(1, 2);', 'b(); c();', 'd();'), body('a(1,', '2);', 'b(); c();', 'd(); // end'));
  const row = comparison.profiled.declarations.findIndex(({ name }) => name === 'm');
  expect([3, 4, 5].map(line => comparison.lineOf(row, line))).toEqual([null, 5, 6]);
});

test('the longest ascending list', () => {
  const numbers = [3, 1, 2, 9, 4, 5];
  expect([...longestAscending(numbers)].map(i => numbers[i]!).sort()).toEqual([1, 2, 4, 5]);
});

test('the calls of a long chain are found up to a call that was put into it', () => {
  const count = 5_000;
  const chain = (inserted: string) => {
    const calls = Array.from(
      { length: count },
      (_, i) => `      .step${i % 50}(${i})${i === count / 2 ? inserted : ''}\n`,
    );
    return `class Chain {\n  int run(int a) {\n    return start(a)\n${calls.join('')}      .end();\n  }\n}\n`;
  };
  const [before, after] = [chain(''), chain('\n      .more()')];
  const outline = outlineOf(before);
  const began = process.cpuUsage();
  const comparison = new TextComparer(before, outline).compare(after, outlineOf(after))!;
  const lines = outline.callSites.map(site => comparison.siteOf(site)?.line ?? null);
  for (const { line } of outline.callSites) comparison.lineOf(1, line);
  const { user, system } = process.cpuUsage(began);
  // Behind the new call each is called on another result.
  expect(lines).toEqual(outline.callSites.map(({ line }) => (line <= count / 2 + 4 ? line : null)));
  expect((user + system) / 1_000).toBeLessThan(3_000);
});
