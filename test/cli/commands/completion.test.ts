// `insitu completion` and the manual page: both name every command and option, and bash completes with the script.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualPage } from '../../../server/cli/manual.ts';
import { wholeProgram } from '../../../server/cli/program.ts';
import { insitu } from '../../support/insitu/command-line.ts';

const ignore = () => undefined;

let folder = '';
let program: Command;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-completion-'));
  program = await wholeProgram({ out: ignore, err: ignore, data: ignore });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function script(shell: string): Promise<string> {
  const { out, status, err } = await insitu('completion', shell);
  expect([status, err]).toEqual([0, '']);
  return out;
}

test.each(['bash', 'zsh', 'fish'])('%s: every command with its options', async shell => {
  const text = await script(shell);
  for (const command of program.commands) {
    expect(text).toContain(command.name());
    for (const { long } of command.options) expect(text).toContain(shell === 'fish' ? `-l ${long?.slice(2)}` : long);
  }
  expect(text).toContain('collapsed pprof speedscope json');
});

describe('bash completes', () => {
  test.each([
    [
      ['insitu', 'ca'],
      ['callers', 'callees'],
    ],
    [['insitu', 'top', '--so'], ['--sort']],
    [
      ['insitu', 'top', '--sort', ''],
      ['own', 'self', 'total', 'change'],
    ],
    [['insitu', 'export', '--format', 's'], ['speedscope']],
    [
      ['insitu', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['insitu', 'import', 'rec'], ['recording.jfr']],
    [['insitu', 'top', '--recording', 'rec'], ['recording.jfr']],
  ])('%j', async (words, expected) => {
    writeFileSync(join(folder, 'recording.jfr'), '');
    const quoted = words.map(word => `'${word}'`).join(' ');
    const run = `${await script('bash')}COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _insitu; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['--norc', '-c', run], { cwd: folder, encoding: 'utf8' });
    expect(out.trimEnd().split('\n')).toEqual(expected);
  });
});

test.each([
  [[], /missing required argument 'shell'/],
  [['tcsh'], /'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish/],
])('%j ends with 2', async (args, message) => {
  const run = await insitu('completion', ...args);
  expect(run).toMatchObject({ status: 2, out: '' });
  expect(run.err).toMatch(message);
});

describe('the manual page', () => {
  test('has every command with its options and examples', () => {
    const page = manualPage(program, '1.2.3');
    expect(page).toMatch(/^\.TH INSITU 1 "" "insitu 1\.2\.3"/);
    for (const command of program.commands) {
      const [, own = ''] = page.split(`.SS insitu ${command.name()} `);
      const [section = ''] = own.split('\n.S');
      for (const { long } of command.options) expect(section).toContain(long?.replaceAll('-', '\\-'));
      expect(section).toMatch(/\nExamples?/);
    }
  });

  test('is text that a formatter of manual pages takes without a warning', () => {
    const page = manualPage(program, '1.2.3');
    expect(page).toMatch(/^[\n\x20-\x7e]*$/);
    for (const line of page.split('\n')) expect(line).toMatch(/^(?:[^.']|\.(?:TH|SH|SS|TP|PP|B|I|nf|fi)\b|$)/);
    const formatted = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: page, encoding: 'utf8' });
    // Not every machine has one.
    if (formatted.error === undefined) expect(formatted.stderr).toBe('');
  });
});
