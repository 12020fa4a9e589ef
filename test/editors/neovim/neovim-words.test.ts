// The words of :Insitu that ask and choose: what is sent to the server, what the user is shown and told, and what Tab completes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../../support/engines/needs.ts';
import { neovims } from '../../support/engines/versions.ts';
import { shopAnswers } from './fake-answers.ts';
import { type FakeOptions, luaErrors, openFake } from './fake-session.ts';
import { floating, floatingWith, groupsOf, noFloating, press } from './floating.ts';
import { about, asked, openWords, run, told } from './words-session.ts';

for (const engine of neovims())
  needs(engine, `words in ${engine}`, program => {
    const open = (options: FakeOptions = {}) => openWords(program, options);

    test('top fills the quickfix list; entries without a source remain as text', async () => {
      const session = await open();
      await run(session, 'Insitu top by=self limit=3 platform');
      await asked(session, 'top', { ...about(session), sort: 'self', limit: 3, platform: true });
      await session.until(`vim.bo.buftype == 'quickfix'`);
      const list = await session.lua<{ title: string; items: object[] }>(
        `local list = vim.fn.getqflist({ title = 1, items = 1 })
        list.items = vim.tbl_map(function(item)
          local file = item.bufnr > 0 and vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':t') or ''
          return { file = file, line = item.lnum, column = item.col, text = item.text, valid = item.valid }
        end, list.items)
        return list`,
      );
      expect(list).toEqual({
        title: 'insitu: methods by their self time',
        items: [
          { file: 'A.java', line: 2, column: 8, text: 'self 2% · 62%  Shop.search(String)', valid: 1 },
          { file: '', line: 0, column: 0, text: 'self 30% · 30%  ↗ +10  HashMap.get(Object)', valid: 0 },
          { file: 'B.java', line: 4, column: 8, text: '~self 0% · 5%  Shop.unsure(String)', valid: 1 },
        ],
      });
      const dim = `vim.tbl_map(function(mark) return mark[2] + 1 end, vim.api.nvim_buf_get_extmarks(
        vim.fn.getqflist({ qfbufnr = 0 }).qfbufnr, vim.api.nvim_create_namespace('insitu.top'), 0, -1, {}))`;
      expect(await session.lua(`return ${dim}`)).toEqual([2]);
      await session.lua(`vim.cmd.cnext()`);
      expect(await session.lua(`return vim.fn.expand('%:t')`)).toBe('B.java');
      await session.lua(`vim.cmd('cclose | copen')`);
      expect(await session.lua(`return ${dim}`)).toEqual([2]);
    });

    test('top pick, or the option, lets one choose and goes there', async () => {
      const session = await open({ options: `top = 'pick'` });
      const [offer] = await run(session, 'Insitu top', 'own 0%');
      expect(offer).toEqual({
        prompt: 'Go to',
        lines: [
          'own 2% · 62%  Shop.search(String)  A.java:2',
          'own 30% · 30%  ↗ +10  HashMap.get(Object)  no source',
          'own 0% · 5%  Shop.unsure(String)  ~B.java:4',
        ],
      });
      expect(await session.lua(`return vim.fn.expand('%:t') .. vim.fn.line('.')`)).toBe('B.java4');
      await asked(session, 'top', { ...about(session), sort: 'own', limit: 50, platform: false });
      await run(session, 'Insitu top pick', 'own 30%');
      await told(session, 'insitu: HashMap.get(Object) has no source in this workspace');
      await run(session, 'Insitu top quickfix');
      await session.until(`vim.bo.buftype == 'quickfix'`);
      await run(session, 'Insitu top sideways');
      await told(session, '"sideways" is unknown here; known are pick, platform, quickfix, by=, limit=');
    });

    test('overview says what the program does, and goes to a method', async () => {
      const session = await open();
      await run(session, 'Insitu overview');
      await asked(session, 'overview', about(session));
      const seen = await floatingWith(session, '62 % of CPU is Shop.search.');
      expect(seen.lines).toEqual([
        '62 % of CPU is Shop.search.',
        '',
        '█████    62%    Shop.search(String)  A.java:2',
        '',
        'Waiting, of 90 s of threads that run own code',
        '█        12%  ≥ 11 s  Shop.take(String)  waiting for a monitor, mostly http-# threads, held by writer  B.java:3',
        '',
        'Allocation: 2 GiB, 4 MiB a second',
        '██▍      30%  600 MiB  HashMap.get(Object)  no source',
        '',
        'Garbage collections: all threads stood still for 2.0 % of the time, 1.2 s',
        '1.2 s  60 × G1New, G1 Evacuation Pause',
        '',
        'Since 1.3',
        'slower: Shop.search: +22',
        '',
        'Missing',
        '1 JVM  record more',
        '<CR> go there · w why · q close',
      ]);
      await press(session, '6G<CR>');
      await noFloating(session);
      expect(await session.lua(`return vim.fn.expand('%:t') .. vim.fn.line('.')`)).toBe('B.java3');
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('heaviest shows the heaviest path and stands on its deepest method with a source', async () => {
      const session = await open();
      await run(session, 'Insitu heaviest');
      await asked(session, 'heaviestPath', about(session));
      const seen = await floatingWith(session, 'the heaviest path; shares are of all');
      expect(seen.lines).toEqual([
        'the heaviest path; shares are of all',
        '62%  self 4%   Shop.search(String)  A.java:2',
        '40%             Shop.take(String)  B.java:3',
        '30%  self 25%    HashMap.get(Object)  no source',
        '<CR> go there · f focus · q close',
      ]);
      await press(session, '<CR>');
      await noFloating(session);
      expect(await session.lua(`return vim.fn.expand('%:t') .. vim.fn.line('.')`)).toBe('B.java3');
      await session.lua(`vim.cmd.edit('A.java') vim.api.nvim_win_set_cursor(0, { 2, 8 })`);
      await run(session, 'Insitu heaviest .');
      await asked(session, 'heaviestPath', { ...about(session), position: { line: 1, character: 8 } });
      await floatingWith(session, 'the heaviest path; shares are of all');
      await press(session, 'kf');
      await asked(session, 'focus', { ...about(session), focus: ['com.acme.Shop#search'] });
      await run(session, 'Insitu heaviest com.acme.Shop#take');
      const method = { className: 'com.acme.Shop', name: 'take', descriptor: null };
      await asked(session, 'heaviestPath', { ...about(session), method });
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('focus takes the method under the cursor, a name or a task; clear takes it back; the status line tells', async () => {
      const session = await open();
      await run(session, 'Insitu focus');
      await asked(session, 'focus', { ...about(session), position: { line: 1, character: 8 } });
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint of Shop.search'`);
      await told(session, 'insitu: shop 1.4 · cpu of Shop.search');
      await run(session, 'Insitu focus search all');
      await asked(session, 'focus', { ...about(session), focus: ['search all'] });
      await run(session, 'Insitu clear');
      await asked(session, 'clearFocus', about(session));
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint'`);
      const [offer] = await run(session, 'Insitu tasks', '70%');
      expect(offer).toEqual({
        prompt: 'Focus on',
        lines: ['   70%  checkout  (com.acme.Shop#take)', '   62%  search all  (com.acme.Shop#search)'],
      });
      await asked(session, 'focus', { ...about(session), focus: ['checkout'] });
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('compare sets a version and shows what changed, neutral where no test confirms it', async () => {
      const session = await open();
      const [offer] = await run(session, 'Insitu compare', '1.3');
      expect(offer).toEqual({
        prompt: 'Compare with',
        lines: [
          '1.3',
          expect.stringMatching(/^2023-11-1\d \d\d:13:20 to 2023-11-1\d \d\d:14:20$/),
          expect.stringMatching(/:14:20 to .*:15:20$/),
          'nothing',
        ],
      });
      const found = await floatingWith(session, 'm: methods whose shares moved');
      expect(found.lines).toEqual([
        'compared with shop 1.3',
        '8 JVMs before, 9 now',
        'slower: Shop.search, changed in de3214d: +22 (40% → 62%)  A.java:2  Sort twice',
        '<CR> go there · b blueprint · s source of both versions · w why',
        'm: methods whose shares moved',
      ]);
      expect(groupsOf(found, 3)).toMatchObject({
        'slower: Shop.search, changed in de3214d: +22 (40% → 62%)': 'InsituWorse',
      });
      await press(session, 'm');
      const seen = await floatingWith(session, '   +1   20.0% to  21.0%  Shop.take(String)  B.java:3');
      expect(seen.lines).toEqual(
        [
          'compared with shop 1.3',
          ' ↗ +22   40.0% to  62.0%  Shop.search(String)  A.java:2',
          ' ↘ -20   40.0% to  20.0%  HashMap.get(Object)  no source',
          '    +1   20.0% to  21.0%  Shop.take(String)  B.java:3',
        ].map(line => line.replace(/^ /, '')),
      );
      expect(
        session
          .seen('ask')
          .slice(-3)
          .map(({ details }) => details),
      ).toEqual([
        { method: 'insitu/compareWith', params: { ...about(session), version: '1.3' } },
        { method: 'insitu/compare', params: { ...about(session), limit: 1 } },
        { method: 'insitu/moved', params: { ...about(session), limit: 200 } },
      ]);
      expect(groupsOf(seen, 2)).toMatchObject({ '↗ +22': 'InsituWorse_8b0074' });
      expect(groupsOf(seen, 3)).toMatchObject({ '↘ -20': 'InsituBetter_00ff00' });
      expect(groupsOf(seen, 4)).toMatchObject({ '+1': 'InsituSame' });
      await press(session, 'jjj<CR>');
      await noFloating(session);
      expect(await session.lua(`return vim.fn.expand('%:t') .. vim.fn.line('.')`)).toBe('B.java3');
      expect(await session.lua(`return require('insitu').statusline()`)).toMatch(/ vs 1\.3$/);
    });

    test('moved shows as many changes as fit on the screen, the largest first, and the others by a key', async () => {
      const session = await open({
        answers: folder => {
          const answers = shopAnswers(folder);
          const { rows, ...others } = answers.moved![0]!.answer as { rows: { change: object }[] };
          // The server sorts them.
          const sizes = Array.from({ length: 60 }, (_, index) => index - 30).sort((a, b) => Math.abs(b) - Math.abs(a));
          const many = sizes.map((size, index) => ({
            ...rows[index % 3]!,
            change: { ...rows[index % 3]!.change, baseline: 0.5, current: 0.5 + size / 100, text: `${size}` },
          }));
          return { ...answers, moved: [{ answer: { ...others, rows: many } }] };
        },
      });
      const height = await session.lua<number>('return vim.o.lines');
      await run(session, 'Insitu moved');
      const seen = await floatingWith(session, 'compared with shop 1.3');
      expect(seen.height).toBe(seen.lines.length);
      expect(seen.lines).toHaveLength(height - 3);
      expect(seen.lines.slice(1, 4).map(line => line.trim().split(/\s/)[0])).toEqual(['-30', '-29', '29']);
      expect(seen.lines.at(-1)).toBe(`a: ${60 - (height - 5)} smaller changes`);
      await press(session, 'a');
      await expect.poll(async () => (await floating(session))?.lines.length).toBe(61);
    });

    test('next and previous lead from one hot hint to the other, around the ends of the file', async () => {
      const body = [
        'class A { // hint 0.3 30%',
        '  int a; // hint 0.01 1%',
        '  int b; // hint 0.7 70%',
        '',
        '  int c; // hint 0.2 20%',
        '}',
        '',
      ];
      const session = await openFake(program, body.join('\n'), {
        after: `vim.keymap.set('n', ']i', require('insitu').next_hot_spot)`,
      });
      await session.settle(['1 30%', '2 1%', '3 70%', '5 20%']);
      const line = () => session.lua<number>(`return vim.fn.line('.')`);
      const moved = async (keys: string) => {
        await press(session, keys);
        return line();
      };
      expect(await moved(']i')).toBe(3);
      expect(await moved(']i')).toBe(5);
      expect(await moved(']i')).toBe(1);
      expect(await moved('2]i')).toBe(5);
      await run(session, 'Insitu previous');
      expect(await line()).toBe(3);
      await run(session, 'Insitu previous');
      await run(session, 'Insitu previous');
      expect(await line()).toBe(5);
      await run(session, 'Insitu next');
      expect(await line()).toBe(1);
      await session.lua(
        `vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'class A { // hint 0.02 2%', '// hint 0.01 1%', '' })`,
      );
      await session.settle(['1 2%', '2 1%']);
      expect(await moved(']i')).toBe(2);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('compare takes a window, picked or written', async () => {
      const session = await open();
      const compared = async (window: object) => {
        await floatingWith(session, 'compared with shop 1.3');
        expect(session.seen('ask').at(-2)?.details).toEqual({
          method: 'insitu/compareWith',
          params: { ...about(session), window },
        });
        await press(session, 'q');
        await noFloating(session);
      };
      await run(session, 'Insitu compare', '2023-11-1');
      await compared({ from: 1_700_000_000_000, to: 1_700_000_060_000 });
      await run(session, 'Insitu compare from=2026-11-20T09:30 to=2026-11-20T09:45');
      const at = (minute: number) => new Date(2026, 10, 20, 9, minute).getTime();
      await compared({ from: at(30), to: at(45) });
      const questions = session.seen('ask').length;
      for (const half of ['from=2026-11-20T09:30', 'to=nonsense from=2026-11-20']) {
        await session.lua(`vim.cmd('messages clear')`);
        await run(session, `Insitu compare ${half}`);
        await told(session, 'a window has two ends; write from=');
      }
      expect(session.seen('ask')).toHaveLength(questions);
    });

    test('compare takes a file where there is one, and off', async () => {
      const session = await open();
      writeFileSync(join(session.folder, 'old.jfr'), '');
      await run(session, 'Insitu compare old.jfr');
      await floatingWith(session, 'compared with shop 1.3');
      expect(session.seen('ask').at(-2)?.details).toEqual({
        method: 'insitu/compareWith',
        params: { ...about(session), file: `${session.folder}/old.jfr` },
      });
      await press(session, 'q');
      await run(session, 'Insitu compare off');
      await asked(session, 'compareWith', about(session));
      await run(session, 'Insitu compare', 'nothing');
      await asked(session, 'compareWith', about(session));
      expect(await floating(session)).toBeNull();
      const questions = session.seen('ask').length;
      await run(session, 'Insitu compare 9.9');
      await told(session, '"9.9" is no file, and no version in the store, which has 1.4, 1.3');
      expect(session.seen('ask')).toHaveLength(questions + 1);
    });

    test('select by arguments; an empty value takes the wish back; mistakes are named', async () => {
      const session = await open();
      await run(session, 'Insitu select metric=alloc version=1.4 threads=http-*,main instances= from=2026-11-20T09:30');
      await asked(session, 'select', {
        ...about(session),
        metric: 'alloc',
        version: '1.4',
        threads: ['http-*', 'main'],
        instances: null,
        from: new Date(2026, 10, 20, 9, 30).getTime(),
        to: null,
      });
      await told(session, 'insitu: shop 1.3 · alloc');
      const questions = session.seen('ask').length;
      await run(session, 'Insitu select to=noon');
      await told(session, '"noon" is no time; write 2026-11-20T09:30');
      await run(session, 'Insitu select colour=red');
      await told(session, '"colour=red" is unknown here; known are from=, instances=, metric=');
      expect(session.seen('ask')).toHaveLength(questions);
    });

    test('a metric by its name alone', async () => {
      const session = await open();
      await run(session, 'Insitu metric alloc');
      await asked(session, 'select', { ...about(session), metric: 'alloc' });
    });

    test('select in steps', async () => {
      const session = await open();
      const [first, second] = await run(session, 'Insitu select', 'version', '1.3');
      expect(first?.lines).toEqual([
        'version',
        'program',
        'instances',
        'time',
        'threads',
        'metric',
        'everything: take all wishes back',
      ]);
      expect(second).toEqual({ prompt: 'Version', lines: ['1.4', '1.3'] });
      const whole = { instances: null, from: null, to: null };
      await asked(session, 'select', { ...about(session), version: '1.3', ...whole });
      const several = await run(
        session,
        'Insitu select',
        'threads',
        '[ ]  80.0%  group',
        '[ ]  20.0%',
        '[x]  80.0%',
        'done',
      );
      expect(several.at(-1)?.lines).toEqual([
        'done',
        '[ ]  80.0%  group http (2 threads)',
        '[ ]  70.0%  http-1',
        '[x]  20.0%  batch-1',
        '[ ]  10.0%  http-2',
      ]);
      await asked(session, 'select', { ...about(session), threads: ['batch-1'] });
      await run(session, 'Insitu select', 'threads', '[ ]  80.0%  group', 'done');
      await asked(session, 'select', { ...about(session), threads: ['http/*'] });
      await run(session, 'Insitu select', 'instances', 'all of them');
      await asked(session, 'select', { ...about(session), instances: null });
      const times = await run(session, 'Insitu select', 'time', '2023-11-1');
      expect(times[1]?.lines[0]).toBe('all of it');
      await asked(session, 'select', { ...about(session), from: 1_700_000_000_000, to: 1_700_000_060_000 });
      await run(session, 'Insitu select', 'metric', 'alloc');
      await asked(session, 'select', { ...about(session), metric: 'alloc' });
      await run(session, 'Insitu select', 'program', 'shop');
      await asked(session, 'select', { ...about(session), program: 'shop', version: null, ...whole });
      await run(session, 'Insitu select', 'everything');
      const nothing = { program: null, version: null, metric: null, instances: null, threads: null, path: null };
      await asked(session, 'select', { ...about(session), ...nothing, from: null, to: null });
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('what was chosen and leaves nothing is named, with the way to take it back', async () => {
      const source = { project: 'shop', problems: [], focus: ['Shop.take'], baseline: null };
      const part = 'focus Shop.take · threads idle-*';
      const emptied = { ...source, state: 'ready', samples: 0, part, text: 'shop 1.4 · 0 samples of cpu' };
      const session = await open({
        answers: folder => ({
          ...shopAnswers(folder),
          select: [{ answer: { sources: [emptied], text: emptied.text } }],
          top: [{ answer: null }],
        }),
      });
      await run(session, 'Insitu select threads=idle-*');
      const said = `insitu: nothing was seen with ${part} (:Insitu clear all shows everything again)`;
      await told(session, said);
      expect(await session.lua(`return require('insitu').statusline()`)).toBe(
        'insitu: nothing with focus Shop.take · threa…',
      );
      await session.lua(`vim.cmd('messages clear')`);
      await run(session, 'Insitu top');
      await told(session, said);
      await run(session, 'Insitu clear all');
      await asked(session, 'clearFocus', about(session));
      expect(session.seen('ask').at(-2)?.details).toEqual({
        method: 'insitu/select',
        params: { ...about(session), threads: null, path: null, instances: null, from: null, to: null },
      });
      await session.until(`require('insitu').statusline() == 'insitu: 1 hint'`);
      await run(session, 'Insitu clear some');
      await told(session, '"some" is unknown here; known is all');
    });

    test('of several projects that is told whose numbers are others now', async () => {
      const project = (state: string, text: string) => ({ state, text, problems: [], focus: [], baseline: null });
      const others = [project('none', 'root: nothing to show'), project('ready', 'web/web 2.0 · cpu')];
      const answer = { sources: [...others, project('ready', 'shop/shop 1.3 · cpu')], text: '' };
      const session = await open({
        status: { sources: [...others, project('ready', 'shop/shop 1.4 · cpu')], text: 'shop/shop 1.4 · cpu' },
        answers: folder => ({ ...shopAnswers(folder), select: [{ answer }], clearFocus: [{ answer }] }),
      });
      await run(session, 'Insitu clear');
      await told(session, 'insitu: web/web 2.0 · cpu');
      await session.lua(`vim.api.nvim_buf_set_lines(0, -1, -1, false, { '// order changed 0' })`);
      await session.until(`vim.fn.execute('Insitu status'):find('shop/shop 1.4', 1, true)`);
      await run(session, 'Insitu select version=1.3');
      await told(session, 'insitu: shop/shop 1.3 · cpu');
    });

    test('record offers JVMs, the youngest first, and stop ends what runs', async () => {
      const session = await open();
      const [offer] = await run(session, 'Insitu record tier=base', 'com.acme.Shop');
      expect(offer?.lines).toEqual([
        expect.stringMatching(/^com\.acme\.Shop --port 80 x{49}… · 4711 · since 2023-11-1\d [\d:]+$/),
        expect.stringMatching(/^Other · 4712 · since .* · it is starting$/),
      ]);
      await asked(session, 'record', { ...about(session), pid: 4711, tier: 'base' });
      await told(session, 'insitu: JVM 4711 (com.acme.Shop) is recorded as shop 1.4');
      await run(session, 'Insitu record pid=4712 version=1.5');
      await asked(session, 'record', { ...about(session), pid: 4712, version: '1.5' });
      await run(session, 'Insitu record stop back');
      await asked(session, 'stopRecording', { back: true });
      await told(session, 'insitu: 1 recording ended');
      await told(session, 'insitu: the store is full');
      await run(session, 'Insitu record everything');
      await told(session, '"everything" is unknown here');
      const questions = session.seen('ask').length;
      for (const command of ['record stop pid=47l1', 'record pid=0x10', 'record stop pid=']) {
        await session.lua(`vim.cmd('messages clear')`);
        await run(session, `Insitu ${command}`);
        await told(session, `"${command.replace(/.*=/, '')}" is no process id; write pid=4711`);
      }
      await run(session, 'Insitu record stop pid=4711');
      await asked(session, 'stopRecording', { pid: 4711 });
      expect(session.seen('ask')).toHaveLength(questions + 1);
      expect(luaErrors(await session.messages())).toEqual([]);
    });

    test('executions lists what the store holds', async () => {
      const session = await open();
      await run(session, 'Insitu executions');
      const seen = await floatingWith(session, 'executions of shop', 'metrics: cpu alloc');
      expect(seen.lines[1]).toMatch(/^▸ shop 1\.4 {2}web-0 {2}2023-11-1\d .* · 1 snapshot$/);
      expect(seen.lines[2]).toMatch(/^ {2}shop 1\.3 {2}web-1 .* · 2 snapshots$/);
      expect(groupsOf(seen, 4)).toMatchObject({ cpu: 'InsituTitle', alloc: 'InsituNote' });
    });

    test('Tab completes words, and the arguments of each', async () => {
      const session = await open();
      writeFileSync(join(session.folder, 'old.jfr'), '');
      const completed = (line: string): Promise<string[]> =>
        session.lua<string[]>(`return vim.fn.getcompletion(..., 'cmdline')`, `Insitu ${line}`);
      expect(await completed('c')).toEqual(['callees', 'callers', 'clear', 'compare']);
      expect(await completed('callers sear')).toEqual(['com.acme.Shop#search']);
      expect(await completed('why ')).toEqual([
        'com.acme.Shop#search',
        'java.util.HashMap#get',
        'com.acme.Shop#unsure',
      ]);
      expect(await completed('focus sear')).toEqual(['search all', 'com.acme.Shop#search']);
      expect(await completed('compare ')).toEqual(['off', 'from=', 'to=', '1.3']);
      expect(await completed('compare old')).toEqual(['old.jfr']);
      expect(await completed('import ol')).toEqual(['old.jfr']);
      expect(await completed('record t')).toEqual(['tier=base', 'tier=standard', 'tier=full']);
      expect(await completed('record pid=')).toEqual(['pid=', 'pid=4712', 'pid=4711']);
      expect(await completed('select m')).toEqual(['metric=']);
      expect(await completed('select metric=')).toEqual(['metric=cpu', 'metric=alloc']);
      expect(await completed('select metric=cpu version=1.')).toEqual(['version=1.4', 'version=1.3']);
      expect(await completed('top p')).toEqual(['pick', 'platform']);
      expect(await completed('clear ')).toEqual(['all']);
      expect(await completed('tasks ')).toEqual([]);
      await run(session, 'Insitu tasks all');
      await told(session, '":Insitu tasks" takes no arguments');
    });
  });
