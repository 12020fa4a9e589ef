// A git repository in a temporary folder, made commit by commit, at known times and without the settings of the user who runs the tests.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type GitRepository, openRepository } from '../../../server/mapping/git/git-repository.ts';

const FIRST_COMMIT_SECONDS = 1_700_000_000;

export class ScratchRepository {
  /** Holds everything, and serves as home folder. */
  readonly home = mkdtempSync(join(tmpdir(), 'insitu-git-'));
  /** Root of the working tree. */
  readonly root = join(this.home, 'shop');
  readonly env: Readonly<Record<string, string>> = {
    PATH: process.env.PATH ?? '',
    HOME: this.home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'author',
    GIT_AUTHOR_EMAIL: 'author@example.com',
    GIT_COMMITTER_NAME: 'author',
    GIT_COMMITTER_EMAIL: 'author@example.com',
  };
  #commits = 0;

  constructor() {
    mkdirSync(this.root);
    this.git('init', '--quiet', '--initial-branch=main');
  }

  /** Runs git in the root; what it prints, trimmed. */
  git(...args: readonly string[]): string {
    return this.gitWithInput('', ...args);
  }

  /** The same with something to read. */
  gitWithInput(input: string, ...args: readonly string[]): string {
    const date = `${FIRST_COMMIT_SECONDS + this.#commits * 60} +0000`;
    const env = { ...this.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    return execFileSync('git', args, { cwd: this.root, env, input, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  /** Writes files and commits them, a minute after the commit before; its hash. */
  commit(files: Readonly<Record<string, string>> = {}): string {
    this.#commits += 1;
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--no-verify', '--message', `commit ${this.#commits}`);
    return this.git('rev-parse', 'HEAD');
  }

  /** Commits a folder in place of everything before. */
  commitFolder(folder: string): string {
    this.git('rm', '-r', '--quiet', '--ignore-unmatch', '.');
    cpSync(folder, this.root, { recursive: true });
    return this.commit();
  }

  /** Merges `branch` without a fast forward; the hash of the merge. */
  merge(branch: string): string {
    this.#commits += 1;
    this.git('merge', '--quiet', '--no-ff', '--message', 'merge', branch);
    return this.git('rev-parse', 'HEAD');
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** The repository as the server sees it, from `folder`. */
  async open(folder = this.root): Promise<GitRepository> {
    const { value, problems } = await openRepository(folder, { env: this.env });
    if (value === null) throw new Error(JSON.stringify(problems));
    return value;
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}
