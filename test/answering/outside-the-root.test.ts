// Files out of the project's folders, by links, absolute paths and dots: no face reads them, and all refuse them in the same words.
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inlineReach } from '../../server/analysis/ask.ts';
import { AnswersOnDisk } from '../../server/cli/answers-on-disk.ts';
import { ANSWERS } from '../../server/features/answers/answer-table.ts';
import { insitu } from '../support/insitu/command-line.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';

const INSIDE = 'src/acme/Shop.java';
const SECRET = 'package acme;\nclass Secret {\n  void run() { take(); }\n  void take() {}\n}\n';

let folder = '';
let root = '';
let place: readonly string[] = [];
let home: AnswersOnDisk;
let editor: LspClient;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'insitu-outside-')));
  root = join(folder, 'project');
  const files = { [join(root, INSIDE)]: SECRET.replaceAll('Secret', 'Shop'), [join(folder, 'Secret.java')]: SECRET };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(root, 'insitu.json'), '{ "project": "acme" }');
  symlinkSync('..', join(root, 'link'));
  symlinkSync('../Secret.java', join(root, 'Secret.java'));
  const stacks = join(folder, 'stacks.collapsed');
  writeFileSync(stacks, 'acme.Secret.run;acme.Secret.take 60\nacme.Shop.run;acme.Shop.take 60\n');
  const store = join(folder, 'store');
  place = ['--store', store, '--project', 'acme', '--program', 'shop', '--version', '1'];
  await insitu('import', stacks, ...place);
  home = new AnswersOnDisk({ root, store, project: 'acme', program: 'shop', version: '1' });
  editor = await startServer({
    folders: [root],
    capabilities: REFRESHING,
    env: { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    initializationOptions: { store, project: 'acme', program: 'shop', version: '1' },
  });
}, 60_000);
afterAll(async () => {
  home.close();
  await editor.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const NAMES = ['link/Secret.java', 'Secret.java', '../Secret.java', 'src/../../Secret.java', 'ABSOLUTE'] as const;
const ASKED = [
  ['annotatedFile', (file: string) => ({ file })],
  ['prediction', (file: string) => ({ file })],
  ['prediction', (file: string) => ({ file, text: SECRET })],
  ['callers', (file: string) => ({ method: `${file}:4` })],
  ['why', (file: string) => ({ method: `${file}:3:16` })],
] as const;

/** The refusal that the face of agents gets. */
async function refusal(name: string, given: object): Promise<string> {
  const answer = ANSWERS.find(each => each.name === name)!;
  return answer.answer(home.context(undefined, inlineReach), { ...given }).then(
    () => 'an answer',
    (error: Error) => error.message,
  );
}

test.each(ASKED.flatMap(([name, given]) => NAMES.map(file => [name, file, given] as const)))(
  '%s of %s is refused on all faces',
  async (name, file, given) => {
    const path = file === 'ABSOLUTE' ? join(folder, 'Secret.java') : file;
    const expected = `"${path}" leads out of the project (give a path below ${root})`;
    expect(await refusal(name, given(path))).toBe(expected);
    await expect(editor.connection.sendRequest(`insitu/${name}`, given(path))).rejects.toThrow(expected);
    const question = { ask: 'answer', answer: name, parameters: given(path) };
    const { json } = await editor.connection.sendRequest<{ json: object }>('insitu/view', { question });
    expect(JSON.stringify(json)).toContain('leads out of the project');
    const parameters = Object.entries(given(path)).map(([key, value]) => `${key}=${value}`);
    const { out, err } = await insitu('ask', name, ...parameters, '--root', root, ...place);
    expect([out, err]).toEqual(['', `error: ${expected}\n`]);
  },
);

test('what lies within is read, also under other names, and a file that the user names wherever it lies', async () => {
  for (const file of [INSIDE, join(root, INSIDE), 'link/project/src/acme/Shop.java'])
    expect(await refusal('annotatedFile', { file })).toBe('an answer');
  expect(await refusal('prediction', { file: 'src/acme/New.java', text: SECRET })).toBe('an answer');
  const { out } = await insitu('annotate', join(root, 'link', 'Secret.java'), ...place);
  expect(out).toContain('class Secret');
});

test('an open document is read wherever it lies', async () => {
  const path = join(folder, 'Open.java');
  copyFileSync(join(folder, 'Secret.java'), path);
  const uri = `file://${path}`;
  editor.open(uri, SECRET);
  await editor.hints(uri);
  const found = await editor.connection.sendRequest<{ rows: unknown[] }>('insitu/annotatedFile', { file: path });
  expect(found.rows.length).toBeGreaterThan(0);
});
