// Serves the built page and a fake of its answers on loopback, with the policy that the real server sends.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Question } from 'insitu/views';
import { buildPage } from '../../../.ci/page.ts';
import type { FakeViews } from './views-fake.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const TOKEN = 'a-token-of-this-session';
const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

export type PageServer = {
  /** With a code that is good for any number of times, as a test wants it. */
  readonly address: (state?: string) => string;
  readonly origin: string;
  /** Another fake answers questions from here on. */
  serve: (views: FakeViews) => void;
  /** Milliseconds that each answer takes. */
  delay: number;
  readonly close: () => Promise<void>;
};

export async function servePage(first: FakeViews): Promise<PageServer> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-page-'));
  await buildPage(root, folder);
  const files = new Map(
    Object.entries(TYPES).map(([name, type]) => [name, { type, bytes: readFileSync(join(folder, name)) }]),
  );
  rmSync(folder, { recursive: true });
  let views = first;
  const shared = { delay: 0 };
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').split('?')[0]?.slice(1) ?? '';
    const file = files.get(path === '' ? 'index.html' : path);
    if (request.method === 'GET') {
      response.writeHead(file === undefined ? 404 : 200, {
        'content-type': file?.type ?? 'text/plain',
        'content-security-policy': POLICY,
      });
      response.end(file?.bytes ?? '');
      return;
    }
    const [status, answer] = await answered(path, request, question => views.answer(question));
    if (shared.delay > 0) await new Promise(resolve => setTimeout(resolve, shared.delay));
    response.writeHead(status, {
      'content-type': Buffer.isBuffer(answer) ? 'application/octet-stream' : 'application/json',
    });
    response.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    address: (state = '') => `${origin}/#code=once&${state}`,
    serve: other => {
      views = other;
    },
    get delay() {
      return shared.delay;
    },
    set delay(millis) {
      shared.delay = millis;
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answered(
  path: string,
  request: IncomingMessage,
  answer: (question: Question) => object,
): Promise<[number, object]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (path === 'session')
    return (body as { code?: string }).code === 'once'
      ? [200, { token: TOKEN }]
      : [403, { error: { message: 'The code is no longer good.', remedy: 'Open the page again.' } }];
  if (request.headers.authorization !== `Bearer ${TOKEN}`)
    return [401, { error: { message: 'This page’s session has ended.', remedy: 'Open the page again.' } }];
  try {
    return [200, answer(body as Question)];
  } catch (error) {
    return [500, { error: { message: String(error), remedy: '' } }];
  }
}
