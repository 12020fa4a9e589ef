// `insitu query` as a person and a check call it: costs, refinements, views, aspects of insitu.json, mistakes, exit statuses.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TYPED } from '../../../server/model/time-types.ts';
import { type CommandRun, insitu } from '../../support/insitu/command-line.ts';
import { putProfile } from '../../support/insitu/lsp-store.ts';
import { numbersIn } from '../../support/insitu/numbers-in.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { profileOfStacks } from '../../support/profiles/profiles.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-query-'));
  const stacks = [
    'Main.run;acme.Handler.handle;acme.Log.debug 30',
    'Main.run;acme.Handler.handle;acme.Store.save;acme.Log.info 20',
    'Main.run;acme.Report.print;acme.Log.info 50',
    'Main.run;acme.Handler.handle 100',
  ];
  writeFileSync(join(folder, 'stacks.collapsed'), `${stacks.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

function query(...args: readonly string[]): Promise<CommandRun> {
  return insitu('query', ...args, '--recording', join(folder, 'stacks.collapsed'));
}

describe('insitu query', () => {
  test('costs and refinements, as JSON', async () => {
    const { out, err, status } = await query(
      'Handler.handle ..logs',
      '--aspect',
      'logs = Log.*',
      '--refine',
      'up',
      '--json',
    );
    expect([status, err]).toEqual([0, '']);
    const found = numbersIn(out);
    expect(found.cost).toEqual({ part: 50, whole: 200, samples: 50 });
    // Where handle itself calls the log, no method stands between them.
    expect(found.rows).toEqual([
      {
        name: 'acme.Store.save',
        aspect: false,
        query: 'Handler.handle ..acme.Store.save logs',
        lowerBound: false,
        estimated: false,
        ofRecorded: false,
        ofAll: { part: 20, whole: 200, samples: 20 },
        ofPath: { part: 20, whole: 50, samples: 20 },
      },
    ]);
  });

  test('the text has both shares', async () => {
    const { out } = await query('* ..acme.Log', '--refine', 'down');
    expect(out).toContain('50 % · 100 of 200');
    expect(out).toMatch(
      /of all +of path +samples +x\n +35% +70% +70 +acme\.Log\.info\n +15% +30% +30 +acme\.Log\.debug/,
    );
  });

  test('in the Server View processors that idle are part of the whole', async () => {
    const [dump, store] = [join(folder, 'dump.txt'), join(folder, 'dumped')];
    const thread = (name: string, state: string) =>
      `"${name}" #7 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: ${state}\n\tat acme.Work.${name}(Work.java:7)\n\n`;
    const threads = thread('go', 'RUNNABLE') + thread('turn', 'RUNNABLE') + thread('rest', 'WAITING (parking)');
    writeFileSync(
      dump,
      `2026-11-20 16:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n${threads}`,
    );
    const target = ['--store', store, '--project', 'acme', '--program', 'work'];
    expect((await insitu('import', dump, '--processors', '8', ...target)).status).toBe(0);
    const { out, err } = await insitu('query', '* ..Work.go', '--view', 'server', '--refine', 'down', ...target);
    expect(err).toBe('');
    expect(out).toContain('100 % is 8 s of all processors, 75 % of it idle · 2 samples with a processor');
    expect(out).toContain('13 % · 1 s of 8 s · 1 sample (estimated)  * ..Work.go');
    const refused = await query('*', '--view', 'server');
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('metric "typed" was not recorded')]);
  });

  test('a share of what was recorded says so, and has no interval', async () => {
    const store = join(folder, 'typed');
    const typed = (count: number, seconds: number, ...frames: readonly string[]) => ({
      ...{ count, weight: seconds * 1e9 },
      frames: frames.map(method => ({ method, line: 0 })),
    });
    const run = 'acme.Shop.run';
    const stacks = [typed(20, 6, run, ':IO'), typed(40, 4, run, ':RUN'), typed(10, 90, ':UNRECORDED')];
    await putProfile(store, profileOfStacks(stacks, { metrics: [{ ...TYPED, estimated: true }] }));
    const target = ['--store', store, '--project', 'acme', '--program', 'shop'];
    const lineOf = async (...args: readonly string[]) => (await insitu('query', ...args, ...target)).out.split('\n')[2];
    expect(await lineOf('* ..:IO')).toBe('≥ 6.0 % · 6 s of 100 s · 20 of 70 samples  * ..:IO');
    const told = '60 % · 6 s of 10 s · 20 of 60 samples (of what was recorded)  * ..:IO';
    expect(await lineOf('* ..:IO', '--focus', run)).toBe(told);
    expect(await lineOf(`* ..:IO where * ..${run}`)).toBe(`${told} where * ..${run}`);
    const json = await insitu('query', '* ..:IO', '--focus', run, '--json', ...target);
    expect(JSON.parse(json.out)).toMatchObject({ lowerBound: false, ofRecorded: true, cost: { interval: null } });
    expect(await lineOf(`* ..:IO where * ..${run}`, '--fail-if', '> 70%')).toBe(`${told} where * ..${run}`);
  });

  test('a check fails, passes, or cannot tell', async () => {
    const statusOf = async (...args: readonly string[]) => (await query('* ..Log.*', ...args)).status;
    expect(await statusOf('--fail-if', '> 49%')).toBe(1);
    expect(await statusOf('--fail-if', '> 50%')).toBe(0);
    expect(await statusOf('--fail-if', '< 60%')).toBe(1);
    const few = await query('* ..Log.* where Log.debug', '--fail-if', '> 50%');
    expect([few.status, few.err]).toEqual([3, 'warning: too few samples to tell: 30 (record at least 50)\n']);
  });

  test('a mistake is underlined', async () => {
    const { err, status } = await query('* ..Handler.handel');
    expect(status).toBe(2);
    expect(err).toContain('  * ..Handler.handel\n      ^^^^^^^^^^^^^^\nerror: column 5: no method that ran');
    expect(err).toContain('did you mean acme.Handler.handle?');
    expect((await query('*', '--view', 'nobody')).status).toBe(2);
    expect((await query('*', '--view', 'thread:nobody')).err).toContain('no thread fits the view');
  });

  test('without a path, classes of threads', async () => {
    const { rows: classes } = numbersIn((await query('--json')).out);
    expect(classes).toMatchObject([{ names: 1, share: { samples: 200 } }]);
  });

  test('aspects of insitu.json', async () => {
    writeFileSync(join(folder, 'insitu.json'), JSON.stringify({ aspects: [{ name: 'logs', value: 'Log.*' }] }));
    const args = [insituProgram, 'query', '* ..logs', '--recording', 'stacks.collapsed', '--json'];
    const { cost } = numbersIn(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
    expect(cost.samples).toBe(100);
  });
});
