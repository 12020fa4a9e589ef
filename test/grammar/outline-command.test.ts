// `insitu outline` prints every table that the grammar makes, the fingerprints and erasures among them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insitu } from '../support/insitu/command-line.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-outline-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const text = `package p;
import java.util.List;
class A<T extends Number> {
  int n = f(1), z;
  void m(List<T> list, T one) {
    var copy = list;
    for (T each : copy) run(() -> g(each));
  }
}
`;

test('all tables as JSON', async () => {
  const file = join(folder, 'A.java');
  writeFileSync(file, text);
  const { status, out } = await insitu('outline', file, '--json');
  expect(status).toBe(0);
  const tables = JSON.parse(out);
  expect(Object.keys(tables)).toEqual([
    'file',
    'packageName',
    'imports',
    'declarations',
    'callSites',
    'locals',
    'problems',
    'statements',
    'lineCount',
  ]);
  const rows = tables.declarations.map((row: Record<string, unknown>) => [
    row.kind,
    row.name,
    row.binaryName,
    row.parent,
    row.lines,
    row.fingerprint === '' ? '-' : 'fingerprint',
    row.erasures ?? '-',
  ]);
  expect(rows).toEqual([
    ['class', 'A', 'p.A', -1, [[3, 3]], '-', '-'],
    ['field', 'n', '', 0, [[4, 4]], 'fingerprint', '-'],
    ['field', 'z', '', 0, [[4, 4]], 'fingerprint', '-'],
    [
      'method',
      'm',
      '',
      0,
      [[5, 8]],
      'fingerprint',
      [['java.util.List'], ['p.Number', 'java.lang.Number', 'Number', 'java.lang.Object']],
    ],
    ['lambda', '', '', 3, [[7, 7]], '-', '-'],
  ]);
  const spans = tables.declarations.map((row: { span: { start: number; end: number } }) =>
    text.slice(row.span.start, row.span.end),
  );
  expect([spans[1], spans[4]]).toEqual(['int n = f(1)', '() -> g(each)']);
  const calls = tables.callSites.map((row: Record<string, unknown>) => [
    row.kind,
    row.name,
    row.argumentCount,
    row.line,
    text[Number(row.openParenthesis)] ?? '-',
  ]);
  expect(calls).toEqual([
    ['call', 'f', 1, 4, '('],
    ['implicit', 'iterator', -1, 7, '-'],
    ['call', 'run', 1, 7, '('],
    ['call', 'g', 1, 7, '('],
  ]);
  expect(tables.locals.map((row: Record<string, unknown>) => [row.name, row.type])).toEqual([
    ['copy', null],
    ['each', { name: 'T', dimensions: 0 }],
  ]);
  expect(tables).toMatchObject({
    packageName: 'p',
    imports: [{ name: 'java.util.List', kind: 'type' }],
    lineCount: 10,
  });
});

test('statements say what became of them since another version', async () => {
  const [before, after] = ['Before.java', 'After.java'].map(name => join(folder, name)) as [string, string];
  writeFileSync(before, text.replace('var copy', 'old(); var copy'));
  writeFileSync(after, text.replace('for (T each', 'check(list);\n    for (T each').replace('f(1)', 'f(2)'));
  const { out } = await insitu('outline', after, '--against', before, '--json');
  const { statements }: { statements: Record<string, unknown>[] } = JSON.parse(out);
  expect(
    statements.map(({ declaration, parent, form, name, state }) => [declaration, parent, form, name, state]),
  ).toEqual([
    [1, -1, 'call', 'f', 'changed'],
    [3, -1, 'call', 'check', 'new'],
    [3, -1, 'forEach', undefined, 'unchanged'],
    [3, 1, 'call', 'run', 'unchanged'],
    [3, 2, 'lambda', undefined, 'unchanged'],
    [3, 3, 'call', 'g', 'unchanged'],
    [3, undefined, 'call', 'old', 'removed'],
  ]);
});
