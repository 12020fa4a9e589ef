// Tests that messages come out of a stream byte by byte as they went in, however it is cut, and that a broken stream is known as one.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Frame, FrameSplitter } from '../../../server/lsp/wire/split-messages.ts';
import { framed } from '../../proxy/fake-java-server.ts';
import { runs } from '../../support/runs.ts';

type Found = { frames: string[]; junk: string; left: number; broken?: string };

/** Messages and junk of a stream that comes in these parts; `isStrict` where nothing may stand between messages. */
function splitAs(isStrict: boolean, parts: readonly (string | Buffer)[]): Found {
  const frames: string[] = [];
  let junk = '';
  let broken: string | undefined;
  const splitter = new FrameSplitter({
    onFrame: ({ bytes, bodyStart }: Frame) => {
      expect(bytes.toString('latin1', 0, bodyStart).endsWith('\r\n\r\n')).toBe(true);
      frames.push(bytes.toString());
    },
    ...(!isStrict && {
      onJunk: (bytes: Buffer) => {
        junk += bytes.toString();
      },
    }),
    onBroken: reason => {
      expect(broken).toBeUndefined();
      broken = reason;
    },
  });
  for (const part of parts) splitter.push(Buffer.from(part));
  return { frames, junk, left: splitter.end(), ...(broken !== undefined && { broken }) };
}

const split = (...parts: readonly (string | Buffer)[]) => splitAs(false, parts);
const strict = (...parts: readonly (string | Buffer)[]) => splitAs(true, parts);

/** The bytes in pieces that end where `cuts` say. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...new Set([...cuts.map(cut => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  return ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

const header = fc.constantFrom(
  (length: number) => `Content-Length: ${length}\r\n\r\n`,
  (length: number) => `content-length:${length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
  (length: number) => `Content-Type: x\r\nX-Odd: a:b\r\nContent-Length: ${length} \r\n\r\n`,
);

test('messages come out as they went in, however the stream is cut', () => {
  const bodies = fc.array(fc.tuple(header, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 6 });
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(), { maxLength: 12 }), (messages, cuts) => {
      const whole = messages.map(([head, body]) => head(Buffer.byteLength(body)) + body);
      const bytes = Buffer.from(whole.join(''));
      expect(split(...pieces(bytes, cuts))).toEqual({ frames: whole, junk: '', left: 0 });
      expect(strict(...pieces(bytes, cuts))).toEqual({ frames: whole, junk: '', left: 0 });
    }),
    { numRuns: runs(300) },
  );
});

test('large messages come out as they went in, whatever is around them', () => {
  const [small, large] = [framed('{"a":1}'), framed(JSON.stringify('ä'.repeat(200_000)))];
  const bytes = Buffer.from(`${small}${large}printed\n${large}${small}${small}`);
  const end = Buffer.byteLength(small + large);
  for (const cuts of [[50], [100, 65_636, 131_172], [end], [end - 1], [end + 1, bytes.length - 60], [30, 60, 90]]) {
    const { frames, junk, left } = split(...pieces(bytes, cuts));
    expect(frames.map(({ length }) => length)).toEqual([small, large, large, small, small].map(({ length }) => length));
    expect({ isSame: frames.join('') === small + large + large + small + small, junk, left }).toEqual({
      ...{ isSame: true, junk: 'printed\n', left: 0 },
    });
  }
  expect(split(...pieces(Buffer.from(large), [100, 300_000])).frames).toHaveLength(1);
  expect(split(large.slice(0, 100), large.slice(100, 300)).left).toBe(Buffer.byteLength(large.slice(0, 300)));
  // Nobody has to keep room for what will never come.
  expect(split('Content-Length: 130000000\r\n\r\n{"a"').left).toBe(33);
});

test('what is printed among messages is set apart', () => {
  const [one, two] = [framed('{"a":1}'), framed('{"b":"Content-Length: 3"}')];
  for (const printed of [
    'OpenJDK 64-Bit Server VM warning: Options -Xverify:none\n',
    'WARNING: a terminally deprecated method\nWARNING: more\n',
    'no line break',
    'ends as a header does\r\n\r\n',
    'WARNING: ends as a header does\r\n\r\n',
    '\r\n\r\n\r\n\r\n',
  ])
    expect(split(`${one}${printed}${two}`)).toEqual({ frames: [one, two], junk: printed, left: 0 });
});

test.each([
  'Content-Length: many\r\n\r\n',
  'Content-Length:\r\n\r\n',
  'Content-Length: -1\r\n\r\n{}',
  'Content-Length: 2.0\r\n\r\n{}',
  'Content-Length: 0x2\r\n\r\n{}',
  'Content-Length: 134217729\r\n\r\n{}',
  'Content-Length: 99999999999\r\n\r\n{}',
  'Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}',
  'Content-Type: application/json\r\n\r\n{}',
])('%j breaks every stream, however it is cut', header => {
  const [one, two] = [framed('{"a":1}'), framed('{"b":2}')];
  for (const split of [splitAs.bind(null, true), splitAs.bind(null, false)])
    for (const parts of [[one + header + two], pieces(Buffer.from(one + header + two), [20, 40, 41, 42, 43, 50])]) {
      const { frames, broken, left } = split(parts);
      expect({ frames, left }).toEqual({ frames: [one], left: 0 });
      expect(broken).toContain(header.slice(0, header.indexOf('\r')));
    }
  expect(split(`${one}printed\r\n${header}${two}`).frames).toEqual([one]);
});

test.each([
  ...['\n', '\r\n', '{"a":1}', 'Content-Length: 2\n\n{}', 'Content-Length 2', ': 2\r\n', 'printed\nContent-Length: 2'],
  ...['X: 1\r\n'.repeat(4_000), 'X'.repeat(20_000), `X: ${'y'.repeat(20_000)}`, '\0', '\r\r'],
])('%j breaks a strict stream at once, without waiting for more', junk => {
  const one = framed('{"a":1}');
  for (const parts of [[one + junk], [one, ...junk]]) {
    const { frames, broken } = strict(...parts);
    expect(frames).toEqual([one]);
    expect(broken).toMatch(/^sent .{10,200}: /);
    expect(broken!.length).toBeLessThan(500);
  }
});

test('what may still become a header is waited for', () => {
  const header = 'X-Odd: a:b\r\nContent-Length: 2 \r\n\r\n';
  for (let cut = 1; cut < header.length; cut++)
    expect(strict(header.slice(0, cut))).toEqual({ frames: [], junk: '', left: cut });
});

test('a flood without messages is not kept', () => {
  const flood = Buffer.alloc(200_000, 'x');
  const message = framed('{"a":1}');
  const { frames, junk } = split(...pieces(flood, [7, 70_000, 150_000]), message);
  expect(frames).toEqual([message]);
  expect(junk).toBe(flood.toString());
});

test('what is cut off is counted', () => {
  expect(split('Content-Length: 10\r\n\r\n{"a"').left).toBe(26);
  expect(split(framed('{}'), 'Content-Le').left).toBe(10);
});
