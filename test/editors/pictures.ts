// `npm run pictures`: makes the pictures in docs/images anew, from real programs and the sample's recordings.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineName } from '../run/suites.ts';
import { type Engine, provideEngine } from '../support/engines.ts';
import { neovimPicture, scenes } from './neovim/picture.ts';
import { shopStore } from './neovim/shop.ts';

function engine(name: EngineName): Engine {
  const provided = provideEngine(name);
  if ('missing' in provided) throw new Error(`${name} cannot be fetched: ${provided.missing}`);
  return provided;
}

const store = shopStore();
try {
  for (const [name, scene] of Object.entries(scenes)) {
    const target = fileURLToPath(new URL(`../../docs/images/${name}`, import.meta.url));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, await neovimPicture(engine('nvim012'), engine('tmux'), store.folder, scene));
    console.log(`wrote docs/images/${name}`);
  }
} finally {
  store.remove();
}
