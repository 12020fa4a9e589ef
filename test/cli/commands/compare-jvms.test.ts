// Tests `insitu compare` of several JVMs a side: what it reports, how a check ends, and the commit that it names.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changedMethods } from '../../../server/features/answers/changed-methods.ts';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { putPicture } from '../../support/insitu/lsp-store.ts';
import { insituProgram } from '../../support/insitu/program.ts';
import { putJvms, SHOP } from '../../support/stores/jvms-of-versions.ts';

/** A validator by the standard's schema. That is written in draft 4, which differs from later ones in how a schema is named. */
function sarifValidator() {
  const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json');
  const {
    $schema: _draft,
    id,
    ...schema
  } = JSON.parse(readFileSync(join(dirname(path), 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'));
  return new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile({ ...schema, $id: id });
}

let scratch: ScratchRepository;
let store: string;

beforeEach(() => {
  scratch = new ScratchRepository();
  store = mkdtempSync(join(tmpdir(), 'insitu-jvms-'));
  scratch.write('insitu.json', JSON.stringify({ project: 'acme', program: 'shop', store }));
});

afterEach(() => {
  scratch.remove();
  rmSync(store, { recursive: true });
});

function put(version: string, jvms: number, loads: Readonly<Record<string, number>>): Promise<void> {
  return putJvms(store, version, jvms, loads);
}

async function compare(...options: string[]) {
  return insitu('compare', 'a', 'b', '--store', store, '--project', 'acme', '--program', 'shop', ...options);
}

describe('five JVMs of each version', () => {
  test('equal code: nothing is reported, and a check passes', async () => {
    const load = { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 };
    await put('a', 5, load);
    await put('b', 5, load);
    const { out, status } = await compare('--fail-on', 'slower > 5%');
    expect(status).toBe(0);
    expect(out).toContain('5 JVMs before, 5 now: ');
    expect(out).toContain('no method got slower or faster beyond doubt');
    expect(out).not.toMatch(/slower:|faster:|, slower|, faster/);
    const quiet = await compare('--format', 'markdown', '--hot-path');
    expect([quiet.status, quiet.out]).toEqual([0, '']);
    expect(quiet.err).toBe('no method got slower or faster beyond doubt (5 JVMs before, 5 now)\n');
  });

  test('what got slower is named with the context that explains it; a check fails', async () => {
    await put('a', 5, { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 });
    await put('b', 5, { find: 2000, match: 6000, pack: 3000, ship: 1000, bill: 1000 });
    const { out, err, status } = await compare('--fail-on', 'slower > 5%');
    expect(status).toBe(1);
    expect(out).toMatch(
      /\nslower: Shop\.match: \+1[5-7] \(\d\d% → 4\d%\)\n {2}tested: Shop\.match \+1[5-7] \(\d\d% → 4\d%, ±[\d.]+, p 0\.8 %\)\n {2}called by Shop\.find ← Shop\.run\n/,
    );
    expect(out).not.toContain('faster');
    expect(err).toMatch(/^error: slower by more than 5\.0% of everything before: Shop\.match \+1/);
  });

  test('as SARIF, valid by its schema', async () => {
    await put('a', 5, { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 });
    await put('b', 5, { find: 2000, match: 6000, pack: 3000, ship: 1000, bill: 1000 });
    const log = JSON.parse((await compare('--format', 'sarif')).out);
    const validate = sarifValidator();
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...log, version: '1' })).toBe(false);
    const [slower] = log.runs[0].results;
    expect([slower.ruleId, slower.level]).toEqual(['slower', 'warning']);
    expect(slower.message.text).toContain('acme.Shop.match');
  });
});

