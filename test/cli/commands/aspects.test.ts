// `insitu aspects` as a person calls it: the table, aspects of insitu.json with their mistakes at file and place, and what is said without any.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insituProgram } from '../../support/insitu/program.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-aspects-'));
  const stacks = [
    'acme.web.Handler.handle;acme.log.Log.debug 30',
    'acme.web.Handler.handle;acme.store.Store.save;acme.log.Log.info 20',
    'acme.web.Handler.handle;acme.store.Store.save 10',
    'acme.web.Handler.handle 40',
  ];
  writeFileSync(join(folder, 'stacks.collapsed'), `${stacks.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

function aspects(...args: readonly string[]) {
  const all = [insituProgram, 'aspects', ...args, '--recording', 'stacks.collapsed'];
  const { stdout, stderr, status } = spawnSync(process.execPath, all, { cwd: folder, encoding: 'utf8' });
  return { out: stdout, err: stderr, status };
}

function save(text: string): void {
  writeFileSync(join(folder, 'insitu.json'), text);
}

test('the order of the aspects decides, and samples of several are told', () => {
  save('{ "aspects": [{ "name": "log", "value": "Log" }, { "name": "store", "value": "*Store.*" }] }');
  const { out, err, status } = aspects();
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(
    /cpu +samples +also in +aspect\n50% +50 +store 20% +log\n *10% +10 +store\n *40% +40 +no aspect\n20% of the samples belong to several/,
  );
  expect(aspects('store', 'log').out).toMatch(/30% +30 +log 20% +store\n *30% +30 +log\n/);
  const given = aspects('--aspect', 'web = *Handler.*');
  expect(given.out).toMatch(/100% +100 .* web\n.* 0 .* log\n.* 0 .* store\n.* 0 .* no aspect\n/);
  expect(given.out).toContain('log: all of its samples belong to earlier aspects');
  const { rows, rest } = JSON.parse(aspects('--json').out);
  expect(rows.map(({ query }: { query: string }) => query)).toEqual(['..log', '..store and not ..log']);
  expect(rest.query).toBe('let earlier = log | store; not ..earlier');
});

test('a path filter cuts what is divided, and its own aspects come first', () => {
  save('{ "aspects": [{ "name": "log", "value": "Log" }] }');
  const { out } = aspects('--call-path', 'let keep = *Store.*; ..keep');
  expect(out).toContain('on the path 30%');
  expect(out).toMatch(/30% +30 +log 20% +keep\n.* 0 .* log\n.* 0 .* no aspect\n/);
});

test('mistakes have the file and the place in it; the others are told', () => {
  save(
    JSON.stringify({
      aspects: [
        { name: 'log', value: 'Log | *Nothing.*' },
        { name: 'bad', value: 'Log | | Store' },
        { name: 'two words', value: 'Store' },
        { name: 'gone', value: 'com.acme.**' },
      ],
    }),
  );
  const { out, err, status } = aspects();
  expect(status).toBe(1);
  const file = join(folder, 'insitu.json');
  expect(err).toContain(`error: ${file}: aspects[1].value, column 7: "|" does not fit after "|" (`);
  expect(err).toContain('names, classes and patterns with "|" between them');
  expect(err).toContain(`error: ${file}: aspects[2].name: queries cannot name an aspect "two words"`);
  expect(out).toMatch(/50% +50 +log\n/);
  expect(out).toContain('log: nothing that ran fits *Nothing.*');
  expect(out).toContain('bad: its definition has a mistake: its samples count for other aspects, or for none');
  expect(out).toContain('gone: no method that ran belongs to it');
  const unknown = aspects('lgo');
  expect(unknown.err).toContain('no aspect is called "lgo" (there are log, bad, two words, gone)');
  expect(unknown.out).not.toContain('No aspects are defined');
  expect(aspects('--aspect', 'x = Log |').err).toContain('aspect "x", column 6: something is missing');
});

test('an aspect that is defined by itself is a mistake, and an aspect that names it too', () => {
  save(
    JSON.stringify({
      aspects: [
        { name: 'Log', value: 'Store | Log' },
        { name: 'a', value: 'Handler | b' },
        { name: 'b', value: 'a' },
        { name: 'c', value: 'Handler | b' },
        { name: 'Store', value: '"Store"' },
      ],
    }),
  );
  const { out, err, status } = aspects();
  expect(status).toBe(1);
  const file = join(folder, 'insitu.json');
  const itself = 'it is defined by itself (take it out of its own definition; a method or class';
  expect(err).toContain(`error: ${file}: aspects[0].value, column 9: aspect "Log": ${itself}`);
  expect(err).toContain(`error: ${file}: aspects[1].value, column 11: aspect "b": aspect "a": ${itself}`);
  expect(err).toContain(`error: ${file}: aspects[2].value, column 1: aspect "a": ${itself}`);
  expect(err).toContain(`error: ${file}: aspects[3].value, column 11: aspect "b": aspect "a": ${itself}`);
  expect(out).toMatch(/30% +30 +Store\n *70% +70 +no aspect\n/);
  expect(aspects('--aspect', 'x = x').err).toContain(`aspect "x", column 1: aspect "x": ${itself}`);
});

test('without aspects the output has some of the program, which work', () => {
  save('{}');
  const { out, status } = aspects();
  expect(status).toBe(0);
  expect(out).toContain(
    "insitu aspects --aspect 'store = acme.store.*.*' --aspect 'log = acme.log.*.*' --aspect 'web = acme.web.*.*'",
  );
  const [, saved] = /^ {2}(\{.*\})$/m.exec(out)!;
  save(saved!);
  expect(aspects().out).toMatch(/30% +30 .*store\n *30% +30 .*log\n *40% +40 .*web\n.* 0 +.*no aspect\n/);
});
