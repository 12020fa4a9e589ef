// Tests the real process in front of a Java server that fails in every way, and clients that can do little: hints go on, and the log says why.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { commandWords } from '../../server/proxy/command-words.ts';
import { readSettings } from '../../server/workspace/settings/read-settings.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { hintLines, type StartOptions } from '../support/insitu/lsp-client.ts';
import { type FakeJava, framed } from './fake-java-server.ts';
import { SHOP, startWrapped, type Wrapped } from './wrapped.ts';

const HINTS = ['3 100% · self 33%', '4 67% → LockedQueue'];

let wrapped: Wrapped;

async function wrap(java: FakeJava, options: StartOptions & { readonly command?: string } = {}): Promise<void> {
  wrapped = await startWrapped({ ...java, answers: { 'textDocument/inlayHint': null } }, options);
  wrapped.client.open(wrapped.uri, SHOP);
}

/** The open file gets its hints, as soon as our server has its data. */
async function checkHints(): Promise<void> {
  await wrapped.loaded();
  const shown = async () => hintLines(await wrapped.client.hints(wrapped.uri));
  await expect.poll(shown, { timeout: 30_000 }).toEqual(HINTS);
}

describe('a Java server that', () => {
  let status: number | null = null;
  afterEach(async () => {
    if (wrapped.client.process.exitCode === null) await wrapped.end();
    else await wrapped.place.remove();
  });

  test('prints, floods, asks what nobody knows and then closes its output within a message, leaves hints as they are', async () => {
    await wrap({ greeting: 'OpenJDK 64-Bit Server VM warning: odd\n' });
    const unknown = framed('{"jsonrpc":"2.0","id":"odd","method":"java/odd","params":{"n":1.0}}');
    await wrapped.order({ kind: 'write', text: `garbage${unknown}` });
    await wrapped.client.waitFor(({ method }) => method === 'java/odd');
    expect(await wrapped.order({ kind: 'flood', messages: 5_000 })).toBe(5_000);
    await checkHints();
    const received = await wrapped.received();
    expect(received.find(text => text.includes('"id":"odd"'))).toContain('"result":null');
    await wrapped.order({ kind: 'close' }).then(
      () => expect.unreachable(),
      error => expect(String(error)).toContain('the Java server'),
    );
    await wrapped.client.waitFor(({ method }) => method === 'window/showMessage');
    expect(wrapped.log()).toContain('the Java server closed its output');
    await checkHints();
  });

  test('dies at start leaves ours alone, with its last words in the log', async () => {
    await wrap({ diesAtStart: 7 });
    await checkHints();
    expect(wrapped.log()).toContain('ended with status 7; its last words: java.lang.NoClassDefFoundError');
    expect(await wrapped.client.command('insitu.status', { quiet: true })).toMatchObject({
      sources: [{ state: 'ready' }],
      text: expect.stringContaining('the Java server ended with status 7'),
    });
    status = await wrapped.end();
    expect(status).toBe(7);
  });

  test('stops reading is given up before all memory is full of what waits for it', async () => {
    await wrap({});
    await wrapped.order({ kind: 'stall' });
    const text = 'x'.repeat(1 << 20);
    const waiting = wrapped.client.connection.sendRequest('java/any').catch(error => String(error));
    for (let i = 0; i < 80; i++) await wrapped.client.connection.sendNotification('java/much', { text });
    expect(await waiting).toContain('the Java server does not read, and 64 MiB wait for it');
    await checkHints();
    await wrapped.client.command('insitu.status');
    const status = /samples of cpu.*the Java server does not read/;
    await wrapped.client.waitFor(
      ({ method, params }) => method === 'window/showMessage' && status.test(JSON.stringify(params)),
    );
  });

  test('is not there is named', async () => {
    await wrap({}, { command: 'no-such-java-server --odd' });
    await checkHints();
    expect(wrapped.log()).toMatch(/cannot be started: .*no-such-java-server/);
  });

  test('ends as it is told gives its exit status, and so it does when the editor is gone', async () => {
    await wrap({});
    expect(await wrapped.client.connection.sendRequest('java/any')).toEqual({ method: 'java/any' });
    expect(await wrapped.end()).toBe(0);
    await wrap({});
    await wrapped.received();
    const ended = new Promise(resolve => wrapped.client.process.once('exit', resolve));
    wrapped.client.process.stdin?.end();
    expect(await ended).toBe(1);
  });
});

test('a Java server that was started before is not waited for, even if it never says what it can do', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'insitu-known-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const env = { XDG_CACHE_HOME: cache };
  await wrap({ capabilities: { foldingRangeProvider: true } }, { env });
  expect(wrapped.client.capabilities).toMatchObject({ foldingRangeProvider: true, hoverProvider: true });
  expect(await wrapped.end()).toBe(0);
  await wrap({ delays: { initialize: null } }, { env });
  expect(wrapped.client.capabilities).toMatchObject({ foldingRangeProvider: true, hoverProvider: true });
  await checkHints();
  expect(await wrapped.end()).toBe(0);
});

test('a client that can do little, counts in UTF-8 first and never answers what it is asked gets its hints', async () => {
  const capabilities = {
    general: { positionEncodings: ['utf-8', 'utf-32'] },
    window: { showDocument: { support: true } },
    workspace: { configuration: true },
  };
  await wrap({}, { capabilities, prepare: connection => connection.onRequest(() => new Promise(() => {})) });
  const textDocument = { uri: wrapped.uri };
  await wrapped.loaded();
  const place = { textDocument, position: { line: 2, character: 8 } };
  const shown = wrapped.client.command('insitu.callers', place).catch(() => null);
  await checkHints();
  expect(await wrapped.end()).toBe(0);
  await shown;
});

test('a command line is taken apart as it is meant', () => {
  expect(commandWords(' jdtls  -data "/a b/c" \'x "y"\' "" a\\ b c\\"d', 'linux')).toEqual([
    'jdtls',
    '-data',
    '/a b/c',
    'x "y"',
    '',
    'a b',
    'c"d',
  ]);
  expect(commandWords('"C:\\Program Files\\jdtls.bat" C:\\x', 'win32')).toEqual([
    'C:\\Program Files\\jdtls.bat',
    'C:\\x',
  ]);
});

test('what cannot be is said before anything starts', async () => {
  for (const [given, said] of [
    [['lsp', '--wrap', ' '], '--wrap needs'],
    [['lsp', '--wrap', '""', '--', '-data', 'x'], '--wrap needs'],
    [['lsp', 'jdtls'], 'only --wrap takes'],
  ] as const) {
    const run = await insitu(...given);
    expect(run.status).toBe(2);
    expect(run.err).toContain(said);
  }
});

test('no file of a workspace names a command', () => {
  const { problems } = readSettings('{ "wrap": "rm -rf /" }', 'insitu.json', 'workspace');
  expect(JSON.stringify(problems)).toContain('wrap');
});
