// Speaks S3 with an engine. A bundle of its own: nothing loads it before a bucket is used.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import type { BucketAddress } from './address.ts';
import { type FailureKind, isObjectFailure, ObjectFailure, type Objects } from './objects.ts';

/** Requests of one client that are under way at once. */
const MOST_SOCKETS = 32;
const CONNECT_MILLIS = 3_000;
/** From a request's beginning to its answer. */
const ANSWER_MILLIS = 30_000;
/** Between two bytes of an answer. */
const SILENCE_MILLIS = 15_000;
const ATTEMPTS = 4;
/** Longest page of a listing; engines may send less, and are not trusted to. */
const PAGE_KEYS = 1_000;
const MOST_KEYS_A_PAGE = 10_000;
/** The longest key that S3 knows is 1,024 bytes. */
const LONGEST_KEY = 1_024;

/** The bucket at an address. Nothing is sent before the first request. */
export function connect(address: BucketAddress): Objects {
  const { bucket, pathStyle } = address;
  const endpoint = address.endpoint ?? endpointOf(process.env);
  const region = address.region ?? (process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION || null);
  const client = new S3Client({
    region: region ?? configuredRegion,
    ...(endpoint === null ? {} : { endpoint }),
    forcePathStyle: pathStyle ?? endpoint !== null,
    maxAttempts: ATTEMPTS,
    // Engines other than AWS refuse checksums at the end of a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MILLIS,
      requestTimeout: ANSWER_MILLIS,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_MILLIS,
      ...agents(endpoint ?? `https://s3.${region === null ? '' : `${region}.`}amazonaws.com`),
    },
  });
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    list: (prefix, next) =>
      failing(async () => {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket: bucket,
            Prefix: prefix,
            MaxKeys: PAGE_KEYS,
            ...(next === null ? {} : { ContinuationToken: next }),
          }),
        );
        // A login page, or no bytes at all, reads as a listing of nothing.
        if (page.Name !== bucket && page.KeyCount === undefined && page.Contents === undefined)
          throw new ObjectFailure('unreachable', 'what answers in its place is no engine: it sends no listing');
        const objects = (page.Contents ?? []).slice(0, MOST_KEYS_A_PAGE).flatMap(({ Key, Size }) => {
          return Key === undefined || Key.length > LONGEST_KEY ? [] : [{ key: Key, bytes: Size ?? 0 }];
        });
        return { objects, next: page.IsTruncated === true ? (page.NextContinuationToken ?? null) : null };
      }),
    get: (key, most) =>
      failing(async () => {
        const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range: `bytes=0-${most - 1}` }));
        return Body === undefined ? new Uint8Array(0) : collect(Body as AsyncIterable<Uint8Array>, most);
      }),
    putIfAbsent: (key, bytes) => putIfAbsent(client, bucket, key, bytes),
    remove: key => failing(async () => void (await client.send(new DeleteObjectCommand(at(key))))),
    storedMillis: key =>
      failing(async () => {
        const { LastModified } = await client.send(new HeadObjectCommand(at(key)));
        return LastModified?.getTime() ?? Date.now();
      }),
  };
}

/** The engine that an environment names as the AWS tools read it; null for AWS. */
function endpointOf(env: NodeJS.ProcessEnv): string | null {
  if (env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return null;
  return env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL || null;
}

/** The region of the shared configuration; engines other than AWS mostly do not mind which. */
async function configuredRegion(): Promise<string> {
  const { region } = new S3Client({}).config;
  return region().catch(() => 'us-east-1');
}

/** Another writer's request for the same key that is under way at the same time is answered with a conflict: the outcome is known soon. */
async function putIfAbsent(
  client: S3Client,
  bucket: string,
  key: string,
  bytes: Uint8Array,
): Promise<'stored' | 'exists'> {
  let condition: { IfNoneMatch?: string } = { IfNoneMatch: '*' };
  for (let attempt = 1; ; attempt++) {
    try {
      const command = { Bucket: bucket, Key: key, Body: bytes, ContentLength: bytes.length, ...condition };
      await client.send(new PutObjectCommand(command));
      return 'stored';
    } catch (error) {
      const status = statusOf(error);
      if (status === 412) return 'exists';
      if (status === 501 && 'IfNoneMatch' in condition) {
        // An engine without the condition: names made of contents make overwriting harmless.
        condition = {};
        continue;
      }
      if (status !== 409 || attempt === ATTEMPTS) throw failureOf(error);
      await new Promise(resolve => setTimeout(resolve, Math.random() * 100 * 2 ** attempt));
    }
  }
}

/**
 * Certificates are checked whatever NODE_TLS_REJECT_UNAUTHORIZED says; other authorities come in through NODE_EXTRA_CA_CERTS.
 * Proxies are those of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
 */
function agents(target: string): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: MOST_SOCKETS, rejectUnauthorized: true };
  const proxy = getProxyForUrl(target);
  if (proxy === '') return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
  const through = new HttpsProxyAgent(proxy, options);
  return { httpAgent: through, httpsAgent: through as HttpAgent as HttpsAgent };
}

/** An engine may send more than it was asked for. */
async function collect(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > most) throw new ObjectFailure('failed', `it sent more than the ${most} bytes it was asked for`);
  }
  return Buffer.concat(parts);
}

async function failing<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw failureOf(error);
  }
}

function statusOf(error: unknown): number | null {
  return error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? null) : null;
}

const NETWORK = /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|TimeoutError|NetworkingError|ERR_SOCKET)/;

function failureOf(error: unknown): ObjectFailure {
  if (isObjectFailure(error)) return error;
  const status = statusOf(error);
  const name = plainName(error);
  if (status === 404 && name !== 'NoSuchBucket') return new ObjectFailure('missing', 'there is no such object');
  if (name === 'NoSuchBucket') return new ObjectFailure('failed', 'there is no such bucket');
  if (status === 401 || status === 403) return new ObjectFailure('denied', `the engine refuses this user (${name})`);
  if (name.startsWith('Credentials') || name === 'TokenProviderError')
    return new ObjectFailure('denied', 'there are no credentials');
  if (NETWORK.test(name)) return new ObjectFailure('unreachable', `the engine does not answer (${name})`);
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(name))
    return new ObjectFailure('unreachable', `the engine's certificate is not trusted (${name})`);
  const kind: FailureKind = status === null || status >= 500 || status === 429 ? 'unreachable' : 'failed';
  return new ObjectFailure(kind, `the engine answers ${status ?? 'nothing that can be understood'} (${name})`);
}

/** The code or name of an error where it is a plain word; an engine may have chosen it. */
function plainName(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}
