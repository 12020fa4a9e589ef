// Checks that gzip, zstd, deflate and xz around recordings make no difference, and that bombs are refused.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memorySource } from '../../server/ingest/byte-source.ts';
import { decompress } from '../../server/ingest/compressed.ts';
import { textOfProfile } from '../support/profiles/profiles.ts';
import { ingest, profileIn } from '../support/recordings/ingested.ts';
import { runs } from '../support/runs.ts';

const TEXT = 'A.b;C.d 2\nA.b 1\n';
const recording = fileURLToPath(new URL('../../samples/recordings/shop-v1-jdk17-b.jfr', import.meta.url));

/** The output of `xz` for the text, with kinds of checks, and in two streams with padding between. */
const XZ = {
  none: '/Td6WFoAAAD/EtlBAgAhARYAAAB0L+WjAQAPQS5iO0MuZCAyCkEuYiAxCgAAASAQ7YG1qAZynnoBAAAAAABZWg==',
  'CRC-32': '/Td6WFoAAAFpIt42AgAhARYAAAB0L+WjAQAPQS5iO0MuZCAyCkEuYiAxCgCDIHUbAAEkEOlE2cyQQpkNAQAAAAABWVo=',
  'CRC-64': '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAPQS5iO0MuZCAyCkEuYiAxCgBuBuTJt5VT/wABKBDlC2xgH7bzfQEAAAAABFla',
  'two streams':
    '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAJQS5iO0MuZCAyCgAAAB2xhJVpJViVAAEiChUa4WcftvN9AQAAAAAEWVoAAAAA/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAFQS5iIDEKAAAA2kyw5VRdUCYAAR4GwS+kHR+2830BAAAAAARZWg==',
};
const xz = (name: keyof typeof XZ) => Buffer.from(XZ[name], 'base64');

const COMPRESSED: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ...Object.keys(XZ).map(name => [`xz, ${name}`, xz(name as keyof typeof XZ)] as const),
  ['deflate', deflateSync(TEXT)],
  ['gzip', gzipSync(TEXT)],
  ['gzip in two members', Buffer.concat([gzipSync(TEXT.slice(0, 10)), gzipSync(TEXT.slice(10))])],
  ['zstd', zstdCompressSync(TEXT)],
  ['zstd in two frames', Buffer.concat([zstdCompressSync(TEXT.slice(0, 10)), zstdCompressSync(TEXT.slice(10))])],
];

test.each(COMPRESSED)('%s', async (_name, bytes) => {
  expect(textOfProfile(await profileIn(bytes))).toBe('A.b | 1@0\n  C.d | 2@0');
});

