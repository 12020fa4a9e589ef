// Tests whom the page's web server refuses: other hosts, other pages, wrong and replayed secrets, too much at once.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PageSessions } from '../../server/views/page-sessions.ts';
import { startViewServer, type ViewServer } from '../../server/views/views-chunk.ts';

type Asked = { readonly status: number; readonly body: string; readonly headers: IncomingHttpHeaders };

type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
};

const PAGE = new Map([
  ['/', { type: 'text/html; charset=utf-8', bytes: new TextEncoder().encode('<!doctype html>') }],
  ['/page.js', { type: 'text/javascript; charset=utf-8', bytes: new TextEncoder().encode('1') }],
]);

let server: ViewServer;
let logged: string[];
/** Questions that reached the answering side. */
let questions: unknown[];
let answer: (question: unknown, signal: AbortSignal) => Promise<object>;

beforeEach(async () => {
  [logged, questions] = [[], []];
  answer = async () => ({ fine: true });
  server = await startViewServer({ log: line => logged.push(line), files: PAGE, limitMillis: 600_000 });
});

afterEach(() => server.close());

/** Sends a request as a browser would from the page itself, unless headers say otherwise; undefined leaves one out. */
function send({ method = 'POST', path = '/ask', headers = {}, body = '{"ask":"state"}' }: Sent): Promise<Asked> {
  const { promise, resolve, reject } = Promise.withResolvers<Asked>();
  const own = { Host: `127.0.0.1:${server.port}`, Origin: `http://127.0.0.1:${server.port}`, ...headers };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  const sent = request({ host: '127.0.0.1', port: server.port, method, path, headers: given, agent: false }, got => {
    const parts: Buffer[] = [];
    got.on('data', (part: Buffer) => parts.push(part));
    got.on('end', () =>
      resolve({ status: got.statusCode ?? 0, body: Buffer.concat(parts).toString(), headers: got.headers }),
    );
    got.on('error', reject);
  });
  sent.on('error', reject);
  sent.end(method === 'POST' ? body : undefined);
  return promise;
}

function newCode(): string {
  const address = server.addressFor(async (question, signal) => {
    questions.push(question);
    return { kind: 'json', json: await answer(question, signal) };
  });
  return new URLSearchParams(new URL(address).hash.slice(1)).get('code')!;
}

async function exchange(code: unknown): Promise<Asked> {
  return send({ path: '/session', body: JSON.stringify({ code }) });
}

async function newToken(): Promise<string> {
  return (JSON.parse((await exchange(newCode())).body) as { token: string }).token;
}

async function bearer(): Promise<OutgoingHttpHeaders> {
  return { Authorization: `Bearer ${await newToken()}` };
}

