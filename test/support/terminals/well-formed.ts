// Whether XML and HTML of ours are whole, whatever names are in them: tags match, and text has none of their characters.
import { expect } from 'vitest';
import { expectSteerless } from './hostile-text.ts';

const EMPTY = new Set(['meta', '!doctype']);

/** @param names of all elements that we write: a name from outside must not bring another */
export function expectWellFormed(text: string, names: ReadonlySet<string>): void {
  expectSteerless(text);
  expect(text).not.toMatch(/[\ufffe\uffff]|\p{Cs}/u);
  const open: string[] = [];
  for (const [, end, name = '', attributes = '', alone] of text.matchAll(/<(\/?)([^\s<>/]*)([^<>]*?)(\/?)>/g)) {
    expect([...names, ...EMPTY]).toContain(name);
    expect(attributes.replaceAll(/ ?[\w:-]+="[^"<>]*"| html| lang="en"/g, '')).toBe('');
    if (end === '/') expect(open.pop()).toBe(name);
    else if (alone !== '/' && !EMPTY.has(name)) open.push(name);
  }
  expect(open).toEqual([]);
  const plain = text.replaceAll(/<style>[^<]*<\/style>/g, '').replaceAll(/<[^<>]*>/g, '');
  expect(plain.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toMatch(/[<>&]/);
}
