// The real server in a git repository with two versions: a renamed method is one method in every answer, from the first one on.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hover, InlayHint } from 'vscode-languageserver/node';
import type { CompareAnswer, DocumentMetrics } from '../../server/lsp/protocol.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { hintText, type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const SHOP = `class Shop {
  Other other;
  void run() {
    other.hot();
    other.warm();
  }
}
`;
const OTHER = `class Other {
  void hot() {
    work(1);
  }
  void warm() {
    work(2);
  }
  void work(int number) {}
}
`;
const PICTURE = `
Shop.run | 20@3
  Other.hot :4
    Other.work :3 | 500@8
  Other.warm :5
    Other.work :6 | 300@8`;

let scratch: ScratchRepository;
let client: LspClient;
let uri: string;

beforeEach(async () => {
  scratch = new ScratchRepository();
  scratch.commit({ 'Shop.java': SHOP, 'Other.java': OTHER });
  scratch.git('tag', '1');
  scratch.commit({ 'Shop.java': renamed(SHOP), 'Other.java': renamed(OTHER) });
  scratch.git('tag', '2');
  const store = join(scratch.home, 'store');
  await putPicture(store, PICTURE, { version: '1' }, -1000);
  await putPicture(store, `${renamed(PICTURE)}\nMain.main | 1200@1`, { version: '2' });
  uri = pathToFileURL(join(scratch.root, 'Shop.java')).href;
});

afterEach(async () => {
  if (client.process.exitCode === null) await client.stop();
  scratch.remove();
});

function renamed(text: string): string {
  return text.replaceAll('hot', 'hotter');
}

async function serve(env: Readonly<Record<string, string>> = {}): Promise<void> {
  client = await startServer({
    folders: [scratch.root],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache'), ...env },
    initializationOptions: {
      store: join(scratch.home, 'store'),
      project: 'acme',
      baseline: '1',
      'hints.format': 'verbose',
    },
  });
  client.open(uri, renamed(SHOP));
}

function compare(): Promise<CompareAnswer> {
  return client.connection.sendRequest<CompareAnswer>('insitu/compare', {});
}

test('the first comparison after the start', async () => {
  await serve();
  const { baseline, renamesKnown, rows } = await compare();
  expect({ baseline, renamesKnown }).toEqual({ baseline: 'version 1', renamesKnown: true });
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
    textDocument: { uri },
    range,
  });
  expect(hints.map(hintText)).toEqual(['41% ↓ −59 ▁ self 2.4% ▸▸ ▪', '61% ±0 → Other', '37% ±0 → Other']);
  const [run] = (await client.connection.sendRequest<DocumentMetrics>('insitu/metrics', { textDocument: { uri } }))
    .declarations;
  expect(run?.calls.map(({ change }) => change?.text)).toEqual(['±0', '±0']);
  const hover = await client.connection.sendRequest<Hover>('textDocument/hover', {
    textDocument: { uri },
    position: { line: 3, character: 12 },
  });
  expect(JSON.stringify(hover.contents)).toContain('against the baseline: ±0, it was 61 %');
});

test('a comparison that a person does not wait for says that renames are not known', async () => {
  const slow = join(scratch.home, 'slow');
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
  const { renamesKnown, rows } = await answer;
  expect(renamesKnown).toBe(false);
  expect(rows.map(({ method: { label }, change }) => [label, change.current > 0])).toEqual(
    expect.arrayContaining([
      ['Other.hotter', true],
      ['Other.hot', false],
    ]),
  );
});
