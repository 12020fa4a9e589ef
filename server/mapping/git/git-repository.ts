// The repository that a folder belongs to, read only: commits, tags and the texts of files, never a checkout.
import { existsSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import { realPath } from '../../base/folders-above.ts';
import type { Outcome, Problem } from '../../base/problem.ts';
import { declaringPaths } from '../source-text/declared-encoding.ts';
import { declaringText, needsDeclaration, textOfBytes } from '../source-text/java-text.ts';
import { FILE_BYTES_MAX } from '../source-walk.ts';
import { type GitObject, ObjectReader } from './object-reader.ts';
import { type GitAnswer, type GitArguments, type GitSurroundings, runGit } from './run-git.ts';

/** Names of refs that one call asks for: command lines are not endless. */
const REFS_AT_ONCE = 256;

/** The hash, author, date and message of a commit. */
export type CommitInWords = {
  readonly hash: string;
  /** Name of the author, as it was written. */
  readonly author: string;
  readonly dateMillis: number | null;
  /** The first line of its message. */
  readonly subject: string;
  /** Hash of its first parent; null where it has none. */
  readonly parent: string | null;
};

export class GitRepository {
  /** The folder that it was opened with, absolute; not always the root. */
  readonly folder: string;
  /** Older commits are missing. */
  readonly shallow: boolean;
  /** Path from the root of the working tree to `folder`, empty or ending in a slash. */
  readonly #prefix: string;
  readonly #surroundings: GitSurroundings;
  readonly #objects: ObjectReader;
  #isClosed = false;

  constructor(folder: string, shallow: boolean, prefix: string, surroundings: GitSurroundings) {
    this.folder = folder;
    this.shallow = shallow;
    this.#prefix = prefix;
    this.#surroundings = surroundings;
    this.#objects = new ObjectReader(folder, surroundings);
  }

  /** Ends the process that reads objects; from now on nothing is found, and no program is started. */
  close(): void {
    this.#isClosed = true;
    this.#objects.close();
  }

  /** Root of the working tree, absolute. */
  get root(): string {
    return join(this.folder, ...this.#prefix.split('/').flatMap(part => (part === '' ? [] : '..')));
  }

  /** Runs one git command. */
  async run(args: GitArguments, input = ''): Promise<GitAnswer> {
    // Callers that still wait for texts would now ask why they are missing: hundreds of processes at the end of a session.
    if (this.#isClosed) return { ok: false, status: null, problem: missing('git is not asked any more', this.folder) };
    return runGit(this.folder, args, this.#surroundings, input);
  }

  /** Full hash of the commit that is checked out; null on a branch without commits, or where it is missing. */
  async head(): Promise<string | null> {
    const answer = await this.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
    return answer.ok ? textOf(answer.bytes).trim() : null;
  }

  /** Hash of the object that each tag names, by the tag's name; tags that are not there are left out. */
  async tags(names: readonly string[]): Promise<Outcome<ReadonlyMap<string, string>>> {
    const value = new Map<string, string>();
    const wanted = [...new Set(names.filter(isRefName))];
    for (let from = 0; from < wanted.length; from += REFS_AT_ONCE) {
      const refs = wanted.slice(from, from + REFS_AT_ONCE).map(name => `refs/tags/${name}`);
      const answer = await this.run(['for-each-ref', '--format=%(objectname) %(refname)', ...refs]);
      if (!answer.ok) return { value, problems: [answer.problem] };
      for (const line of lines(answer.bytes)) {
        const [hash, name] = splitOnce(line, ' refs/tags/');
        value.set(name, hash);
      }
    }
    return { value, problems: [] };
  }

  /** Names of the tags at full hashes of commits, by the hash. */
  async tagsAt(commits: readonly string[]): Promise<Outcome<ReadonlyMap<string, readonly string[]>>> {
    const value = new Map<string, string[]>();
    const wanted = commits.filter(isFullHash);
    for (let from = 0; from < wanted.length; from += REFS_AT_ONCE) {
      const at = wanted.slice(from, from + REFS_AT_ONCE).map(commit => `--points-at=${commit}`);
      // The second hash is that of the commit where the tag is an object of its own.
      const format = '--format=%(objectname) %(*objectname) %(refname:strip=2)';
      const answer = await this.run(['for-each-ref', format, ...at, 'refs/tags']);
      if (!answer.ok) return { value, problems: [answer.problem] };
      for (const line of lines(answer.bytes)) {
        const [own, rest] = splitOnce(line, ' ');
        const [peeled, name] = splitOnce(rest, ' ');
        const commit = peeled || own;
        value.set(commit, [...(value.get(commit) ?? []), name]);
      }
    }
    return { value, problems: [] };
  }

  /**
   * The commit that each full or abbreviated hash means, by the hash as given: its own, or that of the tag object which it is. Left
   * out are those of other objects, ambiguous ones, and what is not in this clone.
   */
  async commits(hashes: readonly string[]): Promise<Outcome<ReadonlyMap<string, string>>> {
    const value = new Map<string, string>();
    const short = hashes.filter(hash => isHash(hash) && !isFullHash(hash));
    // Written as a revision, a short hash would mean a branch or tag of that name first.
    const listed: GitArguments = ['rev-parse', ...short.map(hash => `--disambiguate=${hash.toLowerCase()}`)];
    const objects: GitAnswer = short.length === 0 ? { ok: true, bytes: Buffer.of() } : await this.run(listed);
    if (!objects.ok) return { value, problems: [objects.problem] };
    const full = [...new Set([...hashes.filter(isFullHash).map(hash => hash.toLowerCase()), ...lines(objects.bytes)])];
    if (full.length === 0) return { value, problems: [] };
    const input = full.map(hash => `${hash}^{commit}\n`).join('');
    const answer = await this.run(['cat-file', '--batch-check=%(objectname)'], input);
    if (!answer.ok) return { value, problems: [answer.problem] };
    const commits = lines(answer.bytes);
    for (const hash of hashes) {
      const found = commits.filter((commit, i) => isFullHash(commit) && full[i]!.startsWith(hash.toLowerCase()));
      if (isHash(hash) && found.length === 1) value.set(hash, found[0]!);
    }
    return { value, problems: [] };
  }

  /**
   * Path inside the repository, with slashes, of a file given by its absolute path; null when it lies outside. A link from outside leads
   * to the file behind it.
   */
  pathOf(file: string): string | null {
    const inside = this.#inside(this.folder, file);
    if (inside !== null) return inside;
    const [folder, around] = [realPath(this.folder), realPath(dirname(file))];
    return folder === null || around === null ? null : this.#inside(folder, join(around, basename(file)));
  }

  #inside(folder: string, file: string): string | null {
    const inside = posix.normalize(this.#prefix + relative(folder, file).split(sep).join('/'));
    return inside === '..' || inside.startsWith('../') || posix.isAbsolute(inside) ? null : inside;
  }

  /** Absolute path of what `pathOf` gave. */
  fileOf(path: string): string {
    return join(this.root, ...path.split('/'));
  }

  /**
   * A file's text as committed: no filter and no conversion runs. Its encoding is the one that the commit declares, see `javaText`.
   * @param commit full hash.
   * @param path as `pathOf` gives it.
   * @returns null with a problem that says what is missing: the commit, the file in it, or the contents.
   */
  async textAt(commit: string, path: string): Promise<Outcome<string | null>> {
    if (!isHash(commit)) return { value: null, problems: [missing(`"${commit}" is no commit's hash`, path)] };
    const object = await this.#objects.read(await this.#nameOf(commit, path));
    if (object.kind === 'blob') return { value: await this.#textOf(commit, path, object.bytes), problems: [] };
    if (object.kind === 'tooLarge')
      return {
        value: null,
        problems: [
          missing(`has more than ${FILE_BYTES_MAX / 1024 / 1024} MiB in this commit, too much to be compared`, path),
        ],
      };
    return { value: null, problems: [await this.#whatIsMissing(commit, path)] };
  }

  /** Text of a file that a commit's tree names by its hash; null where it is missing or no text. */
  async blobText(commit: string, { path, hash }: { readonly path: string; readonly hash: string }) {
    const object = await this.#read(hash);
    return object.kind === 'blob' ? this.#textOf(commit, path, object.bytes) : null;
  }

  /** Full hash of the commit that a person names: a tag, a branch, a hash, `HEAD~2`; null where there is none. */
  async commitNamed(name: string): Promise<string | null> {
    // A name that begins like an option, or holds a range, names no single commit.
    if (!/^[\w@][\w@./~^{}-]*$/.test(name) || name.includes('..')) return null;
    const answer = await this.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    const hash = answer.ok ? textOf(answer.bytes).trim() : '';
    return isFullHash(hash) ? hash : null;
  }

  /** Commits after `before` up to `now` that touch a file, the latest first. */
  async commitsTouching(before: string, now: string, path: string, most: number): Promise<readonly string[]> {
    if (!isFullHash(before) || !isFullHash(now)) return [];
    const answer = await this.run(['rev-list', `--max-count=${most}`, `${before}..${now}`, '--', path]);
    return answer.ok ? lines(answer.bytes).filter(isFullHash) : [];
  }

  /** The hash, author, date and message of a commit; null where it is missing. */
  async commitInWords(hash: string): Promise<CommitInWords | null> {
    const object = await this.#read(hash);
    if (object.kind !== 'commit') return null;
    const [head, ...message] = textOf(object.bytes).split('\n\n') as [string, ...string[]];
    const [, author, seconds] = /^author (.*) <[^>]*> (\d+) /m.exec(head) ?? [];
    return {
      hash,
      author: author ?? '',
      dateMillis: seconds === undefined ? null : Number(seconds) * 1000,
      subject: message.join('\n\n').trimStart().split('\n', 1)[0]!,
      parent: /^parent ([0-9a-f]+)$/m.exec(head)?.[1] ?? null,
    };
  }

  /** When a commit was made, in milliseconds since the epoch; null where it is missing. */
  async dateOf(commit: string): Promise<number | null> {
    const object = await this.#read(commit);
    if (object.kind !== 'commit') return null;
    const [, seconds] = /^committer .*> (\d+) [+-]\d+$/m.exec(textOf(object.bytes)) ?? [];
    return seconds === undefined ? null : Number(seconds) * 1000;
  }

  async #textOf(commit: string, path: string, bytes: Buffer): Promise<string> {
    const file = this.fileOf(path);
    const declaring = new Map<string, string | null>();
    const needed = needsDeclaration(bytes) ? declaringPaths(file) : [];
    for (const each of needed) {
      const inside = this.pathOf(each);
      declaring.set(each, inside === null ? declaringText(each) : await this.#declaringText(commit, inside));
    }
    return textOfBytes(file, bytes, each => declaring.get(each) ?? null);
  }

  async #declaringText(commit: string, path: string): Promise<string | null> {
    const object = await this.#objects.read(await this.#nameOf(commit, path));
    return object.kind === 'blob' ? textOf(object.bytes) : null;
  }

  /** Names are asked for line by line, so that a path with a line break needs its hash. */
  async #nameOf(commit: string, path: string): Promise<string> {
    const name = `${commit}:${path}`;
    if (!path.includes('\n')) return name;
    const answer = await this.run(['rev-parse', '--verify', '--quiet', name]);
    return answer.ok ? textOf(answer.bytes).trim() : name;
  }

  #read(hash: string): Promise<GitObject> {
    return isFullHash(hash) ? this.#objects.read(hash) : Promise.resolve({ kind: 'missing' });
  }

  async #whatIsMissing(commit: string, path: string): Promise<Problem> {
    const short = commit.slice(0, 12);
    if ((await this.commits([commit])).value.size === 0) {
      const remedy = this.shallow
        ? 'git fetch --unshallow gets the whole history'
        : 'git fetch --all --tags may get it';
      return missing(`commit ${short} is not in this ${this.shallow ? 'shallow ' : ''}clone`, path, remedy);
    }
    const named = await this.run(['rev-parse', '--verify', '--quiet', `${commit}:${path}`]);
    if (!named.ok) return missing(`is not in commit ${short}`, path);
    const remedy = `git show ${short} gets it`;
    return missing(`is in commit ${short}, but its contents are not in this clone`, path, remedy);
  }
}

/**
 * The repository that `folder` belongs to; null outside git, without any problem, and where git is missing or refuses, with one.
 * Looks for `.git` (a folder, or a file in worktrees and submodules) before it starts a program.
 */
export async function openRepository(
  folder: string,
  surroundings: GitSurroundings = { env: process.env },
): Promise<Outcome<GitRepository | null>> {
  const start = resolve(folder);
  if (!hasGitAbove(start)) return { value: null, problems: [] };
  const answer = await runGit(start, ['rev-parse', '--is-shallow-repository', '--show-prefix'], surroundings);
  if (!answer.ok) {
    const outside = /not a git repository|must be run in a work tree/.test(answer.problem.message);
    return { value: null, problems: outside ? [] : [answer.problem] };
  }
  const [shallow, prefix] = splitOnce(textOf(answer.bytes).replace(/\n$/, ''), '\n');
  return { value: new GitRepository(start, shallow === 'true', prefix, surroundings), problems: [] };
}

function hasGitAbove(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return true;
    if (dirname(current) === current) return false;
  }
}

/** Seven digits are the least that git writes; shorter ones are more likely numbers. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{7,64}$/i.test(text);
}

function isFullHash(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(text);
}

/** Whether git-check-ref-format(1) allows a text as the end of a ref: it holds no pattern or operator. */
function isRefName(name: string): boolean {
  return !/^$|\p{Cc}|[ ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)/u.test(name);
}

/** Lines of an answer, without the end of the last. */
export function lines(bytes: Buffer): string[] {
  return textOf(bytes)
    .split('\n')
    .filter(line => line !== '');
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function missing(message: string, file: string, remedy?: string): Problem {
  return { severity: 'info', message, file, ...(remedy !== undefined && { remedy }) };
}
