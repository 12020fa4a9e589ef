// Tests the end of the real process: whichever process dies, stays or is in between, no Java server is left behind.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { FakeJava } from './fake-java-server.ts';
import { SHOP, startWrapped, type Wrapped } from './wrapped.ts';

const FAKE = fileURLToPath(new URL('./fake-java-server.ts', import.meta.url));

/** One test's session; the tests wait for seconds that the proxy gives a server, all at once. */
class Session {
  readonly folder = mkdtempSync(join(tmpdir(), 'insitu-stays-'));
  readonly socketPath = join(this.folder, 'socket');
  readonly #sockets: Socket[] = [];
  readonly #server = createServer(socket => void this.#sockets.push(socket.resume()));
  /** Resolves when a Java server that stays has begun, and then when it is gone, whichever process its parent is by then. */
  readonly begun: Promise<Socket> = once(this.#server, 'connection').then(([socket]) => socket as Socket);
  readonly gone = this.begun.then(socket => once(socket, 'close'));
  #wrapped: Wrapped | undefined;

  static async listening(): Promise<Session> {
    const session = new Session();
    session.#server.listen(session.socketPath);
    await once(session.#server, 'listening');
    return session;
  }

  get wrapped(): Wrapped {
    return this.#wrapped!;
  }

  async wrap(java: FakeJava, command?: string): Promise<void> {
    this.#wrapped = await startWrapped(java, command === undefined ? {} : { command });
    this.wrapped.client.open(this.wrapped.uri, SHOP);
  }

  async remove(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await this.#wrapped?.place.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A test beside the others of this file. */
function leaving(name: string, check: (session: Session) => Promise<void>): void {
  test.concurrent(name, async ({ onTestFinished }) => {
    const session = await Session.listening();
    onTestFinished(() => session.remove());
    await check(session);
  });
}

function exit({ wrapped }: Session): Promise<number | null> {
  return once(wrapped.client.process, 'exit').then(([status]) => status as number | null);
}

/** The editor is killed: its ends of the pipes are closed, whatever is in them. */
function killEditor({ wrapped }: Session): void {
  const { process: proxy, connection } = wrapped.client;
  connection.dispose();
  proxy.stdout?.destroy();
  proxy.stdin?.destroy();
}

leaving('a Java server that does not end is ended by force, also behind a script that started it', async session => {
  await session.wrap({ stays: session.socketPath }, `sh -c '"${process.execPath}" "${FAKE}"; :'`);
  await session.begun;
  expect(await session.wrapped.end()).toBe(1);
  await session.gone;
});

leaving('a script that ends before the Java server that it has started ends a session no later', async session => {
  const started = `exec 3<&0; "${process.execPath}" "${FAKE}" <&3 3<&- &`;
  await session.wrap({ stays: session.socketPath }, `sh -c '${started}'`);
  await session.begun;
  await session.wrapped.client.waitFor(({ params }) => JSON.stringify(params ?? null).includes('lives on'), 30_000);
  await expect(session.wrapped.client.connection.sendRequest('java/any')).rejects.toThrow('ended with status 0');
  await session.gone;
  expect(await session.wrapped.end()).toBe(0);
});

leaving('a Java server that a script has put into a process group of its own is ended as well', async session => {
  const started = `set -m; exec 3<&0; "${process.execPath}" "${FAKE}" <&3 3<&- & wait`;
  await session.wrap({ stays: session.socketPath }, `bash -c '${started}'`);
  await session.begun;
  expect(await session.wrapped.end()).toBe(1);
  await session.gone;
});

leaving('what a Java server puts into a session of its own is left', async session => {
  const file = join(session.folder, 'pid');
  const lasting = `setsid sleep 300 > /dev/null 2>&1 < /dev/null & echo $! > "${file}"`;
  await session.wrap({ stays: session.socketPath }, `sh -c '${lasting}; "${process.execPath}" "${FAKE}"; :'`);
  await session.begun;
  await session.wrapped.end();
  await session.gone;
  const pid = Number(readFileSync(file, 'utf8'));
  process.kill(pid, 'SIGKILL');
});

leaving('an editor that is killed while a server writes leaves none behind', async session => {
  await session.wrap({ stays: session.socketPath });
  await session.begun;
  await session.wrapped.order({ kind: 'chatter' });
  const ended = exit(session);
  killEditor(session);
  expect(await ended).toBe(1);
  await session.gone;
});

leaving('a Java server that is given up is ended while the editor goes on', async session => {
  await session.wrap({ stays: session.socketPath, errors: { initialize: { code: 1, message: 'no Java 21' } } });
  await session.gone;
  await session.wrapped.client.waitFor(
    ({ params }) => JSON.stringify(params ?? null).includes('refuses to start: no Java 21'),
    30_000,
  );
  expect(await session.wrapped.client.command('insitu.status', { quiet: true })).toMatchObject({
    text: expect.anything(),
  });
  expect(await session.wrapped.end()).toBe(1);
});

leaving('a Java server goes on alone when ours is killed', async session => {
  await session.wrap({});
  const ours = readdirSync('/proc').filter(entry => isOurs(entry, session));
  expect(ours).toHaveLength(1);
  process.kill(Number(ours[0]), 'SIGKILL');
  await session.wrapped.client.waitFor(
    ({ params }) => JSON.stringify(params ?? null).includes('goes on alone'),
    30_000,
  );
  expect(session.wrapped.log()).toContain('the insitu server was ended by SIGKILL; the Java server goes on alone');
  expect(await session.wrapped.client.connection.sendRequest('java/any')).toEqual({ method: 'java/any' });
  await expect(session.wrapped.client.command('insitu.status')).rejects.toThrow('the insitu server has ended');
  expect(await session.wrapped.end()).toBe(0);
});

/** Whether this entry of /proc is the server that stands behind the proxy. */
function isOurs(entry: string, { wrapped }: Session): boolean {
  try {
    const status = readFileSync(`/proc/${entry}/status`, 'utf8');
    const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8');
    return status.includes(`\nPPid:\t${wrapped.client.process.pid}\n`) && command.includes('lsp\0--stdio');
  } catch {
    return false;
  }
}
