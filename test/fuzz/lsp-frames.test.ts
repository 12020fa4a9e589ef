// Sends the real server well-formed requests among broken, cut and odd frames: each is answered, or the process has ended with a message.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { frame, startRaw } from '../support/insitu/raw-server.ts';

const SESSIONS = 15;
const MESSAGES = 150;

/** A small generator that gives the same numbers for a seed everywhere. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const METHODS = [
  ...['textDocument/hover', 'textDocument/inlayHint', 'textDocument/codeLens', 'textDocument/codeAction'],
  ...['textDocument/prepareCallHierarchy', 'callHierarchy/incomingCalls', 'callHierarchy/outgoingCalls'],
  ...['textDocument/implementation', 'workspace/executeCommand', 'insitu/status', 'insitu/metrics', 'insitu/callers'],
  ...['insitu/select', 'initialize', 'no/such', '$/odd', '__proto__', 'exit'],
];
const NOTIFICATIONS = [
  ...['textDocument/didOpen', 'textDocument/didChange', 'textDocument/didClose', 'textDocument/didSave'],
  ...['workspace/didChangeConfiguration', 'workspace/didChangeWatchedFiles', 'workspace/didChangeWorkspaceFolders'],
  ...['$/cancelRequest', '$/setTrace', '$/progress', 'window/workDoneProgress/cancel', 'initialized', 'no/such'],
];
const PLACES = ['{"line":1,"character":2}', '{"line":-1,"character":1e400}', '{"line":"x"}', 'null', '[]', '{}'];
const URIS = ['"file:///a/Shop.java"', '"file://host/a"', '"file:///%zz%00"', '"%"', '""', '7', 'null', '[]'];
const BODIES = [
  '',
  'nul',
  '{"a":',
  '[]',
  '7',
  '{}',
  '{"id":3}',
  '{"id":null,"result":1}',
  '{"error":7,"id":"x"}',
  '"\\q"',
];
/** After each of these no message can be found any more. */
const BREAKING = [
  ...['Content-Length: x\r\n\r\n', 'Content-Length: -1\r\n\r\n', 'Content-Length: 99999999999\r\n\r\n', '{"id":1}\n'],
  ...[
    '\r\n',
    '\0',
    'Content-Length: 3\r\n\r\n{}',
    'Content-Type: x\r\n\r\n',
    'Content-Length 3\r\n\r\n',
    'x'.repeat(20_000),
  ],
];

function parameters(one: <T>(list: readonly T[]) => T): string {
  const range = `{"start":${one(PLACES)},"end":${one(PLACES)}}`;
  const document = `{"uri":${one(URIS)},"version":${one(['1', 'null', '"x"'])},"text":${one(['"class A {}"', '7'])}}`;
  const fields = [
    `"textDocument":${one([document, document, 'null', '[]'])}`,
    `"position":${one(PLACES)}`,
    `"range":${one([range, range, '7'])}`,
    `"context":${one(['{"diagnostics":[]}', '{"only":7}', 'null'])}`,
    `"item":${one([`{"uri":${one(URIS)},"selectionRange":${range},"data":{}}`, 'null', '7'])}`,
    `"contentChanges":${one([`[{"range":${range},"text":"x"}]`, '[{"text":7}]', '[null]', '7'])}`,
    `"changes":${one([`[{"uri":${one(URIS)},"type":1}]`, '[null]', '7'])}`,
    `"event":${one([`{"added":[{"uri":${one(URIS)}}],"removed":[]}`, '{"added":7}', 'null'])}`,
    `"id":${one(['1', '99999', '"x"', 'null', '{}'])}`,
    `"token":${one(['1', 'null'])}`,
    `"settings":${one(['{"insitu":7}', 'null', '{"insitu":{"hints":[]}}'])}`,
    `"command":${one(['"insitu.status"', '7', '"insitu.x"'])},"arguments":${one(['[{"quiet":true}]', '7', '[[]]'])}`,
    `"value":${one(['"verbose"', '7'])}`,
  ].filter(() => one([true, true, true, false]));
  return one([`{${fields.join()}}`, `{${fields.join()}}`, `{${fields.join()}}`, 'null', '[]', '{}']);
}

test('each well-formed request is answered, or the process has ended with a message', async () => {
  const below = numbers(17);
  const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const home = mkdtempSync(join(tmpdir(), 'insitu-frames-'));
  let [answered, ended, unanswered] = [0, 0, 0];
  for (let session = 0; session < SESSIONS; session++) {
    const breaks = session % 3 === 0;
    const asked: number[] = [];
    const parts = [
      frame('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"capabilities":{}}}'),
    ];
    for (let id = 1; id < MESSAGES; id++) {
      const [params, kind] = [parameters(one), below(10)];
      if (kind < 5) {
        asked.push(id);
        parts.push(frame(`{"jsonrpc":"2.0","id":${id},"method":"${one(METHODS)}","params":${params}}`));
      } else if (kind < 9) parts.push(frame(`{"jsonrpc":"2.0","method":"${one(NOTIFICATIONS)}","params":${params}}`));
      else parts.push(frame(one(BODIES)));
    }
    if (breaks) parts.splice(below(parts.length), 0, one(BREAKING));
    const bytes = Buffer.from(parts.join(''));
    const server = startRaw([], { HOME: home, XDG_CACHE_HOME: join(home, 'cache') });
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + below(one([3, 300, 30_000]));
      server.write(bytes.subarray(at, end));
      at = end;
    }
    server.send({ jsonrpc: '2.0', id: 'last', method: 'shutdown' });
    const last = await server.next(({ id }) => id === 'last');
    if (last === null) {
      expect(breaks, server.errors()).toBe(true);
      expect(await server.ended, server.errors()).toBe(1);
      expect(server.errors()).toMatch(/insitu: the editor sent .*; the server ends/);
      ended++;
      continue;
    }
    for (const id of asked) {
      const answer = await Promise.race([server.next(each => each.id === id && each.method === undefined), soon()]);
      if (answer === 'late') unanswered++;
      else answered++;
    }
    expect(
      server.received.filter(({ params }) => /internal error| failed: /.test(JSON.stringify(params) ?? '')),
    ).toEqual([]);
    expect(server.errors()).toBe('');
    server.send({ jsonrpc: '2.0', method: 'exit' });
    expect(await server.ended).toBe(0);
  }
  rmSync(home, { recursive: true, force: true });
  expect(unanswered).toBe(0);
  expect(answered).toBeGreaterThan(500);
  expect(ended).toBeGreaterThan(3);
});

const soon = () => new Promise<'late'>(resolve => setTimeout(resolve, 20_000, 'late').unref());
