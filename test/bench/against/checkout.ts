// Makes a checkout of another commit beside this one, with its packages, in an ignored folder that stays for the next time.
import { execFileSync, spawnSync } from 'node:child_process';
import { constants, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export type Checkout = { readonly folder: string; readonly commit: string };

/** Throws an error for people when there is no such commit. */
export function checkOut(root: string, commit: string): Checkout {
  const hash = hashOf(root, commit);
  const folder = join(root, '.cache', 'against', hash.slice(0, 12));
  if (!existsSync(folder)) {
    const fresh = `${folder}-${process.pid}`;
    try {
      mkdirSync(join(root, '.cache', 'against'), { recursive: true });
      // Nothing is copied, and commits without a branch are there too.
      git(root, 'clone', '--quiet', '--shared', '--no-checkout', root, fresh);
      git(fresh, 'checkout', '--quiet', '--detach', hash);
      // Peers are the same engines.
      symlinkSync(join(root, '.cache'), join(fresh, '.cache'));
      copyPackages(root, fresh);
      renameSync(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return { folder, commit: hash };
}

function hashOf(root: string, commit: string): string {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`);
  } catch {
    throw new Error(`there is no commit "${commit}" in ${root}: fetch it, or name another`);
  }
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

/** The same packages need not be installed anew. They are copied, as an installation writes into its files. */
function copyPackages(root: string, folder: string): void {
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (!existsSync(join(root, 'node_modules')) || !existsSync(join(folder, 'package-lock.json'))) return;
  if (lock(root) !== lock(folder)) return;
  cpSync(join(root, 'node_modules'), join(folder, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  });
}

/** Installs what is missing, as every npm script of that checkout does, and builds its bundles. Throws when it fails. */
export function prepare({ folder, commit }: Checkout): void {
  const { status } = spawnSync(process.execPath, ['.ci/bootstrap.mjs', '.ci/build.ts'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`commit ${commit} could not be built in ${folder}; the message stands above`);
}
