// Checks what becomes of engines that answer late, wrongly, too much or not at all, and that proxies and certificates are respected.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseBucketAddress } from '../../../server/store/bucket/address.ts';
import { BucketStore } from '../../../server/store/bucket/bucket-store.ts';
import { DiskCache } from '../../../server/store/bucket/disk-cache.ts';
import { connect } from '../../../server/store/bucket/s3-chunk.ts';
import { ownCertificate } from '../../support/stores/certificate.ts';
import { EXECUTION } from '../../support/stores/snapshots.ts';
import { windowSnapshot } from '../../support/stores/store-contract.ts';

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let asked: string[];

beforeEach(async () => {
  asked = [];
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'nobody');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hidden-secret');
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'])
    vi.stubEnv(name, '');
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

const port = () => (server.address() as AddressInfo).port;
function store(endpoint = `http://127.0.0.1:${port()}`): BucketStore {
  const location = `s3://profiles?endpoint=${endpoint}`;
  const address = parseBucketAddress(location).value!;
  return new BucketStore(location, address, async to => connect(to), new DiskCache({ folder: '', mostBytes: 0 }));
}
const says = (status: number, body = '', headers: Record<string, string> = {}) => {
  return (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(status, headers).end(body);
};
const page = (keys: readonly [key: string, size: number][], next?: string) => {
  const contents = keys.map(([key, size]) => `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`).join('');
  const more =
    next === undefined ? '' : `<IsTruncated>true</IsTruncated><NextContinuationToken>${next}</NextContinuationToken>`;
  return `<?xml version="1.0"?><ListBucketResult>${more}${contents}</ListBucketResult>`;
};
const KEY = `v1/acme/shop/1.4.2/eu-1/1700000000000-${'a'.repeat(32)}.cct`;
const ENTRY = { execution: EXECUTION, startMillis: 1_700_000_000_000, hash: 'a'.repeat(32), key: KEY, bytes: 1_000 };

test('what fails for a moment is tried again', async () => {
  let failures = 2;
  answer = (request, response) => (failures-- > 0 ? says(503) : says(200, page([[KEY, 10]])))(request, response);
  expect(await store().list({})).toMatchObject({ value: [{ key: KEY, bytes: 10 }], problems: [] });
  expect(asked).toHaveLength(3);
});

test('a listing that does not go on ends', async () => {
  answer = says(200, page([[KEY, 10]], 'again'));
  const { value, problems } = await store().list({});
  expect(value).toEqual([]);
  expect(problems).toMatchObject([{ severity: 'error', message: expect.stringContaining('does not go on') }]);
});

test('a listing of nothing is no trouble', async () => {
  answer = says(
    200,
    '<?xml version="1.0"?><ListBucketResult><Name>profiles</Name><KeyCount>0</KeyCount></ListBucketResult>',
  );
  expect(await store().list({})).toEqual({ value: [], problems: [] });
});

test('names and sizes that no snapshot has are left alone', async () => {
  const up = `../../${KEY}`;
  const foreign: [string, number][] = [
    [up, 10],
    [KEY, -1],
    [KEY, 2 ** 52],
    [`${KEY}/x`, 10],
    ['x'.repeat(2_000), 10],
    ['', 10],
  ];
  answer = says(200, page([...foreign, [KEY, 10]]));
  const { value } = await store().list({});
  expect(value).toMatchObject([{ key: KEY, bytes: 10 }]);
});

test.each([
  ['no XML', 'hello', 200],
  ['cut off', page([[KEY, 10]]).slice(0, 60), 200],
  ['an empty answer', '', 200],
  ['a page of something else', '<html><body><h1>Please log in</h1></body></html>', 200],
  ['XML of something else', '<?xml version="1.0"?><Answer><Name>nobody</Name></Answer>', 200],
  ['a refusal with a secret in it', '<Error><Code>AccessDenied</Code><Message>hidden-secret</Message></Error>', 403],
  ['an error that nobody knows', '<Error><Code>hidden-secret &amp; more</Code></Error>', 418],
])('a listing that is %s', async (_title, body, status) => {
  answer = says(status, body);
  const { value, problems } = await store().list({});
  expect(value).toEqual([]);
  expect(problems).toMatchObject([{ severity: 'error', remedy: expect.any(String) }]);
  expect(JSON.stringify(problems)).not.toContain('hidden-secret');
});

test('more bytes than were asked for are not taken', async () => {
  answer = (_request, response) => {
    response.writeHead(206);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  const { value, problems } = await store().read(ENTRY);
  expect(value).toBe(null);
  expect(problems).toMatchObject([{ message: expect.stringContaining('more than the 1000 bytes') }]);
});

test('an engine that ignores the condition of a put is told of once', async () => {
  answer = says(200);
  const one = store();
  const first = await one.put(windowSnapshot(0, 1));
  expect(first.value).not.toBe(null);
  expect(first.problems).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('overwrites objects') },
  ]);
  expect((await one.put(windowSnapshot(1, 1))).problems).toEqual([]);
});

