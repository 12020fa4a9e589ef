// Sends messages with broken, cut and odd framing, and of broken and odd JSON, through the way between an editor and its Java server.
import { expect, test } from 'vitest';
import { FrameSplitter, frameOf } from '../../server/lsp/wire/split-messages.ts';
import { Router } from '../../server/proxy/router.ts';

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
/** Text that servers print among their messages, and the rest of broken messages. */
const JUNK = ['', '', '', '', 'warning: odd\n', '\r\n\r\n', '{"cut":', '\u0000\u0007'];

function stream(seed: number, junk: readonly string[]): { bytes: Buffer; messages: string[] } {
  const below = numbers(seed);
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const parts: string[] = [];
  const messages: string[] = [];
  for (let i = 0; i < MESSAGES / 2; i++) {
    const body = one(BODIES)(below(100_000));
    const message = one(HEADERS)(Buffer.byteLength(body)) + body;
    parts.push(one(junk), message);
    messages.push(message);
  }
  return { bytes: Buffer.from(parts.join('')), messages };
}

/** Goes through the start, before which no message counts. */
async function begin(router: Router, toJava: readonly string[]): Promise<void> {
  router.fromClient(frameOf(Buffer.from('{"id":"start","method":"initialize","params":{"capabilities":{}}}')));
  const id = /"id":("insitu-wrap:\d+")/.exec(toJava.join())?.[1];
  router.fromJava(frameOf(Buffer.from(`{"id":${id},"result":{"capabilities":{}}}`)));
  router.ownEnded('no server of ours');
  await new Promise(resolve => setImmediate(resolve));
}

