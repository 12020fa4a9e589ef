// `insitu callers`, `callees` and `tree` on the sample's recordings: their texts, JSON, mistakes and empty results.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandRun, insitu, insituIn } from '../../support/insitu/command-line.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';

let folder = '';
let place: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-calls-'));
  place = ['--store', join(folder, 'store'), '--project', 'shop'];
  const recordings = ['a', 'b'].map(name => `samples/recordings/shop-v1-jdk17-${name}.jfr`);
  await insitu('import', ...recordings, ...place, '--program', 'shop', '--version', 'v1');
});
afterAll(() => rmSync(folder, { recursive: true }));

function ofShop(...args: readonly string[]): Promise<CommandRun> {
  return insitu(...args, ...place);
}

const ABOUT = 'shop/shop v1 · 2 instances · 6,981 samples of cpu · 13 more with incomplete stacks (0.19 %)\n';

test('callers: shares of its time and of everything, with the lines of the calls', async () => {
  expect(await ofShop('callers', 'Shop.search')).toEqual({
    status: 0,
    err: '',
    out: `${ABOUT}com.acme.shop.Shop.search(String, int): 29% · self - · 2,059 samples
of its time   cpu  samples  lines  caller
        77%   23%    1,582  17     com.acme.shop.load.Behaviour$1.act(Session)
        23%  6.8%      477  15     com.acme.shop.net.Command$1.execute(Shop, String)
`,
  });
});

test('a line of a file means the method whose code it is', async () => {
  const file = 'samples/shop/v1/src/main/java/com/acme/shop/Shop.java';
  const named = await ofShop('callers', 'Shop.search');
  const placed = await ofShop('callers', `${file}:46`);
  expect(placed).toEqual({ ...named, out: named.out.replace('com.acme.shop.Shop.search(', 'Shop.search(') });
  const tree = await ofShop('tree', `${file}:46`, '--min', '50%');
  expect(tree.out).toBe((await ofShop('tree', 'Shop.search', '--min', '50%')).out);
  const { err, status } = await ofShop('callees', `${file}:1`);
  expect([status, err]).toEqual([1, expect.stringContaining(`nothing that ran stands at ${file}:1`)]);
});

test('callees, in a narrow terminal: nothing wraps', async () => {
  const { out } = await insituIn(80, 'callees', 'PriceEngine#price(PriceContext, PricingRule)', ...place);
  expect(out.slice(ABOUT.length)).toBe(
    `com.acme.shop.pricing.PriceEngine.price(PriceContext, PricingRule): 13% · self 0.54% · 874 samples
of its time    cpu  samples  lines  callee
        90%    11%      786  37     com.acme.shop.pricing.…Rule.lambda$then$0(…)
       4.1%  0.52%       36  35     com.acme.shop.model.Order.subtotal()
       1.6%  0.20%       14  35     com.acme.shop.pricing.…iceEngine.shipping(…)
`,
  );
});

test.each([
  ['callers', { className: 'com.acme.shop.load.Behaviour$1', method: 'act', lines: [17] }],
  ['callees', { className: 'com.acme.shop.search.Ranker', method: 'best', lines: [50] }],
])('%s --json has the numbers and what they stand on', async (command, first) => {
  const found = JSON.parse((await ofShop(command, 'Shop.search', '--json')).out);
  expect(found).toMatchObject({
    origin: {
      ...{ project: 'shop', program: 'shop', versions: ['v1'], metric: 'cpu', samples: 6981, incomplete: 13 },
      instances: ['shop-v1-jdk17-a', 'shop-v1-jdk17-b'],
      ...{ from: '2026-11-20T16:26:08.123Z', to: '2026-11-20T16:27:54.353Z' },
    },
    subject: { key: 'com.acme.shop.Shop.search(String, int)' },
    ofAll: { weight: 2059, of: 6981, count: 2059 },
  });
  const { className, method, lines } = first;
  expect(found.rows[0]).toMatchObject({
    ...{ method: { className, name: method }, lines },
    ...{ ofItsTime: { of: 2059 }, ofAll: { of: 6981 } },
  });
});

