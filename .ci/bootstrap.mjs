// Makes a fresh checkout ready (packages, then dist/) and runs a TypeScript file with the pinned Node.js: bootstrap.mjs FILE.ts ARGS…
// The Node.js of the machine starts this file, so it uses nothing newer than Node 18.
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

function run(command, args, stdio = 'inherit') {
  return spawnSync(command, args, { cwd: root, stdio, shell: process.platform === 'win32' });
}

/** Output of npm and of the build goes to standard error, because a program may read standard output: `npm pack`. */
const SET_UP = ['inherit', 2, 2];

/** Says what comes before minutes pass in which little is printed: on a fresh checkout, and before the tests download programs. */
function sayPlan(file, args) {
  const steps = [];
  if (!existsSync(modules)) {
    steps.push(
      'npm downloads packages (210 MB) and unpacks them into node_modules/ (500 MB): 30 s, on a busy machine 90 s',
    );
    steps.push('dist/ is built: 5 s, on a busy machine 15 s');
    if (file === 'samples/demo.ts')
      steps.push('the demo imports two recordings of a sample, prints its hottest methods and a file with hints: 10 s');
  }
  const isWhole = file === 'test/run-suites.ts' && !args.some(arg => arg.startsWith('--only'));
  if (isWhole && !existsSync(join(root, '.cache', 'engines')))
    steps.push(
      'the tests run, and meanwhile the programs that they drive are downloaded into .cache/engines/ (1.8 GB, unpacked 4 GB): 15 to 25 min',
    );
  if (steps.length === 0) return;
  say('insitu: this comes now, with the times of two cores:');
  for (const [i, step] of steps.entries()) say(`  ${i + 1}. ${step}`);
}

/** A hash of the files that the installed packages depend on. */
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
  say('insitu: npm installs the packages …');
  const started = Date.now();
  // `npm install`, not `npm ci`: some packages name prebuilt binaries of platforms that were never published.
  // --no-save: npm 10 would rewrite the lock file of npm 11.
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = run(
    npm,
    ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true'],
    SET_UP,
  );
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
  let newest = statSync(join(root, 'package-lock.json')).mtimeMs;
  const folders = ['server', 'grammar', 'clients/web', '.ci'].map(name => join(root, name));
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
  const { status } = run(pinnedNode, ['.ci/build.ts'], SET_UP);
  if (status === 0) return;
  // The tests and checks still run: they show the cause better, and count it.
  if (file === 'test/run-suites.ts' || file === '.ci/check.ts')
    say('insitu: building dist/ failed; the message stands above.');
  else fail('insitu: building dist/ failed; the message stands above.');
}

const [file, ...args] = process.argv.slice(2);
if (!file) fail('usage: node .ci/bootstrap.mjs FILE.ts ARGS… | --only-set-up');
if (Number(process.versions.node.split('.')[0]) < 18)
  fail(`insitu: Node.js 18 or newer is needed to set up the project, this is ${process.version}.`);
sayPlan(file, args);
if (!packagesAreReady()) installPackages();
// These three scripts build everything themselves.
if (!['.ci/build.ts', '.ci/vsix.ts', '.ci/release.ts'].includes(file)) buildWhenStale();
if (file === '--only-set-up') process.exit(0);

process.env.PATH = `${join(modules, '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;
const { status, signal } = run(pinnedNode, [file, ...args]);
process.exit(signal ? 1 : (status ?? 1));
