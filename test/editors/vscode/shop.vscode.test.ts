// The packed extension in a real VS Code: hints at the ends of lines, hovers, lenses and views, all against the oracle.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ExpectedHint,
  type ExpectedHints,
  type ExpectedMethod,
  type ExpectedNumbers,
  expectedHints,
  expectedNumbers,
} from '../../oracle/oracle.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { needs } from '../../support/engines/needs.ts';
import { first, renamed, second } from '../neovim/expected-shop.ts';
import { choice, enterLines, goToLine, paneOf, pick, runCommand, showFile, statusBar, viewRows } from './driving.ts';
import { drawnHints, type Editor, rulerColours, someHint } from './editor.ts';
import { SHOP, type ShopStage, SOURCES, shopStage } from './shop-stage.ts';

const RANKER = 'com/acme/shop/search/Ranker.java';
const SEARCH = 'com.acme.shop.Shop.search(Ljava/lang/String;I)Ljava/util/List;';
/** For what a loaded machine does in its own time. */
const PATIENCE = { timeout: 60_000, interval: 250 };

needs('vscode', 'the extension', vscode =>
  needs('chromium', 'in Chromium', chromium =>
    needs('jdk17', 'on the sample', () => needs('jdk25', 'by the oracle', () => checkShop({ vscode, chromium }))),
  ),
);

/** `line text` of a file, by line. */
function wanted({ hints }: Pick<ExpectedHints, 'hints'>, file: string): string[] {
  return hints
    .filter(hint => hint.file === file)
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => `${line} ${text}`);
}

