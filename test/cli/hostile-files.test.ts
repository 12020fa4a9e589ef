// The commands as processes among links, pipes and devices: each ends by itself, reads nothing outside, and says what it left out.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FILE_BYTES_MAX } from '../../server/mapping/source-walk.ts';
import type { CommandRun } from '../support/insitu/command-line.ts';
import { putPicture } from '../support/insitu/lsp-store.ts';
import { insituProgram } from '../support/insitu/program.ts';
import { patient } from '../support/patience.ts';

/** Only what never ends takes so long. */
const HANGS_MILLIS = 40_000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-hostile-'));
  writeFileSync(join(folder, 'insitu.json'), '{ "project": "acme", "store": ".store" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (path: string) => join(folder, path);

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

/** The real program; status -1 where it did not end. */
async function run(args: readonly string[], input = ''): Promise<CommandRun> {
  const child = spawn(process.execPath, [insituProgram, ...args], {
    cwd: folder,
    timeout: patient(HANGS_MILLIS),
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', text => out.push(text));
  child.stderr.setEncoding('utf8').on('data', text => err.push(text));
  const { promise, resolve } = Promise.withResolvers<number>();
  child.on('close', status => resolve(status ?? -1));
  return { status: await promise, out: out.join(''), err: err.join('') };
}

describe('insitu frames', () => {
  const questions = ['Shop', 'Inner', 'Outside', 'Endless'].map(name =>
    JSON.stringify({ class: `p.${name}`, method: 'run' }),
  );

  test('enters no link that leads out, back or nowhere, and names each', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'insitu-outside-'));
    try {
      writeFileSync(join(outside, 'Outside.java'), 'package p; class Outside { void run() {} }');
      write('src/p/Shop.java', 'package p; class Shop { void run() {} }');
      write('src/.hidden/Inner.java', 'package p; class Inner { void run() {} }');
      symlinkSync('loop', at('src/loop'));
      symlinkSync('Loop.java', at('src/Loop.java'));
      symlinkSync('nowhere', at('src/dangling'));
      symlinkSync('/', at('src/machine'));
      symlinkSync('..', at('src/p/up'));
      symlinkSync(outside, at('src/elsewhere'));
      symlinkSync(join(outside, 'Outside.java'), at('src/Linked.java'));
      symlinkSync('.hidden', at('src/inside'));
      symlinkSync('/dev/zero', at('src/Endless.java'));
      spawnSync('mkfifo', [at('src/Pipe.java')]);
      const { status, out, err } = await run(['frames', '--sources', at('src')], questions.join('\n'));
      expect(status).toBe(0);
      const answers = out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line));
      expect(answers.map(({ file }) => file?.slice(folder.length))).toEqual([
        '/src/p/Shop.java',
        '/src/inside/Inner.java',
        undefined,
        undefined,
      ]);
      const told = err
        .trimEnd()
        .split('\n')
        .map(line => line.replaceAll(folder, ''))
        .sort();
      const files = ['Endless.java', 'Linked.java', 'Loop.java', 'Pipe.java'];
      const left = [...files, 'dangling', 'elsewhere', 'loop', 'machine', 'p/up'];
      expect(told.map(line => /^\w+: \/src\/(.*?): left out: /.exec(line)?.[1]).sort()).toEqual(left);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test('names a folder of sources that cannot be reached', async () => {
    symlinkSync('self', at('self'));
    write('file', '');
    for (const [name, why] of [
      ['self', 'leads back to itself'],
      ['none', 'there is no such folder'],
      ['file', 'there is no such folder'],
    ]) {
      const { status, err } = await run(['frames', '--sources', at(name!)]);
      expect([name, status]).toEqual([name, 1]);
      expect(err).toContain(at(name!));
      expect(err).toContain(why);
      expect(err).not.toMatch(/\n\s+at /);
    }
  });
});

describe.each(['annotate', 'outline'])('insitu %s', command => {
  test('refuses what is no file of a size to read, and ends', async () => {
    await putPicture(at('.store'), 'Shop.run | 20@3');
    spawnSync('mkfifo', [at('Pipe.java')]);
    symlinkSync('Pipe.java', at('ToPipe.java'));
    symlinkSync('/dev/zero', at('Zero.java'));
    symlinkSync('Loop.java', at('Loop.java'));
    symlinkSync('nowhere', at('Dangling.java'));
    mkdirSync(at('Folder.java'));
    writeFileSync(at('Huge.java'), '');
    truncateSync(at('Huge.java'), FILE_BYTES_MAX + 1);
    const results = await Promise.all(
      ['Pipe', 'ToPipe', 'Zero', 'Loop', 'Dangling', 'Folder', 'Huge'].map(async name => {
        const { status, err } = await run([command, at(`${name}.java`)]);
        return [name, status, err.replaceAll(folder, '')];
      }),
    );
    const line = (name: string, why: string) => `error: /${name}.java: ${why} (give the path of a Java file)\n`;
    expect(results).toEqual([
      ['Pipe', 1, line('Pipe', 'this is a pipe or a device, not a file')],
      ['ToPipe', 1, line('ToPipe', 'this is a pipe or a device, not a file')],
      ['Zero', 1, line('Zero', 'this is a pipe or a device, not a file')],
      ['Loop', 1, line('Loop', 'this is a link that leads back to itself')],
      ['Dangling', 1, line('Dangling', 'there is no such file')],
      ['Folder', 1, line('Folder', 'this is a folder, not a file')],
      ['Huge', 1, line('Huge', 'the file is larger than 2 MiB')],
    ]);
  });
});

describe('other files that a command opens', () => {
  test.each(['insitu.json as a pipe', 'insitu.json as a device'])('%s', async how => {
    await putPicture(at('.store'), 'Shop.run | 20@3');
    rmSync(at('insitu.json'));
    if (how.endsWith('pipe')) spawnSync('mkfifo', [at('insitu.json')]);
    else symlinkSync('/dev/zero', at('insitu.json'));
    const { status, err } = await run(['top', '--store', at('.store'), '--project', 'acme']);
    expect(status).toBe(0);
    expect(err).toContain(`${at('insitu.json')}: cannot be read: this is a pipe or a device, not a file`);
  });

  test('a recording that is a pipe is refused by import and export', async () => {
    spawnSync('mkfifo', [at('pipe.jfr')]);
    for (const args of [
      ['import', at('pipe.jfr'), '--program', 'shop'],
      ['export', at('pipe.jfr')],
    ]) {
      const { status, err } = await run(args);
      expect([args[0], status]).toEqual([args[0], 1]);
      expect(err).toContain(`${at('pipe.jfr')}: this is a pipe or a device, not a file`);
    }
  });

  test('sources of an import are looked for within their folder, and what is left out is named', async () => {
    write('shop.txt', 'p.Shop.run 5\n');
    write('src/p/Shop.java', 'package p; class Shop { void run() {} }');
    symlinkSync('/', at('src/machine'));
    symlinkSync('loop', at('src/loop'));
    const args = ['import', at('shop.txt'), '--program', 'shop', '--sources', at('src')];
    const { status, err } = await run(args);
    expect(err).toContain(`${at('src/machine')}: left out`);
    expect(err).toContain(`${at('src/loop')}: left out`);
    expect(status).toBe(0);
  });
});
