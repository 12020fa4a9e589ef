import { installedEngine } from '../../support/engines.ts';
import { neovimHome } from '../../support/neovim.ts';
import { openTerminal } from '../../support/terminal.ts';
import { shopConfig, shopFolder, shopStore } from './shop.ts';
const tmux = installedEngine('tmux')!, nvim = installedEngine('nvim012')!;
const store = shopStore();
const home = neovimHome({ config: `vim.o.wrap=false vim.o.termguicolors = true\n${shopConfig()}`, env: { INSITU_STORE: store.folder } });
const t = openTerminal(tmux, { command: [nvim.program('nvim'), '-u', home.init, '-i', 'NONE', '-n', 'src/main/java/com/acme/shop/Shop.java'], folder: shopFolder, columns: 150, rows: 45, env: home.env });
const sleep = (ms: number) => new Promise(r => setTimeout(r, ms));
const show = (title: string) => { console.log('=====', title); console.log(t.screen().join('\n')); };
await sleep(3500);
show('open');
for (const [title, keys, wait] of JSON.parse(process.argv[2] ?? '[]')) { t.press(...keys); await sleep(wait ?? 1500); show(title); }
t.close(); home.remove(); store.remove();
