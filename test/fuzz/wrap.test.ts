// Sends 100,000 messages with broken, cut and odd framing through the way between an editor and its Java server, both ways at once.
import { expect, test } from 'vitest';
import { FrameSplitter } from '../../server/lsp/wrap/frames.ts';
import { Router } from '../../server/lsp/wrap/router.ts';

const MESSAGES = 100_000;

/** A small generator that gives the same numbers for a seed everywhere. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const BODIES: readonly ((i: number) => string)[] = [
  i => `{"jsonrpc":"2.0","id":${i},"method":"textDocument/completion","params":{"n":[${i},"}{\\""]}}`,
  i => `{"jsonrpc":"2.0","method":"java/odd","params":{"ä":"\u{1f600}${i}"}}`,
  i => `{"id":"s${i}","result":null}`,
  i => `[{"id":${i}}]`,
  i => `not JSON ${i}`,
  () => '',
  i => `{"jsonrpc":"2.0","id":${i},"method":"odd/${'x'.repeat(i % 3_000)}"}`,
  i =>
    `{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///${i % 50}","diagnostics":[${i % 3 === 0 ? '' : '{}'}]}}`,
];
const HEADERS: readonly ((length: number) => string)[] = [
  length => `Content-Length: ${length}\r\n\r\n`,
  length => `content-length:  ${length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
  length => `Content-Length: ${length}\r\nX-Odd: 1\r\n\r\n`,
];
/** What servers print among their messages, and what is left of broken ones. */
const JUNK = [
  '',
  '',
  '',
  '',
  'warning: odd\n',
  '\r\n\r\n',
  'Content-Length: x\r\n\r\n',
  '{"cut":',
  'Content-Length: 99999999999\r\n\r\n',
  '\u0000\u0007',
];

function stream(seed: number): { bytes: Buffer; messages: string[] } {
  const below = numbers(seed);
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const parts: string[] = [];
  const messages: string[] = [];
  for (let i = 0; i < MESSAGES / 2; i++) {
    const body = one(BODIES)(below(100_000));
    const message = one(HEADERS)(Buffer.byteLength(body)) + body;
    parts.push(one(JUNK), message);
    messages.push(message);
  }
  return { bytes: Buffer.from(parts.join('')), messages };
}

test('100,000 messages come through byte by byte, and what stands between them does not', () => {
  const cut = numbers(5);
  const heard = { java: [] as string[], client: [] as string[] };
  const router = new Router({
    toClient: ({ bytes }) => void heard.client.push(bytes.toString()),
    toJava: bytes => void heard.java.push(bytes.toString()),
    toOwn: () => {},
    onExit: () => {},
  });
  const [client, java] = [stream(1), stream(2)];
  const ways = [
    {
      bytes: client.bytes,
      at: 0,
      splitter: new FrameSplitter({ onFrame: frame => router.fromClient(frame), onJunk: () => {} }),
    },
    {
      bytes: java.bytes,
      at: 0,
      splitter: new FrameSplitter({ onFrame: frame => router.fromJava(frame), onJunk: () => {} }),
    },
  ];
  while (ways.some(({ at, bytes }) => at < bytes.length))
    for (const way of ways) {
      const end = way.at + 1 + cut(cut(10) === 0 ? 3 : 60_000);
      if (way.at < way.bytes.length) way.splitter.push(way.bytes.subarray(way.at, end));
      way.at = end;
    }
  expect(ways.map(({ splitter }) => splitter.end())).toEqual([0, 0]);
  expect(heard.java.length + heard.client.length).toBe(MESSAGES);
  expect(heard.java.findIndex((message, i) => message !== client.messages[i])).toBe(-1);
  expect(heard.client.findIndex((message, i) => message !== java.messages[i])).toBe(-1);
});

test('bytes at random end nothing', () => {
  const below = numbers(9);
  let junk = 0;
  let frames = 0;
  const onJunk = ({ length }: Buffer) => {
    junk += length;
  };
  const splitter = new FrameSplitter({ onFrame: () => void frames++, onJunk });
  const words = ['Content-Length: ', 'content-length:', '\r\n', '\r\n\r\n', '3', '{}', ':', ' ', '0', '\u0000'];
  let sent = 0;
  for (let i = 0; i < 200_000; i++) {
    const bytes = Buffer.from(words[below(words.length)]!);
    sent += bytes.length;
    splitter.push(bytes);
  }
  expect(junk).toBeGreaterThan(0);
  expect(frames).toBeGreaterThan(0);
  expect(junk).toBeLessThan(sent);
});
