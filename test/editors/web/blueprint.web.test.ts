// The blueprint in Chromium: heights, widths, colours, edges and borders against the numbers, its actions, and the keyboard alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normals } from '../../capabilities/compare/normals.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';
import { sampleInGit } from '../../support/stores/sample-in-git.ts';
import { boxes, type Context, kiekerLog } from './blueprint-boxes.ts';
import { startViewIn } from './view-process.ts';
import { type WatchedBrowser, watchedBrowser } from './watched-browser.ts';

const PATIENCE = { timeout: 20_000, interval: 50 };
const SAMPLES = fileURLToPath(new URL('../../../samples/recordings/', import.meta.url));

/** Figure 5 of the paper, with executions: E and F are new. */
const FIGURE_5: readonly [before: Context, now: Context] = [
  {
    name: 'A',
    millis: 10,
    calls: [
      { name: 'B', millis: 30, times: 3 },
      { name: 'C', millis: 40, times: 4 },
      { name: 'D', millis: 20, calls: [{ name: 'G', millis: 10 }] },
    ],
  },
  {
    name: 'A',
    millis: 10,
    calls: [
      {
        name: 'E',
        millis: 5,
        calls: [
          { name: 'B', millis: 30, times: 3 },
          { name: 'C', millis: 50, times: 25 },
        ],
      },
      { name: 'D', millis: 20, calls: [{ name: 'F', millis: 15, times: 5 }] },
    ],
  },
];

needs('chromium', 'the blueprint', checkBlueprint);

const labels = async (page: Page): Promise<string[]> => (await boxes(page)).map(({ label }) => label);
const status = (page: Page): Promise<string | null> => page.locator('[role=status]').textContent();

/** Flames and rings show the same contexts as the boxes, and share their selection. */
async function sameSelectionInPictures(page: Page): Promise<void> {
  for (const form of ['Flames', 'Rings']) {
    await page.getByRole('tab', { name: form }).click();
    const canvas = page.locator('.compared-picture canvas[data-drawn]');
    await expect.poll(async () => Number(await canvas.getAttribute('data-drawn')), PATIENCE).toBeGreaterThan(50);
    await canvas.focus();
    for (let up = 0; up < 60; up++) await page.keyboard.press('ArrowUp');
    await expect.poll(() => status(page), PATIENCE).toMatch(/^everything, /);
    for (const name of [/^java\.lang\.Thread\.run\(\), /, /^com\.acme\.shop\.load\.LoadDriver\$Worker\.run\(\), /]) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => status(page), PATIENCE).toMatch(name);
    }
    if (form === 'Flames') {
      // The root is in the first row, what it calls in the second.
      await canvas.click({ position: { x: 40, y: 30 } });
      await expect.poll(() => status(page), PATIENCE).toMatch(/^java\.lang\.Thread\.run\(\), /);
    }
  }
}

