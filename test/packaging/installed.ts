// Installs the project from a checkout into an empty prefix, by the command that README gives, and runs what is then there.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export type Installed = {
  /** A temporary folder for this installation and whatever the tests write. */
  readonly folder: string;
  /** The installed package. */
  readonly package: string;
  /** Absolute path of an installed command. */
  readonly command: (name: string) => string;
  /** An environment in which `node` is the one that runs the tests, and nothing points into the checkout. */
  readonly env: NodeJS.ProcessEnv;
  readonly remove: () => void;
};

/** The first command of README's "Use it". */
export function installLine(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const line = /^## Use it\n\n {4}(.+?) +#/m.exec(readme)?.[1];
  if (line === undefined) throw new Error('README.md has no command at the beginning of "Use it"');
  return line;
}

/** All files of the checkout as they stand, in an empty folder; packages are linked, so that no network is needed. */
export function freshCheckout(folder: string): string {
  const target = join(folder, 'checkout');
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of new Set(listed.split('\0'))) {
    // A file may be removed and not yet so in git.
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(target, file));
  }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
  return target;
}

/** Installs as README says, from an empty-handed checkout into an empty prefix. */
export function packAndInstall(): Installed {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'insitu-installed-')));
  const prefix = join(folder, 'prefix');
  mkdirSync(prefix);
  execFileSync('sh', ['-c', installLine()], {
    cwd: freshCheckout(folder),
    env: { ...process.env, npm_config_prefix: prefix, npm_config_offline: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const nodeFolder = dirname(realpathSync(process.execPath));
  return {
    folder,
    package: join(prefix, 'lib', 'node_modules', 'insitu'),
    command: name => join(prefix, 'bin', name),
    env: {
      PATH: [nodeFolder, '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'data'),
      INSITU_STORE: join(folder, 'store'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Result = { readonly status: number | null; readonly out: string; readonly err: string };

/** Runs an installed command to its end. */
export function run(
  installed: Installed,
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = installed.env,
): Result {
  const result = spawnSync(installed.command(name), args, { cwd: installed.folder, env, encoding: 'utf8', input: '' });
  return { status: result.status, out: result.stdout, err: result.stderr };
}
