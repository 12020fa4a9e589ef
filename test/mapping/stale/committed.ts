// A temporary repository with files to be mutated: what is recorded comes from a commit, what is looked at stands on disk or in another one.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { outlineOf } from '../../../grammar/parse.ts';
import { marksOf } from '../../../server/mapping/recorded/donors.ts';
import { RepositoryTexts } from '../../../server/mapping/recorded/repository-texts.ts';
import { TextComparer } from '../../../server/mapping/stale/compare-texts.ts';
import type { TextComparison } from '../../../server/mapping/stale/text-comparison.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import type { FileMutant } from './file-operators.ts';
import type { Subject } from './judge.ts';
import { assembled, type Mutant } from './mutant.ts';

/** Where a change stands that was made since the recorded commit. */
export type Place = 'on disk' | 'staged' | 'committed';

export class Committed {
  readonly #scratch = new ScratchRepository();
  readonly #commit: string;
  #texts: Promise<RepositoryTexts>;

  constructor(files: ReadonlyMap<string, string>) {
    for (const [path, text] of files) this.#scratch.write(path, text);
    this.#commit = this.#scratch.commit();
    this.#texts = this.#open();
  }

  /** Makes the mutant, and gives what compares with the text that was recorded under its path. */
  async comparerOf(
    path: string,
    { text: original, comparer }: Subject,
    mutant: Mutant,
    place: Place,
  ): Promise<TextComparer> {
    const { text } = assembled(original, mutant.pieces);
    await this.#apply(new Map([[path, text]]), place);
    const texts = await this.#texts;
    const found = await texts.textOf(this.#commit, join(this.#scratch.root, path), text);
    if (found.value === null) throw new Error(`${path}: ${JSON.stringify(found.problems)}`);
    await this.#restore(new Map([[path, original]]), place);
    const recorded = found.value.text;
    return recorded === original ? comparer : new TextComparer(recorded, outlineOf(recorded));
  }

  /** Makes the mutant, and compares the opened file with what git says that it was, or where its declarations were. */
  async comparisonsOf(
    mutant: FileMutant,
    originals: ReadonlyMap<string, string>,
    place: Place,
  ): Promise<TextComparison[]> {
    const { files, opened } = mutant;
    await this.#apply(files, place);
    const texts = await this.#texts;
    const [file, text] = [join(this.#scratch.root, opened), files.get(opened) ?? ''];
    const outline = outlineOf(text);
    const { value } = await texts.textOf(this.#commit, file, text);
    const profiled = value?.text ?? '';
    const own = new TextComparer(profiled, outlineOf(profiled)).compare(text, outline);
    const fresh = own?.fresh ?? new Set<number>();
    const donors = await texts.donorsFor(
      this.#commit,
      file,
      value?.path ?? null,
      marksOf(text, outline, fresh),
      new Map(),
    );
    const moved = donors.map(({ comparer, gone }) => comparer.compareElsewhere(text, outline, { gone, fresh }));
    await this.#restore(new Map(Array.from(files.keys(), path => [path, originals.get(path) ?? null])), place);
    if (own !== null) return [own, ...moved];
    // Nothing differs where the whole file is what it was.
    const same = new TextComparer(`${profiled} `, outlineOf(`${profiled} `)).compare(text, outline);
    return same === null ? [] : [same];
  }

  async remove(): Promise<void> {
    (await this.#texts).close();
    this.#scratch.remove();
  }

  async #apply(files: ReadonlyMap<string, string | null>, place: Place): Promise<void> {
    this.#write(files);
    if (place === 'on disk') return;
    if (place === 'committed') this.#scratch.commit();
    else this.#scratch.git('add', '--all');
    await this.#reopen();
  }

  async #restore(files: ReadonlyMap<string, string | null>, place: Place): Promise<void> {
    this.#write(files);
    if (place === 'on disk') return;
    this.#scratch.git('reset', '--quiet', '--hard', this.#commit);
    await this.#reopen();
  }

  #write(files: ReadonlyMap<string, string | null>): void {
    for (const [path, text] of files) {
      const file = join(this.#scratch.root, path);
      mkdirSync(dirname(file), { recursive: true });
      if (text === null) rmSync(file, { force: true });
      else writeFileSync(file, text);
    }
  }

  async #open(): Promise<RepositoryTexts> {
    return new RepositoryTexts(await this.#scratch.open());
  }

  /** As the server does it when HEAD has moved. */
  async #reopen(): Promise<void> {
    (await this.#texts).close();
    this.#texts = this.#open();
  }
}
