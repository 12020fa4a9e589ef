// Which commit changed the code of a declaration last, through renames and moves between files.
import { lineAt } from '../../../grammar/lines.ts';
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import type { CommitInWords } from '../../mapping/git/git-repository.ts';
import type { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import { comparedFile } from './compared-file.ts';

/** At most so many commits of a file are searched for a change of a declaration. */
const MOST_COMMITS = 50;

/** Full hashes: the commits after `before` up to `now` are searched. */
export type CommitSpan = { readonly before: string; readonly now: string };

/** A declaration in commits: the path from the root of the repository, and what tells it from the others of the file. */
type PlaceInCommits = { readonly path: string; readonly key: string };

/** Remembers texts and commits: several declarations of a file have the same ones. */
export class CodeHistory {
  readonly #texts: RepositoryTexts;
  readonly #classes: ClassIndex;
  readonly #outlines = new Map<string, Promise<Outline | null>>();
  readonly #commits = new Map<string, Promise<readonly string[]>>();

  constructor(texts: RepositoryTexts, classes: ClassIndex) {
    this.#texts = texts;
    this.#classes = classes;
  }

  /**
   * The latest commit that changed or removed a declaration of a file; null where git cannot tell.
   * @param outline of the file as it is at `now`, or was at `before` for what is gone
   * @param line of its name, from 1 on
   */
  async latestChange(
    { before, now }: CommitSpan,
    outline: Outline,
    { path, line }: { readonly path: string; readonly line: number },
  ): Promise<CommitInWords | null> {
    const key = keyAt(outline, line);
    let place: PlaceInCommits | null = key === null ? null : { path, key };
    let end: string | null = now;
    while (place !== null && end !== null) {
      const { words, moved }: Change = await this.#changeOf(place, before, end);
      if (moved === null) return words;
      [place, end] = [moved, words!.parent];
    }
    return null;
  }

  /** Fingerprint of a declaration in a commit; null where the commit does not have it. */
  async codeAt(commit: string, outline: Outline, path: string, line: number): Promise<string | null> {
    const key = keyAt(outline, line);
    return key === null ? null : this.#codeIn(commit, { path, key });
  }

  async #changeOf(place: PlaceInCommits, before: string, end: string): Promise<Change> {
    const code = await this.#codeIn(end, place);
    for (const commit of await this.#touching(before, end, place.path)) {
      const words = await this.#texts.repository.commitInWords(commit);
      if (words === null) break;
      const earlier = words.parent === null ? null : await this.#codeIn(words.parent, place);
      if (earlier === code) continue;
      const isNew = earlier === null && words.parent !== null;
      return { words, moved: isNew ? await this.#origin(commit, words.parent!, place) : null };
    }
    return { words: null, moved: null };
  }

  /** The earlier place of a declaration that a commit has and its parent does not have there; null for new or changed code. */
  async #origin(commit: string, parent: string, { path, key }: PlaceInCommits): Promise<PlaceInCommits | null> {
    const { value: text } = await this.#texts.repository.textAt(commit, path);
    if (text === null) return null;
    const compared = await comparedFile(this.#texts.asOf(commit), { path, text }, parent, this.#classes);
    const { declarations = [] } = compared?.outline ?? {};
    const declaration = declarations.find(each => keyOf(declarations, each) === key);
    const was = declaration === undefined ? null : compared!.was(declaration.row);
    if (was === null || was.state === 'changed') return null;
    return { path: was.path, key: keyOf(was.outline.declarations, was.outline.declarations[was.row]!) };
  }

  async #codeIn(commit: string, { path, key }: PlaceInCommits): Promise<string | null> {
    const name = `${commit}:${path}`;
    const reading =
      this.#outlines.get(name) ??
      this.#texts.repository.textAt(commit, path).then(({ value }) => (value === null ? null : outlineOf(value, path)));
    this.#outlines.set(name, reading);
    const { declarations = [] } = (await reading) ?? {};
    return declarations.find(each => keyOf(declarations, each) === key)?.fingerprint ?? null;
  }

  #touching(before: string, end: string, path: string): Promise<readonly string[]> {
    const name = `${before}..${end} ${path}`;
    const asking = this.#commits.get(name) ?? this.#texts.repository.commitsTouching(before, end, path, MOST_COMMITS);
    this.#commits.set(name, asking);
    return asking;
  }
}

/** The commit that changed a declaration, or where it was before that commit only moved it. */
type Change = { readonly words: CommitInWords | null; readonly moved: PlaceInCommits | null };

function keyAt(outline: Outline, line: number): string | null {
  const { declarations, lineStarts } = outline;
  const found = declarations.find(
    ({ nameSpan, fingerprint }) => lineAt(lineStarts, nameSpan.start) === line && fingerprint !== '',
  );
  return found === undefined ? null : keyOf(declarations, found);
}

function keyOf(declarations: readonly Declaration[], { parent, name, parameters, kind }: Declaration): string {
  const types = parameters.map(({ type }) => `${type?.name}${type?.dimensions}`);
  return JSON.stringify([declarations[parent]?.binaryName, kind, name, types]);
}
