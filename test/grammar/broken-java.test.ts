// Broken and hostile files: every other member is still found, what is wrong is reported, nothing overflows.
import { describe, expect, test } from 'vitest';
import { outlineOf, skeletonOf } from '../../grammar/parse.ts';
import { declarationLines } from './outline-text.ts';

const before = 'class A {\n  int first;\n  void one() {\n    f();\n  }\n';
const after = '\n  void two() {\n    g();\n  }\n  static class B {\n    int last;\n  }\n}\n';

const broken: [what: string, text: string][] = [
  ['half a member', '  private int'],
  ['half a call', '  foo.'],
  ['a method without a body', '  public void half()'],
  ['a value without an end', '  int half = foo(1,'],
  ['a value without a semicolon', '  int half = 3'],
  ['a missing brace', '  void half() {\n    if (x) {\n  }'],
  ['no brace at all', '  void half() {\n    x();'],
  ['a brace too many', '  void half() {\n  }\n  }'],
  ['a type without a name', '  class {\n  }'],
  ['half an annotation', '  @A('],
  ['a string without an end', '  String half = "abc\n  ;'],
  ['a merge conflict', '<<<<<<< ours\n  int half;\n=======\n  int full;\n>>>>>>> theirs'],
  ['strange characters', '  # ` \\ \u0001 §'],
  ['statements among members', '  return x;\n  if (a) { b(); }'],
];

describe('one broken place', () => {
  test.each(broken)('%s', (_what, text) => {
    const outline = outlineOf(before + text + after);
    const names = outline.declarations.filter(one => one.name !== 'half' && one.kind !== 'lambda').map(one => one.name);
    expect(names).toEqual(expect.arrayContaining(['A', 'first', 'one', 'two', 'B', 'last']));
    expect(outline.problems.length).toBeGreaterThan(0);
    expect(outline.problems[0]!.line).toBeGreaterThanOrEqual(1);
  });

  test('a comment without an end keeps the members in front', () => {
    const outline = outlineOf(`${before}  /* half${after}`);
    expect(outline.declarations.map(one => one.name)).toEqual(expect.arrayContaining(['first', 'one', 'two', 'last']));
    expect(outline.problems.map(problem => problem.message)).toContain('a comment without its end');
  });

  test('both sides of a conflict are kept', () => {
    const outline = outlineOf(`${before}<<<<<<< ours\n  int half;\n=======\n  int full;\n>>>>>>> theirs${after}`);
    expect(outline.declarations.map(one => one.name)).toEqual(expect.arrayContaining(['half', 'full']));
    expect(outline.problems).toHaveLength(3);
  });

  test('a class whose body nothing closes ends where the text does', () => {
    const text = 'class A { Object o = new B() {';
    for (const { span } of outlineOf(text).declarations) expect(span.end).toBe(text.length);
  });

  test('a bracket alone in a body is reported and the calls around it are found', () => {
    const outline = outlineOf('class A { void m() { f(1; g(2)); h(); } }');
    expect(outline.callSites.map(site => site.name)).toEqual(['f', 'g', 'h']);
  });
});

/** Each declaration with the lines on which it begins and ends. */
function lineSpans(text: string): string[] {
  const { declarations, lineStarts } = outlineOf(text);
  const lineOf = (offset: number) => lineStarts.filter(start => start <= offset).length;
  return declarations.map(({ kind, name, span }) => `${kind} ${name} ${lineOf(span.start)}-${lineOf(span.end)}`);
}

describe('a tab reaches to the next multiple of eight, whatever blanks stand before it', () => {
  /** Four times as many spaces before each line, of which `stop` writes every eight columns. */
  const indented = (text: string, stop: (line: number) => string) =>
    text.replace(/^ +/gm, ({ length }, at: number) => {
      const columns = 4 * length;
      return stop(text.slice(0, at).split('\n').length).repeat(columns >> 3) + ' '.repeat(columns % 8);
    });
  const tabAfter = (blanks: number) => `${' '.repeat(blanks % 8)}\t`;
  test.each(broken)('%s', (_what, text) => {
    const whole = before + text + after;
    const expected = lineSpans(indented(whole, () => ' '.repeat(8)));
    for (const factor of [0, 1, 7])
      expect(lineSpans(indented(whole, line => tabAfter(factor * line)))).toEqual(expected);
  });
});

/** Types and members with what they stand in, in the order of the text. */
function members(text: string): string[] {
  const { declarations } = outlineOf(text);
  return declarations
    .filter(({ kind }) => kind !== 'lambda' && kind !== 'anonymousClass')
    .map(({ name, parent }) => `${parent < 0 ? '' : declarations[parent]!.name}.${name}`);
}

describe('one line that is not as it was', () => {
  const file = `class A {
  /**
   * First.
   */
  int first() {
    if (x) {
      f();
    }
    return 1;
  }

  /**
   * Second.
   */
  int second() {
    return 2;
  }
 int strange() {
    while (y) {
      g();
    }
  }
  Object o = new B() {
    void inner() {
      if (z) {
        h();
      }
    }

    void other() {
    }
  };

  class C {
    int third() {
      return 3;
    }
  }
static final int LEFT = 1;

  int fourth() {
    return 4;
  }
}
`;
  const lines = file.split('\n');
  /** Members whose lines hold line `at`: what becomes of them is not asked. */
  const rest = (at: number): string[] => {
    const { declarations, lineStarts } = outlineOf(file);
    const start = lineStarts[at - 1]!;
    const end = lineStarts[at] ?? file.length;
    const touched = declarations.filter(({ kind, span }) => kind !== 'class' && span.start < end && span.end > start);
    return members(file).filter(name => !touched.some(one => name.endsWith(`.${one.name}`)));
  };
  /** Lines without which a type has no name or no end, and those of the member whose indentation says nothing. */
  const apart = [1, 18, 19, 20, 21, 22, 23, 34];
  const others = lines.map((_, index) => index + 1).filter(at => !apart.includes(at));

  test.each(others)('line %i deleted or doubled', at => {
    const expected = rest(at);
    expect(members(lines.toSpliced(at - 1, 1).join('\n'))).toEqual(expect.arrayContaining(expected));
    expect(members(lines.toSpliced(at - 1, 0, lines[at - 1]!).join('\n'))).toEqual(expect.arrayContaining(expected));
  });
});

