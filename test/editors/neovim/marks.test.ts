// How hints are drawn: text, bars, signs and backgrounds by option, scales of heat, faded where code has changed, coloured by change.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { change, share } from './fake-answers.ts';
import { type FakeSession, luaErrors, openFake } from './fake-session.ts';

const graphic = {
  self: share(0.31),
  selfOfMethod: share(0.5),
  callers: { count: 4, largest: [0.7, 0.2, 0.05] },
  callees: { count: 1, largest: [0.9] },
  threads: { count: 3, groups: [0.6, 0.3, 0.01].map((part, index) => ({ group: `g${index}`, share: part })) },
};
const text = [
  'class A {',
  `  void run() { // hint 0.62 62% ↗ +22 // data ${JSON.stringify({ ...graphic, change: change(0.4, 0.62, -49, 'slower') })}`,
  `    take(); // hint 0.3 30% +1 now // data ${JSON.stringify({ change: change(0.2, 0.21, -4, 'notTested') })}`,
  '    idle();',
  '    old(); // hint 0.1 ~10% · changed // data {"state":"changed"}',
  '    older(); // hint 0.02 ~2% // data {"stale":true}',
  '  }',
  '}',
  '',
].join('\n');

type Mark = {
  readonly line: number;
  readonly text: readonly (readonly [string, string?])[];
  readonly sign?: string;
  readonly signGroup?: string;
  readonly background?: string;
  readonly lineGroup?: string;
};

const readMarks = `
  local namespace = vim.api.nvim_create_namespace('insitu.hints')
  return vim.tbl_map(function(mark)
    local details = mark[4]
    local text = vim.tbl_map(function(chunk)
      return { chunk[1], type(chunk[2]) == 'table' and table.concat(chunk[2], '+') or chunk[2] }
    end, details.virt_text or {})
    return {
      line = mark[2] + 1,
      text = text,
      sign = details.sign_text,
      signGroup = details.sign_hl_group,
      background = details.hl_group,
      lineGroup = details.line_hl_group,
    }
  end, vim.api.nvim_buf_get_extmarks(1, namespace, 0, -1, { details = true }))`;

