// `npm run pictures`: makes the pictures in docs/images anew, from real programs and the sample's recordings; all but kate.png.

// Kate is no engine of the tests. Its picture is of Kate 25.04 on a screen of 1000 × 640 (Xvfb), with clients/kate/settings.json and the first
// version of the sample, set up as docs/editors.md says.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineName } from '../run/suites.ts';
import { type Engine, provideEngine } from '../support/engines/engines.ts';
import { neovimPicture, scenes } from './neovim/neovim-picture.ts';
import { shopStore } from './neovim/shop.ts';
import { emacsPicture, helixPicture } from './terminal-pictures.ts';
import { vscodePictures } from './vscode/vscode-picture.ts';
import { trackPictures } from './web/track-pictures.ts';
import { viewPictures } from './web/view-pictures.ts';

function engine(name: EngineName): Engine {
  const provided = provideEngine(name);
  if ('missing' in provided) throw new Error(`${name} cannot be fetched: ${provided.missing}`);
  return provided;
}

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(images, { recursive: true });
/** All of them, or those whose names begin with what was asked for. */
const wanted = (name: string): boolean => name.startsWith(process.argv[2] ?? '');

function keep(name: string, picture: string | Uint8Array): void {
  writeFileSync(join(images, name), picture);
  console.log(`wrote docs/images/${name}`);
}

const store = shopStore();
try {
  for (const [name, scene] of Object.entries(scenes))
    if (wanted(name)) keep(name, await neovimPicture(engine('nvim012'), engine('tmux'), store.folder, scene));
  if (wanted('emacs.svg')) keep('emacs.svg', await emacsPicture(engine('emacs'), engine('tmux'), store.folder));
  if (wanted('helix.svg')) keep('helix.svg', await helixPicture(engine('helix'), engine('tmux'), store.folder));
} finally {
  store.remove();
}
if (wanted('vscode'))
  for (const [name, picture] of await vscodePictures({ vscode: engine('vscode'), chromium: engine('chromium') }))
    keep(name, picture);
if (wanted('track'))
  for (const [name, picture] of await trackPictures(engine('commons-csv'), engine('chromium'))) keep(name, picture);
if (wanted('views')) for (const [name, picture] of await viewPictures(engine('chromium'))) keep(name, picture);
