// Many changes in one pass give what the library for single edits gives, in either order; other changes are left to it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { changedInOnePass } from '../../server/lsp/sorted-changes.ts';
import { runs } from '../support/runs.ts';

const someText = fc
  .array(fc.constantFrom('\n', '\r\n', 'a', 'bc', '', '\n\n', 'é😀', 'long '.repeat(9)), { maxLength: 30 })
  .map(pieces => pieces.join(''));
/** How far behind (or before) the change before it begins, how many characters it replaces, and with what. */
const someSteps = fc.array(fc.tuple(fc.nat(25), fc.nat(8), someText), { minLength: 1, maxLength: 6 });

test.each(['forwards', 'backwards'] as const)('changes that go %s', order => {
  fc.assert(
    fc.property(someText, someSteps, (text, steps) => {
      let now = TextDocument.create('file:///A.java', 'java', 1, text);
      let [behind, before] = [0, text.length];
      const changes = steps.map(([distance, length, inserted], i) => {
        const { length: all } = now.getText();
        const [from, to] =
          order === 'forwards'
            ? [Math.min(all, behind + distance), Math.min(all, behind + distance + length)]
            : [Math.max(0, before - distance - length), Math.max(0, before - distance)];
        const change = { range: { start: now.positionAt(from), end: now.positionAt(to) }, text: inserted };
        [behind, before] = [now.offsetAt(change.range.start) + inserted.length, now.offsetAt(change.range.start)];
        now = TextDocument.update(now, [change], i + 2);
        return change;
      });
      expect(changedInOnePass(text, changes)).toBe(now.getText());
    }),
    { numRuns: runs(1_000) },
  );
});

test('any changes are made as one after the other, or left to others', () => {
  const position = fc.record({ line: fc.nat(12), character: fc.oneof(fc.nat(4), fc.nat(60)) });
  const change = fc.record({ range: fc.record({ start: position, end: position }), text: someText });
  let taken = 0;
  fc.assert(
    fc.property(someText, fc.array(change, { minLength: 1, maxLength: 4 }), (text, changes) => {
      const made = changedInOnePass(text, changes);
      if (made === null) return;
      taken++;
      // A document anew for each: the library's own is wrong after an edit behind its end.
      const right = changes.reduce(
        (now, one) => TextDocument.update(TextDocument.create('file:///A.java', 'java', 1, now), [one], 2).getText(),
        text,
      );
      expect(made).toBe(right);
    }),
    { numRuns: runs(3_000) },
  );
  expect(taken).toBeGreaterThan(300);
});

test('a lone \\r is left to others', () => {
  const change = { range: { start: { line: 0, character: 1 }, end: { line: 0, character: 1 } }, text: '\r' };
  expect(changedInOnePass('a\nb', [change])).toBeNull();
  expect(changedInOnePass('a\rb', [{ ...change, text: 'x' }])).toBeNull();
  expect(changedInOnePass('a\r\nb', [{ ...change, text: 'x' }])).toBe('ax\r\nb');
});
