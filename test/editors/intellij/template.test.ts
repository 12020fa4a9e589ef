// The template folder for LSP4IJ holds what its loader reads, in the types that it casts to; what it would trip over is found.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../server/base/config.ts';
import { readSettings } from '../../../server/workspace/settings/read-settings.ts';
import { templateProblems, wordsOf } from './template.ts';

const folder = fileURLToPath(new URL('../../../clients/intellij/insitu', import.meta.url));
const files: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]),
);

type Template = { readonly programArgs: Readonly<Record<string, string>> };

function template(): Template {
  return JSON.parse(files['template.json']!);
}

/** The folder with one key of template.json changed; undefined takes it away. */
function changed(key: string, value: unknown): string[] {
  return templateProblems({ ...files, 'template.json': JSON.stringify({ ...template(), [key]: value }) });
}

test('the folder is as the loader wants it, with a README', () => {
  expect(templateProblems(files)).toEqual([]);
  expect(files['README.md']).toMatch(/^# insitu/);
});

test.each([
  ['programArgs', undefined, 'template.programArgs is missing'],
  ['programArgs', { windows: 'insitu.cmd' }, 'template.programArgs.default is missing'],
  ['programArgs', { default: ['insitu', 'lsp'] }, 'template.programArgs.default must be a command'],
  ['programArgs', { default: 'sh -c "insitu' }, 'template.programArgs.default must be closed by a second quote'],
  ['programArgs', { default: 'insitu', solaris: 'x' }, 'template.programArgs.solaris is read by nothing'],
  [
    'fileTypeMappings',
    [{ patterns: ['*.java'], languageId: 'java' }],
    'template.fileTypeMappings[0].fileType is missing',
  ],
  ['fileTypeMappings', [{ fileType: { patterns: '*.java' }, languageId: 'java' }], '.fileType.patterns must be a list'],
  ['languageMappings', [{ language: 'JAVA' }], 'template.languageMappings[0].languageId is missing'],
  ['env', { includeSystemEnvironmentVariables: 'yes', variables: {} }, 'Variables must be true or false'],
  ['disablePromotionFor', 'none', 'template.disablePromotionFor must be a list'],
  ['url', null, 'template.url must be a text'],
  ['expandConfiguration', undefined, 'template.expandConfiguration is missing'],
])('a template with another %s is refused', (key, value, problem) => {
  expect(changed(key, value).join('\n')).toContain(problem);
});

test('so are broken files, missing ones and files that nothing reads', () => {
  const { 'settings.json': _, ...rest } = files;
  expect(templateProblems(rest)).toEqual(['settings.json is missing']);
  expect(templateProblems({ ...files, 'settings.json': '{,}' }).join()).toMatch(/^settings\.json: SyntaxError/);
  expect(templateProblems({ ...files, 'setings.json': '{}' })).toEqual(['setings.json is read by nothing']);
});

test('the settings are ones of insitu, all of which the schema knows', () => {
  const { insitu } = JSON.parse(files['settings.json']!) as { insitu: unknown };
  expect(readSettings(JSON.stringify(insitu), 'settings.json', 'user').problems).toEqual([]);
  expect(JSON.parse(files['initializationOptions.json']!)).toEqual({});
  type Node = { readonly properties?: Readonly<Record<string, Node>> };
  const schema: Node = JSON.parse(files['settings.schema.json']!);
  for (const key of Object.keys(SETTINGS)) {
    const node = ['insitu', ...key.split('.')].reduce<Node | undefined>((at, part) => at?.properties?.[part], schema);
    expect(node, key).toMatchObject({ description: expect.any(String) });
  }
});

describe('the command line', () => {
  test('is that of the language server on every system', () => {
    const words = Object.fromEntries(
      Object.entries(template().programArgs).map(([system, line]) => [system, wordsOf(line)]),
    );
    const shell = ['sh', '-c', 'exec insitu lsp --stdio'];
    expect(words).toEqual({
      windows: ['insitu.cmd', 'lsp', '--stdio'],
      mac: shell,
      unix: shell,
      default: ['insitu', 'lsp', '--stdio'],
    });
  });

  test('starts the program of that name on the PATH, without a shell that stays', () => {
    const bin = mkdtempSync(join(tmpdir(), 'insitu-bin-'));
    try {
      const program = join(bin, 'insitu');
      writeFileSync(program, '#!/bin/sh\necho "$@" "$PPID"\n');
      chmodSync(program, 0o755);
      const [command, ...args] = wordsOf(template().programArgs.unix!);
      const { stdout } = spawnSync(command!, args, {
        env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
        encoding: 'utf8',
      });
      expect(stdout).toBe(`lsp --stdio ${process.pid}\n`);
    } finally {
      rmSync(bin, { recursive: true });
    }
  });
});
