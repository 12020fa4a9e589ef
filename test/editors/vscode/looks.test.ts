// Hints of VS Code's extension stay at their code while the text is edited: checked against editing the lines themselves.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterEdit,
  lineEdits,
  looksOf,
  type ServerHint,
  type TextChange,
  withHints,
} from '../../../clients/vscode/src/looks.ts';
import { runs } from '../../support/runs.ts';

function hint(line: number, heat: number, more: Partial<ServerHint> = {}): ServerHint {
  const data = { heat, kind: 'method' } as const;
  return { position: { line, character: 20 }, label: [{ value: `${heat * 100}%` }], data, ...more };
}

test('each line has one look, with the text, the subject and the step of heat', () => {
  const subject = { textDocument: { uri: 'file:///Shop.java' }, position: { line: 3, character: 8 } };
  const tooltip = '~ it has changed\n<init>: 62 % · 5 of 8 samples of [cpu](x)';
  const label = [{ value: '62% · self 4%', tooltip, command: { arguments: [subject] } }];
  const looks = looksOf([hint(7, 0.02), hint(3, 0.62, { label }), hint(7, 0.5)], 'root');
  expect(looks.map(({ line, text, level }) => [line, text, level])).toEqual([
    [3, '62% · self 4%', 4],
    [7, '50%', 4],
  ]);
  const shown = [
    '**insitu**',
    String.raw`\~ it has changed`,
    String.raw`\<init\>\: 62 \% · 5 of 8 samples of \[cpu\]\(x\)`,
  ].join('  \n');
  expect(looks[0]).toMatchObject({ subject, tooltip: shown, stale: false });
});

test('predictions of a line stand beside its share, and alone where nothing is measured', () => {
  const predicted = (line: number, value: string) =>
    hint(line, 0, { label: [{ value, tooltip: `${value}: why` }], data: { heat: 0, kind: 'prediction' } });
  const looks = looksOf(
    [hint(3, 0.5), predicted(3, '≈ +15 ms'), predicted(5, '136 ms × ?'), predicted(5, '≈ 1 ms')],
    'root',
  );
  expect(looks).toMatchObject([
    { line: 3, text: '50%', prediction: '≈ +15 ms', level: 4 },
    { line: 5, text: '', prediction: '136 ms × ? ≈ 1 ms', level: null },
  ]);
  expect(looks[0]!.tooltip).toBe(String.raw`**insitu**  
≈ \+15 ms\: why`);
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

/** Hints of a document's lines before and after something happened. */
const linesBeforeAndAfter = fc.array(
  fc.record({ before: fc.option(fc.integer({ min: 1, max: 3 })), after: fc.option(fc.integer({ min: 1, max: 3 })) }),
  { minLength: 1, maxLength: 20 },
);

test.each(['root', 'quantile'] as const)(
  'hints of some lines replace the known hints of these lines, by the scale %s; an equal look is the same object',
  scale => {
    fc.assert(
      fc.property(linesBeforeAndAfter, fc.nat(), fc.nat(), (lines, one, other) => {
        const [first, last] = [one % lines.length, other % lines.length].sort((a, b) => a - b) as [number, number];
        const hints = (key: 'before' | 'after') =>
          lines.flatMap((each, line) => (each[key] === null ? [] : [hint(line, each[key] / 4)]));
        const isInside = ({ position: { line } }: ServerHint) => line >= first && line <= last;
        const before = looksOf(hints('before'), scale);
        const found = withHints(before, hints('after').filter(isInside), { first, last }, scale);
        const now = [...hints('before').filter(each => !isInside(each)), ...hints('after').filter(isInside)];
        const wanted = looksOf(
          now.sort((a, b) => a.position.line - b.position.line),
          scale,
        );
        expect(found.map(({ line, text }) => [line, text])).toEqual(wanted.map(({ line, text }) => [line, text]));
        const inside = wanted.filter(({ line }) => line >= first && line <= last);
        expect(found.filter(({ line }) => line >= first && line <= last)).toEqual(inside);
        for (const look of before) {
          const same = found.find(each => JSON.stringify(each) === JSON.stringify(look));
          if (same !== undefined) expect(same).toBe(look);
        }
      }),
      { numRuns: runs(500) },
    );
  },
);

test('an edit within a line gives its look a new identity, and leaves the others', () => {
  const looks = looksOf([hint(3, 0.5), hint(4, 0.5), hint(5, 0.5)], 'root');
  const after = afterEdit(looks, { first: 4, last: 4, added: 0, atStart: false });
  expect(after).toEqual(looks);
  expect(after.map((look, at) => look === looks[at])).toEqual([true, false, true]);
});

/** A text of indented lines that are all different, and changes of it that do not touch each other, in any order. */
const textsAndChanges = fc
  .record({
    lines: fc.integer({ min: 1, max: 8 }),
    places: fc.uniqueArray(fc.nat({ max: 47 }), { minLength: 2, maxLength: 8 }),
    texts: fc.array(fc.constantFrom('', ' ', 'typed', '\n', 'typed\n', '\n\n  '), { minLength: 4, maxLength: 4 }),
    seed: fc.nat(),
  })
  .map(({ lines, places, texts, seed }) => {
    const text = Array.from({ length: lines }, (_, line) => `  ${line}00;`).join('\n');
    const sorted = places.filter(place => place <= text.length).sort((a, b) => a - b);
    const ranges = Array.from({ length: Math.floor(sorted.length / 2) }, (_, at) => sorted.slice(2 * at, 2 * at + 2));
    // Some insert only.
    const changes = ranges.map(([from = 0, to = 0], at) => ({
      from,
      to: (seed >> at) % 2 ? to : from,
      text: texts[at]!,
    }));
    const after = changes
      .toReversed()
      .reduce((now, { from, to, text: put }) => now.slice(0, from) + put + now.slice(to), text);
    return { text, after, changes: seed % 3 === 0 ? changes : changes.toReversed() };
  });

function placeIn(text: string, offset: number): { line: number; character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

test('several changes at once move hints to where their lines of code are then, also where lines are gone from the end', () => {
  fc.assert(
    fc.property(textsAndChanges, ({ text, after, changes }) => {
      const edits: TextChange[] = changes.map(({ from, to, text: put }) => ({
        range: { start: placeIn(text, from), end: placeIn(text, to) },
        text: put,
      }));
      const lines = text.split('\n');
      const now = after.split('\n');
      const looks = looksOf(
        lines.map((_, line) => hint(line, line / 100)),
        'root',
      );
      const moved = lineEdits(edits, line => now[line]).reduce(afterEdit, looks);
      const found = new Map(moved.map(({ data, line }) => [data.heat, line]));
      for (const [line, code] of lines.entries()) {
        const touching = edits.filter(({ range }) => range.start.line <= line && line <= range.end.line);
        const [one] = touching;
        const at = now[found.get(line / 100) ?? -1];
        if (one === undefined) expect(at).toBe(code);
        // Typed before the code, which goes where the rest of its line goes.
        else if (touching.length === 1 && one.range.start.character <= 2 && one.range.end.line === one.range.start.line)
          if (one.range.end.character <= 2) expect(at).toContain(code.trim());
      }
    }),
    { numRuns: runs(500) },
  );
});
