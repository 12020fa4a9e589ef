// Profiles that do not tell how many samples their values sum up: shares without counts, intervals and the rule of ten samples.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../server/cli/program.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';
import { type Draft, encoded } from '../../support/recordings/pprof.ts';

const SOURCE = `package shop;
class Cart {
  int add(int count) {
    return sum(count);
  }
  int sum(int count) {
    return count + 1;
  }
}
`;
const LOCATIONS = { add: ['shop.Cart.add:4'], sum: ['shop.Cart.sum:7'] };
const SAMPLES: Draft['samples'] = [
  [['sum', 'add'], [700_000_000]],
  [['add'], [300_000_000]],
];

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-unknown-'));
  file = join(folder, 'cart.pb');
});
afterEach(() => rmSync(folder, { recursive: true }));

const kinds: readonly (readonly [name: string, draft: Pick<Draft, 'types' | 'period'>, metric: string])[] = [
  ['no period', { types: [['cpu', 'nanoseconds']] }, 'cpu-time'],
  ['a period of 1 ns', { types: [['wall', 'nanoseconds']], period: ['wall', 'nanoseconds', 1] }, 'wall'],
  ['a period above the values', { types: [['wall', 'nanoseconds']], period: ['wall', 'nanoseconds', 9e9] }, 'wall'],
];

test.each(kinds)('%s: no number of samples, no interval, and hints all the same', async (_, draft, metric) => {
  writeFileSync(file, encoded({ ...draft, locations: LOCATIONS, samples: SAMPLES }));
  writeFileSync(join(folder, 'Cart.java'), SOURCE);
  const top = await insitu('top', file);
  const [told, , head, ...rows] = top.out.trimEnd().split('\n');
  expect(told).toBe(`cart.pb · 1 instance · an unknown number of samples of ${metric}`);
  expect([head, ...rows].map(line => line!.trim().split(/ {2,}/))).toEqual([
    ['own', metric, 'self', 'duration', 'samples', 'method'],
    ['70%', '70%', '70%', '700 ms', '?', 'shop.Cart.sum'],
    ['30%', '100%', '30%', '300 ms', '?', 'shop.Cart.add'],
  ]);
  expect(top.err).toContain(`nothing says how many samples the values of ${metric} sum up`);
  const { rows: methods } = numbersIn((await insitu('top', file, '--json')).out);
  expect(methods[0]).toMatchObject({ method: 'sum', self: { part: 7e8, whole: 1e9, samples: null } });
  const why = await insitu('why', 'shop.Cart.sum', '--recording', file);
  expect(why.out).toMatch(/^shop\.Cart\.sum: hot\n70 % · 700 ms of 1 s · \? of \? samples of /);
  expect(why.out).not.toMatch(/interval|–/);
  const annotated = await insitu('annotate', join(folder, 'Cart.java'), '--recording', file);
  expect(annotated.out).toMatch(/int add\(int count\) \{ +100% · self 30%\n.* 70% → sum\(\)\n/);
});

test('it stays unknown in a store, and in what is exported', async () => {
  writeFileSync(file, encoded({ types: [['wall', 'nanoseconds']], locations: LOCATIONS, samples: SAMPLES }));
  const place = ['--store', join(folder, 'store'), '--project', 'p', '--program', 'shop'];
  const whose = [...place, '--version', '1'];
  expect(await insitu('import', file, ...whose)).toMatchObject({ status: 0 });
  const counts = '70%   70%   70%    700 ms        ?  shop.Cart.sum';
  expect((await insitu('top', ...place)).out).toContain(counts);
  const exported = join(folder, 'again.pb.gz');
  const parts: Uint8Array[] = [];
  const output = { out: () => {}, err: () => {}, data: () => {}, bytes: (part: Uint8Array) => void parts.push(part) };
  expect(await runCommandLine(['export', '--format', 'pprof', ...place], output)).toBe(0);
  writeFileSync(exported, Buffer.concat(parts));
  expect((await insitu('top', exported)).out).toContain(counts);
});
