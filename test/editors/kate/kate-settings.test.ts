// The files for Kate's LSP Client plugin hold only what the plugin reads, in the types that it reads it in, and start our server.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { lspCommand } from '../../../server/cli/commands/lsp.ts';
import { readSettings } from '../../../server/workspace/settings/read-settings.ts';

type Server = {
  readonly command: readonly string[];
  readonly rootIndicationFileNames: readonly string[];
  readonly highlightingModeRegex: string;
  readonly initializationOptions: { readonly insitu: object };
};
type Settings = { readonly servers: { readonly java: Server } };

const text = { type: 'string', minLength: 1 };
const words = { type: 'array', items: text, minItems: 1 };

/** The settings of a server that Kate 25 reads. Kate passes over other keys and types in silence, so that a slip of the pen shows nowhere. */
const valid = new Ajv().compile<Settings>({
  type: 'object',
  required: ['servers'],
  additionalProperties: false,
  properties: {
    global: { type: 'object' },
    servers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['command', 'highlightingModeRegex'],
        additionalProperties: false,
        properties: {
          command: words,
          commandDebug: words,
          path: words,
          root: { type: 'string' },
          rootIndicationFileNames: words,
          rootIndicationFilePatterns: words,
          url: text,
          use: text,
          highlightingModeRegex: text,
          documentLanguageId: { type: 'boolean' },
          useWorkspace: { type: 'boolean' },
          settings: { type: 'object' },
          initializationOptions: { type: 'object' },
        },
      },
    },
  },
});

function settings(name: string): Settings {
  return JSON.parse(readFileSync(new URL(`../../../clients/kate/${name}`, import.meta.url), 'utf8'));
}

describe.each(['settings.json', 'alone.json'])('%s', name => {
  const { java } = settings(name).servers;

  test('is as the plugin reads it', () => {
    expect(valid(settings(name)), JSON.stringify(valid.errors)).toBe(true);
    expect(readSettings(JSON.stringify(java.initializationOptions.insitu), name, 'user').problems).toEqual([]);
  });

  test('is for Java alone', () => {
    const mode = new RegExp(java.highlightingModeRegex, 'i');
    expect(['Java', 'JavaScript', 'Javadoc', 'JavaScript React (JSX)'].filter(each => mode.test(each))).toEqual([
      'Java',
    ]);
  });

  test('starts the server, which knows all of its arguments', () => {
    const [program, command, ...rest] = java.command;
    expect([program, command]).toEqual(['insitu', 'lsp']);
    const lsp = lspCommand({ out: () => {}, err: () => {}, data: () => {} });
    expect(lsp.parseOptions(rest)).toEqual({ operands: [], unknown: [] });
    expect(lsp.opts()).toEqual(name === 'alone.json' ? { stdio: true } : { stdio: true, wrap: 'jdtls' });
  });
});

test.each([
  [
    'a key that the plugin does not read',
    { servers: { java: { ...settings('alone.json').servers.java, rootIndicatorFileNames: ['a'] } } },
  ],
  [
    'a command in one text with no words',
    { servers: { java: { ...settings('alone.json').servers.java, command: [] } } },
  ],
  ['no servers', { java: settings('alone.json').servers.java }],
])('%s is found', (_, wrong) => {
  expect(valid(wrong)).toBe(false);
});
