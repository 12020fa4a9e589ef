// What a text was parsed to is found again by the same program for the same text of the same file, and never anything else.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JavaDocument } from '../../grammar/document.ts';
import { outlineOf } from '../../grammar/parse.ts';
import { KeptOutline } from '../../server/workspace/document/kept-outline.ts';
import { ParsedTexts } from '../../server/workspace/document/parsed-texts.ts';

const TEXT = 'class A { void m() { n(() -> o()); } }';
let folder: string;
let texts: ParsedTexts;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-parsed-'));
  texts = new ParsedTexts(join(folder, 'parsed'), 'one');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function keep(file: string, text = TEXT): void {
  texts.keep(file, text, new JavaDocument(text, file).packed!);
}

function onlyFile(): string {
  const names = readdirSync(join(folder, 'parsed'));
  expect(names).toHaveLength(1);
  return join(folder, 'parsed', names[0]!);
}

test('the same text of the same file is found by the same program alone', () => {
  expect(texts.find('A.java', TEXT)).toBeNull();
  keep('A.java');
  const found = texts.find('A.java', TEXT);
  expect(JSON.stringify(new JavaDocument(TEXT, 'A.java', found).outline)).toBe(
    JSON.stringify(outlineOf(TEXT, 'A.java')),
  );
  expect(texts.find('A.java', TEXT.replace('o()', 'p()'))).toBeNull();
  expect(texts.find('B.java', TEXT)).toBeNull();
  expect(new ParsedTexts(join(folder, 'parsed'), 'other').find('A.java', TEXT)).toBeNull();
});

test('a first text is prepared in steps where it has to be parsed, and at once where it was kept; either may change meanwhile', () => {
  keep('A.java');
  for (const [file, isKept] of [['A.java', true] as const, ['B.java', false] as const]) {
    const changed = TEXT.replace('o()', 'p()');
    for (const text of [TEXT, changed]) {
      const outline = new KeptOutline(file, texts);
      const steps = [...outline.prepare(TEXT)].length;
      expect(steps === 0).toBe(isKept);
      expect(JSON.stringify(outline.of(text))).toBe(JSON.stringify(outlineOf(text, file)));
      expect([...outline.prepare(text)]).toEqual([]);
    }
  }
});

test('what is damaged is not found', () => {
  keep('A.java');
  const path = onlyFile();
  const whole = readFileSync(path);
  for (const at of [0, 9, whole.length >> 1, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1;
    writeFileSync(path, damaged);
    expect(texts.find('A.java', TEXT)).toBeNull();
  }
  for (const length of [0, 8, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, length));
    expect(texts.find('A.java', TEXT)).toBeNull();
  }
});

test('the latest used files stay', () => {
  keep('first.java');
  utimesSync(onlyFile(), 1, 1);
  for (let i = 0; i < 63; i++) keep(`${i}.java`);
  expect(readdirSync(join(folder, 'parsed'))).toHaveLength(64);
  expect(texts.find('first.java', TEXT)).not.toBeNull();
  keep('one-more.java');
  expect(readdirSync(join(folder, 'parsed'))).toHaveLength(64);
  expect(texts.find('first.java', TEXT)).not.toBeNull();
});

test('an outline is made of what was kept of its text, and what was typed is kept in its place', () => {
  const before = new KeptOutline('A.java', texts);
  before.of(TEXT);
  before.keep(TEXT);
  const packed = texts.find('A.java', TEXT)!;
  // Tells which of both an outline was made of.
  texts.keep('A.java', TEXT, { ...packed, packageName: 'kept' });
  const after = new KeptOutline('A.java', texts);
  expect(after.of(TEXT).packageName).toBe('kept');
  const typed = TEXT.replace('o()', 'p()');
  after.of(typed);
  after.keep(TEXT);
  expect(texts.find('A.java', TEXT), 'what stands no more').not.toBeNull();
  after.keep(typed);
  expect(texts.find('A.java', TEXT)).toBeNull();
  expect(texts.find('A.java', typed)).not.toBeNull();
});

test('what was found and not typed into is not written once more, nor is a text that takes long', () => {
  keep('A.java');
  const found = new KeptOutline('A.java', texts);
  found.of(TEXT);
  rmSync(onlyFile());
  found.keep(TEXT);
  const long = new KeptOutline('A.java', texts);
  const longText = `${TEXT}${' '.repeat(256 * 1024)}`;
  long.of(longText);
  long.keep(longText);
  expect(readdirSync(join(folder, 'parsed'))).toEqual([]);
});
