// A Java file of a command's configuration, compared with the text that was recorded.
import type { LoadedData } from '../analysis/loaded-data.ts';
import { sourceOf } from '../workspace/data/source.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { recordedDocument } from '../workspace/document/recorded-document.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';

/** @param path of the file, absolute. @param text the text of the file. */
export function documentOnDisk(
  path: string,
  text: string,
  data: LoadedData,
  configuration: Configuration,
): Promise<DocumentView> {
  const { settings } = configuration;
  return recordedDocument(path, text, data, { settings, source: sourceOf(configuration, path) });
}
