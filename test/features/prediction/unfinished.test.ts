// Tests which texts of methods count as unfinished, and that complete ones never do.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { outlineOf } from '../../../grammar/parse.ts';
import { isUnfinished } from '../../../server/features/prediction/unfinished.ts';

const SAMPLES = fileURLToPath(new URL('../../../samples', import.meta.url));

function unfinishedIn(text: string): string[] {
  const outline = outlineOf(text, 'Shop.java');
  const methods = outline.declarations.filter(({ kind, body }) => kind === 'method' && body !== null);
  return methods.filter(each => isUnfinished(text, outline, each)).map(({ name }) => name);
}

const shop = (code: string) =>
  `class Shop {\n  void run(int count) {\n    load();\n    ${code}\n    save();\n  }\n  void other() { save(); }\n}\n`;

test.each([
  'rank(',
  'rank("a"',
  'rank("a")',
  'for (int i : all',
  'for (int i : all) {',
  'if (x',
  'String s = "a',
  'ran',
  '}',
  'all.each(a -> {',
])('%s', code => {
  expect(unfinishedIn(shop(code))).toContain('run');
});

test.each([
  'rank("a");',
  'if (count > 0) rank();',
  'for (int i : all) rank();',
  'while (more()) rank();',
  'Object a = (String) rank();',
  'record Point(int x) { } rank();',
  '@SuppressWarnings("all") int i = rank();',
  'int i = switch (count) { case 1 -> rank(); default -> throw new Error(); };',
  'new Thread(this::rank) { public void run() { rank(); } }.start();',
  'if (rank() instanceof String text) rank(text);',
  'do rank(); while (more());',
  'synchronized (this) { rank(); }',
  'try (var in = open()) { rank(); } catch (Error e) { rank(); } finally { rank(); }',
  'else_: for (;;) break else_;',
  'assert rank() : name();',
])('complete: %s', code => {
  expect(unfinishedIn(shop(code))).toEqual([]);
});

test('no method of the samples', () => {
  const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.java'));
  for (const file of files) expect(unfinishedIn(readFileSync(join(SAMPLES, file), 'utf8'))).toEqual([]);
});
