// Starts the git program so that nothing a repository says can run, ask, wait without end, or write.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { endWithUs } from '../../base/child-ends.ts';
import { findProgram, withAbsolutePath } from '../../base/find-program.ts';
import type { Problem } from '../../base/problem.ts';

/** The environment and limits of git; given explicitly in tests. */
export type GitSurroundings = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A call that takes longer is ended. */
  readonly limitMillis?: number;
};

/** The answer of git. `status` is null when git did not end by itself. */
export type GitAnswer =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly status: number | null; readonly problem: Problem };

const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;
/** For commands that walk through history or trees. */
const LIMIT_MILLIS = 10_000;
/** For commands that look up single objects, wherever the repository lies: a git that takes longer hangs. */
export const LOOKUP_LIMIT_MILLIS = 2_000;
/** Time in which git is not asked again in a folder where it hung. */
const REST_MILLIS = 10_000;

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

const LOOKUPS: ReadonlySet<string> = new Set<GitCommand>(['rev-parse', 'cat-file']);

/** Where git hung last, and until when it is not asked there: each of the calls of a command would wait as long. */
let hung = { folder: '', untilMillis: 0 };

/** A call in the folder was ended, since it should have been answered long ago. */
export function noteHang(folder: string): void {
  hung = { folder, untilMillis: performance.now() + REST_MILLIS };
}

function hangs(folder: string): boolean {
  return hung.folder === folder && performance.now() < hung.untilMillis;
}

/** Runs git in `folder`; `input` goes to its standard input. Never rejects. */
export function runGit(
  folder: string,
  args: GitArguments,
  surroundings: GitSurroundings,
  input = '',
): Promise<GitAnswer> {
  const isLookup = LOOKUPS.has(args[0]);
  const { env, limitMillis = isLookup ? LOOKUP_LIMIT_MILLIS : LIMIT_MILLIS } = surroundings;
  const call = { env, limitMillis, input, onKilled: () => isLookup && noteHang(folder) };
  return run(folder, args, call);
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
  return run(folder, args, { env, limitMillis, more: { GIT_LFS_SKIP_SMUDGE: '1' } });
}

type Call = Required<GitSurroundings> & {
  readonly input?: string;
  readonly more?: Readonly<Record<string, string>>;
  /** The call took longer than its limit. */
  readonly onKilled?: () => void;
};

function run(
  folder: string,
  args: readonly string[],
  { env, limitMillis, input = '', more = {}, onKilled = () => {} }: Call,
): Promise<GitAnswer> {
  const program = findGit(env);
  if (program === null) return Promise.resolve({ ok: false, status: null, problem: notInstalled(folder) });
  if (hangs(folder)) return Promise.resolve({ ok: false, status: null, problem: tooLong(folder) });
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
        if (killed) onKilled();
        const reason = firstLine(status === null ? error.message : errors.toString('utf8'));
        resolve({ ok: false, status, problem: killed ? tooLong(folder) : problemOf(folder, reason) });
      }
    });
    endWithUs(child);
    // A program that ends before it has read everything says so by its status.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

/** Starts git as `runGit` does, for a conversation over its streams; a problem where there is no git, or it hangs. The caller ends it. */
export function startGit(
  folder: string,
  args: GitArguments,
  { env }: GitSurroundings,
): { readonly child: ChildProcessWithoutNullStreams } | { readonly child: null; readonly problem: Problem } {
  const program = findGit(env);
  if (program === null) return { child: null, problem: notInstalled(folder) };
  if (hangs(folder)) return { child: null, problem: tooLong(folder) };
  const options = { env: cleaned(env), stdio: 'pipe', windowsHide: true } as const;
  const child = spawn(program, ['-C', folder, ...ALWAYS, ...args], options);
  endWithUs(child);
  return { child };
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

/** The problem of a git that hangs: an answer that needs git says less than it would, or is of another version. */
function tooLong(folder: string): Problem {
  return { severity: 'warning', message: 'git gave no answer: it took too long', file: folder };
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
