// Tests the screen of a real terminal: floating windows over the code, bars, signs and backgrounds, in dark and in light colours.
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovimHome } from '../../support/engines/neovim.ts';
import { neovims } from '../../support/engines/versions.ts';
import { type Run, readStyledLines } from '../../support/terminals/ansi-cells.ts';
import { openTerminal, type Terminal } from '../../support/terminals/terminal.ts';
import { share, shopAnswers } from './fake-answers.ts';
import { type FakeOptions, fakeStage } from './fake-session.ts';

const graphic = {
  self: share(0.31),
  selfOfMethod: share(0.5),
  callers: { count: 1, largest: [0.7] },
  callees: { count: 1, largest: [0.9] },
  threads: { count: 1, groups: [{ group: 'http', share: 0.6 }] },
};
const code = [
  'class Shop {',
  '  void search(String what) {',
  '    a();',
  '    b();',
  '    c();',
  '    d();',
  '  }',
  '}',
];
/** The hint of line 2 is told below the end of the screen. */
const text = [...code, ...Array(30).fill(''), `// hint@2 0.62 62% · self 31% // data ${JSON.stringify(graphic)}`].join(
  '\n',
);
const look = `vim.o.termguicolors = true vim.o.wrap = false vim.o.laststatus = 2 vim.o.signcolumn = 'auto'
  vim.o.statusline = "%{v:lua.require'insitu'.statusline()}" vim.o.shortmess = vim.o.shortmess .. 'FI' vim.cmd.syntax('off')`;

needs('tmux', 'what is drawn', tmux => {
  for (const engine of neovims())
    needs(engine, `in ${engine}`, program => {
      /** Opens the code and waits until its hint stands there. */
      async function show(options: FakeOptions): Promise<Terminal> {
        const stage = fakeStage(text, options);
        const home = neovimHome({ config: `${look}\n${stage.config}`, env: stage.env });
        const command = [program.program('nvim'), '-u', home.init, '-i', 'NONE', '-n', 'A.java'];
        const terminal = openTerminal(tmux, { command, folder: stage.folder, columns: 76, rows: 16, env: home.env });
        onTestFinished(() => {
          terminal.close();
          home.remove();
          stage.remove();
        });
        await terminal.until('the hint', screen => screen.join('\n').includes('insitu: 1 hint'));
        return terminal;
      }

      for (const background of ['dark', 'light'] as const)
        test(`the tree stands below the cursor, over the code, in ${background} colours, and leaves nothing behind`, async () => {
          const before = `vim.o.background = '${background}'`;
          const terminal = await show({ answers: shopAnswers, options: `border = 'rounded'`, before });
          const withHint = code.map((line, row) => (row === 1 ? `${line}  62% · self 31%` : line));
          await terminal.until('the code', screen => withHint.every((line, row) => screen[row] === line));
          terminal.press('j0w', ':Insitu callers', 'Enter');
          const tree = [
            '  void search(String what) {  62% · self 31%',
            '  ╭──────────────────────────────────────────────────────────╮',
            '  │ callers of Shop.search(String)  62% · 140 of 226 samples │',
            '  │ 70%  158  ▸ Shop.take(String)  B.java:3                  │',
            '  │ 20%   45  ▸ HashMap.get(Object)  no source               │',
            '  │           ▸ Log.log  not seen running                    │',
            '} │ <Tab> unfold · <CR> go there · f focus · q close         │',
            '  ╰──────────────────────────────────────────────────────────╯',
          ];
          await terminal.until('the tree', screen => tree.every((line, row) => screen[row + 1] === line));
          const lines = readStyledLines(terminal.styled());
          const [hot, warm, hint] =
            background === 'dark' ? ['#ffd166', '#cfa355', '#f0b040'] : ['#6b1e00', '#865400', '#7d3a00'];
          expect(inkOf(lines[1], '62% · self')).toBe(hint);
          expect(inkOf(lines[4], '70%')).toBe(hot);
          expect(inkOf(lines[4], 'Shop.take(String)')).toBe(hot);
          expect(inkOf(lines[5], '20%')).toBe(warm);
          terminal.press('q');
          await terminal.until('the code alone', screen => withHint.every((line, row) => screen[row] === line));
        });

      test('bars, a sign and the background of the code', async () => {
        const options = `marks = { 'text', 'bar', 'sign', 'background' }`;
        const terminal = await show({ options, before: `vim.o.background = 'dark'` });
        const wanted = '▌   void search(String what) {  ◂ 62% · self 31% ██▌      ▸ ▪';
        await terminal.until('the bar', screen => screen[1] === wanted);
        const line = readStyledLines(terminal.styled())[1]!;
        expect(inkOf(line, '▌')).toBe('#f0b040');
        expect(inkOf(line, '██')).toBe('#f0b040');
        expect(line.find(run => run.text.includes('void search'))?.style.paper).toBe('#4b3d24');
        expect(line.find(run => run.text === '   ')?.style.paper).toBe('#2c2e34');
      });
    });
});

/** The colour of the run that holds a text. */
function inkOf(line: readonly Run[] | undefined, text: string): string | undefined {
  return line?.find(run => run.text.includes(text))?.style.ink;
}
