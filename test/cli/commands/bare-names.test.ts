// Methods named without package or class, in `insitu why` and in a focus: taken where one method fits, listed where several do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandRun, insitu } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';

let folder = '';
let place: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-names-'));
  place = ['--store', join(folder, 'store'), '--project', 'shop', '--program', 'shop'];
  await insitu('import', 'samples/recordings/shop-v1-jdk17-a.jfr', ...place, '--version', 'v1');
  await insitu('import', 'samples/recordings/shop-v2-jdk17.jfr', ...place, '--version', 'v2');
});
afterAll(() => rmSync(folder, { recursive: true }));

function ofShop(...args: readonly string[]): Promise<CommandRun> {
  return insitu(...args, '--version', 'v1', ...place);
}

async function whole(...focus: readonly string[]): Promise<unknown> {
  return numbersIn((await ofShop('top', '--json', ...focus.flatMap(each => ['--focus', each]))).out).whole;
}

describe('--focus', () => {
  test.each([
    ['advise', 'com.acme.shop.Shop.advise'],
    ['Shop.search', 'com.acme.shop.Shop.search'],
    ['Shop#search', 'com.acme.shop.Shop.search'],
    ['LoadDriver$Worker.run', 'com.acme.shop.load.LoadDriver$Worker.run'],
    ['PriceEngine.price(Order)', 'com.acme.shop.pricing.PriceEngine.price(Order)'],
    ['Shop.search;Ranker.best', 'com.acme.shop.Shop.search;com.acme.shop.search.Ranker.best'],
  ])('%s is %s', async (short, long) => {
    const { out, err, status } = await ofShop('top', '--limit', '1', '--focus', short);
    expect([status, err]).toEqual([0, '']);
    // The whole name, as it is ready for another command.
    expect(out).toContain(` · focus ${long}\n`);
    expect(await whole(short)).toEqual(await whole(long));
  });

  test.each([
    [
      'run',
      /^error: several methods fit "run" \(write com\.acme\.\S+ or .*'com\.acme\.shop\.load\.LoadDriver\$Worker\.run'/,
    ],
    [
      'Worker.run',
      /several methods fit "Worker\.run" \(write 'java\S+' or 'com\.acme\.shop\.load\.LoadDriver\$Worker\.run'\)/,
    ],
    ['Shop.search;Worker.run', /several methods fit "Worker\.run" \(write /],
    ['serch', /no method that ran fits the focus "serch" \(did you mean search\?/],
    ['Shop.serch', /no method that ran fits the focus "Shop\.serch" \(did you mean com\.acme\.shop\.Shop\.search/],
    ['Shop.search(long)', /no method that ran fits the focus "Shop\.search\(long\)"/],
  ])('%s ends with what can be written', async (spec, message) => {
    const run = await ofShop('top', '--focus', spec);
    expect(run).toMatchObject({ status: 1, out: '' });
    expect(run.err).toMatch(message);
  });

  test('is the same method in the baseline', async () => {
    const { out } = await ofShop('top', '--focus', 'Shop.search', '--baseline', 'v2');
    expect(out.match(/ · focus com\.acme\.shop\.Shop\.search\n/g)).toHaveLength(2);
  });
});

describe('why', () => {
  test.each([
    ['advise', 'com.acme.shop.Shop.advise'],
    ['advise(int)', 'com.acme.shop.Shop.advise(int)'],
    ['scoreOf', 'com.acme.shop.search.Ranker.scoreOf'],
    // One of the classes that are called so has the method.
    ['Worker.step', 'com.acme.shop.load.LoadDriver$Worker.step'],
  ])('%s is %s', async (short, long) => {
    const { out, status } = await ofShop('why', short);
    expect(status).toBe(0);
    expect(out.startsWith(`${long}: `)).toBe(true);
    expect(out).toBe((await ofShop('why', long)).out);
  });

  test.each([
    ['run', 1, /^error: several methods are called "run" \(write com\.acme\S+ or '/],
    [
      'Worker.run',
      1,
      /several methods are called "Worker\.run" \(write 'java\S+' or 'com\.acme\.shop\.load\.LoadDriver\$Worker\.run'\)/,
    ],
    [
      'advice',
      1,
      /no method that ran is called "advice" \(did you mean advise|did you mean com\.acme\.shop\.Shop\.advise/,
    ],
    ['Shop', 1, /"Shop" names no method/],
  ])('%s ends with %i', async (text, status, message) => {
    const run = await ofShop('why', text);
    expect(run.err).toMatch(message);
    expect(run).toMatchObject({ status, out: '' });
  });
});