test.each([
  [403, /^nothing can be stored here: the engine refuses this user/, /docs\/scale\.md/],
  [418, /^nothing can be stored here: the engine answers 418/, /docs\/scale\.md/],
])('whether anything could be put is told without a snapshot: %s', async (status, message, remedy) => {
  answer = says(status);
  const one = store();
  const wanted = { severity: 'error', message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) };
  expect(await one.tryPut()).toMatchObject([wanted]);
  expect(new Set(asked)).toEqual(new Set(['PUT /profiles/insitu-probe?x-id=PutObject']));
  answer = says(412);
  expect(await one.tryPut()).toEqual([]);
});

test('an engine that does not know the condition is asked without it', async () => {
  answer = (request, response) => says(request.headers['if-none-match'] === undefined ? 200 : 501)(request, response);
  expect((await store().put(windowSnapshot(0, 1))).value).not.toBe(null);
});

test('a name that is taken by something else is no success', async () => {
  answer = (request, response) =>
    (request.method === 'PUT' ? says(412) : says(206, 'something else'))(request, response);
  const { value, problems } = await store().put(windowSnapshot(0, 1));
  expect(value).toBe(null);
  expect(problems).toMatchObject([{ severity: 'error', message: expect.stringContaining('another object') }]);
});

test('HTTPS_PROXY is used, but for what NO_PROXY names', async () => {
  const through: string[] = [];
  server.on('connect', (request, socket) => {
    through.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port()}`);
  expect((await store('https://bucket.example').list({})).problems).toHaveLength(1);
  expect(new Set(through)).toEqual(new Set(['bucket.example:443']));
  vi.stubEnv('NO_PROXY', '127.0.0.1');
  answer = says(200, page([[KEY, 10]]));
  expect((await store().list({})).value).toHaveLength(1);
});

test('the engine that the environment names is asked like one that an address names', async () => {
  const [location, port] = ['s3://profiles/team', (server.address() as AddressInfo).port];
  const own = () => {
    const address = parseBucketAddress(location).value!;
    return new BucketStore(location, address, async to => connect(to), new DiskCache({ folder: '', mostBytes: 0 }));
  };
  answer = says(200, page([]));
  const through: string[] = [];
  server.on('connect', (request, socket) => {
    through.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${port}`);
  await own().list({});
  expect(asked).toEqual([expect.stringMatching(/^GET \/profiles\/?\?/)]);
  expect(through).toEqual([]);
  vi.stubEnv('AWS_ENDPOINT_URL_S3', 'https://engine.example');
  await own().list({});
  expect(new Set(through)).toEqual(new Set(['engine.example:443']));
});

test.each([
  ['eu-north-7', '[default]\nregion = eu-north-7\n', undefined],
  ['ap-east-9', '[default]\nregion = eu-north-7\n', 'ap-east-9'],
  ['us-east-1', '', undefined],
])('the region is %s', async (region, configuration, environment) => {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-region-'));
  try {
    writeFileSync(join(folder, 'config'), configuration);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
    for (const name of ['AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_REGION', environment);
    const signed: string[] = [];
    answer = (request, response) => {
      signed.push(request.headers.authorization ?? '');
      says(200, page([]))(request, response);
    };
    await store().list({});
    expect(signed[0]).toContain(`/${region}/s3/aws4_request`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a certificate that nobody vouches for is refused, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
  const secure = createSecureServer(ownCertificate('127.0.0.1'), says(200, page([[KEY, 10]])));
  try {
    await new Promise<void>(resolve => secure.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const { value, problems } = await store(`https://127.0.0.1:${(secure.address() as AddressInfo).port}`).list({});
    expect(value).toEqual([]);
    expect(problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('certificate is not trusted') },
    ]);
  } finally {
    secure.closeAllConnections();
    secure.close();
  }
});
