// Every hint of every file of the sample's second version, in all forms and for all parts of the data, against the oracle.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Asked, type ExpectedHints, expectedHints } from '../../oracle/oracle.ts';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import {
  expectHints,
  first,
  openAll,
  renamed,
  type ShopInGit,
  second,
  shopInGit,
  wantedLines,
} from './expected-shop.ts';
import { luaErrors } from './fake-session.ts';

const template = `\${share}|\${self}|\${count}|\${callers}|\${callees}|\${threads} \${change}`;

type Variant = {
  readonly title: string;
  readonly asked: Asked;
  /** Lua of the server's settings. */
  readonly settings?: string;
  /** A word of :Insitu that leads there. */
  readonly word?: string;
};

const variants: readonly Variant[] = [
  { title: 'as they are by default', asked: second },
  { title: 'in ASCII', asked: { ...second, format: 'ascii' }, settings: `hints = { format = 'ascii' }` },
  { title: 'verbose', asked: { ...second, format: 'verbose' }, settings: `hints = { format = 'verbose' }` },
  {
    title: 'by a template of all numbers',
    asked: { ...second, format: template, longest: 60 },
    settings: `hints = { format = '${template}', maximumLength = 60 }`,
  },
  { title: 'of some threads', asked: { ...second, threads: ['worker-*'] }, word: 'select threads=worker-*' },
  {
    title: 'of allocations on all threads',
    asked: { ...second, events: ['jdk.ObjectAllocationSample'] },
    word: 'select threads= metric=alloc',
  },
  { title: 'of a focus', asked: { ...second, focus: 'com.acme.shop.Shop.search' }, word: 'select metric=' },
  {
    title: 'of a focus, by a template',
    asked: { ...second, focus: 'com.acme.shop.Shop.search', format: template, longest: 60 },
    settings: `hints = { format = '${template}', maximumLength = 60 }`,
  },
  { title: 'against the version before', asked: { ...second, before: first, renamed }, word: 'clear' },
  {
    title: 'against the version before, in ASCII',
    asked: { ...second, before: first, renamed, format: 'ascii' },
    settings: `hints = { format = 'ascii' }`,
  },
  {
    title: 'against the version before, verbose',
    asked: { ...second, before: first, renamed, format: 'verbose' },
    settings: `hints = { format = 'verbose' }`,
  },
];

needs('jdk17', 'hints of the sample in every form', () => needs('jdk25', 'by the oracle', checkForms));

function checkForms(): void {
  let shop: ShopInGit;
  let expected: readonly ExpectedHints[];
  beforeAll(() => {
    expected = expectedHints(...variants.map(({ asked }) => asked));
    shop = shopInGit();
  });
  afterAll(() => shop?.remove());

  for (const engine of neovims())
    needs(engine, `in ${engine}`, program => {
      test('stand where they must and nowhere else', async () => {
        const neovim = await openAll(program, shop);
        onTestFinished(() => neovim.close());
        for (const [index, { title, settings = '', word, asked }] of variants.entries()) {
          await neovim.lua(`require('insitu').setup({ settings = { ${settings} } })`);
          if (word !== undefined) await neovim.lua('vim.cmd(...)', `Insitu ${word}`);
          if (asked.focus !== undefined) await neovim.lua(`vim.cmd('Insitu focus ${asked.focus}')`);
          if (asked.before !== undefined) await neovim.lua(`vim.cmd('Insitu compare ${asked.before.version}')`);
          await expectHints(neovim, wantedLines(expected[index]!)).catch(error => {
            throw new Error(`hints ${title}`, { cause: error });
          });
        }
        expect(luaErrors(await neovim.messages())).toEqual([]);
      });
    });
}
