// Tests the end of the real process: whoever dies, stays or is in between, no Java server is left behind.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FakeJava } from './fake-java-server.ts';
import { SHOP, startWrapped, type Wrapped } from './wrapped.ts';

const FAKE = fileURLToPath(new URL('./fake-java-server.ts', import.meta.url));

let folder: string;
let socketPath: string;
let wrapped: Wrapped;
/** Resolves when a Java server that stays has begun, and then when it is gone, whoever its parent is by then. */
let begun: Promise<Socket>;
let gone: Promise<unknown>;
const sockets: Socket[] = [];
const server = createServer(socket => void sockets.push(socket.resume()));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-stays-'));
  socketPath = join(folder, 'socket');
  begun = once(server, 'connection').then(([socket]) => socket as Socket);
  gone = begun.then(socket => once(socket, 'close'));
  server.listen(socketPath);
  await once(server, 'listening');
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await wrapped.place.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function wrap(java: FakeJava, command?: string): Promise<void> {
  wrapped = await startWrapped(java, command === undefined ? {} : { command });
  wrapped.client.open(wrapped.uri, SHOP);
}

function exit(): Promise<number | null> {
  return once(wrapped.client.process, 'exit').then(([status]) => status as number | null);
}

/** The editor is killed: its ends of the pipes are closed, whatever is in them. */
function killEditor(): void {
  const { process: proxy, connection } = wrapped.client;
  connection.dispose();
  proxy.stdout?.destroy();
  proxy.stdin?.destroy();
}

test('a Java server that does not end is ended by force, also behind a script that started it', async () => {
  await wrap({ stays: socketPath }, `sh -c '"${process.execPath}" "${FAKE}"; :'`);
  await begun;
  expect(await wrapped.end()).toBe(1);
  await gone;
});

test('a script that ends before the Java server that it has started ends a session no later', async () => {
  const started = `exec 3<&0; "${process.execPath}" "${FAKE}" <&3 3<&- &`;
  await wrap({ stays: socketPath }, `sh -c '${started}'`);
  await begun;
  await wrapped.client.waitFor(({ params }) => JSON.stringify(params ?? null).includes('lives on'), 30_000);
  await expect(wrapped.client.connection.sendRequest('java/any')).rejects.toThrow('ended with status 0');
  await gone;
  expect(await wrapped.end()).toBe(0);
});

test('a Java server that a script has put into a process group of its own is ended as well', async () => {
  const started = `set -m; exec 3<&0; "${process.execPath}" "${FAKE}" <&3 3<&- & wait`;
  await wrap({ stays: socketPath }, `bash -c '${started}'`);
  await begun;
  expect(await wrapped.end()).toBe(1);
  await gone;
});

test('what a Java server puts into a session of its own is left', async () => {
  const file = join(folder, 'pid');
  const lasting = `setsid sleep 300 > /dev/null 2>&1 < /dev/null & echo $! > "${file}"`;
  await wrap({ stays: socketPath }, `sh -c '${lasting}; "${process.execPath}" "${FAKE}"; :'`);
  await begun;
  await wrapped.end();
  await gone;
  const pid = Number(readFileSync(file, 'utf8'));
  process.kill(pid, 'SIGKILL');
});

test('an editor that is killed while a server writes leaves none behind', async () => {
  await wrap({ stays: socketPath });
  await begun;
  await wrapped.order({ kind: 'chatter' });
  const ended = exit();
  killEditor();
  expect(await ended).toBe(1);
  await gone;
});

test('a Java server that is given up is ended while the editor goes on', async () => {
  await wrap({ stays: socketPath, errors: { initialize: { code: 1, message: 'no Java 21' } } });
  await gone;
  await wrapped.client.waitFor(
    ({ params }) => JSON.stringify(params ?? null).includes('refuses to start: no Java 21'),
    30_000,
  );
  expect(await wrapped.client.command('insitu.status', { quiet: true })).toMatchObject({ text: expect.anything() });
  expect(await wrapped.end()).toBe(1);
});

test('a Java server goes on alone when ours is killed', async () => {
  await wrap({});
  const ours = readdirSync('/proc').filter(isOurs);
  expect(ours).toHaveLength(1);
  process.kill(Number(ours[0]), 'SIGKILL');
  await wrapped.client.waitFor(({ params }) => JSON.stringify(params ?? null).includes('goes on alone'), 30_000);
  expect(wrapped.log()).toContain('the insitu server was ended by SIGKILL; the Java server goes on alone');
  expect(await wrapped.client.connection.sendRequest('java/any')).toEqual({ method: 'java/any' });
  await expect(wrapped.client.command('insitu.status')).rejects.toThrow('the insitu server has ended');
  expect(await wrapped.end()).toBe(0);
});

/** Whether this entry of /proc is the server that stands behind the proxy. */
function isOurs(entry: string): boolean {
  try {
    const status = readFileSync(`/proc/${entry}/status`, 'utf8');
    const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
    return status.includes(`\nPPid:\t${wrapped.client.process.pid}\n`) && command.includes('lsp\0--stdio');
  } catch {
    return false;
  }
}