describe('with the texts of both versions in git', () => {
  const inRepository = (...args: string[]) =>
    execFileSync(process.execPath, [insituProgram, 'compare', ...args, '--store', store, '--program', 'shop'], {
      cwd: scratch.root,
      encoding: 'utf8',
    });

  beforeEach(async () => {
    scratch.commit({ 'acme/Shop.java': SHOP });
    scratch.git('tag', 'a');
    scratch.commit({ 'acme/Other.java': 'package acme;\nclass Other {}\n' });
    scratch.commit({ 'acme/Shop.java': SHOP.replace('void match(int i) {}', 'void match(int i) { find(); }') });
    scratch.git('tag', 'b');
    await put('a', 5, { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 });
    await put('b', 5, { find: 2000, match: 6000, pack: 3000, ship: 1000, bill: 1000 });
  });

  test('the scale is anchored on unchanged code, and the commit that changed the method is named', () => {
    const out = inRepository('a', 'b');
    expect(out).toContain('anchored on code that did not change');
    const commit = scratch.git('rev-parse', '--short=7', 'b').trim();
    expect(out).toMatch(new RegExp(`\\nslower: Shop\\.match, changed in ${commit}: \\+(29|30|31) `));
    expect(out).toContain('acme/Shop.java:12');
  });

  test('as Markdown: the verdict in one sentence, and a table with place and commit', () => {
    const out = inRepository('a', 'b', '--format', 'markdown');
    const commit = scratch.git('rev-parse', '--short=7', 'b').trim();
    const [sentence, empty, head, rule, row, ...more] = out.split('\n');
    expect(sentence).toMatch(
      new RegExp(`^\`b\` against \`a\` \\(5 \\+ 5 JVMs; .*\\): slower: Shop\\.match, changed in ${commit}: \\+\\d\\d `),
    );
    expect([empty, head, rule]).toEqual([
      '',
      '| what | change | before | now | method | place | commit |',
      '| --- | ---: | ---: | ---: | --- | --- | --- |',
    ]);
    expect(row).toMatch(
      new RegExp(
        `^\\| slower \\| \\+\\d\\d \\| \\d\\d% \\| \\d\\d% \\| \`Shop\\.match\` \\| \`acme/Shop\\.java:12\` \\| ${commit} \\S.* \\|$`,
      ),
    );
    expect(more).toEqual(['']);
    expect(inRepository('b', 'a', '--format', 'markdown')).toMatch(/\n\| faster \| −\d\d /);
  });

  test('of a library that a changed method calls more, the code of that method is named', async () => {
    for (const [version, extra] of [
      ['a', 0],
      ['b', 4000],
    ] as const)
      for (let jvm = 0; jvm < 5; jvm++) {
        const under = extra === 0 ? '' : `\n      java.util.List.sort :12 | ${extra + 40 * jvm}@99`;
        const picture = `acme.Shop.run | 100@4\n  acme.Shop.find :4 | ${2000 + 9 * jvm}@10\n    acme.Shop.match :10 | 3000@12${under}\n  acme.Shop.pack :5 | 3000@13\n  acme.Shop.ship :6 | 1000@14\n  acme.Shop.bill :7 | 1000@15`;
        await putPicture(store, picture, { version, instance: `sorted-${version}-${jvm}` }, 100 + jvm);
      }
    const instances = ['a', 'b'].map(version => Array.from({ length: 5 }, (_, jvm) => `sorted-${version}-${jvm}`));
    const out = inRepository(
      ...['a', 'b'],
      ...instances[1]!.flatMap(name => ['--instance', name]),
      ...instances[0]!.flatMap(name => ['--before-instance', name]),
    );
    const commit = scratch.git('rev-parse', '--short=7', 'b').trim();
    expect(out).toContain(`slower: Shop.match → List.sort, new in ${commit}: +`);
  });

  test('--changed lists what the commits changed by its share, before anything is measured', () => {
    const out = inRepository('--changed', 'a..b', '--version', 'a');
    expect(out).toMatch(/1 methods changed, of which 1 ran\n/);
    expect(out).toMatch(/\n +(?:29|30)% +(?:29|30)% +changed +Shop\.match +acme\/Shop\.java:12 +[0-9a-f]{7} \S.*\n/);
    const { rows } = JSON.parse(inRepository('--changed', 'a..b', '--version', 'a', '--format', 'json'));
    const commit = { hash: scratch.git('rev-parse', 'b').trim() };
    expect(rows).toMatchObject([
      { name: 'Shop.match', change: 'changed', total: { text: expect.stringMatching(/29|30/) }, line: 12, commit },
    ]);
    expect(v.safeParse(v.array(changedMethods.result.entries.rows.item), rows).issues).toBeUndefined();
    expect(() => inRepository('--changed', 'a..nowhere')).toThrow(/git knows no commit "nowhere"/);
    expect(() => inRepository('--changed', '--upload-pack=x..b')).toThrow();
  });
});

test('three JVMs a side are not tested; a check cannot tell', async () => {
  await put('a', 3, { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 });
  await put('b', 3, { find: 2000, match: 6000, pack: 3000, ship: 1000, bill: 1000 });
  const { out, err, status } = await compare('--fail-on', 'slower > 5%');
  expect(status).toBe(3);
  expect(out).toContain('3 JVMs before, 3 now: not tested');
  expect(err).toMatch(/not tested .*a check needs [12] more JVMs before and [12] more now/);
});