test('100,000 messages come through byte by byte, and the bytes between them do not', async () => {
  const cut = numbers(5);
  const heard = { java: [] as string[], client: [] as string[] };
  const router = new Router({
    toClient: ({ bytes }) => void heard.client.push(bytes.toString()),
    toJava: bytes => void heard.java.push(bytes.toString()),
    toOwn: () => {},
    onExit: () => {},
  });
  const [client, java] = [stream(1, ['']), stream(2, JUNK)];
  await begin(router, heard.java);
  for (const list of Object.values(heard)) list.splice(0);
  const ways = [
    {
      bytes: client.bytes,
      at: 0,
      splitter: new FrameSplitter({ onFrame: frame => router.fromClient(frame), onBroken: expect.unreachable }),
    },
    {
      bytes: java.bytes,
      at: 0,
      splitter: new FrameSplitter({
        onFrame: frame => router.fromJava(frame),
        onJunk: () => {},
        onBroken: expect.unreachable,
      }),
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

/** Requests that the router answers, joins or looks into, and what clients and servers should not write behind them. */
const METHODS = [
  'initialize',
  'textDocument/inlayHint',
  'textDocument/codeLens',
  'textDocument/codeAction',
  'textDocument/hover',
  'textDocument/implementation',
  'textDocument/prepareCallHierarchy',
  'callHierarchy/incomingCalls',
  'callHierarchy/outgoingCalls',
  'codeLens/resolve',
  'codeAction/resolve',
  'inlayHint/resolve',
  'workspace/executeCommand',
  'insitu/status',
  '$/cancelRequest',
  'textDocument/didChange',
  'textDocument/publishDiagnostics',
  'workspace/inlayHint/refresh',
];
const PLACE = '{"start":{"line":1,"character":2},"end":{"line":1,"character":3}}';
const ITEM = `{"name":"a","kind":6,"uri":"file:///a","range":${PLACE},"selectionRange":${PLACE}}`;
const VALUES = [
  ...['null', '7', '"x"', '[]', '{}', '[null]', '[7]', '{"id":1}', 'nul', '{"a":', '[', '"\\q"', ''],
  ...[`[{"uri":"file:///a","range":${PLACE}}]`, '[{"targetUri":"file:///a"}]', `[${ITEM}]`, '[{"name":"a"}]'],
  ...[`{"item":${ITEM}}`, '{"item":7}', '{"item":{"data":{"insitu":{"java":7}}}}', '{"item":null}'],
  ...[`[{"from":${ITEM},"fromRanges":[${PLACE}]}]`, `[{"to":${ITEM}}]`, '[{"to":null,"fromRanges":null}]'],
  ...['{"contents":null}', '{"contents":[]}', '{"contents":{"kind":"plaintext","value":7}}', '{"contents":"x"}'],
  ...['{"command":{"command":"insitu.x"},"n":01}', '{"kind":"insitu"}', '{"data":{"heat":1,"kind":"call"}}'],
  ...['{"capabilities":null}', '{"capabilities":{"executeCommandProvider":7,"textDocumentSync":null}}'],
  ...['{"uri":"file:///%zz","diagnostics":7}', '{"uri":7}', '{"workDoneToken":1,"partialResultToken":[]}'],
];

test('broken messages and answers of every shape end nothing, and leave no request without an answer', async () => {
  const below = numbers(11);
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  let [asked, answered, odd] = [0, 0, 0];
  for (let session = 0; session < 400; session++) {
    const open = new Set<string>();
    const asks = { java: [] as string[], own: [] as string[] };
    const idOf = (bytes: Buffer) => /"id":("(?:[^"\\]|\\.)*"|\d+)/.exec(bytes.toString())?.[1];
    const note = (side: 'java' | 'own') => (bytes: Buffer) => {
      const id = bytes.includes('"method":') ? idOf(bytes) : undefined;
      if (id !== undefined) asks[side].push(id);
    };
    const router = new Router({
      toClient: ({ bytes }) => {
        const id = idOf(bytes);
        if (bytes.includes('window/logMessage')) odd++;
        if (id !== undefined && !bytes.includes('"method":') && open.delete(id)) answered++;
      },
      toJava: note('java'),
      toOwn: note('own'),
      onExit: () => {},
    });
    const frame = (body: string) => frameOf(Buffer.from(body));
    const settled = () => new Promise(resolve => setImmediate(resolve));
    const answerAll = async (values = VALUES) => {
      do {
        for (const id of asks.java.splice(0)) router.fromJava(frame(`{"id":${id},"result":${one(values)}}`));
        for (const id of asks.own.splice(0)) router.fromOwn(frame(`{"id":${id},"result":${one(values)}}`));
        await settled();
      } while (asks.java.length + asks.own.length > 0);
    };
    router.fromClient(frame('{"id":"start","method":"initialize","params":{"capabilities":{}}}'));
    await answerAll(session % 4 === 0 ? VALUES : ['{"capabilities":{}}']);
    for (let i = 0; i < 40; i++) {
      const [method, value] = [one(METHODS), one(VALUES)];
      const isRequest = below(4) > 0;
      if (isRequest) open.add(String(++asked));
      router.fromClient(frame(`{${isRequest ? `"id":${asked},` : ''}"method":"${method}","params":${value}}`));
      router.fromJava(frame(`{"method":"${one(METHODS)}","params":${one(VALUES)}}`));
      router.fromOwn(frame(`{"method":"${one(METHODS)}","params":${one(VALUES)}}`));
      if (below(3) === 0) await answerAll();
    }
    open.add(String(++asked));
    router.fromClient(frame(`{"id":${asked},"method":"shutdown"}`));
    open.add(String(++asked));
    router.fromClient(frame(`{"id":${asked},"method":"${one(METHODS)}"}`));
    await answerAll();
    expect([...open]).toEqual([]);
  }
  expect(answered).toBe(asked);
  expect(odd).toBeGreaterThan(100);
});

test('bytes at random throw nothing, and break a stream once', () => {
  const below = numbers(9);
  let junk = 0;
  let frames = 0;
  let broken = 0;
  const onJunk = ({ length }: Buffer) => {
    junk += length;
  };
  const fresh = () => new FrameSplitter({ onFrame: () => void frames++, onJunk, onBroken: () => void broken++ });
  let splitter = fresh();
  let streams = 1;
  const words = ['Content-Length: ', 'content-length:', '\r\n', '\r\n\r\n', '3', '{}', ':', ' ', '0', '\u0000'];
  let sent = 0;
  for (let i = 0; i < 200_000; i++) {
    const bytes = Buffer.from(words[below(words.length)]!);
    sent += bytes.length;
    splitter.push(bytes);
    if (i % 200 !== 0) continue;
    splitter = fresh();
    streams++;
  }
  expect(broken).toBeGreaterThan(100);
  expect(broken).toBeLessThanOrEqual(streams);
  expect(junk).toBeGreaterThan(0);
  expect(frames).toBeGreaterThan(0);
  expect(junk).toBeLessThan(sent);
});
