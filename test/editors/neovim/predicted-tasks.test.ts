// The tasks of a study of predictions (PerformanceHat), on the sample in a real Neovim: what an unsaved edit is told to cost, and when nothing is said.
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { type Neovim, openNeovim } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { hintsIn, luaErrors } from './fake-session.ts';
import { PREDICTED_FILE, PREDICTED_TEXT, type PredictedShop, predictedShop } from './predicted-shop.ts';
import { shopConfig } from './shop.ts';

/** The loop of `Shop.review`, which runs twelve times a review. */
const LOOP = '            known += index.frequency(word, product.id()) > 0 ? 1 : 0;\n';

let shop: PredictedShop;
beforeEach(async () => {
  shop = await predictedShop();
});
afterEach(() => shop.scratch.remove());

const predicted = async (neovim: Neovim): Promise<string[]> =>
  (await hintsIn(neovim, 1)).map(({ line, text }) => `${line} ${text}`).filter(each => /≈|× \?/.test(each));

/** Diagnostics but those of code that has changed. */
const marked = async (neovim: Neovim): Promise<string[]> => {
  const all = await neovim.lua<string[]>(
    `return vim.tbl_map(function(each) return each.message end, vim.diagnostic.get(1))`,
  );
  return all.filter(message => !message.startsWith('changed since'));
};

for (const engine of neovims())
  needs(engine, `predictions in ${engine}`, program => {
    async function open(): Promise<Neovim> {
      const { scratch, store } = shop;
      const env = { ...scratch.env, INSITU_STORE: store };
      const files = [PREDICTED_FILE];
      const neovim = await openNeovim(program, { folder: scratch.root, files, config: shopConfig(), env });
      onTestFinished(() => neovim.close());
      await neovim.until(`require('insitu').statusline():match('^insitu: [1-9]%d* hint')`);
      return neovim;
    }

    /** In the buffer alone: nothing is saved. */
    async function type(neovim: Neovim, from: string, to: string): Promise<void> {
      expect(PREDICTED_TEXT).toContain(from);
      const lines = PREDICTED_TEXT.replace(from, to).replace(/\n$/, '').split('\n');
      await neovim.lua(`vim.api.nvim_buf_set_lines(1, 0, -1, false, ...)`, lines);
    }

    test('an expensive method in the header of a loop and inside it is told, and marked where a limit is set', async () => {
      const neovim = await open();
      const edited = `${LOOP}            for (int other : advise(product.id())) {\n                known += advise(other).size();\n            }\n`;
      await type(neovim, LOOP, edited);
      // Twelve times the header; nobody knows how often the inner loop runs.
      await expect
        .poll(() => predicted(neovim), { timeout: 20_000 })
        .toEqual([
          expect.stringMatching(/^62 .* ≈ \+ \? unknown$/),
          '64 ≈ +60 ms + ? likely',
          '66 ≈ +60 ms + ? likely',
          '67 5 ms × ?',
        ]);
      await expect.poll(() => marked(neovim), { timeout: 20_000 }).toEqual([expect.stringContaining('+60 ms')]);
      expect(luaErrors(await neovim.messages())).toEqual([]);
    });

    test('a value that is loaded anew in nested loops is told as often as they run', async () => {
      const neovim = await open();
      const edited = `${LOOP}            for (int i = 0; i < 3; i++) {\n                learn(i);\n            }\n`;
      await type(neovim, LOOP, edited);
      await expect
        .poll(() => predicted(neovim), { timeout: 20_000 })
        .toEqual([
          expect.stringMatching(/^62 .* ≈ \+2\.88 s likely$/),
          ...['64', '66', '67'].map(line => `${line} ≈ +2.88 s likely`),
        ]);
      await expect.poll(() => marked(neovim), { timeout: 20_000 }).toHaveLength(1);
    });

    test('a query in a loop is marked on its call, with its round trips', async () => {
      const neovim = await open();
      const query = (times: string) =>
        `${LOOP}            for (int i = 0; i < ${times}; i++) statement.executeQuery(word);\n`;
      await type(neovim, LOOP, query('3'));
      const queries = async () => (await marked(neovim)).filter(message => message.startsWith('query'));
      await expect
        .poll(queries, { timeout: 20_000 })
        .toEqual(['query in a loop: executeQuery, × 36 round trips more in one run of Shop.review']);
      await type(neovim, LOOP, query('words.size()'));
      await expect.poll(queries, { timeout: 20_000 }).toEqual([expect.stringMatching(/it is not known how many/)]);
    });

    test.each([
      ['a state that is set from a value', '            known += product.id() > 0 ? 1 : 0;\n'],
      [
        'a sum over a collection',
        '            for (Product each : products) {\n                known += each.id() + product(0).id();\n            }\n',
      ],
    ])('%s says nothing', async (_, added) => {
      const neovim = await open();
      await type(neovim, LOOP, `${LOOP}${added}`);
      await neovim.until(`vim.lsp.get_clients({ name = 'insitu' })[1] ~= nil`);
      await new Promise(resolve => setTimeout(resolve, 1_500));
      expect(await predicted(neovim)).toEqual([]);
      expect(await marked(neovim)).toEqual([]);
    });
  });
