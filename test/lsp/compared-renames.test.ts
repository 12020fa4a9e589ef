// The real server in a git repository with two versions: a renamed method is one method in every answer, from the first one on.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hover, InlayHint } from 'vscode-languageserver/node';
import type { EditorAnswers, Status } from '../../server/lsp/protocol.ts';
import { OTHER, SHOP, ShopInGit } from '../support/git/shop-in-git.ts';
import { hintText, type LspClient } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const PICTURE = `
Shop.run | 20@3
  Other.hot :4
    Other.work :3 | 500@8
  Other.warm :5
    Other.work :6 | 300@8`;

let shop: ShopInGit;
let client: LspClient;

beforeEach(async () => {
  shop = new ShopInGit();
  const { scratch, store } = shop;
  scratch.commit({ 'Shop.java': SHOP, 'Other.java': OTHER });
  scratch.git('tag', '1');
  scratch.commit({ 'Shop.java': renamed(SHOP), 'Other.java': renamed(OTHER) });
  scratch.git('tag', '2');
  await putPicture(store, PICTURE, { version: '1' }, -1000);
  await putPicture(store, `${renamed(PICTURE)}\nMain.main | 1200@1`, { version: '2' });
});

afterEach(() => shop.remove());

function renamed(text: string): string {
  return text.replaceAll('hot', 'hotter');
}

async function serve(env: Readonly<Record<string, string>> = {}): Promise<void> {
  client = await shop.serve(renamed(SHOP), { baseline: '1', 'hints.format': 'verbose' }, env);
}

function compare(): Promise<EditorAnswers['moved']> {
  return client.connection.sendRequest<EditorAnswers['moved']>('insitu/moved', {});
}

test('the first comparison after the start', async () => {
  await serve();
  const { origin, problems, rows } = await compare();
  expect(origin.baseline).toContain('shop 1');
  expect(problems).toEqual([]);
  const labels = rows.map(({ method: { label } }) => label);
  expect(labels).toContain('Other.hotter');
  expect(labels).not.toContain('Other.hot');
  const hotter = rows.find(({ method: { label } }) => label === 'Other.hotter');
  expect(hotter?.change.baseline).toBeCloseTo(500 / 820);
});

test('call sites of the renamed method, in hints, hover and metrics', async () => {
  await serve();
  await compare();
  const range = { start: { line: 0, character: 0 }, end: { line: 7, character: 0 } };
  const hints = await client.connection.sendRequest<InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri: shop.uri },
    range,
  });
  expect(hints.map(hintText)).toEqual(['41% −59 ▁ self 0.99% ▸▸ ▪', '61% ±0 → Other', '37% ±0 → Other']);
  const [run] = (
    await client.connection.sendRequest<EditorAnswers['metrics']>('insitu/metrics', { textDocument: { uri: shop.uri } })
  ).declarations;
  expect(run?.calls.map(({ change }) => change?.text)).toEqual(['±0', '±0']);
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri: shop.uri },
    position: { line: 3, character: 12 },
  });
  expect(JSON.stringify(hover.contents)).toContain('against the baseline: ±0 (not tested), it was 61 %');
});

test('a comparison that a person does not wait for says that renames are not known', async () => {
  const slow = join(shop.scratch.home, 'slow');
  mkdirSync(slow);
  // Which version is shown is known; what it has changed is not.
  const script = `#!/bin/sh\ncase "$*" in *diff*) exec sleep 15;; esac\nPATH='${process.env.PATH}' exec git "$@"\n`;
  writeFileSync(join(slow, 'git'), script, { mode: 0o755 });
  await serve({ PATH: `${slow}:${process.env.PATH}` });
  const answer = compare();
  const { params } = await client.waitFor(
    ({ method, params }) => method === '$/progress' && JSON.stringify(params).includes('both versions'),
  );
  await client.connection.sendNotification('window/workDoneProgress/cancel', {
    token: (params as { readonly token: unknown }).token,
  });
  const { problems, rows } = await answer;
  expect(problems.map(({ text }) => text)).toEqual([expect.stringMatching(/git has not told the renames yet/)]);
  expect(rows.map(({ method: { label }, change }) => [label, change.current > 0])).toEqual(
    expect.arrayContaining([
      ['Other.hotter', true],
      ['Other.hot', false],
    ]),
  );
});

test.each(['*', '*cat-file*', '*for-each-ref*'])(
  'where git hangs (%s), a comparison ends, status is told, and no git outlives the server',
  async pattern => {
    const hanging = join(shop.scratch.home, 'hanging');
    mkdirSync(hanging);
    const pids = join(hanging, 'pids');
    const script = `#!/bin/sh\ncase "$*" in ${pattern}) echo $$ >> '${pids}'; exec sleep 600;; esac\nPATH='${process.env.PATH}' exec git "$@"\n`;
    writeFileSync(join(hanging, 'git'), script, { mode: 0o755 });
    await serve({ PATH: `${hanging}:${process.env.PATH}` });
    const [status, compared] = await Promise.all([
      client.connection.sendRequest<Status>('insitu/status', {}),
      compare(),
    ]);
    expect(status.text).not.toBe('');
    // There are no data before git has told which commits their versions are, or was given up.
    if (compared !== null) expect(compared.origin).toMatchObject({ problems: [{ text: GIVEN_UP }] });
    const ended = once(client.process, 'exit');
    if (pattern !== '*') await client.stop();
    else client.process.kill('SIGTERM');
    await ended;
    const started = readFileSync(pids, 'utf8').trim().split('\n');
    expect(started.length).toBeGreaterThan(0);
    await expect.poll(() => started.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  },
);

const GIVEN_UP = expect.stringContaining('git gave no answer: it took too long');

/** One that has ended and was not asked about by its parent has the state Z. */
function isRunning(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}