function checkShop(engines: { readonly vscode: Engine; readonly chromium: Engine }): void {
  let stage: ShopStage;
  let editor: Editor;
  let [plain, focused, compared]: ExpectedHints[] = [];
  let numbers: ExpectedNumbers;
  beforeAll(async () => {
    const focus = { ...second, focus: 'com.acme.shop.Shop.search' };
    [plain, focused, compared] = expectedHints(second, focus, { ...second, before: first, renamed });
    [numbers] = expectedNumbers({ ...second, root: SEARCH }) as [ExpectedNumbers];
    stage = await shopStage(engines);
    editor = await stage.open();
    const opened = Date.now();
    await someHint(editor.page);
    console.info(`vscode: the first hint stands ${Date.now() - opened} ms after the text`);
  });
  afterAll(() => stage?.close());

  // Whatever the test before has left.
  beforeEach(() => showFile(editor.page, SHOP));

  const onScreen = async (): Promise<string[]> =>
    (await drawnHints(editor.page)).map(({ line, text }) => `${line} ${text}`);
  const expectHints = (lines: readonly string[]): Promise<void> => expect.poll(onScreen, PATIENCE).toEqual(lines);
  const revert = (): Promise<void> => runCommand(editor.page, 'File: Revert File');

  test('hints stand where they must and nowhere else', async () => {
    expect(plain?.hints.length).toBeGreaterThan(100);
    await expectHints(wanted(plain!, SHOP));
    await showFile(editor.page, RANKER);
    await expectHints(wanted(plain!, RANKER));
    await showFile(editor.page, SHOP);
    await expectHints(wanted(plain!, SHOP));
    expect(await statusBar(editor.page)).toBe(`insitu: ${wanted(plain!, SHOP).length} hints`);
  });

  test('those of methods have a picture, hotter ones another colour', async () => {
    const drawn = new Map((await drawnHints(editor.page)).map(each => [each.line, each]));
    const colours = new Map<number, Set<string>>();
    for (const { line, kind, heat } of plain!.hints.filter(({ file }) => file === SHOP)) {
      const { picture, colour } = drawn.get(line)!;
      expect([line, picture]).toEqual([line, kind === 'method' || kind === 'lambda']);
      const step = Math.min(Math.floor(Math.sqrt(heat) * 5), 4);
      colours.set(step, (colours.get(step) ?? new Set()).add(colour));
    }
    expect(colours.size).toBeGreaterThan(2);
    expect([...colours.values()].every(({ size }) => size === 1)).toBe(true);
    expect(new Set([...colours.values()].flatMap(each => [...each])).size).toBe(colours.size);
  });

  test('the overview ruler has the colours of the hints, which go by the share of everything', async () => {
    const hints = plain!.hints.filter(({ file }) => file === SHOP);
    // A call that takes most of a cold method is cold.
    expect(hints.some(({ text, heat }) => /^(?:100|9\d)% → /.test(text) && heat < 0.1)).toBe(true);
    const wantedColours = (await drawnHints(editor.page))
      .toSorted((a, b) => a.line - b.line)
      .map(({ colour }) => colour);
    const runs = (colours: readonly string[]): string[] => colours.filter((each, at) => each !== colours[at - 1]);
    const known = new Set(wantedColours);
    const onRuler = async (): Promise<string[]> =>
      runs((await rulerColours(editor.page)).filter(colour => known.has(colour)));
    await expect.poll(onRuler, PATIENCE).toEqual(runs(wantedColours));
    expect(known.size).toBeGreaterThan(2);
  });

  test('after a rename of what it calls, the caller keeps its hint under the new name', async () => {
    const { page } = editor;
    const call = plain!.hints.find(({ file, text }) => file === SHOP && text.includes('→ isFiller()'))!;
    expect(call).toBeDefined();
    const column = 12 + 'known += !'.length + 1;
    await goToLine(page, call.line, column);
    // Takes all occurrences of the word.
    await page.keyboard.press('Control+Shift+l');
    await page.keyboard.type('isStopWord');
    await page.keyboard.press('Escape');
    await expect.poll(onScreen, PATIENCE).toContain(`${call.line} ~${call.text.replace('isFiller', 'isStopWord')}`);
    await revert();
    await expectHints(wanted(plain!, SHOP));
  });

  test('lines above move every hint and change none', async () => {
    await goToLine(editor.page, 1);
    await enterLines(editor.page, 3);
    await expectHints(wanted({ hints: plain!.hints.map(hint => ({ ...hint, line: hint.line + 3 })) }, SHOP));
    await revert();
    await expectHints(wanted(plain!, SHOP));
  });

  test('a line inside marks its method as changed, in paler colours, and no other', async () => {
    const method = plain!.hints.find(hint => hint.method === SEARCH && hint.kind === 'method')!;
    const before = (await drawnHints(editor.page)).find(({ line }) => line === method.line)!;
    await goToLine(editor.page, method.line + 1);
    await editor.page.keyboard.type('        int insituProbe = 0;');
    await editor.page.keyboard.press('Enter');
    const changed = (hint: ExpectedHint): ExpectedHint =>
      hint === method
        ? { ...hint, text: `~${hint.share} · changed` }
        : { ...hint, line: hint.line + (hint.line > method.line ? 1 : 0) };
    await expectHints(wanted({ hints: plain!.hints.map(changed) }, SHOP));
    const after = (await drawnHints(editor.page)).find(({ line }) => line === method.line)!;
    expect(after.colour).not.toBe(before.colour);
    expect(await statusBar(editor.page)).toMatch(/hints, [1-9]\d* at changed code$/);
    await revert();
    await expectHints(wanted(plain!, SHOP));
  });

  test('a hover has numbers, and links that run commands', async () => {
    const { page } = editor;
    await goToLine(page, plain!.hints.find(hint => hint.method === SEARCH && hint.kind === 'method')!.line, 29);
    await runCommand(page, 'Show or Focus Hover');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'insitu' });
    await expect
      .poll(() => hover.textContent(), PATIENCE)
      .toContain(numbers.methods.get(SEARCH)!.total.count.toLocaleString('en-US'));
    expect(await hover.textContent()).toContain(
      'Callers · Callees · Threads · Heaviest path · Why? · Picture · Make it 100 %',
    );
    await hover.locator('a', { hasText: 'Callees' }).click();
    await expect.poll(() => viewRows(page, 'Runtime calls'), PATIENCE).not.toEqual([]);
  });

  test('the pointer on the words of a hint shows its numbers and the links of its method', async () => {
    const { page } = editor;
    const { line } = plain!.hints.find(hint => hint.method === SEARCH && hint.kind === 'method')!;
    await goToLine(page, line);
    const code = readFileSync(join(stage.shop.repository.root, SOURCES, SHOP), 'utf8')
      .split('\n')
      [line - 1]!.trim();
    const words = page.locator('.editor-instance .view-line', { hasText: code.replaceAll(' ', '\u00a0') });
    const { x, y, width, height } = (await words.locator('> span').boundingBox())!;
    // The hint is the last part of the line.
    await page.mouse.move(x + width - 20, y + height / 2);
    const hover = page.locator('.monaco-hover:visible', { hasText: 'insitu' });
    await expect
      .poll(() => hover.textContent(), PATIENCE)
      .toContain('Callers · Callees · Threads · Heaviest path · Why? · Picture · Make it 100 %');
    expect(await hover.textContent()).toContain(numbers.methods.get(SEARCH)!.total.count.toLocaleString('en-US'));
    await page.mouse.move(0, 0);
  });

  test('the runtime call hierarchy unfolds, with shares within the path', async () => {
    const { page } = editor;
    const outgoing = numbers.paths.filter(({ direction }) => direction === 'outgoing');
    const best = outgoing.find(({ path }) => path.length === 1 && path[0]!.includes('.Ranker.best('))!;
    // The oracle's shares are of the root, those of the view of the row above; from 10 % on both are whole.
    const below = outgoing
      .filter(({ path }) => path.length === 2 && path[0] === best.path[0])
      .map(({ path, amount }) => ({ method: path[1]!, share: amount.count / best.amount.count }))
      // Lambdas, constructors and inner classes have names for people, which are not the oracle's matter.
      .filter(({ method, share }) => share >= 0.1 && /^[\w.]+\(/.test(method));
    expect(below.length).toBeGreaterThan(0);
    const rows = (): Promise<string[]> => viewRows(page, 'Runtime calls');
    await expect.poll(rows, PATIENCE).toContainEqual(expect.stringContaining(`${best.amount.text}  Ranker.best(`));
    const row = paneOf(page, 'Runtime calls').locator('.monaco-list-row', { hasText: 'Ranker.best(' });
    await row.locator('.monaco-tl-twistie').click();
    for (const { method, share } of below) {
      const name = method.slice(0, method.indexOf('(')).split('.').slice(-2).join('.');
      const wantedRow = expect.stringContaining(`${Math.round(share * 100)}%  ${name}(`);
      await expect.poll(rows, PATIENCE).toContainEqual(wantedRow);
    }
  });

  test('the hottest methods are listed, own code first, with callees or without, with their shares', async () => {
    const { page } = editor;
    const most = (methods: readonly ExpectedMethod[], by: 'self' | 'total'): string =>
      `${methods.reduce((one, other) => (other[by].count > one[by].count ? other : one))[by].text}  `;
    const methods = [...numbers.methods.values()];
    const own = methods.filter(({ file }) => file !== null);
    const firstRow = async (): Promise<string | undefined> => (await viewRows(page, 'Hot methods'))[0];
    // By what own code costs with the platform's code that it calls: no method of the platform is there.
    const classesOf = (all: readonly ExpectedMethod[]) =>
      all.map(({ method }) => /(\w+)\.[\w<>]+\(/.exec(method)?.[1] ?? '');
    const [ofPlatform, ofShop] = [
      classesOf(methods.filter(({ method }) => /^(java|jdk|sun)\./.test(method))),
      classesOf(own),
    ];
    const namesAny = (row: string, classes: readonly string[]) => classes.some(each => row.includes(`${each}.`));
    await expect.poll(async () => (await viewRows(page, 'Hot methods')).length, PATIENCE).toBeGreaterThan(5);
    const rows = await viewRows(page, 'Hot methods');
    expect(namesAny(rows[0]!, ofShop)).toBe(true);
    const onlyPlatform = ofPlatform.filter(each => !ofShop.includes(each));
    expect(rows.filter(row => namesAny(row, onlyPlatform))).toEqual([]);
    await runCommand(page, 'insitu: Order hot methods by …');
    await pick(page, 'with all that it calls');
    await expect.poll(firstRow, PATIENCE).toContain(most(own, 'total'));
    await runCommand(page, 'insitu: Order hot methods by …');
    await pick(page, 'without what it calls');
    await expect.poll(firstRow, PATIENCE).toContain(most(methods, 'self'));
    await paneOf(editor.page, 'Executions').locator('.pane-header').click();
    const versions = async (): Promise<string[]> => (await viewRows(editor.page, 'Executions')).sort();
    await expect
      .poll(versions, PATIENCE)
      .toEqual([expect.stringContaining('shop v1'), expect.stringContaining('shop v2')]);
  });

  test('a focus makes the method under the cursor the new 100 %, and is cleared', async () => {
    const { page } = editor;
    const { line } = plain!.hints.find(hint => hint.method === SEARCH && hint.kind === 'method')!;
    await goToLine(page, line, 29);
    await runCommand(page, 'insitu: Make this 100 %');
    await expectHints(wanted(focused!, SHOP));
    await expect.poll(() => statusBar(page), PATIENCE).toContain('of Shop.search');
    await runCommand(page, 'insitu: Clear the focus');
    await expectHints(wanted(plain!, SHOP));
  });

  test('the runtime calls stay about their method, and unfolded, while lines are typed above and numbers change', async () => {
    const { page } = editor;
    const { line } = plain!.hints.find(hint => hint.method === SEARCH && hint.kind === 'method')!;
    const rows = (): Promise<string[]> => viewRows(page, 'Runtime calls');
    await goToLine(page, line, 29);
    await runCommand(page, 'insitu: What this calls (runtime)');
    const best = paneOf(page, 'Runtime calls').locator('.monaco-list-row', { hasText: 'Ranker.best(' });
    await best.waitFor({ timeout: PATIENCE.timeout });
    if ((await best.getAttribute('aria-expanded')) === 'false') await best.locator('.monaco-tl-twistie').click();
    await expect.poll(rows, PATIENCE).toContainEqual(expect.stringContaining('Ranker.score('));
    const before = await rows();
    await goToLine(page, 1);
    await enterLines(page, 3);
    await goToLine(page, line + 3, 29);
    await runCommand(page, 'insitu: Make this 100 %');
    const shares = (labels: readonly string[]): string[] => labels.slice(1);
    await expect.poll(async () => (await rows())[0], PATIENCE).toContain('100%  Shop.search(');
    await expect.poll(async () => shares(await rows()), PATIENCE).toEqual(shares(before));
    await runCommand(page, 'insitu: Clear the focus');
    await expect.poll(rows, PATIENCE).toEqual(before);
    await revert();
    await expectHints(wanted(plain!, SHOP));
  });

  test('threads and reasons are told of what is under the cursor', async () => {
    const { page } = editor;
    const { line, share } = plain!.hints.find(hint => hint.method === SEARCH && hint.kind === 'method')!;
    await goToLine(page, line, 29);
    await runCommand(page, 'insitu: On which threads this ran');
    await choice(page, /% .*\d+ samples/).waitFor({ timeout: PATIENCE.timeout });
    await page.keyboard.press('Escape');
    await runCommand(page, 'insitu: Why this has its number, or none');
    const shownPage = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('body');
    await expect
      .poll(() => shownPage.textContent(), PATIENCE)
      .toMatch(new RegExp(`search: .*Hot inside.*Ranker.*Who calls it.*The heaviest path.*${share}`, 's'));
    await shownPage.locator('a', { hasText: 'Ranker.java' }).first().click();
    await page.locator('.tab.active', { hasText: 'Ranker.java' }).waitFor({ timeout: PATIENCE.timeout });
    await runCommand(page, 'View: Close All Editors');
  });

  test('compared with the other version, hints say how shares moved', async () => {
    const { page } = editor;
    await runCommand(page, 'insitu: Compare with …');
    await pick(page, 'v1');
    await expectHints(wanted(compared!, SHOP));
    // No test has found a direction: no arrow is drawn, which would be a picture of calls and lines too.
    const ofMethods = compared!.hints.filter(({ file, kind }) => file === SHOP && /^(?:method|lambda)$/.test(kind));
    const pictures = (await drawnHints(page)).filter(({ picture }) => picture).map(({ line }) => line);
    expect(pictures).toEqual(ofMethods.map(({ line }) => line).sort((a, b) => a - b));
    await runCommand(page, 'insitu: Whose share moved');
    await choice(page, /\d % to \d/).waitFor({ timeout: PATIENCE.timeout });
    await runCommand(page, 'insitu: Compare with …');
    await pick(page, 'Nothing');
    await expectHints(wanted(plain!, SHOP));
  });

  test('code lenses and inlay hints of the editor itself are there for users who want them', async () => {
    const { page } = editor;
    await editor.reload({ 'insitu.lenses.enabled': true, 'insitu.drawing': 'editor' });
    const lens = page.locator('.codelens-decoration a', { hasText: /%/ }).first();
    await lens.waitFor({ timeout: PATIENCE.timeout });
    const shown = wanted(plain!, SHOP).map(row => row.slice(row.indexOf(' ') + 1));
    const inText = async (): Promise<string> =>
      ((await page.locator('.view-lines').first().textContent()) ?? '').replaceAll('\u00a0', ' ');
    for (const text of shown) await expect.poll(inText, PATIENCE).toContain(text);
    expect(await drawnHints(page)).toEqual([]);
    await editor.reload({});
    await expectHints(wanted(plain!, SHOP));
  });

  test('without a Node.js for the server, the status bar warns, and a new setting helps', async () => {
    const { page } = editor;
    await editor.reload({ 'insitu.nodePath': '/nowhere/node' });
    const toast = page.locator('.notification-toast', { hasText: '/nowhere/node is no Node.js' });
    // Two programs are started before it, on a machine that may do much else.
    await toast.waitFor({ timeout: 2 * PATIENCE.timeout });
    expect(await statusBar(page)).toBe('insitu');
    // A view that is opened meanwhile is empty, and says nothing more.
    await runCommand(page, 'insitu: Focus on Hot methods View');
    await paneOf(page, 'Hot methods').getByText('Nothing was seen running').waitFor({ timeout: PATIENCE.timeout });
    expect(await page.locator('.notification-toast', { hasText: 'the server does not run' }).count()).toBe(0);
    await editor.reload({});
    await expectHints(wanted(plain!, SHOP));
  });

  test('nothing has gone wrong unseen', () => {
    expect(editor.log()).not.toMatch(/\[error\](?!.*\/nowhere\/node)/);
  });
}
