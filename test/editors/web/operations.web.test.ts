// Each operation of the page against a naive count over raw stacks: the table beside the picture lists exactly what the count gives.

import type { AskPicture } from 'insitu/views';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { WHOLE_PICTURE } from './random-frames.ts';
import { type TreeNode, treeOf } from './reference-layout.ts';
import { fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

needs('chromium', 'operations of the page', checkOperations);

/** `Class.method 12 samples`, each before its children, heaviest first. */
function listed(root: TreeNode): string[] {
  const lines: string[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { method, weight } = node;
    const simple = method === null ? 'everything' : `${method.className.split('.').at(-1)}.${method.name}`;
    lines.push(`${simple} ${weight === 1 ? '1 sample' : `${weight} samples`}`);
    const name = (child: TreeNode): string => `${child.method?.className}.${child.method?.name}`;
    const children = [...node.children.values()].sort((a, b) => b.weight - a.weight || name(a).localeCompare(name(b)));
    open.push(...children.reverse());
  }
  return lines;
}

/** In one step, so that no frame comes in between. */
function rows(page: Page): Promise<string[]> {
  return page
    .locator('.beside tbody tr')
    .evaluateAll(found =>
      found.map(row => `${row.querySelector('button')?.textContent} ${row.querySelector('td')?.textContent}`),
    );
}

function checkOperations(engine: Engine): void {
  const views = new FakeViews(fakeStacks(30));
  const own = [...views.methods().values()].find(({ library, name }) => !library && name === 'search');
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, views);
  });
  afterAll(() => stage?.close());

  const plain = WHOLE_PICTURE.operations;
  test.each<[string, string, string[], Partial<AskPicture>]>([
    ['callees', 'library=off', [], {}],
    ['folded libraries', '', [], { operations: { ...plain, library: true } }],
    ['unfolded by its key', '', ['f'], {}],
    ['merged recursion', 'library=off', ['r'], { operations: { ...plain, recursion: true } }],
    ['by method', 'library=off', ['a'], { operations: { ...plain, aggregate: true } }],
    ['inverted', 'library=off', ['i'], { direction: 'up' }],
    ['all calls of a method', `library=off&of=${own?.key}`, [], { of: own?.key ?? '' }],
    ['its callers', `library=off&of=${own?.key}`, ['i'], { of: own?.key ?? '', direction: 'up' }],
  ])('%s', async (_, address, keys, asked) => {
    const page = await stage.open(views, `view=flame&amounts=count&${address}`);
    await page.locator('.picture canvas[data-drawn]').waitFor();
    await page.locator('.picture canvas').focus();
    for (const key of keys) await page.keyboard.press(key);
    const wanted = listed(treeOf(views.stacks, { ...WHOLE_PICTURE, ...asked }, views.methods()));
    expect(wanted.length).toBeLessThan(500);
    await expect.poll(() => rows(page), PATIENCE).toEqual(wanted);
    await page.context().close();
  });

  test('a depth that is limited', async () => {
    const page = await stage.open(views, 'view=flame&amounts=count&depth=2');
    await page.locator('.beside tbody tr').first().waitFor();
    const levels = await page
      .locator('.beside tbody button')
      .evaluateAll(found => found.map(button => button.getAttribute('aria-label')));
    expect(levels.every(level => /level [012]$/.test(level ?? ''))).toBe(true);
    await page.keyboard.press('+');
    await expect.poll(() => page.locator('.beside [aria-label$="level 3"]').count(), PATIENCE).toBeGreaterThan(0);
  });

  test('nothing went wrong on any page', () => {
    expect(stage.wrong).toEqual([]);
  });
}
