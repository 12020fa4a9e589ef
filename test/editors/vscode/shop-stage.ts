// The common stage of tests and pictures of VS Code: the packed extension, the sample in git with its numbers, and editors that show it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildVsix } from '../../../.ci/vsix.ts';
import { type ShopInGit, shopInGit } from '../neovim/expected-shop.ts';
import { type Editor, type EditorEngines, type EditorOptions, openEditor } from './editor.ts';

export const SOURCES = 'src/main/java';
/** Below the sources. */
export const SHOP = 'com/acme/shop/Shop.java';

export type ShopStage = {
  readonly shop: ShopInGit;
  /** For whatever a test keeps; it goes with the stage. */
  readonly folder: string;
  /** A store without anything in it. */
  readonly emptyStore: string;
  /** An editor that shows Shop.java with the numbers of both versions, or what the options say instead. */
  open(options?: Partial<EditorOptions>): Promise<Editor>;
  /** Ends all editors too. */
  close(): Promise<void>;
};

export async function shopStage(engines: EditorEngines): Promise<ShopStage> {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-vsix-'));
  const vsix = join(folder, 'insitu.vsix');
  const emptyStore = join(folder, 'empty-store');
  mkdirSync(emptyStore);
  await buildVsix(vsix);
  const shop = shopInGit();
  const editors = new Set<Editor>();
  return {
    shop,
    folder,
    emptyStore,
    open: async ({ extensions = [], env = {}, ...options } = {}) => {
      const editor = await openEditor(engines, {
        folder: shop.repository.root,
        file: `${SOURCES}/${SHOP}`,
        // All lines of the longest file are on screen.
        size: { width: 1500, height: 3_600 },
        ...options,
        extensions: [vsix, ...extensions],
        env: { INSITU_STORE: shop.store, ...shop.repository.env, ...env },
      });
      editors.add(editor);
      const close = async (): Promise<void> => {
        editors.delete(editor);
        await editor.close();
      };
      return { ...editor, close };
    },
    close: async () => {
      await Promise.all([...editors].map(editor => editor.close()));
      shop.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
