// Reads the address of a bucket: `s3://bucket/prefix?endpoint=…&region=…&pathStyle=…`.
import type { Outcome } from '../../base/problem.ts';

/** Where a bucket is. Who may use it is never part of an address. */
export type BucketAddress = {
  readonly bucket: string;
  /** In front of every key: empty, or ending in a slash. */
  readonly prefix: string;
  /** Address of the engine; null for the one that the environment names, else AWS. */
  readonly endpoint: string | null;
  /** null for the one that the environment names. */
  readonly region: string | null;
  /** Whether the bucket is named in the path in place of the host; null: with an endpoint of one's own. */
  readonly pathStyle: boolean | null;
};

const PARAMETERS = ['endpoint', 'region', 'pathStyle'];
const FORM = 's3://bucket/prefix?endpoint=https://host&region=eu-1&pathStyle=true';

/** The address as it may be shown: without anything that could be a secret. */
export function withoutSecrets(location: string): string {
  return location
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1…@')
    .replace(/([?&](?!(?:endpoint|region|pathStyle)=)[^=&#]*=)[^&#]*/gi, '$1…')
    .replace(/(endpoint=)[^&#]*(?:@|%40)/i, '$1…@');
}

/** null with a problem that says what is wrong; what could be a secret is not repeated in it. */
export function parseBucketAddress(location: string): Outcome<BucketAddress | null> {
  const refuse = (message: string, remedy = `write it as ${FORM}`): Outcome<null> => ({
    value: null,
    problems: [{ severity: 'error', message, file: withoutSecrets(location), remedy }],
  });
  const parts = /^s3:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i.exec(location);
  if (parts === null) return refuse('this names no bucket');
  const [, bucket = '', path = '', query = ''] = parts;
  const secrets = 'credentials do not belong into an address';
  const elsewhere = 'leave them to the environment, the shared AWS configuration or the role of the machine';
  if (bucket.includes('@') || bucket.includes(':')) return refuse(secrets, elsewhere);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}$/.test(bucket)) return refuse('this is no name of a bucket');
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    if (/key|secret|token|password|credential/i.test(name)) return refuse(secrets, elsewhere);
    if (!PARAMETERS.includes(name)) return refuse(`an address has no parameter ${JSON.stringify(name)}`);
    if (parameters.getAll(name).length > 1) return refuse(`the parameter ${name} stands there twice`);
  }
  const endpoint = parameters.get('endpoint');
  const flaw = endpoint === null ? null : flawOfEndpoint(endpoint);
  if (flaw !== null) return flaw === 'secret' ? refuse(secrets, elsewhere) : refuse(flaw);
  const region = parameters.get('region');
  if (region !== null && !/^[A-Za-z0-9-]{1,64}$/.test(region)) return refuse('this is no name of a region');
  const style = parameters.get('pathStyle');
  if (style !== null && style !== 'true' && style !== 'false') return refuse('pathStyle is either true or false');
  const prefix = safeDecode(path)?.replace(/\/+$/, '');
  if (prefix === undefined || !isPlain(prefix)) return refuse('this is no prefix of keys');
  const pathStyle = style === null ? null : style === 'true';
  return {
    value: { bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region, pathStyle },
    problems: [],
  };
}

function flawOfEndpoint(endpoint: string): string | null {
  if (!URL.canParse(endpoint)) return 'the endpoint is no address';
  const { protocol, username, password, hostname, search, hash } = new URL(endpoint);
  if (username !== '' || password !== '') return 'secret';
  if (protocol !== 'https:' && protocol !== 'http:') return 'the endpoint begins with https:// or http://';
  return hostname === '' || search !== '' || hash !== '' ? 'the endpoint is more or less than a host' : null;
}

/** No control characters and no segments that mean another place. */
function isPlain(prefix: string): boolean {
  const segments = prefix.split('/');
  return prefix === '' || (!/\p{Cc}/u.test(prefix) && segments.every(each => !['', '.', '..'].includes(each)));
}

function safeDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
