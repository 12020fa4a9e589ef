// A workspace over a temporary folder of Java files with data loaded from a picture, for tests of features that look into other files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { DocumentView } from '../../../server/workspace/document/document-view.ts';
import { Workspace } from '../../../server/workspace/state.ts';
import { loadedFromText } from './loaded.ts';

export type WorkspaceWithData = {
  readonly root: string;
  /** The user's home folder, beside `root`; not there unless a test writes into it. */
  readonly home: string;
  readonly workspace: Workspace;
  readonly data: LoadedData;
  uri(path: string): string;
  /** Writes a file without telling anybody. */
  write(path: string, text: string): void;
  /** Opens a document, or changes its text; that on disk when `text` is absent. */
  open(path: string, text?: string): DocumentView;
  /** Row of `Class.method`. */
  row(name: string): number;
  remove(): void;
};

/** `files` by path below the folder; the picture as profileOfText reads it. All files are indexed unless `index` is false. */
export async function workspaceWithData(
  files: Readonly<Record<string, string>>,
  picture: string | LoadedData,
  { index = true }: { readonly index?: boolean } = {},
): Promise<WorkspaceWithData> {
  const root = mkdtempSync(join(tmpdir(), 'insitu-workspace-'));
  const home = `${root}-home`;
  const texts = new Map(Object.entries(files));
  const write = (path: string, text: string) => {
    texts.set(path, text);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('insitu.json', JSON.stringify({ project: 'acme', program: 'shop', version: '1.0', store: 'store' }));
  for (const [path, text] of Object.entries(files)) write(path, text);
  const workspace = new Workspace({}, { env: { XDG_CACHE_HOME: join(root, '.cache-home') }, home });
  workspace.apply({ kind: 'foldersChanged', folders: [root] });
  const data = typeof picture === 'string' ? loadedFromText(picture) : picture;
  for (const { source } of workspace.view().sources) workspace.apply({ kind: 'loadEnded', source, data, problems: [] });
  if (index) {
    workspace.files.begin();
    await workspace.files.whenComplete();
  }
  const uri = (path: string) => pathToFileURL(join(root, path)).href;
  const { methods } = data.profile;
  return {
    root,
    home,
    workspace,
    data,
    uri,
    write,
    open: (path, text = texts.get(path) ?? '') => {
      workspace.apply({ kind: 'documentChanged', uri: uri(path), path: join(root, path), text });
      return workspace.view().document(uri(path))!;
    },
    row: name => {
      for (let row = 0; row < methods.length; row++) {
        const own = `${methods.strings[methods.className[row]!]}.${methods.strings[methods.name[row]!]}`;
        if (own === name) return row;
      }
      throw new Error(`no method ${name}`);
    },
    remove: () => {
      workspace.files.close();
      for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
