// A Java file as an editor would show it that opened it now: its text compared with the one that data were recorded from.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { realPath } from '../../base/folders-above.ts';
import { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { openedText } from '../../mapping/recorded/profiled-text.ts';
import { SnapshotSources } from '../code/snapshot-sources.ts';
import { textOfData, wantedOf } from '../code/text-of-data.ts';
import { namesakesOf } from './class-claims.ts';
import { type DocumentView, documentWithData } from './document-view.ts';
import { KeptMapping } from './kept-mapping.ts';
import { KeptOutline } from './kept-outline.ts';

/** @param path of the file, absolute. @param text the text of the file. */
export async function recordedDocument(
  path: string,
  text: string,
  data: LoadedData,
  shown: Pick<DocumentView, 'settings' | 'source'>,
): Promise<DocumentView> {
  const file = { path, text, outline: new KeptOutline(path), mapping: new KeptMapping(openedText(text)) };
  const textsNow = () => new Map([[path, text]]);
  const [repositories, snapshots] = [new OpenRepositories(), new SnapshotSources()];
  try {
    const sources = { repositories, snapshots, textsNow, opened: text };
    const { profiled } = await textOfData(file, data, wantedOf(shown, data), sources);
    const { commit } = profiled;
    const changed = commit === null ? null : await repositories.changedSince(commit, path, textsNow());
    const changedElsewhere = changed ?? profiled.changedElsewhere;
    const mapping = file.mapping.knowing(profiled).knowing({ ...profiled, changedElsewhere });
    const beside = { path, files: await besides(file, shown.source?.wish.root) };
    return documentWithData(text, data, shown.settings, path, { ...shown, outline: file.outline, mapping, beside });
  } finally {
    repositories.close();
    snapshots.close();
  }
}

/** Other files of the project that are called after a class of this one, and declare it. */
async function besides(
  { path, text, outline }: { readonly path: string; readonly text: string; readonly outline: KeptOutline },
  root: string | undefined,
) {
  if (root === undefined) return [];
  const top = outline.of(text).declarations.filter(({ parent, binaryName }) => parent < 0 && binaryName !== '');
  const namesakes = await Promise.all(top.map(({ binaryName }) => namesakesOf(binaryName, root)));
  // A link may lead to the same file.
  const own = realPath(path);
  return namesakes.flat().filter(each => each.path === null || realPath(each.path) !== own);
}
