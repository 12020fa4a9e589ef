// Packs the project, installs the tarball into an empty prefix as `npm install -g` does, and runs what is then there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
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

/** Needs no network: the bundles carry all packages. */
export function packAndInstall(): Installed {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'insitu-installed-')));
  const prefix = join(folder, 'prefix');
  mkdirSync(prefix);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tarball = /"filename": *"([^"]+\.tgz)"/.exec(packed)?.[1];
  if (tarball === undefined) throw new Error(`npm pack named no file: ${packed}`);
  const install = ['install', '--global', '--offline', '--prefix', prefix, join(folder, tarball)];
  execFileSync('npm', install, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
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
