// The text of an open document: many changes in one message, and texts that are too large and become smaller again.
import { expect, test } from 'vitest';
import { OpenText } from '../../server/lsp/open-text.ts';

const at = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

test('10,000 changes in one message are made one after the other', () => {
  const document = OpenText.create('file:///A.java', 'java', 1, 'aa b\n'.repeat(10_000));
  const changes = Array.from({ length: 10_000 }, (_, i) => ({ range: at(9_999 - i, 0, 2), text: 'ccc' }));
  OpenText.update(document, changes, 2);
  expect(document.version).toBe(2);
  expect(document.text).toBe('ccc b\n'.repeat(10_000));
  const again = [{ text: 'x\ny' }, ...Array.from({ length: 20 }, () => ({ range: at(1, 0, 0), text: 'z' }))];
  expect(OpenText.update(document, again, 3).text).toBe(`x\n${'z'.repeat(20)}y`);
});

test('a text that is too large is its size alone, until an edit makes it smaller', () => {
  const long = 'ü'.repeat(3_000_000);
  const document = OpenText.create('file:///A.java', 'java', 1, long);
  expect(document.text).toEqual({ bytes: 6_000_000 });
  OpenText.update(document, [{ range: at(0, 0, 0), text: 'a\n' }], 2);
  expect(document.text).toEqual({ bytes: 6_000_002 });
  OpenText.update(document, [{ range: at(1, 10, 3_000_000), text: '' }], 3);
  expect(document.text).toBe(`a\n${'ü'.repeat(10)}`);
  OpenText.update(document, [{ range: at(0, 0, 0), text: long }], 4);
  expect(document.text).toEqual({ bytes: 6_000_022 });
});