describe('tree', () => {
  test('of everything: bars stand where a row is in the row above', async () => {
    const { out } = await ofShop('tree', '--min', '12%');
    expect(out).toBe(`${ABOUT} cpu       self  samples                    method
100%          -    6,981  ████████████████  all
 98%          -    6,852  ███████████████▊  Thread.run
 43%      0.10%    3,008  ██████▉           ├ com.acme.shop.load.LoadDriver$Worker.run()
 43%   1 sample    3,000  ██████▉           │ Worker.step
 23%      0.10%    1,631  ███▊              │ Behaviour$1.act
 23%          -    1,582  ███▋              │ Shop.search
 16%      0.21%    1,116  ██▌               │ Ranker.best
 13%   1 sample      889  ██                │ Ranker.score
 13%          -      887  ██                │ Ranker.scoreOf
 12%   1 sample      856  ██                │ TextIndex.frequency
 12%          -      855  ██                │ HashMap.getOrDefault
 12%        12%      855  ██                │ HashMap.getNode
 29%          -    2,015         ████▋      ├ java.util.concurrent.ThreadPoolExecutor$Worker.run()
 29%          -    2,015         ████▋      │ ThreadPoolExecutor.runWorker
 17%          -    1,211         ██▊        │ Processor.run
 17%          -    1,193         ██▊        │ Processor.process
 14%  3 samples      969         ██▎        │ com.acme.shop.pricing.PriceEngine.price(Order)
 13%      0.54%      874         ██         │ com.acme.shop.pricing.PriceEngine.price(PriceContext, PricingRule)
 19%          -    1,334              ███   └ LoadDriver.report
 13%   1 sample      941              ██▏     Reports.daily
lighter calls are left out: see --min, --limit and --depth
`);
  });

  test('from a method downwards and upwards', async () => {
    const down = await ofShop('tree', 'Ranker.best', '--min', '10%', '--depth', '4');
    expect(down.out).toBe(`${ABOUT} cpu       self  samples                    method
 21%      0.26%    1,468  ████████████████  com.acme.shop.search.Ranker.best(Postings, List, int)
 16%  2 samples    1,142  ████████████▌     ├ Ranker.score
 16%          -    1,139  ████████████▍     │ Ranker.scoreOf
 16%   1 sample    1,098  ████████████      │ TextIndex.frequency
 16%          -    1,097  ████████████      │ HashMap.getOrDefault
4.2%          -      294              ███▎  └ ArrayList.sort
4.2%          -      294              ███▎    Arrays.sort
4.2%  5 samples      294              ███▎    TimSort.sort
lighter calls are left out: see --min, --limit and --depth
`);
    const up = await ofShop('tree', 'Ranker.best', '--callers', '--depth', '3');
    expect(up.out).toBe(`${ABOUT} cpu  begins here  samples                    method
 21%            -    1,468  ████████████████  com.acme.shop.search.Ranker.best(Postings, List, int)
 21%            -    1,468  ████████████████  Shop.search
 16%            -    1,116  ████████████▏     ├ Behaviour$1.act
 16%            -    1,116  ████████████▏     │ Worker.step
5.0%            -      352              ███▉  └ Command$1.execute
5.0%            -      352              ███▉    Command.answer
lighter calls are left out: see --min, --limit and --depth
`);
  });

  test('--json has rows with the index of the row above', async () => {
    const { rows: tree, program } = numbersIn((await ofShop('tree', '--json')).out);
    expect(program).toBe('shop');
    expect(tree.slice(0, 2)).toMatchObject([
      { parent: -1, depth: 0, total: { part: 6981, whole: 6981 }, self: { part: 0 } },
      { parent: 0, depth: 1, className: 'java.lang.Thread', method: 'run', total: { samples: 6852 } },
    ]);
    expect(tree[0].className).toBeUndefined();
  });
});

test.each([
  [['callers'], 2, /missing required argument 'method'\n\(insitu callers --help shows what it takes\)/],
  [['callers', 'Shop.serch'], 1, /is called "Shop\.serch" \(did you mean com\.acme\.shop\.Shop\.search\?\)/],
  [['callees', 'serch'], 1, /no method that ran is called "serch" \(did you mean search\?\)/],
  [['callees', 'run'], 1, /several methods are called "run" \(write com\.acme\.shop\.load\.Processor\.run or 'java/],
  [
    ['callees', 'PricingRule.lambda$than$0'],
    1,
    /did you mean 'com\.acme\.shop\.pricing\.PricingRule\.lambda\$then\$0'/,
  ],
  [['callees', 'Shop.search', '--limit', '0'], 2, /argument '0' is invalid\. Write a whole number above 0\.\n/],
  [['tree', 'Shop.search(long)'], 1, /did you mean com\.acme\.shop\.Shop\.search\?/],
  [['tree', '--callers'], 2, /--callers needs a method to begin with \(name it: insitu tree com/],
  [['tree', '--min', '300%'], 2, /argument '300%' is invalid\. Write a share such as 5% or 0\.5%\.\n/],
])('%j ends with %i', async (args, status, message) => {
  const run = await ofShop(...args);
  expect(run).toMatchObject({ status, out: '' });
  expect(run.err).toMatch(message);
});

test.each([
  [['callers', 'java.lang.Thread.run'], /^info: java\.lang\.Thread\.run\(\): nothing was seen calling it\n$/],
  [['callees', 'Math.floorMod'], /^info: java\.lang\.Math\.floorMod\(int, int\): it was seen calling nothing\n$/],
  [['callees', 'Shop.search', '--metric', 'lock'], /^info: .*Shop\.search.*: no sample of lock is in it\n$/],
  [['tree', 'Shop.search', '--metric', 'lock'], /^info: .*Shop\.search.*: no sample of lock is in it\n$/],
])('%j is empty, and says why', async (args, message) => {
  const run = await ofShop(...args);
  expect(run.status).toBe(0);
  expect(run.err).toMatch(message);
});
