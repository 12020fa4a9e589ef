// Tests the subject of the view of runtime calls: the place that was chosen, and the method there once the text is another.
import type { CallHierarchyRow } from 'insitu/protocol';
import { expect, test } from 'vitest';
import { type Ask, ShownCalls } from '../../../clients/vscode/src/calls.ts';

const textDocument = { uri: 'file:///Shop.java' };
const subject = { textDocument, position: { line: 3, character: 8 } };
const range = { start: { line: 3, character: 8 }, end: { line: 3, character: 11 } };

function row(name: string, label: string, methods = 1): CallHierarchyRow {
  const data = { uri: textDocument.uri, direction: null, path: [], seen: true };
  return {
    ...{ label, kind: 'method', share: null, written: false, detail: '', location: null, certain: true, rows: [] },
    ...{ fromRanges: [], item: { uri: textDocument.uri, selectionRange: range, data } },
    methods: Array.from({ length: methods }, (_, at) => ({
      className: 'Shop',
      name: `${name}${at}`,
      descriptor: null,
    })),
  };
}

/** Answers each question with the next of the lists, and keeps the questions. */
function answering(...answers: (CallHierarchyRow[] | null)[]): { ask: Ask; asked: object[] } {
  const asked: object[] = [];
  const ask = async <Answer>(_: string, parameters: object): Promise<Answer | null> => {
    asked.push(parameters);
    const rows = answers[asked.length - 1] ?? null;
    return (rows && { direction: 'outgoing', rows }) as Answer | null;
  };
  return { ask, asked };
}

test('as long as the text is the same, the place is asked for', async () => {
  const shown = new ShownCalls(subject, 7);
  const { ask, asked } = answering([row('run', '50% run')], [row('run', '60% run')], null);
  await shown.askedBy(ask, 'outgoing', 7);
  expect((await shown.askedBy(ask, 'incoming', 7)).map(({ label }) => label)).toEqual(['60% run']);
  expect((await shown.askedBy(ask, 'incoming', 7)).map(({ label }) => label)).toEqual(['60% run']);
  expect(asked).toEqual(['outgoing', 'incoming', 'incoming'].map(direction => ({ ...subject, direction })));
});

test('once the text is another, the method that stood there is asked for by its name, even if the versions agree again', async () => {
  const shown = new ShownCalls(subject, 7);
  const { ask, asked } = answering([row('run', '50% run')], [row('run', '60% run')], [row('run', '70% run')]);
  await shown.askedBy(ask, 'outgoing', 7);
  expect((await shown.askedBy(ask, 'outgoing', 8)).map(({ label }) => label)).toEqual(['60% run']);
  expect((await shown.askedBy(ask, 'outgoing', 7)).map(({ label }) => label)).toEqual(['70% run']);
  const method = { className: 'Shop', name: 'run0', descriptor: null };
  expect(asked.slice(1)).toEqual([1, 2].map(() => ({ textDocument, method, direction: 'outgoing' })));
});

test('what has several methods, or none that ran any more, stays, and what is below it is asked for anew', async () => {
  const shown = new ShownCalls(subject, 7);
  const { ask, asked } = answering([row('run', '50% run', 2), row('stop', '10% stop')], null);
  await shown.askedBy(ask, 'outgoing', 7);
  const rows = await shown.askedBy(ask, 'outgoing', null);
  expect(rows.map(({ label, rows: below }) => [label, below])).toEqual([
    ['50% run', null],
    ['10% stop', null],
  ]);
  expect(asked).toHaveLength(2);
});