for (const engine of neovims())
  needs(engine, `marks in ${engine}`, program => {
    async function marksWith(options: string, java = text): Promise<{ session: FakeSession; marks: Mark[] }> {
      const session = await openFake(program, java, { options });
      await session.until(`require('insitu').statusline():match('%d+ hint')`);
      await session.until(`not require('insitu').statusline():match(' 0 hints')`);
      return { session, marks: await session.lua<Mark[]>(readMarks) };
    }
    /** The highlight groups as they are defined, by name. */
    const groups = (session: FakeSession, pattern: string): Promise<Record<string, { fg?: number; bg?: number }>> =>
      session.lua(
        `local groups = vim.empty_dict()
        for _, name in ipairs(vim.fn.getcompletion('Insitu', 'highlight')) do
          if name:match(...) then groups[name] = vim.api.nvim_get_hl(0, { name = name }) end
        end
        return groups`,
        pattern,
      );

    test('changes have their own colours in the hint, changed code is faded and counted in the status line', async () => {
      const { session, marks } = await marksWith('');
      expect(marks.map(mark => mark.text.slice(1))).toEqual([
        [
          ['62% ', 'InsituHeat4'],
          ['↗ +22', 'InsituWorse_8b0074'],
        ],
        [
          ['30% ', 'InsituHeat3'],
          ['+1', 'InsituSame'],
          [' now', 'InsituHeat3'],
        ],
        [['~10% · changed', 'InsituStale2']],
        [['~2%', 'InsituStale1']],
      ]);
      expect(marks.some(mark => mark.sign ?? mark.background ?? mark.lineGroup)).toBe(false);
      expect(await session.lua(`return require('insitu').statusline()`)).toBe('insitu: 4 hints, 2 at changed code');
      await session.lua(`vim.api.nvim_buf_set_lines(1, 4, 5, false, { 'new();' })`);
      await session.until(`require('insitu').statusline() == 'insitu: 3 hints, 1 at changed code'`);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('signs, backgrounds and lines by option, at once when it changes', async () => {
      const { session, marks } = await marksWith(`marks = { 'sign', 'background' }`);
      expect(marks[0]).toEqual({
        line: 2,
        text: [],
        sign: '▌ ',
        signGroup: 'InsituHeat4',
        background: 'InsituFill4',
      });
      expect(marks[2]).toMatchObject({ signGroup: 'InsituStale2', background: 'InsituStaleFill2' });
      await session.lua(`require('insitu').setup({ marks = { 'text', 'line' } })`);
      await expect
        .poll(async () => (await session.lua<Mark[]>(readMarks)).map(({ lineGroup }) => lineGroup))
        .toEqual(['InsituFill4', 'InsituFill3', 'InsituStaleFill2', 'InsituStaleFill1']);
      const [first] = await session.lua<Mark[]>(readMarks);
      expect([first?.sign, first?.background]).toEqual([undefined, undefined]);
      await session.lua(`require('insitu').setup({ marks = { 'blink' } })`);
      await session.until(`vim.fn.execute('messages'):find('blink', 1, true)`);
      expect(await session.messages()).toContain('option "marks" knows background, bar, line, sign, text, not "blink"');
    });

    test('word-sized bars stand around the text of hints that know their surroundings', async () => {
      const { session, marks } = await marksWith(`marks = { 'text', 'bar' }`);
      expect(session.seen('initialize')[0]?.details).toMatchObject({ options: { insitu: { graphics: true } } });
      expect(marks[0]?.text).toEqual([
        [' '],
        ['◂', 'InsituHeat4'],
        ['◂', 'InsituHeat2'],
        [' '],
        ['62% ', 'InsituHeat4'],
        ['↗ +22', 'InsituWorse_8b0074'],
        [' '],
        ['██', 'InsituHeat4'],
        ['▌', 'InsituBar4+InsituHeat4'],
        ['  ', 'InsituBar4'],
        ['   ', 'InsituTrack'],
        [' '],
        ['▸', 'InsituHeat4'],
        [' '],
        ['▪', 'InsituHeat4'],
        ['▪', 'InsituHeat3'],
      ]);
      expect(marks[3]?.text).toEqual([[' '], ['~2%', 'InsituStale1']]);
    });

    test('the scale decides the step: root, linear, log, and quantile by the hottest in the file', async () => {
      const shares = [0.9, 0.5, 0.1, 0.03, 0.002];
      const java = shares.map(heat => `x(); // hint ${heat} ${heat}`).join('\n');
      const steps = async (scale: string): Promise<string> => {
        const { marks } = await marksWith(`scale = '${scale}'`, java);
        return marks.map(({ text: chunks }) => chunks[1]?.[1]?.at(-1)).join('');
      };
      expect(await steps('root')).toBe('54211');
      expect(await steps('linear')).toBe('53111');
      expect(await steps('log')).toBe('55431');
      expect(await steps('quantile')).toBe('54321');
    });

    test('faded colours have three quarters of saturation and opacity, and follow a heat that the user defines', async () => {
      const config = `vim.o.background = 'dark' vim.api.nvim_set_hl(0, 'Normal', { fg = 0xffffff, bg = 0x000000 })
        vim.api.nvim_set_hl(0, 'InsituHeat3', { fg = 0xff0000 })`;
      const session = await openFake(program, text, { before: config });
      const seen = await groups(session, '^Insitu.*3$');
      // Red: its middle is 0x80 (127.5); channels move a quarter towards it, then three quarters remain before black.
      expect(seen.InsituStale3?.fg?.toString(16)).toBe('a71818');
      expect(seen.InsituFill3?.bg?.toString(16)).toBe('2e0000');
      expect(seen.InsituHeat3?.fg).toBe(0xff0000);
    });

    test('definitions of the user win for every group, and all follow the background', async () => {
      const mine = ['InsituWorse', 'InsituSame', 'InsituFill4', 'InsituStale2', 'InsituTrack', 'InsituTitle'];
      const { session } = await marksWith('');
      const light = await session.lua<object>(
        `vim.o.background = 'light'
        return { vim.api.nvim_get_hl(0, { name = 'InsituFill4' }), vim.api.nvim_get_hl(0, { name = 'InsituWorse_8b0074' }) }`,
      );
      const dark = await session.lua<object>(
        `vim.o.background = 'dark'
        return { vim.api.nvim_get_hl(0, { name = 'InsituFill4' }), vim.api.nvim_get_hl(0, { name = 'InsituWorse_8b0074' }) }`,
      );
      expect(light).not.toEqual(dark);
      const before = mine.map(name => `vim.api.nvim_set_hl(0, '${name}', { fg = 0x010203 })`).join('\n');
      const other = await openFake(program, text, { before });
      await other.until(`not require('insitu').statusline():match(' 0 hints')`);
      await other.lua(`vim.o.background = 'light'`);
      const seen = await groups(other, '^Insitu');
      for (const name of mine) expect(seen[name], name).toEqual({ fg: 0x010203 });
      await expect.poll(async () => (await other.lua<Mark[]>(readMarks))[0]?.text[2]).toEqual(['↗ +22', 'InsituWorse']);
    });
  });
