// The page beside a command: when it looks at the folder again, and what it tells a page first, and one that knows another state.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommandHost } from '../../server/cli/command-host.ts';
import { answerQuestion } from '../../server/views/answer-question.ts';
import { folderStamp, projectFolder } from '../../server/workspace/data/store-watch.ts';
import { configurationFor } from '../../server/workspace/settings/configuration.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/insitu/lsp-store.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

const LOOK_MILLIS = 500;

let place: LspFolder;
let host: CommandHost;
let options: ConstructorParameters<typeof CommandHost>[0];
let loads: (() => void)[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  place = await lspFolder({});
  await putPicture(place.store, 'acme.Main.main | 20@5');
  loads = [];
  const loader = {
    load: () => ({ result: new Promise<null>(end => loads.push(() => end(null))), cancel: () => {} }),
    close: () => {},
  };
  const loaded = loadedFromText('acme.Main.main | 20@5\n  org.lib.Pool.get :5 | 7@9');
  const data = { ...loaded, wish: { ...loaded.wish, store: place.store, project: 'acme' } };
  const stamp = await folderStamp(projectFolder(data.wish)!);
  options = { configuration: configurationFor(place.folder), loader, data, stamp, baseline: null };
  host = new CommandHost(options);
});

afterEach(async () => {
  vi.useRealTimers();
  host.close();
  await place.remove();
});

/** As a page does that is visible; the look at the folder ends later. */
async function ask(): Promise<void> {
  await host.viewed();
  await new Promise(resolve => setTimeout(resolve, 100));
}

test('the folder is looked at when a page asks, every 500 ms, and after a load only when it has rested', async () => {
  await ask();
  await putPicture(place.store, 'acme.Main.main | 7@5', {}, 1000);
  await ask();
  expect(loads).toHaveLength(0);
  vi.advanceTimersByTime(LOOK_MILLIS);
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(loads).toHaveLength(0);
  await ask();
  expect(loads).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  loads[0]!();
  await putPicture(place.store, 'acme.Main.main | 8@5', {}, 2000);
  await ask();
  vi.advanceTimersByTime(2_999);
  await ask();
  expect(loads).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await ask();
  expect(loads).toHaveLength(2);
});

test('what was stored while the first data were read is noticed', async () => {
  await putPicture(place.store, 'acme.Main.main | 7@5', {}, 1000);
  await ask();
  expect(loads).toHaveLength(1);
});

test('a page that knows an unknown state is told everything', async () => {
  const asked = async (revision: string) => {
    const answer = await answerQuestion(host, { ask: 'state', revision }, new AbortController().signal);
    return answer.kind === 'json' ? answer.json : null;
  };
  const whole = await asked('lost');
  expect(whole).toMatchObject({ program: 'shop', metrics: [{ id: 'cpu' }] });
  expect(await asked((whole as { revision: string }).revision)).toEqual({ same: true });
});

test('the first answer knows the packages of the project already', async () => {
  await mkdir(join(place.folder, 'acme'));
  await writeFile(join(place.folder, 'acme', 'Main.java'), 'package acme;\n\nclass Main {}\n');
  const opened = new CommandHost(options);
  const answer = await answerQuestion(opened, { ask: 'state' }, new AbortController().signal);
  opened.close();
  expect(answer.kind === 'json' ? answer.json : null).toMatchObject({
    packages: ['acme', 'org.lib'],
    ownPackages: 1,
  });
});
