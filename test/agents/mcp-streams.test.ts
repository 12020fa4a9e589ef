// `insitu mcp` beside agents that ask much, write long lines, or close their end early: raw bytes over pipes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insitu } from '../support/insitu/command-line.ts';
import { insituProgram } from '../support/insitu/program.ts';

/** One call takes 170 MiB, 300 at once took 620 before they waited for each other. */
const MOST_MIB = 450;

let folder = '';
let place: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-mcp-streams-'));
  place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'shop', '--version', 'v1'];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...place);
});
afterAll(() => rmSync(folder, { recursive: true }));

type Answer = {
  readonly id?: number | string;
  readonly result?: { readonly structuredContent?: { readonly rows?: readonly unknown[] } };
  readonly error?: { readonly message: string };
};

type Agent = {
  readonly child: ChildProcessWithoutNullStreams;
  readonly answers: readonly Answer[];
  readonly ended: Promise<number | null>;
  /** Resolves with all answers once there are so many. */
  answered(count: number): Promise<readonly Answer[]>;
};

function start(): Agent {
  const child = spawn(process.execPath, [insituProgram, 'mcp', '--root', folder, ...place]);
  const answers: Answer[] = [];
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${text}${chunk}`.split('\n');
    text = lines.pop()!;
    for (const line of lines) answers.push(JSON.parse(line));
    child.emit('answer');
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  const answered = (count: number) =>
    new Promise<readonly Answer[]>(resolve => {
      const look = () => {
        if (answers.length >= count) resolve(answers);
      };
      child.on('answer', look).on('close', () => resolve(answers));
      look();
    });
  child.stdin.write(
    message('initialize', 'begin', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }),
  );
  return { child, answers, ended, answered };
}

function message(method: string, id: number | string | null, params: object): string {
  return `${JSON.stringify({ method, params, jsonrpc: '2.0', ...(id !== null && { id }) })}\n`;
}

function call(id: number | string, given: object = {}): string {
  return message('tools/call', id, { name: 'top', arguments: given });
}

test('a call is answered though the input closes after it, also without a line break', async () => {
  const { child, ended, answers } = start();
  child.stdin.end(`${call('first')}${call('last').trimEnd()}`);
  expect(await ended).toBe(0);
  expect(answers.map(({ id }) => id)).toEqual(['begin', 'first', 'last']);
  expect(answers.at(-1)!.result?.structuredContent?.rows?.length).toBeGreaterThan(0);
});

test.each([
  ['at its end', (text: string) => message('tools/call', 'long', { name: 'prediction', arguments: { text } })],
  ['at its begin', (text: string) => `${JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'x', text })}\n`],
])('a line above 10 MiB with its id %s is an error, and the session goes on', async (_, line) => {
  const { child, answered } = start();
  child.stdin.write(call('before'));
  child.stdin.write(line('x"id":7}\n'.repeat(2 ** 20 + 5_000)));
  child.stdin.write(call('after'));
  const answers = await answered(4);
  child.kill();
  expect(answers.map(({ id }) => id).sort()).toEqual(['after', 'before', 'begin', 'long']);
  expect(answers.find(({ id }) => id === 'long')?.error?.message).toContain('at most 10 MiB');
  expect(answers.find(({ id }) => id === 'after')?.result?.structuredContent?.rows?.length).toBeGreaterThan(0);
});

test('hundreds of calls at once are answered in their order, within the memory of a few', async () => {
  const { child, answered } = start();
  const ids = Array.from({ length: 300 }, (_, i) => i);
  child.stdin.write(ids.map(id => call(id, { limit: 1, places: false })).join(''));
  const answers = await answered(ids.length + 1);
  // Where the system tells the most that a process has taken.
  if (process.platform === 'linux') {
    const most = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    expect(Number(most![1]) / 1024).toBeLessThan(MOST_MIB);
  }
  child.kill();
  expect(answers.map(({ id }) => id)).toEqual(['begin', ...ids]);
  expect(answers.every(({ error }) => error === undefined)).toBe(true);
}, 60_000);

test('calls that are cancelled while they wait are not answered, and the last one is', async () => {
  const { child, ended, answers } = start();
  const ids = Array.from({ length: 200 }, (_, i) => i);
  child.stdin.write(ids.map(id => call(id)).join(''));
  for (const requestId of ids.slice(1)) child.stdin.write(message('notifications/cancelled', null, { requestId }));
  child.stdin.end(call('last'));
  expect(await ended).toBe(0);
  expect(answers.at(-1)?.id).toBe('last');
  expect(answers.length).toBeLessThan(100);
});

/** Sends lines to a server as a pipe would, all at once; the lines that come back. */
async function piped(...lines: readonly unknown[]): Promise<unknown[]> {
  const child = spawn(process.execPath, [insituProgram, 'mcp', '--root', folder, ...place]);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stdin.end(lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  await new Promise(resolve => child.on('close', resolve));
  return out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
}

const begin = (protocolVersion: string) => ({
  ...{ jsonrpc: '2.0', id: 'begin', method: 'initialize' },
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const pong = (id: unknown) => expect.objectContaining({ id, result: {} });
const failure = (id: unknown, code: number) => ({ jsonrpc: '2.0', id, error: expect.objectContaining({ code }) });
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };

test.each(['2024-11-05', '2025-03-26'])(
  'an array of messages has an array of answers in revision %s',
  async revision => {
    const mixed = [ping(2), initialized, 7, ping('3'), ping(2), { jsonrpc: '2.0', id: 9 }];
    const answers = await piped(begin(revision), initialized, mixed, [initialized], [], ping(4));
    expect(answers).toHaveLength(4);
    const batch = answers.find(each => Array.isArray(each));
    expect(batch).toHaveLength(5);
    const expected = [pong(2), pong('3'), failure(null, -32600), failure(2, -32600), failure(9, -32600)];
    expect(batch).toEqual(expect.arrayContaining(expected));
    expect(answers).toEqual(expect.arrayContaining([failure(null, -32600), pong(4)]));
  },
);

test('later revisions have no arrays, and what is no message is answered whatever was agreed on', async () => {
  const answers = await piped(begin('2025-06-18'), initialized, [ping(2)], '{bad json', '"text"', { id: 5 }, ping(4));
  expect(answers.slice(1)).toEqual(
    expect.arrayContaining([
      failure(null, -32600),
      failure(null, -32700),
      failure(null, -32600),
      failure(5, -32600),
      pong(4),
    ]),
  );
  expect(answers).toHaveLength(6);
  expect(await piped('{bad json')).toEqual([failure(null, -32700)]);
});
