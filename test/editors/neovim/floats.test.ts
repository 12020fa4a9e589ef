// Floating windows of :Insitu callers, callees, threads and why: what they show, what keys do in them, and where they stand.
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { shopAnswers } from './fake-answers.ts';
import { type FakeOptions, type FakeSession, luaErrors, openFake } from './fake-session.ts';
import { floating, floatingWith, groupsOf, noFloating, press } from './floating.ts';

const text = 'class Shop {\n  void search(String what) { // hint 0.62 62%\n  }\n}\n';
const files = { 'B.java': 'class B {\n  // one\n  void take() {}\n  void unsure() {}\n}\n' };
const cursor = `return vim.fn.expand('%:t') .. ' ' .. table.concat(vim.api.nvim_win_get_cursor(0), ':')`;

for (const engine of ['nvim010', 'nvim012'] as const)
  needs(engine, `floating windows in ${engine}`, program => {
    async function open(options: FakeOptions = {}): Promise<FakeSession> {
      const session = await openFake(program, text, { answers: shopAnswers, files, ...options });
      await session.settle(['2 62%']);
      await session.lua(`vim.api.nvim_win_set_cursor(0, { 2, 8 })`);
      return session;
    }
    const callersOf = ['callers of Shop.search(String)  62% · 140 of 226 samples'];
    const rows = [
      '70%  158  ▸ Shop.take(String)  B.java:3',
      '20%   45  ▸ HashMap.get(Object)  no source',
      '          ▸ Log.log  not seen running',
    ] as const;

    test('callers is a tree in the colours of heat, which unfolds to any depth and folds again', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu callers')`);
      const first = await floatingWith(session, ...callersOf, ...rows);
      expect(first.lines).toEqual([...callersOf, ...rows, '<Tab> unfold · <CR> go there · f focus · q close']);
      expect(first.current).toBe(true);
      expect(session.seen('ask').at(-1)?.details).toMatchObject({
        method: 'insitu/callHierarchy',
        params: {
          direction: 'incoming',
          textDocument: { uri: `file://${session.folder}/A.java` },
          position: { line: 1, character: 8 },
        },
      });
      expect(groupsOf(first, 1)).toMatchObject({ 'Shop.search(String)': 'InsituTitle', '62%': 'InsituHeat4' });
      expect(groupsOf(first, 2)).toEqual({
        '70%': 'InsituHeat5',
        '158': 'InsituNote',
        'Shop.take(String)': 'InsituHeat5',
        'B.java:3': 'InsituNote',
      });
      expect(groupsOf(first, 3)).toMatchObject({ '20%': 'InsituHeat3' });
      expect(groupsOf(first, 4)).toMatchObject({ 'Log.log': 'InsituNote', 'not seen running': 'InsituNote' });

      await press(session, '<Tab>');
      const unsure = '100%  226    ▸ Shop.unsure(String)  ~B.java:4';
      await floatingWith(session, ' 70%  158  ▾ Shop.take(String)  B.java:3', unsure);
      // Within the path that was unfolded: what the row itself carries is asked about.
      expect(session.seen('ask').at(-1)?.details).toMatchObject({
        method: 'insitu/callHierarchy',
        params: {
          direction: 'incoming',
          item: {
            uri: `file://${session.folder}/B.java`,
            data: { path: [[{ className: 'com.acme.Shop', name: 'take' }]], seen: true },
          },
        },
      });
      const before = session.seen('ask').length;
      await press(session, 'jlll');
      await floatingWith(session, '  3%    7      ▸ Shop.take(String)  B.java:3');
      expect(session.seen('ask')).toHaveLength(before + 1);
      await press(session, 'jl');
      const deep = await floatingWith(session, '100%  226        ▸ Shop.unsure(String)  ~B.java:4');
      expect(deep.lines).toHaveLength(8);
      await press(session, 'ko');
      await expect.poll(async () => (await floating(session))?.lines.length).toBe(6);
      const asked = session.seen('ask').length;
      await press(session, 'l');
      await expect.poll(async () => (await floating(session))?.lines.length).toBe(8);
      expect(session.seen('ask')).toHaveLength(asked);
      await press(session, 'q');
      await noFloating(session);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('a row without callers of its own unfolds to nothing; the head and the last line do nothing', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu callers com.acme.Shop#search')`);
      await floatingWith(session, ...rows);
      expect(session.seen('ask').at(-1)?.details).toMatchObject({
        params: { method: { className: 'com.acme.Shop', name: 'search' } },
      });
      await press(session, 'q');
      await noFloating(session);
      await session.lua(`vim.cmd('Insitu callers Shop.search(String)')`);
      await expect
        .poll(() => session.seen('ask').at(-1)?.details)
        .toMatchObject({ params: { method: { className: 'com.acme.Shop', name: 'search' } } });
      await floatingWith(session, ...rows);
      await press(session, 'j<Tab>');
      await floatingWith(session, '20%   45    HashMap.get(Object)  no source');
      await press(session, 'gg<Tab><CR>lhG<Tab><CR>lh');
      expect((await floating(session))?.lines).toHaveLength(5);
    });

    test('several methods of a name are rows with what is below them', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu callers com.acme.Shop#both')`);
      const seen = await floatingWith(session, '70%  158  ▾ Shop.take(String)  B.java:3');
      expect(seen.lines).toEqual([
        'callers of Shop.take(String) and 1 more',
        '70%  158  ▾ Shop.take(String)  B.java:3',
        '20%   45    ▸ HashMap.get(Object)  no source',
        '10%   23    Shop.unsure(String)  ~B.java:4',
        '<Tab> unfold · <CR> go there · f focus · q close',
      ]);
    });

    test('<CR> goes to the method, and says where there is no source; the jump list leads back', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu callers')`);
      await floatingWith(session, ...rows);
      await press(session, 'j<CR>');
      await session.until(`vim.fn.execute('messages'):find('has no source', 1, true)`);
      expect(await session.messages()).toContain('insitu: HashMap.get(Object) has no source in this workspace');
      await press(session, 'k<CR>');
      await noFloating(session);
      expect(await session.lua(cursor)).toBe('B.java 3:7');
      await press(session, '<C-o>');
      expect(await session.lua(cursor)).toBe('A.java 2:8');
    });

    test('f in the tree makes the method the focus', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu callers')`);
      await floatingWith(session, ...rows);
      await press(session, 'f');
      await noFloating(session);
      await expect
        .poll(() => session.seen('ask').at(-1)?.details)
        .toMatchObject({ method: 'insitu/focus', params: { focus: ['com.acme.Shop#take'] } });
    });

    test('callees without any say so; what never ran is told in a message', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu callees com.acme.Shop#alone')`);
      await floatingWith(session, 'callees of Shop.search(String)  62% · 140 of 226 samples', 'none were seen');
      expect(session.seen('ask').at(-1)?.details).toMatchObject({ params: { direction: 'outgoing' } });
      await press(session, '<Esc>');
      await noFloating(session);
      await session.lua(`vim.cmd('Insitu callers java.util.HashMap#get')`);
      await session.until(`vim.fn.execute('messages'):find('nothing here was seen running', 1, true)`);
      expect(await floating(session)).toBeNull();
    });

    test('threads have bars as long as their shares', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu threads')`);
      const seen = await floatingWith(session, '████     50%  113  http-#  2 threads  (http)');
      expect(seen.lines).toEqual([
        'threads of Shop.search(String)  62% · 140 of 226 samples',
        '████     50%  113  http-#  2 threads  (http)',
        '██       25%  57  https  (http)',
        '██       25%  57  unnamed virtual threads',
      ]);
      const bar = seen.pieces.filter(({ line }) => line === 2).slice(0, 2);
      expect(bar).toEqual([
        { line: 2, text: '████', group: 'InsituHeat4' },
        { line: 2, text: '    ', group: 'InsituTrack' },
      ]);
    });

    test('why is text, broken into lines that can be read', async () => {
      const session = await open();
      await session.lua(`vim.cmd('Insitu why')`);
      const seen = await floatingWith(session, ':Insitu clear shows everything.');
      expect(seen.lines).toEqual([
        'Shop.search(String)  62% · 140 of 226 samples',
        'It was seen in fewer samples than a hint needs. It was seen in fewer samples',
        'than a hint needs. It was seen in fewer samples than a hint needs.',
        ':Insitu clear shows everything.',
        'nearest: com.acme.Shop#searchAll',
        'mostly called by, each by the next',
        '  100%  Shop.take(String)  B.java:3',
        'mostly spent in, each calling the next',
        '  50%  HashMap.get(Object)  no source',
        '   5%  Shop.search(String)  A.java:2',
        'Monitors waited for, by class · 1.2 s',
        '  83 %  java.util.Hashtable · 1 s · last had by worker-# (80 %)',
        '  1 more',
        '<CR> go there · q close',
      ]);
      await press(session, '7G<CR>');
      await noFloating(session);
      expect(await session.lua(cursor)).toBe('B.java 3:7');
    });

    test('a window stands below the cursor, above it at the bottom of the screen, and closes when it is left', async () => {
      const session = await open({ before: `vim.o.lines = 24 vim.o.columns = 80` });
      await session.lua(`vim.cmd('Insitu callers')`);
      expect(await floatingWith(session, ...rows)).toMatchObject({ row: 2, column: 8, height: 5, bordered: false });
      await session.lua(`vim.cmd.wincmd('p')`);
      await noFloating(session);
      await session.lua(`vim.api.nvim_buf_set_lines(1, 4, -1, false, vim.fn['repeat']({ '//' }, 40))
        vim.api.nvim_win_set_cursor(0, { 40, 0 }) vim.cmd('normal! zb')
        vim.cmd('Insitu callers com.acme.Shop#search')`);
      const above = await floatingWith(session, ...rows);
      expect(above.row + above.height).toBe(21);
    });

    test('on a small screen a window is cut to it, and grows with it', async () => {
      const session = await open({ before: `vim.o.lines = 7 vim.o.columns = 34` });
      await session.lua(`vim.cmd('Insitu callers')`);
      const small = await floatingWith(session, ...rows);
      expect(small).toMatchObject({ width: 34, column: 0, height: 5, row: 0 });
      await session.lua(`vim.o.columns = 60 vim.api.nvim_exec_autocmds('VimResized', {})`);
      expect((await floating(session))?.width).toBeGreaterThan(40);
    });

    test("the border is the option's, and from Neovim 0.11 on 'winborder'", async () => {
      const session = await open({ options: `border = 'single'` });
      await session.lua(`vim.cmd('Insitu threads')`);
      expect((await floatingWith(session, '██       25%  57  unnamed virtual threads')).bordered).toBe(true);
      await press(session, 'q');
      if (engine === 'nvim010') return;
      const other = await open({ before: `vim.o.winborder = 'rounded' vim.o.lines = 7 vim.o.columns = 34` });
      await other.lua(`vim.cmd('Insitu callers')`);
      expect(await floatingWith(other, ...rows)).toMatchObject({ bordered: true, width: 32, height: 3 });
    });

    test('a server that does not know the question is named as too old', async () => {
      const session = await open({ answers: () => ({}) });
      await session.lua(`vim.cmd('Insitu why')`);
      await session.until(`vim.fn.execute('messages'):find('too old', 1, true)`);
      expect(await session.messages()).toContain(
        'the server that runs is too old for this: it does not know insitu/why',
      );
      await session.lua(`vim.cmd('Insitu callers nonsense')`);
      await session.until(`vim.fn.execute('messages'):find('names no method', 1, true)`);
    });
  });
