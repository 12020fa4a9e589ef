// Diagnostics of several providers are published as one list, once they have come to rest, and only where they changed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver/node';
import { DiagnosticsPublisher } from '../../server/lsp/publish-diagnostics.ts';

const at = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };
const says = (...messages: string[]): Diagnostic[] => messages.map(message => ({ range: at, message }));

let sent: PublishDiagnosticsParams[] = [];
const sender = { sendNotification: async (_: unknown, params: PublishDiagnosticsParams) => void sent.push(params) };
const summary = () => sent.map(({ uri, diagnostics }) => `${uri} ${diagnostics.map(each => each.message).join('+')}`);

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
});
afterEach(() => void vi.useRealTimers());

test('what all providers find is one message, also where one of them fails', async () => {
  const errors: string[] = [];
  const fails = () => {
    throw new Error('no luck');
  };
  const providers = [() => says('a'), fails, async () => says('b')];
  const publisher = new DiagnosticsPublisher(sender, providers, { onError: message => errors.push(message) });
  publisher.changed('x');
  publisher.changed('x');
  await vi.advanceTimersByTimeAsync(1000);
  expect(summary()).toEqual(['x a+b']);
  expect(errors).toEqual(['diagnostics failed: no luck']);
});

test('waits while typing goes on, says nothing twice, and clears what is gone', async () => {
  let now = says('a');
  const publisher = new DiagnosticsPublisher(sender, [uri => (uri === 'x' ? now : [])]);
  publisher.changed('x');
  await vi.advanceTimersByTimeAsync(200);
  publisher.changed('x');
  await vi.advanceTimersByTimeAsync(200);
  expect(summary()).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(summary()).toEqual(['x a']);
  publisher.changedAll(['x', 'y']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(summary()).toEqual(['x a']);
  now = [];
  publisher.changedAll([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(summary()).toEqual(['x a', 'x ']);
});

test('names in messages turn no direction of writing', async () => {
  const publisher = new DiagnosticsPublisher(sender, [() => says('a\u202eb\nc')]);
  publisher.changed('x');
  await vi.advanceTimersByTimeAsync(1000);
  expect(summary()).toEqual(['x a\\u202eb\\u000ac']);
});

test('an answer that was overtaken is dropped', async () => {
  const answers: ((found: Diagnostic[]) => void)[] = [];
  const publisher = new DiagnosticsPublisher(sender, [() => new Promise(resolve => void answers.push(resolve))]);
  publisher.changed('x');
  await vi.advanceTimersByTimeAsync(300);
  publisher.changed('x');
  await vi.advanceTimersByTimeAsync(300);
  answers[1]?.(says('new'));
  await vi.advanceTimersByTimeAsync(0);
  answers[0]?.(says('old'));
  await vi.advanceTimersByTimeAsync(0);
  expect(summary()).toEqual(['x new']);
});

test('nothing is published after closing', async () => {
  const publisher = new DiagnosticsPublisher(sender, [() => says('a')]);
  publisher.changed('x');
  publisher.close();
  publisher.changed('y');
  await vi.advanceTimersByTimeAsync(1000);
  expect(summary()).toEqual([]);
});
