// The settings for Zed hold only documented keys in documented types; the command and the launcher start our server in front of jdtls.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { lspCommand } from '../../../server/cli/commands/lsp.ts';
import { readSettings } from '../../../server/workspace/settings/read-settings.ts';

const folder = fileURLToPath(new URL('../../../clients/zed', import.meta.url));

type Settings = {
  readonly languages: { readonly Java: object };
  readonly lsp: {
    readonly jdtls: {
      readonly binary: { readonly path: string; readonly arguments: readonly string[] };
      readonly initialization_options: { readonly insitu: object };
    };
  };
};

const flag = { type: 'boolean' };

function object(properties: object): object {
  return { type: 'object', additionalProperties: false, properties };
}

/** The part of Zed's documented settings that a language server in a language needs. */
const valid = new Ajv().compile<Settings>(
  object({
    languages: {
      type: 'object',
      additionalProperties: object({
        inlay_hints: object({
          enabled: flag,
          show_type_hints: flag,
          show_parameter_hints: flag,
          show_other_hints: flag,
        }),
        language_servers: { type: 'array', items: { type: 'string' } },
        enable_language_server: flag,
      }),
    },
    lsp: {
      type: 'object',
      additionalProperties: object({
        binary: object({
          path: { type: 'string', minLength: 1 },
          arguments: { type: 'array', items: { type: 'string' } },
          env: { type: 'object', additionalProperties: { type: 'string' } },
          ignore_system_version: flag,
        }),
        initialization_options: { type: 'object' },
        settings: { type: 'object' },
      }),
    },
  }),
);

function settings(): Settings {
  return JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'));
}

test('the settings are ones that Zed documents, and ones of insitu', () => {
  expect(valid(settings()), JSON.stringify(valid.errors)).toBe(true);
  const { insitu } = settings().lsp.jdtls.initialization_options;
  expect(readSettings(JSON.stringify(insitu), 'settings.json', 'user').problems).toEqual([]);
  expect(settings().languages.Java).toMatchObject({ inlay_hints: { enabled: true, show_other_hints: true } });
});

test.each([
  ['args', { lsp: { jdtls: { binary: { path: 'insitu', args: ['lsp'] } } } }],
  ['one text for arguments', { lsp: { jdtls: { binary: { path: 'insitu', arguments: 'lsp' } } } }],
  ['a server outside lsp', { jdtls: {} }],
  ['initializationOptions', { lsp: { jdtls: { initializationOptions: {} } } }],
])('%s is found', (_, wrong) => {
  expect(valid(wrong)).toBe(false);
});

test('the command starts the server in front of jdtls', () => {
  const { path, arguments: words } = settings().lsp.jdtls.binary;
  const lsp = lspCommand({ out: () => {}, err: () => {}, data: () => {} });
  expect([path, words[0]]).toEqual(['insitu', 'lsp']);
  expect(lsp.parseOptions(words.slice(1))).toEqual({ operands: [], unknown: [] });
  expect(lsp.opts()).toEqual({ stdio: true, wrap: 'jdtls' });
});

test.each([
  [{}, 'jdtls'],
  [{ INSITU_JDTLS: '"/opt/java server/jdtls" -v' }, '"/opt/java server/jdtls" -v'],
])('the launcher hands on what the Java extension gives it, with %j', (env, java) => {
  const bin = mkdtempSync(join(tmpdir(), 'insitu-zed-'));
  try {
    const program = join(bin, 'insitu');
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@" "$PPID"\n');
    chmodSync(program, 0o755);
    const given = ['--jvm-arg=-javaagent:/a b/lombok.jar', '-data', 'x'];
    const { stdout } = spawnSync(join(folder, 'jdtls-with-insitu'), given, {
      env: { ...env, PATH: `${bin}:${process.env.PATH}` },
      encoding: 'utf8',
    });
    expect(stdout.trim().split('\n')).toEqual(['lsp', '--stdio', '--wrap', java, '--', ...given, `${process.pid}`]);
  } finally {
    rmSync(bin, { recursive: true });
  }
});