test('xz with other parameters of LZMA, and matches that are far away', async () => {
  const bytes = Buffer.from(
    '/Td6WFoAAATm1rRGAgAhAQAAAAA3J5fW4B5tB2xAACCLihAyzDzyva5vg8EarTWnQ9ALStmFadlbJi/DHey5SXUZBmSuNI3yap6cQV1A2UWVXTOw3quGTWazrczx4LzAubIfkC0nvGXLNFqEczY3NTI3qBOlEVmSNRE+F8Sj3PuL5EZaxL4UZok2mGLXaqJJWPQLaUrWjN9Y8Ey2a/h0OvvMWd+04M/LDwcP6Rdc4Yxkfazl5d56WvLVM7xqA6DZRof7noVi/YoXw5MAyOXCHjYhlLxFuUANm3aN4/DZxw2vdMSSKJcX53W456QbzAUIz6RnMseDZo7J3faLPkGy7JSn7WAnFqq4yQtEQ2eL6OSgu/HvkMtJSbTFoDh+9b8iKXegZnMkGJtYA0LivE/uzG/luP8lXQjCxr5dLzVgqzR6Amt+QuJgYe5yuN0+P97N0HY5KCIdIpeNMNpmhbr2EUVP/a3YIgjWiOsuB1p9tjLL1ND4C49KYCffk8maeyxB+cDmfm6jkMAV2peGhvW+Caz2mFgasaW8ndtfRkfY29ctq3LXcIYsMcItVWMSe4AT0Q8lzKSo1XBXqIWroUVInZk7OGu8v1tFpi48ss97ah+wE/jnBj53n90TVtx/mBGl2BSdVA+INlVgisktCE6fFlw5DAHdC04FnLcNIvLXidrF15ue1aGTgRDcuNjVOvXpQ3Nd2/+ImD5ou9GwgWaC4eFydS88mVY/0OqrOEKXW4kJGycqQYzuInSzEYSvaNE6RD0xBG7rxFVek5jtj2W+LKEwds1PDeCauqeluCrArMY6TMUlVPn3XWBKr6ORlo2GiJryDqFq3WIIXnIhPjxQn7Ntgq+uphKv9fn2HNd2FHyg3URKUW3ENZnNv9tSLXvVSTHDNs9XhZ2EBT8CSQjF6dFcembVThQN3Jb681TwG49c5c9Anj0V27Fu4a4ljXtTaXUHH4G/VqR2hAUa3Qhv09wjOaMxdBkWkustu69/XKT40gOljK7YhdbqyO3hEqGU/tFy7avwq69AhhxqITBI8o6z+8qyLISZKW19+/+M9g2qOpfC9EsPEkQruOtfuPqaaPEGYw4wuLzn7CzemdCX5FP163xPGx1KiP5jXKyd+8aZHTlb9FEnxAbQ49uaUvfKe3jrfipTG2d1pf8txDDRwEhKTY/CyySJK9IX3ygydTQ3YLOc8QI45OW6Wc9gWdxnCMGW9Nz0w287sajxxFAXcc7FEpTu7oaPE2tGvq2XAncvTET+5hY9xRmfeFMCuiG43NadMvAtiF3M4FzdJe52Lj1eGKkuXMJBnv8/dW9HAehew2cBn8aIqKQ12XqF8A4xKXrw5wgZbcfsPycpYvAbuktXCAC+8sMYv45D8smRelW5keB8fEfO1X/u3LhKRpKc26Uo79YgzD02XeFOdoVC9ud23wYYRkitbdTcnvO+MzYhNI7Lm7aaNHpeSZ5T08LsQfmhD6w7nbw8RYQcLvoLrv/9JclIKR8TeEp5TVQrcOQHhWBDMadp/b9WddqoRwjg3udnvXFOLYxQWcO7P1G73mHjEhEwDfBy3895TI5WSCnI20JTPVl+ykUjNpO7Rq/LFm/RnnO+Q8U9jOIXx9dRUz2jURGgb6lJi5nnx5WVYjzTGpKsleOdLm3Cvr7rRSLXSIHetR9H6wbbEeKJBwtjnWE+icLXM8/0yxXXsauNe9zgfiT1ojdIeSjSlRLUaqRXxJY/jOeVEg711jRZ2nWFxuPaLjeXjfcDZbqRfVnqKxrYxmSgNbM19dfznk1KC+/nojaylL3zJGax7k5nQse46doSdehkleBUQnBpD5yiAw4YndB/s1cyjS0yv+yh7dMB0XSREj2h+2AJF5VQZAxiJiWriDcPyiA2EdBSgt031uckjI2SCFtNkwHShxJmPvt/uOQzZLFJg6QKy0PCX2Xv4ZXab+cRaeZyY13QtZTk++40XfhrOvxoC6hsW+ImmB+DbqLOPHOHvhjUmwKKEv8xzW5jh3Krqy5voPLPMJbe9T9ht26wAt0seWSlJZ4AjWmgDRaLMTLP+fCgQz3r0oLyjTUD+vATpgzuqwNv+ylNwFXqIg1pOKkw3wSb/fqcWwV8UzMQJiUtZZxcnD8zj3oMjlggI2D4OVKqJCc+zsiRwAvFulWqp1OYlKY1954AUFON3z4FUOZKblG32lrPDmJoLktBU6gEu4p0/W7YZGYD95gcIEPY3L3JCipDoGRApnZRJhfEFHh03MKuvxeW8exggItBZV5+NLeh3Fzbw8eaIa+aJRn2ql60lDNwyFYopxU9h1WljF6y/W3/EAJQ61hpU51jTOt/6xeP/8VuCs1lU5pLO7YsFp/pUbEDfkmBmjRhWwWPLrCKOgo92kbpwT5SDclzPNNUj8yrNVifOQPlg69ezdijYaFtXV+T0HDkzBx2Zy89fwDz6VU6+0QiQn6uHqFOUZ+QZoadAzkg8doCxByQ9ucoShp30C+1ttJ71Yl5EXgYRY8LjK9ITwJYfZLk80w8sTJaaFlHVgzzQhmQYsS1AUuT9pjZbmxTXLX7V47rQTf7wVOiWjlNAwAALgl14L+OFXoAAYgP7jwAAEb/N6ixxGf7AgAAAAAEWVo=',
    'base64',
  );
  const lines = Array.from({ length: 400 }, (_, i) => `A.m${i % 50}:${i % 7};B.n${(i * i) % 91}:${i % 11} ${i + 1}\n`);
  const { value, problems } = await decompress(memorySource('test', bytes), 'xz', {});
  const found = Buffer.alloc(value!.size);
  value!.read(0, found);
  expect(problems).toEqual([]);
  expect(found.toString()).toBe(lines.join(''));
});

