// Tests that what decides a message's way is found as JSON.parse would, wherever it stands, and that changing a part changes nothing else.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyOf, frameOf } from '../../server/lsp/wire/split-messages.ts';
import { envelopeOf, resultSpan, spanOf, textIn } from '../../server/proxy/envelope.ts';
import { itemsOf, replaced, withItems } from '../../server/proxy/splice.ts';
import { runs } from '../support/runs.ts';

const frame = (text: string) => frameOf(Buffer.from(text));
const bodyText = (given: ReturnType<typeof frame>) => bodyOf(given).toString();

/** JSON with odd spaces, and keys in any order. */
function written(members: readonly (readonly [string, unknown])[], space: string): string {
  const each = members.map(
    ([key, value]) =>
      `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(value, null, space === '' ? 0 : 1)}`,
  );
  return `${space}{${each.join(`${space},`)}${space}}${space}`;
}

const message = fc
  .tuple(
    fc.option(fc.oneof(fc.integer(), fc.string({ unit: 'binary' }))),
    fc.option(fc.string({ unit: 'grapheme' })),
    fc.jsonValue(),
    fc.constantFrom('result', 'error'),
    fc.constantFrom('', ' ', '\n', '\t\r\n '),
    fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
  )
  .map(([id, method, value, key, space, order]) => {
    const members: (readonly [string, unknown])[] = [
      ['jsonrpc', '2.0'],
      [method === null ? key : 'params', value],
    ];
    if (id !== null) members.push(['id', id]);
    if (method !== null) members.push(['method', method]);
    return {
      id,
      method,
      text: written(
        members.toSorted((a, b) => order[members.indexOf(a)]! - order[members.indexOf(b)]!),
        space,
      ),
    };
  });

describe('an envelope', () => {
  test('is what JSON.parse finds', () => {
    fc.assert(
      fc.property(message, ({ id, method, text }) => {
        const found = envelopeOf(frame(text));
        expect(found.method).toBe(method);
        expect(found.id === null ? null : JSON.parse(found.id)).toBe(id);
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    '',
    '[]',
    '[{"id":1,"method":"a"}]',
    'null',
    '"id"',
    '{',
    '{"id":',
    '{"method":"a',
    '{"method":7}',
    '{"id"1}',
    '\u0000',
  ])('of %j has no method', text => expect(envelopeOf(frame(text)).method).toBeNull());

  test('is found in any bytes without an end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        envelopeOf(frameOf(Buffer.concat([Buffer.from('{"id":'), bytes])));
      }),
    );
  });

  test('has escaped keys and methods as they are meant', () => {
    const found = envelopeOf(frame('{"\\u0069d":7,"params":{"id":8,"method":"no"},"meth\\u006fd":"a\\/b\\"c"}'));
    expect(found).toMatchObject({ id: '7', method: 'a/b"c' });
  });

  test('of a large answer is found without its end', () => {
    const found = envelopeOf(frame('{"jsonrpc":"2.0","id":3,"result":[{"broken'));
    expect(found).toMatchObject({ id: '3', method: null });
  });
});

describe('a part', () => {
  test('is found below keys', () => {
    const given = frame('{"params": {"a": [{"uri":"no"}], "textDocument" : {"uri":"file:///\\u00e4"}}}');
    expect(textIn(bodyOf(given), spanOf(bodyOf(given), 'params', 'textDocument', 'uri'))).toBe('file:///ä');
    expect(spanOf(bodyOf(given), 'params', 'uri')).toBeNull();
    expect(spanOf(bodyOf(given), 'params', 'a', 'uri')).toBeNull();
  });

  test('is replaced, and every other byte stays', () => {
    const given = frame('{ "id" : 1.0, "result":\t[1.0e5, "ä\\u00e4"] }');
    const { idSpan } = envelopeOf(given);
    expect(bodyText(replaced(given, idSpan!, '"x"'))).toBe('{ "id" : "x", "result":\t[1.0e5, "ä\\u00e4"] }');
  });

  test('is what an answer holds, whatever stands behind it; a long list at the end is not looked through', () => {
    for (const [text, value] of [
      ['{"id":1,"result":[{"a":"]}"},[1]] } \n', '[{"a":"]}"},[1]]'],
      ['{"result":[1],"jsonrpc":"2.0","id":"]"}', '[1]'],
      ['{"result":{"a":[1]},"id":1}', '{"a":[1]}'],
      ['{"result":7,"error":{"data":[1]}}', '7'],
      ['{"id":1,"result":[1', null],
      ['{"id":1,"error":{"result":[1]}}', null],
    ] as const) {
      const span = resultSpan(frame(text));
      expect(span && text.slice(span.start, span.end)).toBe(value);
    }
    const length = 20_000_000;
    const body = Buffer.concat([Buffer.from('{"id":1,"result":['), Buffer.alloc(length, '"'), Buffer.from(']}')]);
    expect(resultSpan(frameOf(body))).toEqual({ start: 17, end: length + 19 });
  });

  test('of a list grows by items, whether it was empty, null or filled', () => {
    const more = Buffer.from('{"n":2}');
    for (const [before, after] of [
      ['[]', '[{"n":2}]'],
      ['[ \n ]', '[{"n":2}]'],
      ['null', '[{"n":2}]'],
      ['[1.0, "]"]', '[1.0, "]",{"n":2}]'],
    ] as const)
      expect(bodyText(withItems(frame(`{"result":${before},"id":1}`), more, 'result'))).toBe(
        `{"result":${after},"id":1}`,
      );
    expect(itemsOf(frame('{"result":{"items":[]}}'), 'result')).toBeNull();
  });
});
