// The release workflow's own commands run, up to the hosts: npm's `publish` and GitHub's program are replaced by ones that note how they were called.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshCheckout, root } from './installed.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');

/** Name and command of each step that runs one, in their order. */
const steps = [...workflow.matchAll(/^ {6}- name: (.+)\n {8}run: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
  ([, name = '', block = '', line = '']) => ({ name, script: block.replace(/^ {10}/gm, '') || line }),
);

let folder: string;
let checkout: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'insitu-release-')));
  checkout = freshCheckout(folder);
  const changelog = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8');
  const own = `## [${version}] - 2026-01-02\n\n### Added\n- A first line.\n- A second one.\n\n`;
  writeFileSync(join(checkout, 'CHANGELOG.md'), changelog.replace(/^(?=## )/m, own));
  mkdirSync(join(folder, 'bin'));
  const noted = (name: string, when: string, otherwise: string) =>
    writeFileSync(
      join(folder, 'bin', name),
      `#!/bin/sh\nif ${when}; then for each; do echo "$each"; done >"${folder}/${name}.noted"; else ${otherwise}; fi\n`,
      { mode: 0o755 },
    );
  const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim();
  noted('npm', 'test "$1" = publish', `exec "${npm}" "$@"`);
  noted('gh', 'true', 'exit 1');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runStep(script: string, tag: string): { status: number | null; err: string } {
  const { GITHUB_REPOSITORY: _, ...own } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd: checkout,
    encoding: 'utf8',
    env: {
      ...own,
      PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      npm_config_userconfig: join(folder, 'npmrc'),
      RUNNER_TEMP: folder,
      GITHUB_REF_NAME: tag,
      NPM_TOKEN: 'secret',
    },
  });
  return { status, err: `${stdout}${stderr}` };
}

test('all steps of a release run, and hand on the package, the extension, checksums and notes', () => {
  expect(steps.length).toBe(workflow.match(/^ +run:/gm)?.length);
  for (const { name, script } of steps)
    expect({ name, ...runStep(script, `v${version}`) }).toMatchObject({ status: 0 });
  const release = join(folder, 'release');
  const [tgz, vsix] = [`insitu-${version}.tgz`, `insitu-${version}.vsix`];
  expect(readdirSync(release).sort()).toEqual(['SHA256SUMS', tgz, vsix, 'notes.md']);
  expect(readFileSync(join(release, 'notes.md'), 'utf8')).toBe('### Added\n- A first line.\n- A second one.\n');
  expect(
    readFileSync(join(release, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map(line => line.split('  ')[1]),
  ).toEqual([tgz, vsix]);
  const noted = (name: string) =>
    readFileSync(join(folder, `${name}.noted`), 'utf8')
      .trim()
      .split('\n');
  expect(noted('npm')).toEqual([
    'publish',
    join(release, tgz),
    '--provenance',
    '--access',
    'public',
    '--tag',
    'latest',
  ]);
  expect(noted('gh')).toEqual(
    expect.arrayContaining(['create', `v${version}`, '--verify-tag', `./${tgz}`, `./${vsix}`, 'SHA256SUMS']),
  );
  for (const file of noted('gh').filter(each => /^\.\/|^notes/.test(each)))
    expect(existsSync(join(release, file))).toBe(true);
  // The test is signed in at the registry that npm uses; no file of ours names one.
  expect(readFileSync(join(folder, 'npmrc'), 'utf8')).toMatch(/^\/\/[^ ]+:_authToken=secret$/m);
});

test('a tag that package.json does not have ends the release before anything is made', () => {
  rmSync(join(folder, 'release'), { recursive: true, force: true });
  const { status, err } = runStep(steps[0]!.script, `v${version}-rc.1`);
  expect(status).toBe(1);
  expect(err).toContain(`the tag is v${version}-rc.1`);
  expect(existsSync(join(folder, 'release'))).toBe(false);
});

test('a version with a hyphen is not what npm installs without being asked', () => {
  const publish = steps.find(({ name }) => name === 'Publish the package')!;
  mkdirSync(join(folder, 'release'), { recursive: true });
  writeFileSync(join(folder, 'release', 'insitu-2.0.0-rc.1.tgz'), '');
  expect(runStep(publish.script, 'v2.0.0-rc.1').status).toBe(0);
  expect(readFileSync(join(folder, 'npm.noted'), 'utf8')).toMatch(/\n--tag\nnext\n$/);
});
