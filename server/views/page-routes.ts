// The routes of the page's web server, and everything that a request is refused for.
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ViewAnswer } from './answer-question.ts';
import type { PageFiles } from './page-files.ts';
import type { PageSessions } from './page-sessions.ts';

/** Answers questions of the pages of one session. */
export type Answering = (question: unknown, signal: AbortSignal) => Promise<ViewAnswer>;

type RouteOptions = {
  readonly port: number;
  readonly files: PageFiles;
  readonly sessions: PageSessions<Answering>;
  /** A page has asked something. */
  readonly onPage: () => void;
  readonly onRefused: (reason: string) => void;
  readonly onError: (error: unknown) => void;
  /** The longest time for a question; 10 s when absent. */
  readonly limitMillis?: number;
};

const MOST_BODY_BYTES = 64 * 1024;
const MOST_AT_ONCE = 8;
const LIMIT_MILLIS = 10_000;

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [401, 'open the page anew from the editor, or with insitu view'],
  [503, 'ask again'],
]);

export function pageRoutes(options: RouteOptions): Hono<Environment> {
  const { files, onRefused, onError } = options;
  const app = new Hono<Environment>();
  const refuse = (context: Context, status: Status, message: string) => {
    onRefused(message);
    return withHeaders(context.json({ error: { message, remedy: REMEDIES.get(status) ?? '' } }, status));
  };
  app.use(onlyHosts(options.port, refuse));
  app.use(async (context, next) => {
    await next();
    withHeaders(context.res);
  });
  for (const [path, { type, bytes }] of files)
    app.get(path, context => context.body(bytes, 200, { 'Content-Type': type }));
  // Browsers ask for it by themselves: that is no refusal to tell of.
  app.get('/favicon.ico', context => context.body(null, 204));
  app.on('POST', ['/session', '/ask'], onlyOwnPages(options.port, refuse));
  const [size, bearers] = [smallBodies(refuse), onlyBearers(options.sessions, refuse)];
  app.post('/session', fewAtOnce(refuse), size, context => exchangeCode(context, options, refuse));
  // A request without a token takes no place from one with a token.
  app.post('/ask', bearers, fewAtOnce(refuse), size, context => answer(context, options, refuse));
  app.notFound(context => refuse(context, 404, `${context.req.method} of an address that is not there`));
  app.onError((error, context) => {
    onError(error);
    return refuse(context, 503, 'the question failed');
  });
  return app;
}

type Environment = { readonly Variables: { answering: Answering } };

type Status = 401 | 403 | 404 | 413 | 503;

type Refuse = (context: Context, status: Status, message: string) => Response;

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  return response;
}

/** Names that this machine calls itself by; a foreign name that leads here is another site for the browser. */
function hostsAt(port: number): ReadonlySet<string> {
  return new Set([`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]);
}

/** Before everything else. */
function onlyHosts(port: number, refuse: Refuse): MiddlewareHandler {
  const hosts = hostsAt(port);
  return async (context, next) => {
    if (!hosts.has(context.req.header('Host') ?? '')) return refuse(context, 403, 'a request for another host');
    return next();
  };
}

/** Scripts of other pages come with their origin, if at all; it is compared with a list, never with Host. */
function onlyOwnPages(port: number, refuse: Refuse): MiddlewareHandler {
  const origins = new Set(Array.from(hostsAt(port), host => `http://${host}`));
  return async (context, next) => {
    if (!origins.has(context.req.header('Origin') ?? '')) return refuse(context, 403, 'a request of another page');
    if ((context.req.header('Sec-Fetch-Site') ?? 'same-origin') !== 'same-origin')
      return refuse(context, 403, 'a request from another site');
    return next();
  };
}

function onlyBearers(sessions: PageSessions<Answering>, refuse: Refuse): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const [, token] = /^Bearer ([\w-]{43})$/.exec(context.req.header('Authorization') ?? '') ?? [];
    const answering = token === undefined ? null : sessions.subjectOf(token);
    if (answering === null) return refuse(context, 401, 'this page may not ask any more');
    context.set('answering', answering);
    return next();
  };
}

function fewAtOnce(refuse: Refuse): MiddlewareHandler {
  let running = 0;
  return async (context, next) => {
    if (running >= MOST_AT_ONCE) return refuse(context, 503, `more than ${MOST_AT_ONCE} questions at once`);
    running++;
    return next().finally(() => {
      running--;
    });
  };
}

function smallBodies(refuse: Refuse): MiddlewareHandler {
  const onError = (context: Context) => refuse(context, 413, 'a question of more than 64 KB');
  return bodyLimit({ maxSize: MOST_BODY_BYTES, onError });
}

async function exchangeCode(context: Context, { sessions, onPage }: RouteOptions, refuse: Refuse): Promise<Response> {
  const given: unknown = await context.req.json().catch(() => null);
  const code = typeof given === 'object' && given !== null && 'code' in given ? given.code : null;
  const token = typeof code === 'string' ? sessions.exchange(code) : null;
  if (token === null) return refuse(context, 401, 'the code in the address is not valid any more');
  onPage();
  return context.json({ token });
}

async function answer(
  context: Context<Environment>,
  { onPage, limitMillis = LIMIT_MILLIS }: RouteOptions,
  refuse: Refuse,
): Promise<Response> {
  onPage();
  const question: unknown = await context.req.json().catch(() => null);
  const tooLate = AbortSignal.timeout(limitMillis);
  const signal = AbortSignal.any([context.req.raw.signal, tooLate]);
  const ended = untilAborted(signal);
  try {
    const found = await Promise.race([context.get('answering')(question, signal), ended.promise]);
    if (found.kind === 'bytes')
      return context.body(new Uint8Array(found.bytes), 200, { 'Content-Type': 'application/octet-stream' });
    return found.kind === 'json' ? Response.json(found.json) : context.json(found.json, 400);
  } catch (error) {
    if (!signal.aborted) throw error;
    // The page has taken its question back: no page reads the answer, and there is nothing to tell of.
    if (!tooLate.aborted) return context.body(null, 503);
    return refuse(context, 503, `no answer within ${limitMillis / 1000} s`);
  } finally {
    ended.release();
  }
}

/** Rejects when the signal aborts: what answers may take its time to notice. */
function untilAborted(signal: AbortSignal): { readonly promise: Promise<never>; readonly release: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new Error('aborted'));
  promise.catch(() => {});
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { promise, release: () => signal.removeEventListener('abort', abort) };
}
