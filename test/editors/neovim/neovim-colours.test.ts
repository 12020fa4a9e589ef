// The heat colours: readable, told apart by colour-blind eyes, and open to users; and the help that describes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { openNeovim, pluginFolder } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';

type Rgb = readonly [number, number, number];

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Linear light of a colour number as Neovim gives it. */
function lightOf(colour: number): Rgb {
  return [linear((colour >> 16) / 255), linear(((colour >> 8) & 255) / 255), linear((colour & 255) / 255)];
}

const luminance = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Contrast ratio of WCAG 2.2: 1 (none) to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((first, second) => first - second) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** How dichromats see linear light: matrices of Machado, Oliveira and Fernandes (2009), severity 1. */
const eyes: Readonly<Record<string, readonly Rgb[]>> = {
  trichromat: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanope: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranope: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanope: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seenBy(matrix: readonly Rgb[], light: Rgb): Rgb {
  const seen = (row: number): number => {
    const value = matrix[row]!.reduce((sum, factor, index) => sum + factor * light[index]!, 0);
    return Math.min(Math.max(value, 0), 1);
  };
  return [seen(0), seen(1), seen(2)];
}

for (const engine of neovims())
  needs(engine, `colours in ${engine}`, program => {
    async function heat(config: string): Promise<{ fg?: number; link?: string }[]> {
      const neovim = await openNeovim(program, { folder: pluginFolder, files: [], config });
      onTestFinished(() => neovim.close());
      return neovim.lua(
        `return vim.tbl_map(function(level) return vim.api.nvim_get_hl(0, { name = 'InsituHeat' .. level }) end, { 1, 2, 3, 4, 5 })`,
      );
    }

    for (const [background, paper] of [
      ['dark', 0x14161b],
      ['light', 0xffffff],
    ] as const)
      test(`on a ${background} background every step is readable and hotter stands out more, for all eyes`, async () => {
        const colours = await heat(`vim.o.background = '${background}'`);
        for (const [eye, matrix] of Object.entries(eyes)) {
          const paperSeen = seenBy(matrix, lightOf(paper));
          const contrasts = colours.map(({ fg }) => contrast(seenBy(matrix, lightOf(fg ?? 0)), paperSeen));
          expect(Math.min(...contrasts), eye).toBeGreaterThan(3.4);
          const steps = contrasts.slice(1).map((value, index) => value / contrasts[index]!);
          expect(Math.min(...steps), `${eye} ${contrasts}`).toBeGreaterThan(1.12);
        }
      });

    for (const background of ['dark', 'light'] as const)
      test(`on a ${background} background code can be read on every fill, and every bar is seen on its track`, async () => {
        const config = `vim.o.background = '${background}' vim.o.termguicolors = true`;
        const neovim = await openNeovim(program, { folder: pluginFolder, files: [], config });
        onTestFinished(() => neovim.close());
        const colour = (name: string, part: 'fg' | 'bg'): Promise<number> =>
          neovim.lua<number>(`local name, part = ... return vim.api.nvim_get_hl(0, { name = name })[part]`, name, part);
        const [code, track] = [lightOf(await colour('Normal', 'fg')), lightOf(await colour('InsituTrack', 'bg'))];
        for (const level of [1, 2, 3, 4, 5]) {
          const [fill, bar, heat] = [
            lightOf(await colour(`InsituFill${level}`, 'bg')),
            lightOf(await colour(`InsituBar${level}`, 'bg')),
            lightOf(await colour(`InsituHeat${level}`, 'fg')),
          ];
          for (const [eye, matrix] of Object.entries(eyes)) {
            const seen = (one: Rgb, other: Rgb): number => contrast(seenBy(matrix, one), seenBy(matrix, other));
            expect(seen(code, fill), `${eye}, code on fill ${level}`).toBeGreaterThan(4.5);
            expect(seen(bar, track), `${eye}, bar ${level} on its track`).toBeGreaterThan(1.25);
            expect(seen(heat, bar), `${eye}, own part of bar ${level}`).toBeGreaterThan(1.5);
          }
        }
      });

    test('a definition of the user wins, before and after the plugin is loaded', async () => {
      const before = await heat(`vim.api.nvim_set_hl(0, 'InsituHeat5', { link = 'DiagnosticError' })`);
      expect(before[4]).toEqual({ link: 'DiagnosticError' });
      const after = await heat(`vim.api.nvim_create_autocmd('VimEnter', { callback = function()
          vim.api.nvim_set_hl(0, 'InsituHeat5', { fg = 0x010203 }) vim.o.background = 'light'
        end })`);
      expect(after[4]).toEqual({ fg: 0x010203 });
    });

    test('the colours follow the background and outlive a change of the colour scheme', async () => {
      const [light, dark] = [await heat(`vim.o.background = 'light'`), await heat(`vim.o.background = 'dark'`)];
      expect(light).not.toEqual(dark);
      const entered = (command: string): string =>
        `vim.api.nvim_create_autocmd('VimEnter', { nested = true, callback = function() vim.cmd('${command}') end })`;
      expect(await heat(`vim.o.background = 'dark' ${entered('set background=light')}`)).toEqual(light);
      expect(await heat(`vim.o.background = 'dark' ${entered('colorscheme habamax')}`)).toEqual(dark);
    });

    test('the help names every highlight group, word and option, and its tags are the ones that Neovim makes', async () => {
      const neovim = await openNeovim(program, { folder: pluginFolder, files: [] });
      onTestFinished(() => neovim.close());
      const tags = await neovim.lua<string>(
        `local folder = vim.fn.tempname()
        vim.fn.mkdir(folder)
        vim.uv.fs_copyfile('doc/insitu.txt', folder .. '/insitu.txt')
        vim.cmd.helptags(folder)
        return table.concat(vim.fn.readfile(folder .. '/tags'), '\\n') .. '\\n'`,
      );
      expect(tags).toBe(readFileSync(join(pluginFolder, 'doc', 'tags'), 'utf8'));
      const help = readFileSync(join(pluginFolder, 'doc', 'insitu.txt'), 'utf8');
      const words = await neovim.lua<string[]>(`return vim.fn.getcompletion('Insitu ', 'cmdline')`);
      for (const word of words) expect(help).toContain(`:Insitu ${word} `);
      await neovim.lua(`vim.cmd.help('insitu.setup()')`);
      expect(await neovim.lua(`return vim.fn.expand('%:t')`)).toBe('insitu.txt');
    });
  });
