// Each view draws in Firefox too, by its address and by its key, without an error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIEWS } from '../../../clients/web/src/views.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { type Firefox, startFirefox } from './firefox.ts';
import { type PageServer, servePage } from './page-server.ts';
import { fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 20_000, interval: 100 };

needs('firefox', 'the page in Firefox', checkFirefox);

/** How many colours the first picture has; 0 before there is one. */
const COLOURS = `(() => {
  const canvas = document.querySelector('.picture canvas[data-drawn]');
  if (canvas === null) return 0;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;

function checkFirefox(engine: Engine): void {
  const views = new FakeViews(fakeStacks(300));
  let server: PageServer;
  let firefox: Firefox;
  beforeAll(async () => {
    server = await servePage(views);
    firefox = await startFirefox(engine);
  });
  afterAll(async () => {
    await firefox?.close();
    await server?.close();
  });

  test.each(VIEWS)('$name', async ({ name, key, title, picture }) => {
    const method = [...views.methods().values()].find(each => each.name === 'search' && !each.library);
    await firefox.goTo('about:blank');
    await firefox.goTo(server.address(`view=${name}&method=${method?.key}`));
    const shows = async (): Promise<void> => {
      if (picture !== null) await expect.poll(() => firefox.evaluate(COLOURS), PATIENCE).toBeGreaterThan(10);
      else
        await expect
          .poll(() => firefox.evaluate(`document.querySelector('main')?.textContent ?? ''`), PATIENCE)
          .toMatch(name === 'blueprint' ? /choose a baseline/ : /\d/);
    };
    await shows();
    await firefox.press(VIEWS.find(view => view.name !== name)?.key ?? '');
    await firefox.press(key);
    const chosen = `document.querySelector('.views [aria-pressed=true]')?.textContent`;
    await expect.poll(() => firefox.evaluate(chosen), PATIENCE).toBe(title);
    await shows();
    expect(await firefox.evaluate(`document.querySelectorAll('.failure').length`)).toBe(0);
    expect(firefox.wrong).toEqual([]);
  });
}
