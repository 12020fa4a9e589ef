// The real server in a git repository with several dozen files open: how often git is asked when data, texts and HEAD change.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { hintLines, type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';

const FILES = Array.from({ length: 52 }, (_, i) => `C${i}`);

/** All of a file's methods are others in the second version, and one is new. */
const before = (name: string) => `class ${name} {
  void run() {
    helper${name}.go(firstArgument, secondArgument);
  }
  int rest() {
    return computeSomething${name}(firstArgument);
  }
}
`;
const after = (name: string) => `class ${name} {
  void run() {
    int count = 1;
    helper${name}.go(firstArgument, secondArgument);
  }
  int rest() {
    return computeSomething${name}(thirdArgument);
  }
  int another() {
    return computeSomething${name}(firstArgument, secondArgument, fourthArgument);
  }
}
`;

/** Programs that one change may start, whatever the number of files. */
const MOST = 15;

let scratch: ScratchRepository;
let client: LspClient;

beforeEach(() => {
  scratch = new ScratchRepository();
});
afterEach(async () => {
  if (client.process.exitCode === null) await client.stop();
  scratch.remove();
});

/** Stands in front of git on the PATH and notes what it is asked. */
function countingGit(): { readonly path: string; asked(): string[] } {
  const [folder, log] = [join(scratch.home, 'bin'), join(scratch.home, 'asked')];
  mkdirSync(folder);
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nPATH='${process.env.PATH}'\nexec git "$@"\n`;
  writeFileSync(join(folder, 'git'), script);
  chmodSync(join(folder, 'git'), 0o755);
  const commands = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  let seen = 0;
  const asked = () => {
    const all = commands();
    const fresh = all.slice(seen).map(line => line.replace(/^.*safe\.bareRepository=explicit /, '').split(' ')[0]!);
    seen = all.length;
    return fresh;
  };
  return { path: `${folder}:${process.env.PATH}`, asked };
}

const uriOf = (name: string) => pathToFileURL(join(scratch.root, `${name}.java`)).href;

/** Hints of all files, when the one of `run` stands in line `line` of each. */
async function shown(line: number): Promise<void> {
  for (const name of FILES)
    await expect
      .poll(async () => hintLines(await client.hints(uriOf(name))).map(text => text.split(' ')[0]), { timeout: 20_000 })
      .toContain(`${line}`);
}

/** The questions to git until it is left alone for a moment. */
async function quiet(asked: () => string[]): Promise<string[]> {
  const all: string[] = [];
  for (let still = 0; still < 4; ) {
    await new Promise(resolve => setTimeout(resolve, 100));
    const fresh = asked();
    all.push(...fresh);
    still = fresh.length === 0 ? still + 1 : 0;
  }
  return all;
}

test('asks git for each change as often with many open files as with a few', async () => {
  const git = countingGit();
  const store = join(scratch.home, 'store');
  const picture = (line: number) => FILES.map(name => `${name}.run\n  Helper${name}.go :${line} | 10@9`).join('\n');
  for (const [version, text, line] of [
    ['v1', before, 3],
    ['v2', after, 4],
  ] as const) {
    scratch.commit(Object.fromEntries(FILES.map(name => [`${name}.java`, text(name)])));
    scratch.git('tag', version);
    await putPicture(store, picture(line), { version }, line);
  }
  client = await startServer({
    folders: [scratch.root],
    env: { HOME: scratch.home, XDG_CACHE_HOME: join(scratch.home, 'cache'), PATH: git.path },
    capabilities: REFRESHING,
    initializationOptions: { store, project: 'acme' },
  });
  for (const name of FILES) client.open(uriOf(name), after(name));
  await shown(4);
  expect.soft((await quiet(git.asked)).length, 'opened').toBeLessThan(MOST);
  const typed = (name: string) => after(name).replace('int count', 'int probe = 0;\n    int count');
  for (const name of FILES) client.change(uriOf(name), 2, [{ text: typed(name) }]);
  await shown(5);
  for (const name of FILES) client.change(uriOf(name), 3, [{ text: after(name) }]);
  await shown(4);
  expect.soft(await quiet(git.asked), 'edited and restored').toEqual([]);
  await client.command('insitu.select', { version: 'v1' });
  await shown(4);
  expect.soft((await quiet(git.asked)).length, 'another version').toBeLessThan(MOST);
  scratch.git('checkout', '--quiet', 'v1');
  for (const name of FILES) client.change(uriOf(name), 4, [{ text: before(name) }]);
  await shown(3);
  // HEAD is looked at now and then.
  const first: string[] = [];
  const some = () => first.push(...git.asked());
  await expect.poll(some, { timeout: 20_000 }).toBeGreaterThan(0);
  expect.soft(first.length + (await quiet(git.asked)).length, 'checked out').toBeLessThan(MOST);
});