test('what is left of a comment does not hide the members of a type', () => {
  const text = 'interface A {\n  /**\n   * Doc.\n   */\n  List<X> a();\n\n  Map<X, Y> b();\n}';
  for (const line of ['  /**\n', '   */\n', '   * Doc.\n']) {
    expect(members(text.replace(line, ''))).toEqual(['.A', 'A.a', 'A.b']);
    expect(members(text.replace(line, line + line))).toEqual(['.A', 'A.a', 'A.b']);
  }
});

test('a comment that swallows a member ends in front of it, one that holds code with comments does not', () => {
  const swallowing =
    'class A {\r\n  /**\r\n   * Doc.\r\n   *\r\n\r\n  int a() { }\r\n  /** Doc. */\r\n  int b() { }\r\n}';
  expect(members(swallowing)).toEqual(['.A', 'A.a', 'A.b']);
  expect(outlineOf(swallowing).problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '2 a comment without its end',
  ]);
  const valid = [
    'class A {\n  /*\n  int a() { }\n  /** Doc. */\n  int b() { }\n}',
    'class A {\n  /**\n   * See /* here.\n   * int a() { }\n   * /** Doc. */\n  int b() { }\n}',
    'class A {\n  String s = "/*";\n  /** Doc.\n   * More. */\n  int b() { }\n}',
  ];
  for (const text of valid) {
    expect(members(text).filter(name => name === 'A.a')).toEqual([]);
    expect(members(text)).toContain('A.b');
    expect(outlineOf(text).problems).toEqual([]);
  }
});

describe('depth', () => {
  const deep = 10_000;
  const nest = (open: string, middle: string, close: string, times = deep): string =>
    open.repeat(times) + middle + close.repeat(times);
  const cases: [what: string, text: string, problems: number][] = [
    ['parentheses', `class A { int a = ${nest('(', '1', ')')}; void m() { x = ${nest('(', '1', ')')}; } }`, 0],
    ['calls', `class A { void m() { ${nest('f(', '1', ')')}; } }`, 0],
    ['blocks', `class A { void m() ${nest('{', 'f();', '}')} }`, 0],
    ['lambdas', `class A { void m() { ${nest('f(() -> ', '1', ')')}; } }`, 0],
    ['block lambdas', `class A { Object o = ${nest('f(() -> {', '', '})')}; }`, 0],
    [
      'generics',
      `class A { ${nest('A<', 'B', '>')} a = new ${nest('A<', 'B', '>')}(); void m() { ${nest('A<', 'B', '>')} b; } }`,
      0,
    ],
    ['annotations', `class A { ${nest('@B(', '1', ')')} int a; }`, 0],
    [
      'arrays',
      `class A { int a${'[]'.repeat(deep)} = ${nest('{', '1', '}')}; void m() { int[] b = ${nest('{', '1', '}')}; } }`,
      0,
    ],
    ['types', nest('class A { ', '', ' }', 1000), 1],
    ['anonymous classes', nest('class A { Object o = new Object() { ', '', ' }; }', 1000), 1],
    ['open parentheses', `class A { void m() { ${'f('.repeat(deep)} } }`, deep],
    ['open braces', '{ '.repeat(deep), 1],
  ];
  test.each(cases)('10,000 nested %s', (_what, text, problems) => {
    const outline = outlineOf(text);
    if (problems === 0) expect(outline.problems).toEqual([]);
    else expect(outline.problems.length).toBeGreaterThan(0);
  });

  test('every lambda of many inside each other is found', () => {
    const outline = outlineOf(`class A { void m() { ${nest('f(() -> ', '1', ')', 100)}; } }`);
    expect(outline.declarations.filter(one => one.kind === 'lambda')).toHaveLength(100);
    expect(outline.callSites).toHaveLength(100);
  });
});

describe('very long tokens', () => {
  const long = 3_000_000;
  const cases: [what: string, text: string][] = [
    ['string', `class A { String s = "${'a'.repeat(long)}"; int z; }`],
    ['escapes', `class A { String s = "${'\\n'.repeat(long)}"; int z; }`],
    ['text block', `class A { String s = """\n${'a\n'.repeat(long)}"""; int z; }`],
    ['comment', `class A { /*${'* '.repeat(long)}*/ int z; }`],
    ['name', `class A { int ${'a'.repeat(long)}; int z; }`],
    ['number', `class A { int a = ${'1'.repeat(long)}; int z; }`],
  ];
  test.each(cases)('%s', (_what, text) => {
    expect(declarationLines(skeletonOf(text)).at(-1)).toContain('field z : int');
    expect(declarationLines(outlineOf(text)).at(-1)).toContain('field z : int');
  });
});

test('a comma without a name behind it makes no field, not even at the end of the text', () => {
  expect(declarationLines(outlineOf('c e,'))).toEqual([expect.stringContaining('field e : c')]);
  expect(outlineOf('class A { int a, ; int b; }').declarations.map(one => one.name)).toEqual(['A', 'a', 'b']);
});

test('no text at all', () => {
  expect(outlineOf('')).toMatchObject({ declarations: [], problems: [], packageName: '' });
});