function checkBlueprint(engine: Engine): void {
  let browser: WatchedBrowser;
  const folder = mkdtempSync(join(tmpdir(), 'insitu-blueprint-'));
  beforeAll(async () => {
    browser = await watchedBrowser(engine);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  async function compared(
    sides: readonly [before: string, now: string],
    options: readonly string[],
    use: (page: Page) => Promise<void>,
    { at = process.cwd(), form = '&compared=boxes' } = {},
  ): Promise<void> {
    const server = await startViewIn(at, '--compare', ...sides, ...options);
    const page = await browser.open(`${server.address}${form}`);
    try {
      await use(page);
    } finally {
      // The page would go on asking.
      await page.context().close();
      server.end();
    }
  }

  test('figure 5 of the paper: heights, widths, colours, edges and borders follow from the numbers', async () => {
    const [before, now] = FIGURE_5.map((root, at) => {
      const file = join(folder, `figure-5-${at}.dat`);
      writeFileSync(file, kiekerLog(root));
      return file;
    }) as [string, string];
    await compared([before, now], ['--metric', 'time'], async page => {
      // One JVM a side finds nothing: the picture begins at the root, and best first.
      await expect.poll(() => page.locator('.finding').textContent(), PATIENCE).toContain('not tested');
      const first = ['= everything', '= A.run', '+ E.run', '▼ D.run', '▼ B.run', '▲ C.run', '+ F.run', '− G.run'];
      await expect.poll(async () => (await labels(page)).toSorted(), PATIENCE).toEqual(first.toSorted());
      await page.locator('.boxes').press('Backspace');
      await expect.poll(() => labels(page), PATIENCE).toEqual(['= everything']);
      await page.locator('.boxes').press('g');
      // E of A is 110 ms before and 130 ms now. The delta hot path goes to E, whose children had 70 ms, and on to B.
      await expect.poll(() => labels(page), PATIENCE).toEqual(['= everything', '= A.run', '+ E.run', '▼ B.run']);
      await page.keyboard.press('e');
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBe(8);
      const drawn = new Map((await boxes(page)).map(box => [box.label.split(' ')[1], box]));
      const [beforeAll_, nowAll] = [110, 130];
      const heights: Record<string, number> = {
        'A.run': 0,
        'E.run': 85 / nowAll - 70 / beforeAll_,
        'B.run': 30 / nowAll - 30 / beforeAll_,
        'C.run': 50 / nowAll - 40 / beforeAll_,
        'D.run': 35 / nowAll - 30 / beforeAll_,
        'F.run': 15 / nowAll,
        'G.run': 10 / beforeAll_,
      };
      const scale = drawn.get('F.run')!.height / heights['F.run']!;
      // A: 1 → 1. E: 1, A before 1. B: 3 → 3. C: 4 → 25. D: 1 → 1. F: 5, D before 1. G: 1, D now 1.
      const differences: Record<string, number> = {
        ...{ 'A.run': 0, 'E.run': 0, 'B.run': 0, 'C.run': 21, 'D.run': 0, 'F.run': 4, 'G.run': 0 },
      };
      for (const [name, height] of Object.entries(heights)) {
        const box = drawn.get(name)!;
        expect(box.height, name).toBeCloseTo(Math.max(2, scale * Math.abs(height)), 3);
        expect(box.width, name).toBeCloseTo(Math.max(5, 9 * Math.log1p(differences[name]!)), 3);
        expect(box.border, name).toBe(1);
      }
      expect(Object.fromEntries([...drawn].map(([name, { kind, parent }]) => [name, `${kind} < ${parent}`]))).toEqual({
        everything: 'same < ',
        'A.run': 'same < = everything',
        'E.run': 'new < = A.run',
        'D.run': `${heights['D.run']! < 0 ? 'faster' : 'slower'} < = A.run`,
        'B.run': 'faster < + E.run',
        'C.run': 'slower < + E.run',
        'F.run': 'new < ▼ D.run',
        'G.run': 'removed < ▼ D.run',
      });
      for (const box of drawn.values()) {
        const above = [...drawn.values()].find(({ label }) => label === box.parent);
        if (above === undefined) continue;
        expect(box.y).toBeGreaterThan(above.y + above.height);
        const [from, to] = [above, box].map(({ x, width }) => x + width / 2);
        const edge = `M${from} ${above.y + above.height + 16}V${box.y - 10}H${to}V${box.y}`;
        expect(await page.locator(`.boxes path[d="${edge}"]`).count(), box.label).toBe(1);
      }
      // Six kinds, six colours; all pale, because one JVM a side is no test.
      const fills = new Map([...drawn.values()].map(({ kind, fill }) => [kind, fill]));
      expect(new Set(fills.values()).size).toBe(fills.size);
      expect(await page.locator('.legend').textContent()).toContain('width: log (1 + |Δ executions|)');
      await page.locator('.boxes g', { hasText: 'C.run' }).locator('rect.box').hover();
      const told = (await page.locator('.tooltip').textContent()) ?? '';
      for (const words of ['a.C.run()', '36 % before, 38 % now', '4 before, 25 now, difference +21', 'not tested'])
        expect(told).toContain(words);
    });
  });

  test('the two versions of the sample, by keyboard alone: actions, borders, live region and table', async () => {
    await compared([join(SAMPLES, 'shop-v1-jdk17-a.jfr'), join(SAMPLES, 'shop-v2-jdk17.jfr')], [], async page => {
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBeGreaterThan(20);
      await page.locator('.boxes').press('Backspace');
      await expect.poll(() => labels(page), PATIENCE).toEqual(['= everything']);
      await page.locator('.boxes').press('g');
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBeGreaterThan(5);
      const path = await page.locator('.beside tbody button').allTextContents();
      expect(path.slice(0, 2)).toEqual(['= everything', '▼ Thread.run']);
      expect(await page.locator('.legend').textContent()).toContain('24 px wide: executions are not counted');
      expect(new Set((await boxes(page)).map(({ width }) => width))).toEqual(new Set([24]));
      await page.keyboard.press('ArrowDown');
      expect(await status(page)).toMatch(
        /^java\.lang\.Thread\.run\(\), faster, .*not tested, 1 of \d+ below it shown$/,
      );
      expect(
        await page
          .locator('.boxes g[data-row]', { hasText: 'Thread.run' })
          .locator('rect.border')
          .getAttribute('stroke-width'),
      ).toBe('3');
      await page.keyboard.press('Enter');
      await expect.poll(() => status(page), PATIENCE).toMatch(/(\d+) of \1 below it shown$/);
      expect(
        await page
          .locator('.boxes g[data-row]', { hasText: 'Thread.run' })
          .locator('rect.border')
          .getAttribute('stroke-width'),
      ).toBe('1');
      const siblings = (await boxes(page)).filter(({ parent }) => parent === '▼ Thread.run');
      expect(siblings.length).toBeGreaterThan(1);
      expect(siblings.map(({ height }) => height)).toEqual(
        siblings.map(({ height }) => height).toSorted((a, b) => b - a),
      );
      await page.keyboard.press('Backspace');
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBeLessThan(5);
      await page.keyboard.press('g');
      await expect.poll(() => page.locator('.beside tbody button').allTextContents(), PATIENCE).toEqual(path);
      await page.keyboard.press('e');
      await expect
        .poll(async () => Number(await page.locator('.beside table').getAttribute('aria-rowcount')), PATIENCE)
        .toBeGreaterThan(500);
      await page.keyboard.press('m');
      await page.getByRole('menuitem', { name: 'Hide all below' }).press('Enter');
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBeLessThan(5);
      await page.getByRole('button', { name: 'Show children' }).click();
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBeGreaterThan(5);
      await sameSelectionInPictures(page);
      await page.getByRole('tab', { name: 'Blueprint' }).click();
      expect(await labels(page)).toContain('▲ LoadDriver$Worker.run');
      await page.getByLabel('Compared by').selectOption('absolute');
      await expect.poll(() => page.locator('.legend').textContent(), PATIENCE).toContain('absolute amounts');
      await page.reload();
      await expect.poll(() => page.locator('.legend').textContent(), PATIENCE).toContain('absolute amounts');
      expect(browser.wrong).toEqual([]);
    });
  });

  test('many boxes have a map, and the search marks boxes and leads from one to the next', async () => {
    await compared([join(SAMPLES, 'shop-v1-jdk17-a.jfr'), join(SAMPLES, 'shop-v2-jdk17.jfr')], [], async page => {
      await expect.poll(async () => (await labels(page)).length, PATIENCE).toBeGreaterThan(20);
      expect(await page.locator('.minimap').count()).toBe(0);
      await page.locator('.boxes').press('e');
      await expect.poll(() => page.locator('.minimap rect').count(), PATIENCE).toBeGreaterThan(200);
      // More boxes may still come.
      const placeAfter = async (corner: 'first' | 'last') => {
        const { width, height } = (await page.locator('.minimap').boundingBox())!;
        const [x, y] = corner === 'first' ? [2, 2] : [width - 3, height - 3];
        await page.locator('.minimap').click({ position: { x, y } });
        return page.locator('.boxes').evaluate(({ scrollLeft }) => scrollLeft);
      };
      await expect.poll(() => placeAfter('last'), PATIENCE).toBeGreaterThan(5_000);
      await expect.poll(() => placeAfter('first'), PATIENCE).toBeLessThan(1_000);
      await page.getByRole('searchbox').fill('Shop.search');
      await page.getByRole('searchbox').press('Enter');
      await expect.poll(() => page.locator('.boxes g[data-hit]').count(), PATIENCE).toBeGreaterThan(0);
      await page.locator('.boxes').press('n');
      await expect
        .poll(() => status(page), PATIENCE)
        .toMatch(/^Hit \d+ of \d+ that are shown: com\.acme\.shop\.Shop\.search/);
      await page.locator('.boxes').press('n');
      await expect
        .poll(() => status(page), PATIENCE)
        .toMatch(/^Hit \d+ of \d+ that are shown: com\.acme\.shop\.Shop\.search/);
      const marked = await page.locator('.boxes g[data-hit] text').allTextContents();
      expect(marked.length).toBeGreaterThan(0);
      for (const label of marked) expect(label).toContain('search');
      expect(browser.wrong).toEqual([]);
    });
  });

  test('begins with its findings and flames at full width, and with the blueprint beside them', async () => {
    const store = mkdtempSync(join(folder, 'store-'));
    const random = normals(63);
    for (const [version, sin, bill] of [
      ['a', 3000, 1000],
      ['b', 6000, 3000],
    ] as const)
      for (let jvm = 0; jvm < 5; jvm++) {
        const amount = (mean: number) => Math.round(mean * (1 + 0.02 * random()));
        const picture = [
          'acme.Main.main | 100@1',
          `  acme.Shop.run :1 | ${amount(2000)}@4`,
          '    acme.Shop.match :4 | 100@12',
          `      java.lang.Math.sin :12 | ${amount(sin)}@9`,
          `  acme.Shop.pack :2 | ${amount(3000)}@13`,
          `  acme.Shop.ship :3 | ${amount(1000)}@14`,
          `  acme.Shop.bill :4 | ${amount(bill)}@15`,
        ].join('\n');
        await putPicture(store, picture, { version, instance: `${version}-${jvm}` }, jvm);
      }
    const use = async (page: Page): Promise<void> => {
      const [sin, bill] = [
        /slower: Math\.sin: \+\d+ \(\d+% → \d+%(?: of all before)?\)$/,
        /slower: Shop\.bill: \+\d+ \([\d.]+% → \d+%(?: of all before)?\)$/,
      ];
      await expect
        .poll(() => page.locator('.finding').textContent(), PATIENCE)
        .toMatch(new RegExp(`^2 slower; first ${sin.source}`));
      const findings = page.locator('.findings button');
      const texts = await findings.allTextContents();
      expect(texts).toEqual([expect.stringMatching(sin), expect.stringMatching(bill)]);
      const picture = page.locator('.compared-picture canvas[data-drawn]');
      await picture.waitFor();
      expect((await picture.boundingBox())!.width).toBe((await page.locator('main').boundingBox())!.width);
      expect(await status(page)).toMatch(/^java\.lang\.Math\.sin/);
      await findings.nth(1).click();
      await expect.poll(() => status(page), PATIENCE).toMatch(/^acme\.Shop\.bill/);
      await page.getByRole('tab', { name: 'Flames' }).focus();
      for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
      await expect.poll(() => page.url(), PATIENCE).toContain('compared=boxes');
      const names = (await labels(page)).map(label => label.replace(/^[^ ]+ /, ''));
      const way = ['everything', 'Main.main', 'Shop.run', 'Shop.match', 'Math.sin'];
      expect(names.filter(name => way.includes(name))).toEqual(way);
      // Smaller differences beside it.
      expect(names.toSorted()).toEqual([...way, 'Shop.pack', 'Shop.bill', 'Shop.ship'].toSorted());
      expect(browser.wrong).toEqual([]);
    };
    await compared(['a', 'b'], ['--store', store, '--project', 'acme', '--program', 'shop'], use, { form: '' });
  });

  test('both sources side by side from git: changed code is red or green, and unchanged code is not', async () => {
    const { repository, options } = await sampleInGit();
    try {
      await compared(
        ['v1', 'v2'],
        options,
        async page => {
          await page.locator('.boxes').press('g');
          const row = (name: string) => page.locator('.beside tbody tr', { hasText: name });
          await expect
            .poll(() => row('Shop.review').textContent(), PATIENCE)
            .toMatch(/^▲~ Shop\.review.*slowerchanged/);
          expect(await row('LoadDriver$Worker.step').textContent()).toContain('slowerunchanged');
          const [changed, unchanged] = ['slowerChanged', 'slower'].map(kind =>
            page.locator(`.boxes g[data-kind=${kind}] rect.box`).first().getAttribute('fill'),
          );
          expect(await changed).not.toBe(await unchanged);
          await row('Shop.review').getByRole('button').click();
          const source = page.locator('.source-pair');
          await expect.poll(() => source.locator('tr.changed').count(), PATIENCE).toBeGreaterThan(0);
          const heads = await source.locator('th').allTextContents();
          expect(heads).toEqual([
            `Before: src/main/java/com/acme/shop/Shop.java, ${repository.git('rev-parse', 'v1').slice(0, 7)}`,
            `Now: src/main/java/com/acme/shop/Shop.java, ${repository.git('rev-parse', 'v2').slice(0, 7)}`,
          ]);
          const lines = await source.locator('tr.changed').allTextContents();
          expect(lines.some(line => line.includes('isFiller'))).toBe(true);
          expect(await source.locator('tbody tr:not(.changed)').first().textContent()).toContain('review(');
          await row('Shop.isFiller').getByRole('button').click();
          await expect
            .poll(() => source.locator('th').first().textContent(), PATIENCE)
            .toContain('it is on no stack of v1');
        },
        { at: repository.root },
      );
    } finally {
      repository.remove();
    }
  });
}
