// The page coloured by what became of the code: each drawn method is asked for once, changed ones are hatched and marked.
import type { AskStates } from 'insitu/views';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

needs('chromium', 'colours of changed code', checkStates);

function checkStates(engine: Engine): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());

  test('changed methods are marked, each method is asked for once, and the legend names the states', async () => {
    const views = new FakeViews(fakeStacks(300));
    const page = await stage.open(views, 'view=flame&library=off&colour=staleness');
    await page.locator('.picture canvas[data-drawn]').waitFor();
    await page.locator('.legend', { hasText: 'changed since it ran' }).waitFor();
    const asked = () => views.asked.filter((question): question is AskStates => question.ask === 'states');
    await expect.poll(() => asked().length, PATIENCE).toBeGreaterThan(0);
    const drawn = async () => {
      await page.locator('.picture canvas').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('m');
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Save picture as SVG' }).click(),
      ]);
      return Buffer.concat(await (await saved.createReadStream()).toArray()).toString();
    };
    await expect.poll(drawn, PATIENCE).toMatch(/>~ [\w.$…]+</);
    expect(await drawn()).toContain('<pattern');
    const keys = asked().flatMap(({ of }) => of);
    expect(new Set(keys).size).toBe(keys.length);
    expect(stage.wrong).toEqual([]);
  });
}
