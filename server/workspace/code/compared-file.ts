// A file of one version beside what it was in an earlier commit, through renames and moves between files.
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { ClassIndex } from '../../mapping/class-index.ts';
import type { DocumentMap } from '../../mapping/document-map.ts';
import { textInCommit } from '../../mapping/recorded/recorded-text.ts';
import type { RepositoryTexts } from '../../mapping/recorded/repository-texts.ts';
import type { DeclarationState } from '../../mapping/stale/text-comparison.ts';
import { KeptMapping } from '../document/kept-mapping.ts';
import { KeptOutline } from '../document/kept-outline.ts';

/** Larger texts are not compared, since the comparison cannot pause. */
export const LARGEST_TEXT = 400_000;

/** A declaration as it was in the earlier commit. */
type EarlierDeclaration = {
  /** The path from the root of the repository, in that commit. */
  readonly path: string;
  readonly text: string;
  readonly outline: Outline;
  /** Row of the earlier outline. */
  readonly row: number;
  readonly state: Exclude<DeclarationState, 'new'>;
};

type ComparedFile = {
  readonly outline: Outline;
  /** The methods that ran, as they were in the earlier commit, at their present declarations. */
  readonly map: DocumentMap;
  /** The earlier declaration of a row of the outline; null for a new one. */
  was(row: number): EarlierDeclaration | null;
};

/**
 * @param texts of the version that the text is of
 * @param before full hash of the earlier commit
 * @returns null where a text is too large, or git cannot tell
 */
export async function comparedFile(
  texts: RepositoryTexts,
  { path, text }: { readonly path: string; readonly text: string },
  before: string,
  classes: ClassIndex,
): Promise<ComparedFile | null> {
  if (text.length > LARGEST_TEXT) return null;
  const outline = outlineOf(text, path);
  const file = {
    ...{ path: texts.repository.fileOf(path), text },
    outline: new KeptOutline(path),
    mapping: new KeptMapping(),
  };
  const { value } = await textInCommit(file, texts, { commit: before, committed: false }, () => new Map());
  if (value === null || (value.profiled.text?.length ?? 0) > LARGEST_TEXT) return null;
  const { map, comparison, moved } = new KeptMapping(value.profiled).of(text, outline, classes);
  const own = value.profiled.path ?? path;
  return {
    outline,
    map,
    was: row => {
      if (comparison === null) return { path: own, text, outline, row, state: 'unchanged' };
      for (const each of [{ path: own, comparison }, ...moved]) {
        const { profiled, profiledText } = each.comparison;
        const state = each.comparison.stateOf(row);
        if (state === 'new') continue;
        const earlier = { path: each.path, text: profiledText, outline: profiled };
        return { ...earlier, row: each.comparison.profiledRow(row), state };
      }
      return null;
    },
  };
}
