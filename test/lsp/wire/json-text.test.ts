// Answers that are JSON already reach the client as any others do.
import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Message, StreamMessageReader } from 'vscode-languageserver/node';
import { asciiJson, JsonText, ListWriter } from '../../../server/lsp/wire/json-text.ts';
import { WholeMessageWriter } from '../../../server/lsp/wire/message-writer.ts';

/** What a client reads of messages that were written one after another. */
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

test('every message is written at once, and the next one when the stream has taken it', async () => {
  const taken: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      // What is written over too early is another one by then.
      setImmediate(() => {
        taken.push(chunk.toString('latin1'));
        done();
      });
    },
  });
  const writer = new WholeMessageWriter(stream);
  const lists = new ListWriter<{ readonly name: string }>((one, other) => one === other);
  const names = ['a', 'b', 'c'].map(name => ({ name }));
  const results = [names, names.slice(1), [], names.slice(0, 2)].map(items =>
    lists.write('x', items, ({ name }) => `"${name}"`),
  );
  const messages = results.map((result, id) => ({ jsonrpc: '2.0', id, result }));
  await Promise.all(messages.map(message => writer.write(message)));
  const bodies = messages.map(message => JSON.stringify(message));
  expect(taken).toEqual(bodies.map(body => `Content-Length: ${body.length}\r\n\r\n${body}`));
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

test('lists of which parts are as they were are written as if they were new', () => {
  const all = ['a', 'b', 'c', 'd'].map(name => ({ name }));
  const items = fc.array(fc.constantFrom(...all), { maxLength: 40 });
  const id = fc.oneof(fc.nat(), fc.string({ unit: fc.constantFrom('i', 'ü'), maxLength: 400 }));
  const lists = fc.array(fc.record({ key: fc.constantFrom('x', 'y'), items, id }));
  fc.assert(
    fc.property(lists, asked => {
      const writer = new ListWriter<{ readonly name: string }>((one, other) => one === other);
      for (const { key, items, id } of asked) {
        const text = writer.write(key, items, ({ name }) => `"${key}${name.repeat(name === 'd' ? 1 : 3)}"`);
        const wanted = items.map(({ name }) => key + name.repeat(name === 'd' ? 1 : 3));
        expect(text.toJSON()).toEqual(wanted);
        const body = `{"id":${asciiJson(id)},"list":${JSON.stringify(wanted)}}`;
        const message = text.message(`{"id":${asciiJson(id)},"list":[`, ']}');
        expect(message.toString('latin1')).toBe(`Content-Length: ${body.length}\r\n\r\n${body}`);
      }
    }),
  );
});

describe('lists of several documents by turns', () => {
  /** How often texts were made for lists of these keys, one after another. */
  function textsMade(keys: readonly string[], text = '"x"'): number[] {
    const writer = new ListWriter<{ readonly name: string }>((one, other) => one === other);
    const lists = new Map([...new Set(keys)].map(name => [name, [{ name }, { name }]]));
    return keys.map(key => {
      let made = 0;
      writer.write(key, lists.get(key)!, () => {
        made++;
        return text;
      });
      return made;
    });
  }

  test('are written once as long as there are few of them', () => {
    expect(textsMade(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'a'])).toEqual([2, 2, 2, 2, 0, 0, 0, 0, 0]);
  });

  test('are forgotten where there are many, the one first that was not asked for longest', () => {
    expect(textsMade(['a', 'b', 'c', 'd', 'a', 'e', 'a', 'b'])).toEqual([2, 2, 2, 2, 0, 2, 0, 2]);
  });

  test('are forgotten where they are long, but for the latest', () => {
    const half = `"${'x'.repeat(2 << 20)}"`;
    expect(textsMade(['a', 'a', 'b', 'b', 'a'], half)).toEqual([2, 0, 2, 0, 2]);
    const twice = `"${'x'.repeat(8 << 20)}"`;
    expect(textsMade(['a', 'a', 'b', 'a'], twice)).toEqual([2, 0, 2, 2]);
  });
});
