// The web server of the page of pictures, as a bundle of its own: it is loaded when the first page is opened, so that hints do not wait for it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { messageOf } from '../base/message-of.ts';
import { type PageFiles, readPageFiles } from './page-files.ts';
import { type Answering, pageRoutes } from './page-routes.ts';
import { PageSessions } from './page-sessions.ts';

export type ViewServerOptions = {
  /** Lines for a log: refusals, once a minute, and failures. */
  readonly log: (line: string) => void;
  /** Is called when the server has closed itself, since no page has asked for long. */
  readonly onIdle?: () => void;
  readonly idleMillis?: number;
  readonly limitMillis?: number;
  readonly files?: PageFiles;
};

export type ViewServer = {
  readonly port: number;
  /** A new address, good for one page within a minute. */
  addressFor(answering: Answering): string;
  close(): void;
};

/** Half an hour after the last question of a page. */
const IDLE_MILLIS = 30 * 60_000;
const LOG_MILLIS = 60_000;
/** Browsers open six connections a tab. */
const MOST_CONNECTIONS = 64;
/** For the head of a request to come in, */
const HEAD_MILLIS = 2_000;
/** and for all of it. */
const REQUEST_MILLIS = 10_000;
/** So often both are looked at. */
const CHECK_MILLIS = 500;

/** Listens on a free port of this machine alone. Rejects where the page was not built. */
export async function startViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const { log, onIdle, idleMillis = IDLE_MILLIS, limitMillis, files = readPageFiles(import.meta.url) } = options;
  const sessions = new PageSessions<Answering>();
  const server = createServer({
    requestTimeout: REQUEST_MILLIS,
    headersTimeout: HEAD_MILLIS,
    connectionsCheckingInterval: CHECK_MILLIS,
  });
  dropIdle(server);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(0, '127.0.0.1', resolve);
  await promise;
  server.on('error', error => log(`the page's web server: ${error.message}`));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    clearTimeout(idle);
    server.close();
    server.closeAllConnections();
  };
  const idle = setTimeout(() => {
    close();
    onIdle?.();
  }, idleMillis);
  idle.unref();
  const routes = pageRoutes({
    port,
    files,
    sessions,
    ...(limitMillis !== undefined && { limitMillis }),
    onPage: () => void idle.refresh(),
    onRefused: refusalLog(log),
    onError: error => log(`a question of the page failed: ${messageOf(error)}`),
  });
  server.on('request', getRequestListener(routes.fetch, { overrideGlobalObjects: false, hostname: '127.0.0.1' }));
  return {
    port,
    addressFor: answering => {
      idle.refresh();
      return `http://127.0.0.1:${port}/#code=${sessions.newCode(answering)}`;
    },
    close,
  };
}

/** Beyond the most connections the oldest one goes that no answer is being made for: slow ones keep no place from others. */
function dropIdle(server: Server): void {
  /** All connections, the one that was heard of longest ago first, with the number of their requests that are being answered. */
  const connections = new Map<Socket, number>();
  const heard = (socket: Socket, change: number): void => {
    const running = connections.get(socket);
    if (running === undefined) return;
    connections.delete(socket);
    connections.set(socket, running + change);
  };
  server.on('connection', (socket: Socket) => {
    connections.set(socket, 0);
    socket.once('close', () => connections.delete(socket));
    if (connections.size <= MOST_CONNECTIONS) return;
    const [[idle] = [socket]] = [...connections].filter(([, running]) => running === 0);
    connections.delete(idle);
    idle.destroy();
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    heard(request.socket, 1);
    response.once('close', () => heard(request.socket, -1));
  });
}

/** The first refusal at once, further ones once a minute with their number. */
function refusalLog(log: (line: string) => void): (reason: string) => void {
  let [count, nextMillis] = [0, 0];
  return reason => {
    count++;
    const now = performance.now();
    if (now < nextMillis) return;
    log(`the page's web server refused ${count === 1 ? 'a request' : `${count} requests`}, the last one: ${reason}`);
    [count, nextMillis] = [0, now + LOG_MILLIS];
  };
}
