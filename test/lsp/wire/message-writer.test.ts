// Messages reach the client as they were written, each in one piece.
import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, StreamMessageReader } from 'vscode-languageserver/node';
import { WholeMessageWriter } from '../../../server/lsp/wire/message-writer.ts';
import { runs } from '../../support/runs.ts';

/** The bytes that a client reads of messages that were written one after another. */
async function sent(messages: readonly object[]): Promise<unknown[]> {
  const stream = new PassThrough();
  const read: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  new StreamMessageReader(stream).listen(message => {
    read.push(message);
    if (read.length === messages.length) resolve();
  });
  const writer = new WholeMessageWriter(stream);
  for (const message of messages) void writer.write(message as Message);
  await promise;
  return read;
}

test('any value comes as it is, between messages of other kinds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: 'binary' }), { minLength: 1, maxLength: 5 }), async values => {
      const messages = [null, 'ü→\u{1f525}\n"', ...values].flatMap((result, id) => [
        { jsonrpc: '2.0', method: 'window/logMessage', params: { message: '→ ü' } },
        { jsonrpc: '2.0', id: id === 0 ? 'ü"1' : id, result },
      ]);
      expect(await sent(messages)).toEqual(JSON.parse(JSON.stringify(messages)));
    }),
    { numRuns: runs(50) },
  );
});

test('every message is written at once, in its order', async () => {
  const taken: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      setImmediate(() => {
        taken.push(chunk.toString());
        done();
      });
    },
  });
  const writer = new WholeMessageWriter(stream);
  const messages = [['a', 'b', 'c'], ['b', 'ü→'], [], ['a']].map((result, id) => ({ jsonrpc: '2.0', id, result }));
  await Promise.all(messages.map(message => writer.write(message)));
  const bodies = messages.map(message => JSON.stringify(message));
  expect(taken).toEqual(bodies.map(body => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`));
});

test('a stream that fails is told, and rejects what is written', async () => {
  const stream = new Writable({ write: (_, __, done) => done(new Error('gone')) });
  const writer = new WholeMessageWriter(stream);
  const told: string[] = [];
  writer.onError(([error]) => told.push(error.message));
  const message = { jsonrpc: '2.0', method: 'x' };
  await expect(writer.write(message)).rejects.toThrow('gone');
  await expect(writer.write(message)).rejects.toThrow();
  expect(told).toContain('gone');
});
