// Checks addresses of buckets: what they say, and that no secret in one is repeated.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBucketAddress, withoutSecrets } from '../../../server/store/bucket/address.ts';
import { openStore } from '../../../server/store/open-store.ts';

const NONE = { prefix: '', endpoint: null, region: null, pathStyle: null };

test.each([
  ['s3://profiles', { bucket: 'profiles' }],
  ['s3://profiles/', { bucket: 'profiles' }],
  ['s3://profiles/team%20a/x/', { bucket: 'profiles', prefix: 'team a/x/' }],
  ['s3://p-1.q/y?region=eu-1&pathStyle=false', { bucket: 'p-1.q', prefix: 'y/', region: 'eu-1', pathStyle: false }],
  ['s3://profiles?endpoint=http://127.0.0.1:9000', { bucket: 'profiles', endpoint: 'http://127.0.0.1:9000' }],
])('%s', (location, wanted) => {
  expect(parseBucketAddress(location)).toEqual({ value: { ...NONE, ...wanted }, problems: [] });
  expect(openStore(location).value!.location).toBe(location);
  expect(openStore(location).value).toBe(openStore(location).value);
});

test.each([
  ['s3://', 'no name of a bucket'],
  ['s3://a b', 'no name of a bucket'],
  ['s3://profiles/../other', 'no prefix'],
  ['s3://profiles/a//b', 'no prefix'],
  ['s3://profiles/%00', 'no prefix'],
  ['s3://profiles/%zz', 'no prefix'],
  ['s3://profiles?endpoint=file:///etc', 'https:// or http://'],
  ['s3://profiles?endpoint=nowhere', 'no address'],
  ['s3://profiles?endpoint=https://host?x', 'more or less than a host'],
  ['s3://profiles?pathStyle=yes', 'true or false'],
  ['s3://profiles?region=a%20b', 'no name of a region'],
  ['s3://profiles?tls=false', 'no parameter "tls"'],
  ['s3://profiles?region=a&region=b', 'twice'],
])('%s is refused', (location, message) => {
  const { value, problems } = openStore(location);
  expect(value).toBe(null);
  expect(problems).toMatchObject([{ severity: 'error', message: expect.stringContaining(message) }]);
});

test.each([
  's3://id:hidden@profiles/x',
  's3://profiles?secretKey=hidden',
  's3://profiles?accessKeyId=me&session_token=hidden',
  's3://profiles?endpoint=https://me:hidden@host',
  's3://profiles?endpoint=https%3A%2F%2Fme%3Ahidden%40host',
])('%s: a secret is refused and not repeated', location => {
  const { value, problems } = openStore(location);
  expect(value).toBe(null);
  expect(problems[0]!.message).toContain('credentials');
  expect(JSON.stringify(problems)).not.toContain('hidden');
});

test('any text is an address or a problem', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      const { value, problems } = parseBucketAddress(`s3://${text}`);
      expect(problems).toHaveLength(value === null ? 1 : 0);
      if (value !== null) expect(value.prefix).toMatch(/^$|\/$/);
      expect(typeof withoutSecrets(text)).toBe('string');
    }),
  );
});