describe('the page', () => {
  test('asks with a token that it got for the code in its address', async () => {
    const asked = await send({ headers: await bearer() });
    expect(asked).toMatchObject({ status: 200, body: '{"fine":true}' });
    expect(questions).toEqual([{ ask: 'state' }]);
    expect(logged).toEqual([]);
  });

  test.each(['localhost', '[::1]'])('may be called %s', async host => {
    const own = { Host: `${host}:${server.port}`, Origin: `http://${host}:${server.port}` };
    expect((await send({ headers: { ...(await bearer()), ...own } })).status).toBe(200);
  });

  test('comes with headers that keep scripts, frames and other hosts out, as does every refusal', async () => {
    const answers = [
      await send({ method: 'GET', path: '/' }),
      await send({ method: 'GET', path: '/nothing' }),
      await send({ headers: { Host: 'evil.example' } }),
      await send({ headers: await bearer() }),
      await send({ headers: { ...(await bearer()), 'Content-Length': '70000' }, body: 'x'.repeat(70_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 200, 413]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(Object.keys(headers).filter(name => /^access-control|^set-cookie/.test(name))).toEqual([]);
    }
  });
});

describe('secrets', () => {
  test('a wrong, missing or malformed code gives no token', async () => {
    newCode();
    for (const code of ['', 'A'.repeat(43), 7, null, { toString: 'x' }])
      expect((await exchange(code)).status).toBe(401);
    for (const body of ['', 'no json', '[]', 'null']) expect((await send({ path: '/session', body })).status).toBe(401);
  });

  test('a code that comes twice ends the session that it began', async () => {
    const code = newCode();
    const { token } = JSON.parse((await exchange(code)).body) as { token: string };
    const headers = { Authorization: `Bearer ${token}` };
    expect((await send({ headers })).status).toBe(200);
    expect((await exchange(code)).status).toBe(401);
    expect((await send({ headers })).status).toBe(401);
    expect((await exchange(code)).status).toBe(401);
  });

  test('a code is good for a minute', () => {
    let now = 0;
    const sessions = new PageSessions<string>(() => now);
    const [early, late] = [sessions.newCode('early'), sessions.newCode('late')];
    now = 60_000;
    expect(sessions.subjectOf(sessions.exchange(early)!)).toBe('early');
    now = 60_001;
    expect(sessions.exchange(late)).toBeNull();
  });

  test('a token leads to its own session alone', async () => {
    const sessions = new PageSessions<string>();
    const [one, other] = [sessions.exchange(sessions.newCode('one'))!, sessions.exchange(sessions.newCode('other'))!];
    expect([sessions.subjectOf(one), sessions.subjectOf(other)]).toEqual(['one', 'other']);
    expect(sessions.subjectOf('')).toBeNull();
  });

  test('a code that was not exchanged has no token that could be guessed', () => {
    const sessions = new PageSessions<string>();
    sessions.newCode('waiting');
    for (const token of ['null', '', 'undefined']) expect(sessions.subjectOf(token)).toBeNull();
  });

  test('a wrong or missing token asks nothing, and nor does one in another place', async () => {
    const token = await newToken();
    const wrong = [
      {},
      { Authorization: '' },
      { Authorization: 'Bearer ' },
      { Authorization: `Bearer ${'A'.repeat(43)}` },
      { Authorization: `Basic ${token}` },
      { Authorization: `Bearer ${token}x` },
      { Cookie: `token=${token}` },
    ];
    for (const headers of wrong) expect((await send({ headers })).status).toBe(401);
    expect((await send({ path: `/ask?token=${token}` })).status).toBe(401);
    expect(questions).toEqual([]);
  });
});

describe('other pages', () => {
  test.each(['evil.example', '127.0.0.1', 'localhost', '127.0.0.1:1', 'insitu.localhost', '127.0.0.1.nip.io'])(
    'are refused by the host %j, before all else',
    async name => {
      const headers = await bearer();
      const host = name.includes(':') ? name : `${name}:${server.port + (name === 'localhost' ? 1 : 0)}`;
      const own = host === `127.0.0.1:${server.port}` ? '127.0.0.1' : host;
      for (const path of ['/', '/page.js', '/nothing'])
        expect([400, 403]).toContain((await send({ method: 'GET', path, headers: { Host: own } })).status);
      for (const path of ['/ask', '/session']) {
        const foreign = { ...headers, Host: own, Origin: `http://${own}` };
        expect([400, 403]).toContain((await send({ path, headers: foreign })).status);
      }
      expect(questions).toEqual([]);
    },
  );

  test('are refused by their origin, also where it is missing or equal to the host', async () => {
    const headers = await bearer();
    const { port } = server;
    const origins = [
      undefined,
      'null',
      '',
      'http://evil.example',
      `http://evil.example:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port + 1}`,
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1:${port}, http://evil.example`,
    ];
    for (const Origin of origins)
      for (const path of ['/ask', '/session'])
        expect((await send({ path, headers: { ...headers, Origin } })).status, String(Origin)).toBe(403);
    expect(questions).toEqual([]);
  });

  test('are refused by where the browser says that they stand', async () => {
    const headers = await bearer();
    for (const site of ['same-site', 'cross-site', 'none', 'x'])
      for (const path of ['/ask', '/session'])
        expect((await send({ path, headers: { ...headers, 'Sec-Fetch-Site': site } })).status, site).toBe(403);
    expect((await send({ headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' } })).status).toBe(200);
    expect(questions).toHaveLength(1);
  });

  test('get no permission by a preflight', async () => {
    const headers = { 'Access-Control-Request-Method': 'POST', Origin: 'http://evil.example' };
    const asked = await send({ method: 'OPTIONS', headers, body: '' });
    expect(asked.status).toBe(404);
    expect(Object.keys(asked.headers).filter(name => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('requests without effect', () => {
  test('GET gives the files of the page and nothing else', async () => {
    const headers = await bearer();
    const statuses = [];
    for (const path of [
      '/',
      '/page.js',
      '/ask',
      '/session',
      '/%2e%2e/package.json',
      '/../package.json',
      '/page.js/..',
      '/index.html',
    ])
      statuses.push((await send({ method: 'GET', path, headers })).status);
    expect(statuses).toEqual([200, 200, 404, 404, 404, 404, 200, 404]);
    expect(questions).toEqual([]);
  });

  test('a browser that asks for an icon gets none, and no refusal is told', async () => {
    const answer = await send({ method: 'GET', path: '/favicon.ico' });
    expect(answer).toMatchObject({ status: 204, body: '' });
    expect(logged).toEqual([]);
  });

  test('nor do other methods do anything', async () => {
    const headers = await bearer();
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      for (const path of ['/', '/ask', '/session']) expect((await send({ method, path, headers })).status).toBe(404);
    expect(questions).toEqual([]);
  });

  test.each([
    ['a request for another address through this one', 'GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n'],
    ['a request without a host', 'GET / HTTP/1.1\r\n'],
    ['a request without a host of an older kind', 'GET / HTTP/1.0\r\n'],
    ['a request with an empty host', 'GET / HTTP/1.1\r\nHost:\r\n'],
  ])('%s is refused', async (_, head) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(server.port, '127.0.0.1', () => socket.end(`${head}\r\n`));
    socket.on('data', data => resolve(data.toString()));
    expect(await promise).toMatch(/^HTTP\/1\.1 40[03] /);
  });
});

describe('too much', () => {
  test('a body of more than 64 KB is refused, whether its length is announced or not', async () => {
    const headers = await bearer();
    const body = JSON.stringify({ ask: 'state', revision: 'x'.repeat(65 * 1024) });
    expect((await send({ headers, body })).status).toBe(413);
    expect((await send({ headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body })).status).toBe(413);
    expect(questions).toEqual([]);
  });

  test('of nine questions at once the ninth is refused, and not later ones', async () => {
    const release = Promise.withResolvers<object>();
    answer = () => release.promise;
    const headers = await bearer();
    const eight = Array.from({ length: 8 }, () => send({ headers }));
    await vi.waitFor(() => expect(questions).toHaveLength(8));
    expect(await send({ headers })).toMatchObject({ status: 503, body: expect.stringContaining('at once') });
    release.resolve({});
    expect((await Promise.all(eight)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await send({ headers })).status).toBe(200);
  });

  test('a request without a token takes no place from one with a token', async () => {
    const release = Promise.withResolvers<object>();
    answer = () => release.promise;
    const headers = await bearer();
    const seven = Array.from({ length: 7 }, () => send({ headers }));
    await vi.waitFor(() => expect(questions).toHaveLength(7));
    // Their bodies never come.
    const strangers = Array.from({ length: 20 }, () => {
      const socket = connect(server.port, '127.0.0.1');
      const host = `127.0.0.1:${server.port}`;
      socket.write(
        `POST /ask HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      return socket;
    });
    const eighth = send({ headers });
    await vi.waitFor(() => expect(questions).toHaveLength(8));
    release.resolve({});
    expect((await Promise.all([...seven, eighth])).every(({ status }) => status === 200)).toBe(true);
    for (const socket of strangers) socket.destroy();
  });

  test('a question that takes too long is ended and said so', async () => {
    await server.close();
    server = await startViewServer({ log: line => logged.push(line), files: PAGE, limitMillis: 200 });
    const aborted = vi.fn();
    answer = (_, signal) => {
      signal.addEventListener('abort', aborted);
      return new Promise(() => {});
    };
    const asked = await send({ headers: await bearer() });
    expect(asked).toMatchObject({ status: 503, body: expect.stringContaining('no answer within') });
    expect(aborted).toHaveBeenCalledOnce();
  });

  test('a question whose page is gone is ended', async () => {
    const aborted = Promise.withResolvers<void>();
    answer = (_, signal) => {
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => {});
    };
    const headers = await bearer();
    const host = `127.0.0.1:${server.port}`;
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      `POST /ask HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nAuthorization: ${headers.Authorization}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    await vi.waitFor(() => expect(questions).toHaveLength(1));
    socket.destroy();
    await aborted.promise;
  });

  test('200 slow connections take no place from the page, and are closed within three seconds', async () => {
    const headers = await bearer();
    const slow = Array.from({ length: 200 }, () => connect(server.port, '127.0.0.1'));
    let closed = 0;
    for (const socket of slow) {
      socket.on('error', () => {}).on('close', () => closed++);
      socket.resume().write('POST /ask HTTP/1.1\r\n');
    }
    await vi.waitFor(() => expect(closed).toBe(200 - 64), { timeout: 5_000 });
    for (let round = 0; round < 70; round++) expect((await send({ headers })).status).toBe(200);
    await vi.waitFor(() => expect(closed).toBe(200), { timeout: 5_000 });
  });

  test('a question that is being answered is not dropped for slow connections', async () => {
    const headers = await bearer();
    const { promise, resolve } = Promise.withResolvers<object>();
    answer = () => promise;
    const asked = send({ headers: { ...headers, ...(await bearer()) } });
    await vi.waitFor(() => expect(questions).toHaveLength(1));
    const slow = Array.from({ length: 200 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    await Promise.all(slow.map(socket => new Promise(done => socket.once('connect', done))));
    resolve({ fine: true });
    expect((await asked).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  test('10,000 refused requests leave a line in the log, and the page is answered as before', async () => {
    const headers = await bearer();
    for (let round = 0; round < 100; round++)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          send(i % 2 === 0 ? { headers: { Host: 'evil.example' } } : { path: '/session', body: '{"code":"x"}' }),
        ),
      );
    expect(logged).toHaveLength(1);
    expect((await send({ headers })).status).toBe(200);
  });

  test('answers that fail tell the page nothing of this machine', async () => {
    answer = async () => {
      throw new Error('a secret of this machine');
    };
    const asked = await send({ headers: await bearer() });
    expect(asked.status).toBe(503);
    expect(asked.body).not.toContain('secret of');
    expect(logged[0]).toContain('a secret of this machine');
  });
});

test('the server closes itself when no page has asked for long', async () => {
  const idle = Promise.withResolvers<void>();
  const own = await startViewServer({ log: () => {}, files: PAGE, idleMillis: 50, onIdle: idle.resolve });
  await idle.promise;
  const { promise, resolve } = Promise.withResolvers<string>();
  connect(own.port, '127.0.0.1').on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  expect(await promise).toBe('ECONNREFUSED');
});
