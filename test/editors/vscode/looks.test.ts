// Hints of VS Code's extension stay at their code while the text is edited: checked against editing the lines themselves.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterEdit, looksOf, type ServerHint } from '../../../clients/vscode/src/looks.ts';

function hint(line: number, heat: number, more: Partial<ServerHint> = {}): ServerHint {
  const data = { heat, kind: 'method', stale: false, state: 'unchanged', change: null } as const;
  return { position: { line, character: 20 }, label: [{ value: `${heat * 100}%` }], data, ...more };
}

test('each line has one look, with the text, the subject and the step of heat', () => {
  const subject = { textDocument: { uri: 'file:///Shop.java' }, position: { line: 3, character: 8 } };
  const label = [{ value: '62% · self 4%', command: { arguments: [subject] } }];
  const looks = looksOf(
    [hint(7, 0.02), hint(3, 0.62, { label, tooltip: { value: '**insitu**' } }), hint(7, 0.5)],
    'root',
  );
  expect(looks.map(({ line, text, level }) => [line, text, level])).toEqual([
    [3, '62% · self 4%', 4],
    [7, '50%', 4],
  ]);
  expect(looks[0]).toMatchObject({ subject, tooltip: '**insitu**', stale: false });
});

test.each(['changed', 'affected', 'moved'] as const)(
  'a method that is %s is stale where the server or its state says so',
  state => {
    const [look] = looksOf([hint(1, 0.5, { data: { ...hint(1, 0.5).data, state } })], 'root');
    expect(look?.stale).toBe(state === 'changed');
  },
);

/** A document whose lines carry their number, and an edit of it. */
const documentsAndEdits = fc
  .record({
    lines: fc.integer({ min: 1, max: 12 }),
    from: fc.nat(),
    span: fc.nat({ max: 4 }),
    added: fc.nat({ max: 3 }),
    atStart: fc.boolean(),
  })
  .map(({ lines, from, span, added, atStart }) => {
    const first = from % lines;
    return { lines, first, last: Math.min(first + span, lines - 1), added, atStart };
  });

test('hints outside of an edit keep their line of code, whatever is typed or deleted', () => {
  fc.assert(
    fc.property(documentsAndEdits, ({ lines, first, last, added, atStart }) => {
      const looks = looksOf(
        Array.from({ length: lines }, (_, line) => hint(line, line / 100)),
        'root',
      );
      const after = new Map(afterEdit(looks, { first, last, added, atStart }).map(look => [look.data.heat, look.line]));
      // The lines before the edit, what replaces it, the lines behind it.
      const text = Array.from({ length: lines }, (_, line) => `${line}`);
      const edited = [...text.slice(0, first), ...Array(added + 1).fill('typed'), ...text.slice(last + 1)];
      for (const [number, line] of text.entries())
        if (number < first || number > last) expect(edited[after.get(number / 100)!]).toBe(line);
      for (const line of after.values()) expect(line).toBeLessThan(edited.length);
      expect(new Set(after.values()).size).toBe(after.size);
    }),
  );
});

test('a line break before the code takes its hint along, one behind it leaves it', () => {
  const looks = looksOf([hint(4, 0.5)], 'root');
  const broken = (atStart: boolean): number[] =>
    afterEdit(looks, { first: 4, last: 4, added: 1, atStart }).map(({ line }) => line);
  expect(broken(true)).toEqual([5]);
  expect(broken(false)).toEqual([4]);
});
