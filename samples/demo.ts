// The main job on real input: imports the sample's recordings into a fresh store and shows what an editor would.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const STORE = join('.cache', 'demo', 'store');
const SHOP = join('samples', 'shop', 'v1');

/** Runs one insitu command as a user would, with the command line shown above its output. */
function insitu(...args: readonly string[]): void {
  console.log(styleText('bold', `\n$ npx insitu ${args.join(' ')}`));
  const { status } = spawnSync(process.execPath, [join('dist', 'bin', 'insitu.cjs'), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, INSITU_STORE: STORE },
  });
  if (status !== 0) {
    console.error(`\nThe command above failed (exit status ${status}); the demo stops here.`);
    process.exit(1);
  }
}

function main(): void {
  rmSync(join(ROOT, STORE), { recursive: true, force: true });
  const recordings = readdirSync(join(ROOT, 'samples', 'recordings'))
    .filter(name => /^shop-v1-jdk17.*\.jfr$/.test(name))
    .map(name => join('samples', 'recordings', name));
  console.log(`Two instances of the sample shop ran under load; what JDK Flight Recorder saw goes into ${STORE}.`);
  console.log('To repeat a command of the demo by hand, name that store first:');
  console.log(styleText('bold', `\n$ export INSITU_STORE=${join(ROOT, STORE)}`));
  insitu('import', ...recordings, '--project', 'shop', '--program', 'shop', '--version', 'v1', '--sources', SHOP);
  insitu('executions', '--project', 'shop');
  insitu('overview', '--project', 'shop');
  insitu('top', '--project', 'shop', '--limit', '12');
  const file = join(SHOP, 'src', 'main', 'java', 'com', 'acme', 'shop', 'Shop.java');
  insitu('annotate', file);
  explainEditors(file);
}

/** The exact commands that show the same file in an editor. */
function explainEditors(file: string): void {
  const store = join(ROOT, STORE);
  const neovim = `INSITU_STORE=${store} nvim --cmd 'set rtp^=${join(ROOT, 'clients', 'neovim')}' ${file}`;
  const server = `${process.execPath} ${join(ROOT, 'dist', 'bin', 'insitu.cjs')} lsp --stdio`;
  console.log(styleText('bold', '\nThe same file in an editor'));
  console.log(`Neovim 0.10 to 0.12:\n  ${neovim}`);
  console.log(
    `Any other editor with a language client: for Java files, start this server beside the usual one:\n  INSITU_STORE=${store} ${server}`,
  );
  if (!existsSync(join(ROOT, file))) throw new Error(`${file} is missing`);
}

main();
