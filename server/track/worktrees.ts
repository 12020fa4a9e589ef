// Temporary working trees of commits, each built once; they go when the work ends, and the trees of a killed process with the next one.
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { readRegular } from '../base/regular-file.ts';
import type { GitRepository } from '../mapping/git/git-repository.ts';
import { makeWorktree } from '../mapping/git/worktree.ts';
import type { BuildResult } from './journal.ts';
import { type CommandRun, killMarked, runCommand } from './run-command.ts';

const PREFIX = 'insitu-track-';
/** With less room than this a failure is the disk's, not the commit's. */
const LEAST_ROOM = 64 << 20;

/** There is no room for what commands write. */
export class DiskFull extends Error {}

type WorktreeOptions = {
  readonly repository: GitRepository;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Shell command that makes a commit ready; null where nothing is to be built. */
  readonly build: string | null;
  /** After the build; what it returns beside null is why the commit is broken. */
  readonly prepare: ((folder: string, trees: Worktrees) => Promise<string | null>) | null;
  readonly limitMillis: number;
  readonly signal: AbortSignal;
  /** File in which a later process finds what a killed one has left. */
  readonly note: string;
};

/** A tree that is ready, or why there is none; null where the work was cancelled. */
type Ready = { readonly folder: string; readonly result: BuildResult } | null;

export class Worktrees {
  /** Holds everything. A command that writes beside its tree writes here. */
  readonly root: string;
  readonly token: string;
  readonly #options: WorktreeOptions;
  readonly #ready = new Map<string, { readonly folder: string; readonly result: BuildResult }>();

  private constructor(options: WorktreeOptions) {
    this.#options = options;
    this.root = mkdtempSync(join(tmpdir(), PREFIX));
    this.token = basename(this.root).slice(PREFIX.length);
    try {
      writeFileSync(options.note, this.root, { mode: 0o600 });
    } catch (error) {
      // Without the note no later process finds the folder.
      this.remove();
      throw error;
    }
  }

  /** Throws what the system says where the temporary folder cannot be used. */
  static async begin(options: WorktreeOptions): Promise<Worktrees> {
    await removeLeft(options.note);
    return new Worktrees(options);
  }

  /** Writes and builds a commit where that was not done yet. Throws DiskFull. */
  async ready(commit: string): Promise<Ready> {
    const known = this.#ready.get(commit);
    if (known !== undefined) return known;
    // The folder around the tree takes files that a build writes beside its tree.
    const around = join(this.root, commit.slice(0, 16));
    mkdirSync(around, { mode: 0o700 });
    const folder = join(around, 'tree');
    const result = await this.#make(commit, folder);
    if (result === null) return null;
    const made = { folder, result };
    this.#ready.set(commit, made);
    if (result.state === 'failed') removeTree(around);
    return made;
  }

  /** Runs a command of the user in a tree. Throws DiskFull where it failed for want of room. */
  async run(
    command: string,
    folder: string,
    more: Readonly<Record<string, string>> = {},
    limitMillis = this.#options.limitMillis,
  ): Promise<CommandRun> {
    const { env, signal } = this.#options;
    const run = await runCommand(command, {
      folder,
      env: { ...env, ...more },
      limitMillis,
      signal,
      token: this.token,
    });
    if (run.end === 'failed') this.#checkRoom();
    return run;
  }

  /** Removes all of it. */
  remove(): void {
    removeTree(this.root);
    rmSync(this.#options.note, { force: true });
  }

  async #make(commit: string, folder: string): Promise<BuildResult | null> {
    const { repository, env, build, prepare, signal } = this.#options;
    const started = performance.now();
    const problem = await makeWorktree(repository, commit, folder, { env });
    const failed = { state: 'failed' as const, atMillis: Date.now() };
    if (problem !== null) {
      this.#checkRoom();
      return { ...failed, reason: 'checkout', detail: problem.message, tail: '' };
    }
    if (build !== null) {
      const { end, reason, tail } = await this.run(build, folder);
      if (end === 'cancelled') return null;
      if (end !== 'done') return { ...failed, reason: end === 'timeout' ? 'timeout' : 'build', detail: reason, tail };
    }
    const flaw = (await prepare?.(folder, this)) ?? null;
    if (signal.aborted) return null;
    if (flaw !== null) return { ...failed, reason: 'build', detail: flaw, tail: '' };
    return { state: 'built', millis: performance.now() - started, atMillis: Date.now() };
  }

  #checkRoom(): void {
    for (const folder of [this.root, dirname(this.#options.note)]) {
      const { bavail, bsize } = statfsSync(folder);
      if (bavail * bsize < LEAST_ROOM) throw new DiskFull(`less than ${LEAST_ROOM >> 20} MiB are free in ${folder}`);
    }
  }
}

/** Ends the processes that a killed process has left running, and removes its trees. */
async function removeLeft(note: string): Promise<void> {
  let root: string;
  try {
    root = readRegular(note, 4096).toString('utf8');
  } catch {
    return;
  }
  if (!basename(root).startsWith(PREFIX)) return;
  await killMarked(basename(root).slice(PREFIX.length));
  if (lstatSync(root, { throwIfNoEntry: false })?.isDirectory() === true) removeTree(root);
}

/** Removes a folder, also one in which a build has forbidden to write; links are not followed. */
function removeTree(root: string): void {
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    const open = [root];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      chmodSync(folder, 0o700);
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory()) open.push(join(folder, entry.name));
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}
