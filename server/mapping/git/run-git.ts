// Starts the git program so that nothing a repository says can run, ask, wait without end, or write.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { endWithUs } from '../../base/child-ends.ts';
import { findProgram, withAbsolutePath } from '../../base/find-program.ts';
import type { Problem } from '../../base/problem.ts';

/** What git runs in; given explicitly in tests. */
export type GitSurroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A call that takes longer is ended. */
  readonly limitMillis?: number;
};

/** What git answered. `status` is null when it did not end by itself. */
export type GitAnswer =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly status: number | null; readonly problem: Problem };

const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;
const LIMIT_MILLIS = 10_000;

/** Every call begins with these: a clone's own configuration may name programs to run. */
const ALWAYS = [
  '--no-pager',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'],
  // A folder of the project that only looks like a repository is none.
  ...['-c', 'safe.bareRepository=explicit'],
];

/** Where the user keeps things; everything else in the environment, above all GIT_DIR and its like, stays outside. */
const KEPT = [
  ...['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
  ...['USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'SYSTEMROOT', 'TEMP', 'TMP'],
];

const FIXED = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Older versions fetch missing objects of a partial clone all the same; without a protocol they cannot.
  GIT_ALLOW_PROTOCOL: 'none',
};

/** Commands that read objects, refs and the index only: none looks at the working tree, where filters and watchers would run. */
type GitCommand =
  | 'rev-parse'
  | 'rev-list'
  | 'merge-base'
  | 'for-each-ref'
  | 'cat-file'
  | 'diff-index'
  | 'diff-tree'
  | 'ls-tree';

export type GitArguments = readonly [GitCommand, ...(readonly string[])];

/** Runs git in `folder`; `input` goes to its standard input. Never rejects. */
export function runGit(
  folder: string,
  args: GitArguments,
  surroundings: GitSurroundings,
  input = '',
): Promise<GitAnswer> {
  return run(folder, args, surroundings, input);
}

/** Commands that write: for folders that this process has made, never for a user's repository. */
type WritingArguments = readonly ['init' | 'read-tree', ...(readonly string[])];

/** A large commit takes a while to be written. */
const WRITE_LIMIT_MILLIS = 300_000;

/**
 * Runs a command of git that writes into a folder which this process has made. A filter that the user's own settings name runs;
 * that of git-lfs leaves pointers.
 */
export function runGitInOwnFolder(
  folder: string,
  args: WritingArguments,
  { env, limitMillis = WRITE_LIMIT_MILLIS }: GitSurroundings,
): Promise<GitAnswer> {
  return run(folder, args, { env, limitMillis }, '', { GIT_LFS_SKIP_SMUDGE: '1' });
}

function run(
  folder: string,
  args: readonly string[],
  { env, limitMillis = LIMIT_MILLIS }: GitSurroundings,
  input: string,
  more: Readonly<Record<string, string>> = {},
): Promise<GitAnswer> {
  const program = findGit(env);
  if (program === null) return Promise.resolve({ ok: false, status: null, problem: notInstalled(folder) });
  const options = {
    env: { ...cleaned(env), ...more },
    encoding: 'buffer' as const,
    timeout: limitMillis,
    killSignal: 'SIGKILL' as const,
    maxBuffer: LARGEST_ANSWER_BYTES,
    windowsHide: true,
  };
  return new Promise(resolve => {
    const child = execFile(program, ['-C', folder, ...ALWAYS, ...args], options, (error, bytes, errors) => {
      if (error === null) resolve({ ok: true, bytes });
      else {
        const status = typeof error.code === 'number' ? error.code : null;
        const killed = error.killed === true && typeof error.code !== 'string';
        const reason = killed || status === null ? failure(killed, error.message) : firstLine(errors.toString('utf8'));
        resolve({ ok: false, status, problem: problemOf(folder, reason) });
      }
    });
    endWithUs(child);
    // A program that ends before it has read everything says so by its status.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Starts git as `runGit` does, for a conversation over its streams; null where there is no git. The caller ends it. */
export function startGit(
  folder: string,
  args: GitArguments,
  { env }: GitSurroundings,
): ChildProcessWithoutNullStreams | null {
  const program = findGit(env);
  if (program === null) return null;
  const options = { env: cleaned(env), stdio: 'pipe', windowsHide: true } as const;
  const child = spawn(program, ['-C', folder, ...ALWAYS, ...args], options);
  endWithUs(child);
  return child;
}

function cleaned(env: GitSurroundings['env']): Record<string, string | undefined> {
  return { ...withAbsolutePath(Object.fromEntries(KEPT.map(name => [name, variable(env, name)]))), ...FIXED };
}

function findGit(env: GitSurroundings['env']): string | null {
  return findProgram(process.platform === 'win32' ? 'git.exe' : 'git', env);
}

/** Windows writes names of variables as it likes. */
function variable(env: GitSurroundings['env'], name: string): string | undefined {
  if (env[name] !== undefined || process.platform !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

function failure(killed: boolean, message: string): string {
  return killed ? 'it took too long' : firstLine(message);
}

function firstLine(text: string): string {
  const line = text.split('\n').find(each => each.trim() !== '') ?? 'no reason given';
  return line.replace(/^(fatal|error): /, '').slice(0, 300);
}

function notInstalled(folder: string): Problem {
  const message = 'git is not installed, or not on the PATH';
  return {
    severity: 'info',
    message,
    file: folder,
    remedy: 'install git to see data of the commit that is checked out',
  };
}

function problemOf(folder: string, reason: string): Problem {
  const message = `git gave no answer: ${reason}`;
  if (!/dubious ownership|unsafe repository/.test(reason)) return { severity: 'info', message, file: folder };
  const remedy = 'if you trust it, run: git config --global --add safe.directory <the root of the repository>';
  return {
    severity: 'info',
    message: 'git does not read this repository because somebody else owns its files',
    file: folder,
    remedy,
  };
}
