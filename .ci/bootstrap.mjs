// Makes a fresh checkout ready (packages, then dist/) and runs a TypeScript file with the pinned Node.js: bootstrap.mjs FILE.ts ARGS…
// It is started by whatever Node.js the machine has, so it uses nothing newer than Node 18.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const pinnedNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const stamp = join(modules, '.insitu-stamp');

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}

/** What the installed packages depend on. */
function wantedPackages() {
  const hash = createHash('sha256');
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function packagesAreReady() {
  if (!existsSync(pinnedNode)) return false;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wantedPackages();
}

function installPackages() {
  say('insitu: installing its packages into node_modules/ with npm (half a minute on a first run) …');
  const started = Date.now();
  // `npm install`, not `npm ci`: some packages name prebuilt binaries of platforms that were never published.
  // --no-save: npm 10 would rewrite the lock file of npm 11.
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = run(npm, ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true']);
  if (result.error)
    fail(
      `insitu: npm could not be started (${result.error.message}). Install npm, which comes with Node.js, and try again.`,
    );
  if (result.status !== 0)
    fail(
      `insitu: npm install failed with status ${result.status}; its message stands above. ` +
        'Usual causes: no network, a proxy that npm does not know, a full disk. Run the same command again afterwards.',
    );
  if (!existsSync(pinnedNode))
    fail(
      `insitu: npm install succeeded, but ${pinnedNode} is missing. Remove node_modules/ and run the same command again.`,
    );
  writeFileSync(stamp, wantedPackages());
  say(`insitu: packages installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** Latest change among the files that dist/ is made from, in milliseconds. */
function newestSource() {
  let newest = 0;
  const folders = ['server', 'grammar'].map(name => join(root, name));
  for (const file of ['package-lock.json', '.ci/build.ts'])
    newest = Math.max(newest, statSync(join(root, file)).mtimeMs);
  while (folders.length > 0) {
    const folder = folders.pop();
    newest = Math.max(newest, statSync(folder).mtimeMs);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else newest = Math.max(newest, statSync(path).mtimeMs);
    }
  }
  return newest;
}

function buildWhenStale() {
  const built = join(root, 'dist', '.built');
  if (existsSync(built) && statSync(built).mtimeMs >= newestSource()) return;
  say('insitu: building dist/ …');
  const { status } = run(pinnedNode, ['.ci/build.ts']);
  if (status === 0) return;
  // The tests and checks still run: they show the cause better, and count it.
  if (file === 'test/run-suites.ts' || file === '.ci/check.ts')
    say('insitu: building dist/ failed; the message stands above.');
  else fail('insitu: building dist/ failed; the message stands above.');
}

const [file, ...args] = process.argv.slice(2);
if (!file) fail('usage: node .ci/bootstrap.mjs FILE.ts ARGS…');
if (Number(process.versions.node.split('.')[0]) < 18)
  fail(`insitu: Node.js 18 or newer is needed to set up the project, this is ${process.version}.`);
if (!packagesAreReady()) installPackages();
if (file !== '.ci/build.ts') buildWhenStale();

process.env.PATH = `${join(modules, '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;
const { status, signal } = run(pinnedNode, [file, ...args]);
process.exit(signal ? 1 : (status ?? 1));
