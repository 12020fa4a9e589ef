// Answers that are JSON already reach the client as any others do.
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, StreamMessageReader } from 'vscode-languageserver/node';
import { asciiJson, JsonText, ListWriter, messageWriter } from '../../server/lsp/wire/json-text.ts';

/** What a client reads of messages that were written one after another. */
async function sent(messages: readonly object[]): Promise<unknown[]> {
  const stream = new PassThrough();
  const read: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  new StreamMessageReader(stream).listen(message => {
    read.push(message);
    if (read.length === messages.length) resolve();
  });
  const writer = messageWriter(stream);
  for (const message of messages) void writer.write(message as Message);
  await promise;
  return read;
}

test('any value is the same in ASCII', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
      const text = asciiJson(value);
      expect(text).toMatch(/^[\x20-\x7e]*$/);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('a result that is a text already comes as its value, between messages of other kinds', async () => {
  const values = [[{ label: '41% → Größe \u{1f525}\n"', none: null }, 3], [], ['x']];
  const messages = values.flatMap((result, i) => [
    { jsonrpc: '2.0', method: 'window/logMessage', params: { message: '→ ü' } },
    { jsonrpc: '2.0', id: i === 0 ? 'ü"1' : i, result: new JsonText(result.map(asciiJson)) },
    { jsonrpc: '2.0', id: i, result },
  ]);
  const wanted = messages.map(message =>
    'result' in message && message.result instanceof JsonText
      ? { ...message, result: message.result.toJSON() }
      : message,
  );
  expect(await sent(messages)).toEqual(wanted);
});

test('lists of which parts are as they were are written as if they were new', () => {
  const all = ['a', 'b', 'c', 'd'].map(name => ({ name }));
  const lists = fc.array(fc.record({ key: fc.constantFrom('x', 'y'), items: fc.array(fc.constantFrom(...all)) }));
  fc.assert(
    fc.property(lists, asked => {
      const writer = new ListWriter<{ readonly name: string }>();
      for (const { key, items } of asked) {
        const text = writer.write(key, items, ({ name }) => `"${key}${name.repeat(name === 'd' ? 1 : 3)}"`);
        const wanted = items.map(({ name }) => key + name.repeat(name === 'd' ? 1 : 3));
        expect(text.toJSON()).toEqual(wanted);
        expect(text.bytes('{"list":[', ']}').toString('latin1')).toBe(JSON.stringify({ list: wanted }));
      }
    }),
  );
});
