// Exports that nothing but tests, or nothing at all, imports are found, however files import.
import { describe, expect, test } from 'vitest';
import { countTestOnlyExports, countUnusedExports } from './counts/exports.ts';

type Found = { readonly unused: string[]; readonly tests: string[] };

function found(texts: Readonly<Record<string, string>>, entries: readonly string[] = []): Found {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }));
  const project = { root: '', files, entries: new Set(entries) };
  const [unused, tests] = [countUnusedExports(project), countTestOnlyExports(project)].map(({ places }) =>
    places.map(({ path, line, message }) => `${path}:${line} ${/exports (\S+),/.exec(message)?.[1]}`),
  );
  return { unused: unused ?? [], tests: tests ?? [] };
}

test.each([
  ['a function', 'export function f() {}', 'f'],
  ['a class', 'export class F {}', 'F'],
  ['a type', 'export type F = 1;', 'F'],
  ['an interface', 'export interface F {}', 'F'],
  ['a constant that is used in its own file', 'export const f = 1; g(f);', 'f'],
  ['a part of a pattern', 'export const { a: { f } } = g();', 'f'],
  ['a name of its own', 'const a = 1; export { a as f };', 'f'],
  ['the default', 'export default 1;', 'default'],
  ['a namespace', "export * as f from './b.ts';", 'f'],
  ['one of another file', "export { a as f } from './b.ts';", 'f'],
])('%s that nothing imports', (_, text, name) => {
  expect(found({ 'server/a.ts': text })).toEqual({ unused: [`server/a.ts:1 ${name}`], tests: [] });
});

describe('an export is used', () => {
  const a = 'export const f = 1;\nexport type G = 2;';
  const only = (text: string, path = 'server/b.ts') => found({ 'server/a.ts': a, [path]: text });

  test.each([
    ['by name', "import { f } from './a.ts';"],
    ['by another name', "import { f as other } from './a.ts';"],
    ['by a name in a namespace', "import * as all from './a.ts'; all.f();"],
    ['when it is handed on', "export { f as default } from './a.ts';"],
    ['when it is loaded later', "const { f } = await import('./a.ts');"],
    ['when it is loaded and taken at once', "const x = (await import('./a.ts')).f;"],
  ])('%s', (_, text) => {
    const { unused } = only(text);
    expect(unused.filter(name => name.startsWith('server/a.ts'))).toEqual(['server/a.ts:2 G']);
  });

  test.each([
    ['by name', "import type { G } from './a.ts';"],
    ['in a namespace', "import type * as all from './a.ts'; let x: all.G;"],
    ['in place', "let x: import('./a.ts').G;"],
  ])('as a type %s', (_, text) => {
    expect(only(text).unused).toEqual(['server/a.ts:1 f']);
  });

  test.each([
    ['a namespace that is looked through', "import * as all from './a.ts'; Object.keys(all);"],
    ['a file that is loaded for some reason', "void import('./a.ts').then(g);"],
    ['the type of the whole', "let x: typeof import('./a.ts');"],
  ])('like all others by %s', (_, text) => {
    expect(only(text).unused).toEqual([]);
  });

  test('through files that hand on everything', () => {
    const files = {
      'server/a.ts': a,
      'server/all.ts': "export * from './a.ts';",
      'server/more.ts': "export * from './all.ts';",
      'server/b.ts': "import { f } from './more.ts';",
    };
    expect(found(files).unused).toEqual(['server/a.ts:2 G']);
  });

  test('by clients and scripts too, by tests alone for tests alone', () => {
    expect(only("import { f } from '../../../server/a.ts';", 'clients/vscode/src/b.ts').unused).toEqual([
      'server/a.ts:2 G',
    ]);
    const inTest = "import { f } from '../server/a.ts';";
    expect(only(inTest, '.ci/b.ts').tests).toEqual([]);
    expect(only(inTest, 'test/b.ts')).toEqual({ unused: ['server/a.ts:2 G'], tests: ['server/a.ts:1 f'] });
    const both = {
      'server/a.ts': a,
      'test/b.ts': inTest,
      'grammar/b.ts': "import type { f, G } from '../server/a.ts';",
    };
    expect(found(both)).toEqual({ unused: [], tests: [] });
  });
});

test('an import of a file by itself is none', () => {
  expect(found({ 'server/a.ts': "import { f } from './a.ts'; export const f = 1;" }).unused).toEqual([
    'server/a.ts:1 f',
  ]);
});

test('exports of entries are used, and what they hand on, but not what they import', () => {
  const files = {
    'server/protocol.ts': "export type * from './protocol/a.ts';\nexport type Own = 1;\nimport './b.ts';",
    'server/protocol/a.ts': 'export type A = 1;',
    'server/b.ts': 'export const b = 1;',
    'server/b-worker.ts': 'export const started = 1;',
  };
  expect(found(files, ['server/protocol.ts', 'server/b-worker.ts']).unused).toEqual(['server/b.ts:1 b']);
});

test('exports of tests and clients are their own affair', () => {
  expect(
    found({ 'test/a.ts': 'export const a = 1;', 'clients/vscode/src/a.ts': 'export const a = 1;' }).unused,
  ).toEqual([]);
});
