// Set-up installs what is missing, once, runs the pinned Node.js, and says what to do when npm fails.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const bootstrap = fileURLToPath(new URL('../../.ci/bootstrap.mjs', import.meta.url));
let folder: string;
let checkout: string;

/** A checkout in small: its `npm` installs a "pinned node" that runs the real one with a mark on its output. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-bootstrap-'));
  checkout = join(folder, 'checkout');
  for (const name of ['.ci', 'server', 'grammar', 'clients/web', 'test'])
    mkdirSync(join(checkout, name), { recursive: true });
  copyFileSync(bootstrap, join(checkout, '.ci/bootstrap.mjs'));
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  writeFileSync(join(checkout, 'package-lock.json'), '{}');
  const build =
    "import { mkdirSync, writeFileSync } from 'node:fs'; mkdirSync('dist', { recursive: true }); writeFileSync('dist/.built', ''); console.log('built');";
  writeFileSync(join(checkout, '.ci/build.ts'), build);
  writeFileSync(
    join(checkout, 'test/show.ts'),
    'console.log("shown", process.argv.slice(2).join(" ")); process.exitCode = 5;',
  );
  mkdirSync(join(folder, 'bin'));
  npm(
    `echo "npm $*"; mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho pinned; exec "${process.execPath}" "$@"\\n' >node_modules/.bin/node; chmod +x node_modules/.bin/node`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function npm(script: string): void {
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function start(...args: string[]): { status: number | null; out: string[]; err: string } {
  const result = spawnSync(process.execPath, [join(checkout, '.ci/bootstrap.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
  });
  return { status: result.status, out: result.stdout.trim().split('\n'), err: result.stderr };
}

const said = (text: string): string[] => text.trimEnd().split('\n');

test('a fresh checkout installs, builds and runs; the next time it only runs', () => {
  const first = start('test/show.ts', 'a', 'b');
  // Standard output holds the output of the job alone.
  expect(first.out).toEqual(['pinned', 'shown a b']);
  expect(said(first.err)).toEqual([
    'insitu: this comes now, with the times of two cores:',
    expect.stringMatching(/^ {2}1\. npm downloads packages \(\d+ MB\)/),
    expect.stringMatching(/^ {2}2\. dist\/ is built/),
    'insitu: npm installs the packages …',
    expect.stringMatching(/^npm install /),
    expect.stringMatching(/^insitu: packages installed in \d+ s$/),
    'insitu: building dist/ …',
    'pinned',
    'built',
  ]);
  expect(first.status).toBe(5);
  expect(start('test/show.ts')).toEqual({ status: 5, out: ['pinned', 'shown'], err: '' });
});

test.each([
  ['samples/demo.ts', [], /^ {2}3\. the demo .*: \d+ s$/],
  ['test/run-suites.ts', [], /^ {2}3\. the tests run, .* downloaded .*GB.*: .* min$/],
  ['test/run-suites.ts', ['--full'], /^ {2}3\. the tests run, .* min$/],
  ['test/run-suites.ts', ['--only', 'fast'], undefined],
  ['test/run-suites.ts', ['--only=fast'], undefined],
])('before anything is downloaded, %s %j says what it does then, and for how long', (file, args, wanted) => {
  mkdirSync(join(checkout, 'samples'));
  writeFileSync(join(checkout, file), readFileSync(join(checkout, 'test/show.ts')));
  const before = said(start(file, ...args).err.split('insitu: npm installs')[0]!);
  expect(before.slice(3)).toEqual(wanted === undefined ? [] : [expect.stringMatching(wanted)]);
});

test('the tests say what they download as long as nothing is there, also when the packages are', () => {
  start('test/show.ts');
  writeFileSync(join(checkout, 'test/run-suites.ts'), readFileSync(join(checkout, 'test/show.ts')));
  expect(said(start('test/run-suites.ts').err)).toEqual([
    'insitu: this comes now, with the times of two cores:',
    expect.stringMatching(/^ {2}1\. the tests run, .*GB/),
  ]);
  mkdirSync(join(checkout, '.cache/engines'), { recursive: true });
  expect(start('test/run-suites.ts').err).toBe('');
});

test('a changed package.json installs again; a changed source builds again', () => {
  start('test/show.ts');
  writeFileSync(join(checkout, 'package.json'), '{"type":"module","a":1}');
  const again = said(start('test/show.ts').err);
  expect(again.slice(0, 2)).toEqual(['insitu: npm installs the packages …', expect.stringMatching(/^npm install /)]);
  const later = new Date(Date.now() + 5000);
  writeFileSync(join(checkout, 'server/a.ts'), '');
  utimesSync(join(checkout, 'server/a.ts'), later, later);
  expect(said(start('test/show.ts').err)).toEqual(['insitu: building dist/ …', 'pinned', 'built']);
});

test('a failing npm is explained, and tried again the next time', () => {
  npm('echo "no network" >&2; exit 7');
  for (let run = 0; run < 2; run++) {
    const { status, err } = start('test/show.ts');
    expect(status).toBe(1);
    expect(err).toMatch(/no network[\s\S]*npm install failed with status 7[\s\S]*Run the same command again/);
    expect(err).not.toMatch(/^\s+at /m);
  }
});

test('without npm it says so', () => {
  rmSync(join(folder, 'bin/npm'));
  const result = spawnSync(process.execPath, [join(checkout, '.ci/bootstrap.mjs'), 'test/show.ts'], {
    encoding: 'utf8',
    env: { PATH: join(folder, 'bin') },
  });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('npm could not be started');
});

test('a failing build stops everything but the tests, which show it better', () => {
  writeFileSync(join(checkout, '.ci/build.ts'), 'process.exit(1);');
  writeFileSync(join(checkout, 'test/run-suites.ts'), readFileSync(join(checkout, 'test/show.ts')));
  expect(start('test/show.ts')).toMatchObject({ status: 1, err: expect.stringContaining('building dist/ failed') });
  expect(start('test/run-suites.ts').status).toBe(5);
});
