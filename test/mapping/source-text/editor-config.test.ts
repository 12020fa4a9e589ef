// Sections of an .editorconfig and the files that they are for.
import { expect, test } from 'vitest';
import { charsetFor, parseEditorConfig } from '../../../server/mapping/source-text/editor-config.ts';

const charset = (pattern: string, path: string) =>
  charsetFor(parseEditorConfig(`[*]\ncharset=utf-8\n[${pattern}]\ncharset = latin1\n`), path) === 'latin1';

test.each([
  ['*.java', 'a/b/Work.java', true],
  ['*.java', 'a/b/Work.javac', false],
  ['/*.java', 'Work.java', true],
  ['/*.java', 'a/Work.java', false],
  ['src/**.java', 'src/a/b/Work.java', true],
  ['src/**/*.java', 'src/Work.java', true],
  ['src/**/*.java', 'src/a/b/Work.java', true],
  ['src/*/*.java', 'src/a/b/Work.java', false],
  ['**/legacy/**', 'legacy/Work.java', true],
  ['{a,b{c,d}}/*.java', 'bd/Work.java', true],
  ['{a,b{c,d}}/*.java', 'b/Work.java', false],
  ['*.{java}', 'Work.java', false],
  ['*.{java}', 'Work.{java}', true],
  ['Work{1..12}.java', 'Work10.java', true],
  ['Work{1..12}.java', 'Work13.java', false],
  ['Work?.java', 'Work1.java', true],
  ['Work[0-4x].java', 'Work3.java', true],
  ['Work[!0-4].java', 'Work3.java', false],
  ['\\*.java', '*.java', true],
  ['\\*.java', 'a.java', false],
])('%s fits %s: %s', (pattern, path, expected) => {
  expect(charset(pattern, path)).toBe(expected);
});

test('patterns of any length are matched in a bounded time', () => {
  const before = process.cpuUsage();
  expect(charset(`${'**a'.repeat(60)}b`, `${'a'.repeat(400)}c`)).toBe(false);
  expect(charset(`${'{a,b}'.repeat(60)}`, 'aaa')).toBe(false);
  expect(charset(`{1..999999999}`, '5')).toBe(false);
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(2_000_000);
});

test('comments, upper case, what is taken back, and nothing above a root', () => {
  const text = '; first\nROOT = True\n[*]\n# charset = utf-8\nCharset = Latin1\n[gen/**]\ncharset = unset\n';
  const config = parseEditorConfig(text);
  expect(config.isRoot).toBe(true);
  expect(charsetFor(config, 'A.java')).toBe('Latin1');
  expect(charsetFor(config, 'gen/A.java')).toBe(null);
});
