// A Java file as an editor would show it that opened it now: its text compared with the one that was recorded.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { OpenRepositories } from '../mapping/recorded/open-repositories.ts';
import { openedText } from '../mapping/recorded/profiled-text.ts';
import { SnapshotSources } from '../workspace/code/snapshot-sources.ts';
import { textOfData, wantedOf } from '../workspace/code/text-of-data.ts';
import { sourceOf } from '../workspace/data/source.ts';
import { type DocumentView, documentWithData } from '../workspace/document/document-view.ts';
import { KeptMapping } from '../workspace/document/kept-mapping.ts';
import { KeptOutline } from '../workspace/document/kept-outline.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';

/** @param path of the file, absolute; `text` is what stands in it. */
export async function documentOnDisk(
  path: string,
  text: string,
  data: LoadedData,
  configuration: Configuration,
): Promise<DocumentView> {
  const shown = { settings: configuration.settings, source: sourceOf(configuration, path) };
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
    return documentWithData(text, data, shown.settings, path, { ...shown, outline: file.outline, mapping });
  } finally {
    repositories.close();
    snapshots.close();
  }
}
