// Where the programs are that tests drive (JDKs, editors, a terminal) and the libraries they read, and how they are fetched when missing.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineName } from '../../run/suites.ts';
import { libraryRecipes } from './libraries.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const enginesFolder = join(root, '.cache', 'engines');

/** A program fetched for the tests. */
export type Engine = {
  readonly name: EngineName;
  /** Folder with `bin/`: for a JDK its JAVA_HOME, for an editor its prefix. */
  readonly home: string;
  /** First line of what the program says about its version. */
  readonly version: string;
  /** Absolute path of one of its programs: `program('java')`. */
  readonly program: (name: string) => string;
  /** The folder that holds sources: for a JDK those of `java.base/`, `jdk.compiler/` and `java.xml/`, else one folder a library; undefined without any. */
  readonly sources: string | undefined;
};

/** An engine, or why there is none. */
export type Provided = Engine | { readonly missing: string };

/** The script that fetches each engine, and its arguments. */
const recipes: Readonly<Record<EngineName, { readonly script: string; readonly args: readonly string[] }>> = {
  jdk11: { script: 'jdk11.sh', args: ['sid'] },
  jdk17: { script: 'jdk.sh', args: ['bookworm', '17', 'with-sources'] },
  jdk25: { script: 'jdk.sh', args: ['trixie', '25', 'with-sources'] },
  nvim010: { script: 'neovim.sh', args: ['trixie'] },
  nvim012: { script: 'neovim.sh', args: ['sid'] },
  tmux: { script: 'tmux.sh', args: ['bookworm'] },
  lsp4j: { script: 'lsp4j.sh', args: ['coc-java@1.56.0'] },
  'async-profiler': { script: 'async-profiler.sh', args: ['4.5', '3.0', '4.6'] },
  tracers: { script: 'tracers.sh', args: ['2.0.2', '2.33.0'] },
  service: { script: 'service.sh', args: ['2.3.232', '2.21.3', '3.2.0', '1.21.1'] },
  // The commits that the benchmark `track` measures.
  'commons-csv': { script: 'commons-csv.sh', args: ['30'] },
  h2: { script: 'h2.sh', args: ['2.3.232'] },
  jdtls: { script: 'jdtls.sh', args: ['coc-java@1.56.0'] },
  vscode: { script: 'vscode.sh', args: ['code-server@4.139.1', 'node@24'] },
  chromium: { script: 'chromium.sh', args: ['bookworm'] },
  firefox: { script: 'firefox.sh', args: ['bookworm'] },
  emacs: { script: 'emacs.sh', args: ['trixie'] },
  helix: { script: 'helix.sh', args: ['trixie'] },
  ceph: { script: 'ceph.sh', args: ['bookworm'] },
  libraries: { script: 'libraries.sh', args: ['bookworm', ...libraryRecipes] },
};

export const engineNames = Object.keys(recipes) as readonly EngineName[];

/** The engine when it stands in `.cache/`, without fetching anything. */
export function installedEngine(name: EngineName): Engine | undefined {
  const prefix = join(enginesFolder, name);
  const stamp = join(prefix, '.insitu-stamp');
  if (!existsSync(stamp)) return undefined;
  const [key, version] = readFileSync(stamp, 'utf8').split('\n');
  if (key !== recipeKey(name)) return undefined;
  const javaHome = join(prefix, 'java-home');
  const home = existsSync(javaHome) ? javaHome : prefix;
  const sources = join(prefix, 'src');
  return {
    name,
    home,
    version: version ?? '',
    program: program => join(home, 'bin', program),
    sources: existsSync(sources) ? sources : undefined,
  };
}

/** The engine, fetched first when it is missing. Waits; a failure within the same run is not tried again. */
export function provideEngine(name: EngineName): Provided {
  const there = installedEngine(name);
  if (there !== undefined) return there;
  const failed = failureOf(name);
  if (failed !== undefined) return { missing: failed };
  const { command, args } = fetchCommand(name);
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  return concluded(name, result.status, `${result.stdout}${result.stderr}${result.error?.message ?? ''}`);
}

/** As `provideEngine`, but in the background; `onLine` gets each line of progress. */
export function fetchEngine(name: EngineName, onLine: (line: string) => void): Promise<Provided> {
  const there = installedEngine(name);
  if (there !== undefined) return Promise.resolve(there);
  const { command, args } = fetchCommand(name);
  return new Promise(resolve => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let rest = '';
    const take = (chunk: Buffer): void => {
      output += chunk;
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', error => resolve(concluded(name, null, error.message)));
    child.on('close', status => resolve(concluded(name, status, output)));
  });
}

/** Forgets earlier failures, so that a new run tries again. */
export function forgetFailures(): void {
  for (const name of engineNames) rmSync(failureFile(name), { force: true });
}

function fetchCommand(name: EngineName): { command: string; args: string[] } {
  const { script, args } = recipes[name];
  const prefix = join(enginesFolder, name);
  return { command: 'bash', args: ['.ci/engines/fetch.sh', prefix, recipeKey(name), script, ...args] };
}

/** Changes whenever a script or its arguments change, so that stale engines are fetched anew. */
function recipeKey(name: EngineName): string {
  const { script, args } = recipes[name];
  const hash = createHash('sha256').update(args.join(' '));
  for (const file of [script, 'fetch.sh', 'apt.sh']) hash.update(readFileSync(join(root, '.ci', 'engines', file)));
  return hash.digest('hex').slice(0, 16);
}

function concluded(name: EngineName, status: number | null, output: string): Provided {
  const engine = status === 0 ? installedEngine(name) : undefined;
  if (engine !== undefined) return engine;
  const lines = output.trim().split('\n');
  const reason = lines.at(-1) || `its set-up script ended with status ${status}`;
  mkdirSync(dirname(failureFile(name)), { recursive: true });
  writeFileSync(failureFile(name), `${reason}\n`);
  return { missing: reason };
}

function failureFile(name: EngineName): string {
  return join(enginesFolder, `${name}.failed`);
}

/** Failures are remembered for ten minutes: long enough for one run, short enough to try again by hand. */
function failureOf(name: EngineName): string | undefined {
  const file = failureFile(name);
  if (!existsSync(file)) return undefined;
  if (Date.now() - statSync(file).mtimeMs > 600_000) return undefined;
  return readFileSync(file, 'utf8').trim();
}