test.each([
  [
    'a check by SHA-256',
    '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAPQS5iO0MuZCAyCkEuYiAxCgDKP6rwYT3DH1M9v31qtz1Np5Hpp79HoLLlPsHKvmeH4QABQBBK6kjNGJtLmgEAAAAAClla',
    'it was made with a check or a filter that is not known',
  ],
  [
    'a window of 128 MiB',
    '/Td6WFoAAATm1rRGAgAhAR4AAACbB1FmAQAPQS5iO0MuZCAyCkEuYiAxCgBuBuTJt5VT/wABKBDlC2xgH7bzfQEAAAAABFla',
    'it needs too much memory',
  ],
  [
    'another filter',
    '/Td6WFoAAATm1rRGAgEDAQAhARBMhacHAQAPQe002QjrNrwS2DftNL4R2QBuBuTJt5VT/wABKBDlC2xgH7bzfQEAAAAABFla',
    'it was made with a check or a filter that is not known',
  ],
])('xz with %s is refused', async (_name, base64, reason) => {
  const { profile, problems } = await ingest(Buffer.from(base64, 'base64'));
  expect(profile).toBe(null);
  expect(problems[0]!.message).toContain(reason);
});

test('xz that is damaged anywhere is told, or gives what was inside', async () => {
  const whole = xz('CRC-64');
  for (let length = 6; length < whole.length; length++) await ingest(whole.subarray(0, length));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 6, max: whole.length - 1 }), fc.nat(255), async (at, byte) => {
      const { profile, problems } = await ingest(Buffer.from(whole.with(at, byte)));
      const isTold = problems.some(({ severity }) => severity !== 'info');
      if (!isTold) expect(textOfProfile(profile!)).toBe('A.b | 1@0\n  C.d | 2@0');
    }),
    { numRuns: runs(300) },
  );
});

test('a Flight Recorder file inside', async () => {
  const bytes = readFileSync(recording);
  const [plain, inside] = [await ingest(bytes), await ingest(zstdCompressSync(bytes))];
  expect(inside.format).toBe('jfr');
  expect(textOfProfile(inside.profile!, 0, true)).toBe(textOfProfile(plain.profile!, 0, true));
});

test('more than stands in memory', async () => {
  // Numbers keep the ratio below that of a bomb.
  const lines = Array.from({ length: 10_000 }, (_, i) => `A.m${i % 50}:${i % 7};B.n${(i * i) % 91}:${i % 11} ${i}\n`);
  const text = lines.join('');
  const times = Math.ceil((66 << 20) / text.length);
  const bytes = gzipSync(text.repeat(times), { level: 1 });
  const { value, problems } = await decompress(memorySource('test', bytes), 'gzip', {});
  expect(problems).toEqual([]);
  expect(value!.size).toBe(text.length * times);
  const part = new Uint8Array(text.length);
  expect(value!.read(text.length * (times - 1), part)).toBe(text.length);
  expect(Buffer.from(part).toString()).toBe(text);
  value!.close();
});

test('a stream that breaks off gives what came before', async () => {
  const lines = Array.from({ length: 30_000 }, (_, i) => `A.b;C.d${(i * 7919) % 30_011} 1\n`).join('');
  const bytes = gzipSync(lines);
  const { profile, problems } = await ingest(bytes.subarray(0, bytes.length - 2000));
  expect(profile!.tree.length).toBeGreaterThan(1000);
  expect(problems[0]).toMatchObject({ severity: 'warning', message: expect.stringContaining('break off') });
});

test('bombs are refused', async () => {
  const zeros = Buffer.alloc(80 << 20);
  for (const bomb of [gzipSync(zeros), zstdCompressSync(zeros)]) {
    const { profile, problems } = await ingest(bomb);
    expect(profile).toBe(null);
    expect(problems).toMatchObject([{ message: expect.stringContaining('grows to more than') }]);
  }
});

test('what is twice compressed, empty or broken at its start is refused', async () => {
  for (const bytes of [
    gzipSync(gzipSync(TEXT)),
    gzipSync(''),
    Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]),
    gzipSync('hello\n'),
  ])
    expect((await ingest(bytes)).profile).toBe(null);
});

test('cancelling', async () => {
  const { value } = await decompress(memorySource('test', gzipSync(TEXT)), 'gzip', { signal: AbortSignal.abort() });
  expect(value).toBe(null);
});
