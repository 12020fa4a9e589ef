// The page among others: live data, hostile names, a search, an editor that shows it or listens to it, and visitors without a key.

import { readFileSync } from 'node:fs';
import type { Question } from 'insitu/views';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { pageStage, type Stage } from './chromium-page.ts';
import { type FakeMethod, type FakeStack, fakeMethod, fakeStacks } from './stacks-fake.ts';
import { FakeViews } from './views-fake.ts';

const PATIENCE = { timeout: 15_000, interval: 50 };

needs('chromium', 'the page among others', checkAround);

const stack = (count: number, ...frames: FakeMethod[]): FakeStack => ({ frames, count, thread: 'main', window: 0 });
const picturesAsked = ({ asked }: FakeViews): Question[] => asked.filter(({ ask }) => ask === 'picture');

async function drawn(page: Page): Promise<void> {
  await page.locator('.picture canvas[data-drawn]').last().waitFor();
}

function checkAround(engine: Engine): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await pageStage(engine, new FakeViews([]));
  });
  afterAll(() => stage?.close());

  test('live data are drawn within a second or so, in the order that was kept, and held while the pointer rests on a part', async () => {
    const [a, b] = [fakeMethod('com.acme.A', 'a'), fakeMethod('com.acme.B', 'b')];
    const views = new FakeViews([stack(10, a), stack(5, b)]);
    views.touch({ live: true });
    const page = await stage.open(views, 'view=flame&amounts=count');
    await drawn(page);
    const cells = (): Promise<string[]> => page.locator('.beside tbody tr').allTextContents();
    await expect
      .poll(cells, PATIENCE)
      .toEqual(['everything15 samples––', 'A.a10 samples10 samples–', 'B.b5 samples5 samples–']);
    views.add([stack(20, b)]);
    await expect
      .poll(cells, PATIENCE)
      .toEqual(['everything35 samples–20 samples', 'A.a10 samples10 samples–', 'B.b25 samples25 samples20 samples']);
    await page.locator('.picture canvas').hover({ position: { x: 100, y: 30 } });
    views.add([stack(1, a)]);
    await page.locator('.held', { hasText: '+1' }).waitFor();
    expect((await cells())[0]).toContain('35 samples');
    await page.mouse.move(5, 5);
    await expect.poll(cells, PATIENCE).toContain('A.a11 samples11 samples1 sample');
  });

  test('nothing is asked again while nothing is new', async () => {
    const views = new FakeViews(fakeStacks(50));
    views.touch({ live: true });
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    const states = (): number => views.asked.filter(({ ask }) => ask === 'state').length;
    const before = states();
    await expect.poll(states, PATIENCE).toBeGreaterThan(before + 2);
    const pictures = picturesAsked(views).length;
    await expect.poll(states, PATIENCE).toBeGreaterThan(before + 4);
    expect(picturesAsked(views).length).toBe(pictures);
  });

  test('names of any kind are text, whatever they are and however long', async () => {
    const image = fakeMethod('com.acme.<img src=x onerror=alert(1)>', '<script>alert(1)</script>');
    const views = new FakeViews([
      stack(3, image),
      stack(2, fakeMethod('', 'x'.repeat(65_536))),
      stack(1, fakeMethod('A', 'b\u202ec')),
    ]);
    const page = await stage.open(views, 'view=flame&focus=%3Cb%3E&look=own');
    await page.getByLabel('Drop focus <b>').click();
    await expect
      .poll(() => page.locator('.beside tbody button').nth(1).textContent(), PATIENCE)
      .toBe('<img src=x onerror=alert(1)>.<script>alert(1)</script>');
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.keyboard.press('4');
    await page.getByText('b\\u202ec').first().waitFor();
  });

  test('stacks of 40,000 frames can be walked and scrolled', async () => {
    const frames = Array.from({ length: 40_000 }, (_, at) => fakeMethod('com.acme.Deep', `call${at % 5}`));
    const views = new FakeViews([stack(9, ...frames)]);
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    for (let at = 0; at < 150; at++) {
      await page.keyboard.press('ArrowDown');
      if (at % 30 === 29) await page.waitForTimeout(300);
    }
    const top = (): Promise<number> => page.locator('.scroller').evaluate(element => element.scrollTop);
    await expect.poll(top, PATIENCE).toBeGreaterThan(1000);
    expect(
      Math.max(...picturesAsked(views).map(asked => (asked.ask === 'picture' ? asked.rows[1] - asked.rows[0] : 0))),
    ).toBeLessThan(200);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.breadcrumb').textContent(), PATIENCE).toContain('more');
  });

  test('a search counts, lists and leads to hits', async () => {
    const views = new FakeViews(fakeStacks(400));
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    // The hit is asked for before its picture is there.
    stage.server.delay = 300;
    await page.keyboard.press('/');
    await page.keyboard.type('Ranker');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[role=status]').textContent(), PATIENCE).toMatch(/^Hit \d+ of \d+: .*Ranker/);
    stage.server.delay = 0;
    await expect.poll(() => page.locator('search button').textContent(), PATIENCE).toMatch(/^\d+ methods, \d+ %$/);
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('[role=status]').textContent(), PATIENCE).toMatch(/^Hit \d+ of \d+: .*Ranker/);
    await page.keyboard.press('l');
    await page.locator('.hits tbody button').first().click();
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toMatch(/^Ranker\./);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).hash, PATIENCE).not.toContain('search');
  });

  test('n goes to hits that are too narrow, too deep or elsewhere, or says where they are', async () => {
    const [main, shop, needle] = [
      fakeMethod('a.Main', 'main'),
      fakeMethod('a.Shop', 'run'),
      fakeMethod('a.Needle', 'go'),
    ];
    const narrow = Array.from({ length: 300 }, (_, at) => stack(1, main, shop, fakeMethod('a.Thin', `t${at}`)));
    const views = new FakeViews([
      stack(900_000, main),
      stack(90_000, main, shop),
      stack(10_000, fakeMethod('a.B', 'b')),
      ...narrow,
    ]);
    views.add([stack(1, main, shop, needle)]);
    const page = await stage.open(views, 'view=flame&search=Needle');
    const status = page.locator('[role=status]');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('n');
    await expect
      .poll(() => status.textContent(), PATIENCE)
      .toMatch(/^Hit 1 of 1: a\.Needle\.go\(int\), 1 sample of all/);
    expect(new URL(page.url()).hash).toContain('zoom=');
    // Of rings the part above becomes the root, and where that is not enough, flames do it.
    await page.keyboard.press('1');
    await expect.poll(() => new URL(page.url()).hash, PATIENCE).toContain('view=ring');
    await expect.poll(() => page.locator('[aria-roledescription="ring chart"][data-drawn]').count(), PATIENCE).toBe(1);
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Shop.run');
    await expect
      .poll(() => status.textContent(), PATIENCE)
      .toMatch(/^Hit 1 of 1: 301 narrower parts.* 1 hit among them.*Press 2, then n/);
    // Deeper than the last ring: as many rings as it takes, and from there on as above.
    await page.goto(`${stage.server.origin}/#view=ring&depth=1&search=Needle`);
    await page.reload();
    await page.locator('search button').waitFor();
    await expect.poll(() => page.locator('.breadcrumb button').count(), PATIENCE).toBe(1);
    await drawn(page);
    await page.locator('.picture canvas').focus();
    await page.locator('.legend', { hasText: '1 hit not drawn: narrow parts' }).waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('Shop.run');
    await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^Hit 1 of 1: 301 narrower parts/);
    const elsewhere = views.methods().get(fakeMethod('a.B', 'b').key)?.key;
    await page.goto(`${stage.server.origin}/#view=flame&root=${elsewhere}&search=Needle`);
    await page.reload();
    await page.locator('search button').waitFor();
    await expect.poll(() => page.locator('.breadcrumb button').last().textContent(), PATIENCE).toBe('B.b');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('n');
    await expect
      .poll(() => status.textContent(), PATIENCE)
      .toContain('No hit is below this root. The heaviest, a.Needle.go');
  });

  test('hits below a limited depth are counted, named, and shown one after the other', async () => {
    const [main, a, b] = ['main', 'a', 'b'].map(name => fakeMethod('a.Main', name)) as [
      FakeMethod,
      FakeMethod,
      FakeMethod,
    ];
    const [read, seek] = [fakeMethod('a.Store', 'read'), fakeMethod('a.Store', 'seek')];
    const views = new FakeViews([stack(60, main, a, b, read), stack(30, main, b, a, b, a, seek), stack(10, main)]);
    const page = await stage.open(views, 'view=flame&depth=2&search=Store');
    const status = page.locator('[role=status]');
    await page.locator('.legend', { hasText: '2 hits not drawn: Store.read, Store.seek' }).waitFor();
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('n');
    await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^Hit 1 of 2, now shown: a\.Store\.read/);
    expect(new URL(page.url()).hash).toContain('depth=4');
    await page.keyboard.press('n');
    await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^Hit 2 of 2, now shown: a\.Store\.seek/);
    expect(new URL(page.url()).hash).toContain('depth=6');
    // Rings fold chains, and are as deep as before.
    await page.keyboard.press('1');
    await page.locator('[aria-roledescription="ring chart"][data-drawn]').waitFor();
    await page.keyboard.press('-');
    for (let depth = 0; depth < 8; depth++) await page.keyboard.press('-');
    await page.locator('.legend', { hasText: '2 hits not drawn' }).waitFor();
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('n');
    await expect.poll(() => status.textContent(), PATIENCE).toMatch(/^Hit 1 of 2, now shown: /);
    await page.context().close();
  });

  test('the menu of a part hides it, and a chip shows it again', async () => {
    const [main, read] = [fakeMethod('a.Main', 'main'), fakeMethod('a.Store', 'read')] as const;
    const views = new FakeViews([stack(60, main, read), stack(40, main)]);
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    const box = (await page.locator('.picture canvas').boundingBox())!;
    await page.mouse.click(box.x + 40, box.y + 50, { button: 'right' });
    expect((await page.getByRole('menuitem').allTextContents()).slice(0, 6)).toEqual([
      ...['Only its subtreeEnter', 'Focus on itu', 'Hide it', 'Copy name', 'Open sourceo'],
      'Show calls within librariesf',
    ]);
    await page.getByRole('menuitem', { name: 'Hide it' }).click();
    await page.getByRole('button', { name: 'Drop hidden a.Store.read(int)' }).waitFor();
    await expect
      .poll(() => picturesAsked(views).at(-1), PATIENCE)
      .toMatchObject({ look: { path: '* where not * ..a.Store.read(int)' } });
    await page.getByRole('button', { name: 'Drop hidden a.Store.read(int)' }).click();
    await expect.poll(() => page.locator('.chip').count(), PATIENCE).toBe(0);
    expect(new URL(page.url()).hash).not.toContain('path');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.mouse.click(box.x + 40, box.y + 50, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy name' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), PATIENCE).toBe('a.Store.read(int)');
    await page.context().close();
  });

  test('the list of all actions is narrowed by words and runs one', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(100)), 'view=ring');
    await drawn(page);
    await page.keyboard.press('Control+k');
    const list = page.locator('.commands [role=option]');
    expect(await list.count()).toBeGreaterThan(25);
    await page.keyboard.type('view fl');
    expect(await list.allTextContents()).toEqual(['View: Flames2']);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash, PATIENCE).toContain('view=flame');
    await page.keyboard.press('Control+k');
    await page.locator('.commands input:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('.commands [aria-selected=true]').textContent()).toBe('Print');
    await page.keyboard.type('no such action');
    await page.getByText('No action has these words.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count(), PATIENCE).toBe(0);
    await page.context().close();
  });

  test('on paper the picture stands alone with its legend, and light', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(100)), 'view=flame', { colorScheme: 'dark' });
    await drawn(page);
    const themes: unknown[] = [];
    for (const kind of ['beforeprint', 'afterprint'])
      themes.push(
        await page.evaluate(`dispatchEvent(new Event('${kind}')), document.documentElement.dataset['theme']`),
      );
    expect(themes).toEqual(['light', 'dark']);
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.views', '.strip', '.panel', '.search', '.operations'])
      expect(await page.locator(hidden).isVisible()).toBe(false);
    await page.setViewportSize({ width: 700, height: 900 });
    expect((await page.locator('.picture canvas').boundingBox())!.width).toBeLessThanOrEqual(700);
    await page.locator('.legend').waitFor();
    await page.context().close();
  });

  test('program and version are chosen from what the store has', async () => {
    const views = new FakeViews(fakeStacks(100));
    views.executions = ['1.1', '1.1', '1.0'].map(version => ({ program: 'shop', version }));
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    await page.getByRole('button', { name: 'shop v2.4.1' }).click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['As it was opened', 'shop 1.1', 'shop 1.0']);
    await page.getByRole('menuitem', { name: 'shop 1.0' }).click();
    await expect
      .poll(() => picturesAsked(views).at(-1), PATIENCE)
      .toMatchObject({ look: { program: 'shop', version: '1.0' } });
    await page.context().close();
  });

  test('depth and root belong to their view', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(100)), 'view=flame&depth=2');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    for (const key of ['ArrowDown', 'Enter', '1']) await page.keyboard.press(key);
    await expect.poll(() => page.locator('.breadcrumb button').count(), PATIENCE).toBe(1);
    expect(new URL(page.url()).hash).not.toMatch(/depth|root/);
    await page.keyboard.press('2');
    await expect.poll(() => page.locator('.breadcrumb button').count(), PATIENCE).toBe(2);
    expect(new URL(page.url()).hash).toMatch(/root=.*depth=2/);
    await page.keyboard.press('i');
    await page.keyboard.press('1');
    await page.keyboard.press('2');
    expect(new URL(page.url()).hash).not.toContain('root=');
    await page.context().close();
  });

  test('back goes to the view before', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(100)), 'view=flame');
    await drawn(page);
    const view = () => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('view');
    for (const key of ['4', '5']) await page.keyboard.press(key);
    await expect.poll(view, PATIENCE).toBe('threads');
    await page.goBack();
    await page.getByRole('columnheader', { name: 'Total' }).waitFor();
    await page.keyboard.press('[');
    await expect.poll(view, PATIENCE).toBe('flame');
  });

  test('the tooltip goes when the root changes', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(100)), 'view=flame');
    await drawn(page);
    await page.locator('.picture canvas').hover({ position: { x: 60, y: 50 } });
    await page.locator('.tooltip').waitFor();
    await page.locator('.picture canvas').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.locator('.tooltip').waitFor({ state: 'detached' });
  });

  test('a saved sandwich has both halves, and a table of callees says what its own times are of', async () => {
    const [caller, shop, callee] = [
      fakeMethod('a.Caller', 'calls'),
      fakeMethod('a.Shop', 'run'),
      fakeMethod('a.Callee', 'runs'),
    ];
    const page = await stage.open(new FakeViews([stack(5, caller, shop, callee)]), `view=sandwich&method=${shop.key}`);
    await expect.poll(() => page.locator('.picture canvas[data-drawn]').count(), PATIENCE).toBe(2);
    await page.locator('.picture canvas').last().focus();
    await page.keyboard.press('m');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save picture as SVG' }).click(),
    ]);
    const svg = readFileSync(await saved.path(), 'utf8');
    expect([...svg.matchAll(/>([^<>]*\.\w+)</g)].map(([, text]) => text)).toEqual([
      'a.Shop.run',
      'a.Caller.calls',
      'a.Shop.run',
      'a.Callee.runs',
    ]);
    await page.keyboard.press('4');
    await page.getByRole('columnheader', { name: 'Total' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Self, anywhere' }).count()).toBe(0);
    await page.goto(`${stage.server.origin}/#view=table&table=callees&method=${shop.key}`);
    await page.getByRole('columnheader', { name: 'Self, anywhere' }).waitFor();
  });

  test('an editor takes the focus and opens the source', async () => {
    const views = new FakeViews(fakeStacks(200));
    views.touch({ editor: true });
    const page = await stage.open(views, 'view=flame');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'o', 'u']) await page.keyboard.press(key);
    await expect
      .poll(() => views.asked.filter(({ ask }) => ask === 'use' || ask === 'open'), PATIENCE)
      .toMatchObject([{ ask: 'open' }, { ask: 'use', look: { focus: ['com.acme.shop.Shop.search(int)'] } }]);
    await page.locator('.chip', { hasText: 'com.acme.shop.Shop.search(int)' }).waitFor();
  });

  test('one of several programs is chosen: view and metric stay, the root does not', async () => {
    const sources = [
      { key: 'k1', name: 'shop' },
      { key: 'k2', name: 'bank' },
    ];
    const [shop, bank] = [new FakeViews(fakeStacks(200)), new FakeViews([stack(7, fakeMethod('bank.Teller', 'pay'))])];
    shop.touch({ editor: true, sources, source: 'k1' });
    bank.touch({ revision: 'of the bank', editor: true, sources, source: 'k2', program: 'bank' });
    bank.touch({});
    const page = await stage.open(shop, 'view=flame&look=own&metric=alloc&focus=none');
    stage.server.serve(
      new Proxy(shop, {
        get: (target, name) =>
          name === 'answer'
            ? (question: Question) => (question.source === 'k2' ? bank : shop).answer(question)
            : Reflect.get(target, name),
      }),
    );
    await page.getByLabel('Drop focus none').click();
    await drawn(page);
    await page.locator('.picture canvas').click({ position: { x: 100, y: 30 } });
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).hash, PATIENCE).toContain('root=');
    await page.getByLabel('Program').selectOption('bank');
    const rows = () => page.locator('.beside tbody button').allTextContents();
    await expect.poll(rows, PATIENCE).toEqual(['everything', 'Teller.pay']);
    await expect.poll(() => page.locator('h1').textContent(), PATIENCE).toContain('bank');
    expect(new URL(page.url()).hash).toMatch(/view=flame.*source=k2.*metric=alloc/);
    expect(new URL(page.url()).hash).not.toMatch(/root|focus/);
    expect(bank.asked.filter(({ ask }) => ask === 'picture').at(-1)).toMatchObject({
      root: [],
      look: { metric: 'alloc' },
    });
    await page.goBack();
    await expect.poll(() => page.locator('h1').textContent(), PATIENCE).toContain('shop');
    await expect.poll(async () => (await rows()).length, PATIENCE).toBeGreaterThan(2);
  });

  test('a webview of an editor asks and saves by messages', async () => {
    const views = new FakeViews(fakeStacks(200));
    const page = await stage.open(new FakeViews([]));
    await page.exposeFunction('answerOf', (question: Question) => {
      const answer = views.answer(question);
      return Buffer.isBuffer(answer) ? { bytes: answer.toString('base64') } : { json: answer };
    });
    const saved = new Map<string, string>();
    await page.exposeFunction('save', (name: string, base64: string) => {
      saved.set(name, Buffer.from(base64, 'base64').toString());
      return `Saved as /projects/me/${name}.`;
    });
    await page.addInitScript(`
      globalThis.acquireVsCodeApi = () => ({
        getState: () => 'view=flame',
        setState: () => undefined,
        postMessage: async ({ kind, id, question, name, base64 }) => {
          if (kind === 'ask') postMessage({ kind: 'answer', id, ...(await answerOf(question)) });
          if (kind === 'save') postMessage({ kind: 'saved', id, text: await save(name, base64) });
        },
      });`);
    await page.reload();
    await drawn(page);
    await page.locator('.picture canvas').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('[role=status]').textContent(), PATIENCE).toContain('java.lang.Thread.run');
    const status = page.locator('[role=status]');
    for (const [item, name, content] of [
      ['Save picture as SVG', 'shop-v2.4.1.svg', '<svg'],
      ['Save picture as PNG', 'shop-v2.4.1.png', 'PNG'],
      ['Save samples for speedscope', 'shop.speedscope', 'a;b 1'],
    ] as const) {
      await page.keyboard.press('m');
      await page.getByRole('menuitem', { name: item }).click();
      await expect.poll(() => status.textContent(), PATIENCE).toBe(`Saved as /projects/me/${name}.`);
      expect(saved.get(name)).toContain(content);
    }
  });

  test('a visitor without a key is told how to come in', async () => {
    const page = await stage.open(new FakeViews([]));
    // Another profile of the browser has no tab to ask.
    const stranger = await (await page.context().browser()?.newContext())?.newPage();
    await stranger?.goto(stage.server.origin);
    await stranger?.getByText('insitu view').waitFor();
    await stranger?.goto(`${stage.server.origin}/?again#code=used`);
    await stranger?.getByText('The code is no longer good').waitFor();
    expect(stranger?.url()).not.toContain('code');
  });

  test('a picture can be saved', async () => {
    const page = await stage.open(new FakeViews(fakeStacks(100)), 'view=ring');
    await drawn(page);
    await page.locator('.picture canvas').focus();
    for (const [item, name] of [
      ['Save picture as SVG', 'shop-v2.4.1.svg'],
      ['Save picture as PNG', 'shop-v2.4.1.png'],
      ['Save samples for pprof', 'shop.pprof'],
    ] as const) {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('m');
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      expect(saved.suggestedFilename()).toBe(name);
    }
  });

  test('nothing went wrong on any page', () => {
    expect(stage.wrong).toEqual([]);
  });
}
