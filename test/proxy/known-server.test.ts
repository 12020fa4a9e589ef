// Tests what is kept of a Java server from one start to the next: for its user alone, for the same command and editor, and never believed blindly.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { InitializeParams } from 'vscode-languageserver/node';
import { knownServer } from '../../server/proxy/known-server.ts';

const result = { capabilities: { hoverProvider: true }, serverInfo: { name: 'Java', version: '1' } };
const command = ['jdtls', '--token=secret-word'];

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'insitu-known-'));
  folder = join(root, 'insitu', 'java-servers');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const server = (words: readonly string[] = command, version = '1.0') =>
  knownServer({ folder, command: words, version });

function client(capabilities: InitializeParams['capabilities'] = {}): InitializeParams {
  return { processId: null, rootUri: null, capabilities };
}

test('the same command, editor and version get back what was said, and no other', () => {
  expect(server().read(client())).toBeNull();
  server().write(client(), result);
  expect(server().read(client())).toEqual(result);
  expect(server(['jdtls']).read(client())).toBeNull();
  expect(server(command, '1.1').read(client())).toBeNull();
  expect(server().read(client({ workspace: { applyEdit: true } }))).toBeNull();
});

test('what is kept is its user’s alone and says nothing of the command', () => {
  server().write(client(), result);
  const [name] = readdirSync(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  if (process.platform !== 'win32') {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name!)).mode & 0o777).toBe(0o600);
  }
  expect(name + readFileSync(join(folder, name!), 'utf8')).not.toContain('secret-word');
});

test('what we did not write is not believed', () => {
  server().write(client(), result);
  const [name] = readdirSync(folder);
  const odd = [
    '',
    'null',
    '[]',
    '{"capabilities":[]}',
    '{"capabilities":{"textDocumentSync":"2"}}',
    '{"capabilities":{"executeCommandProvider":{"commands":"insitu"}}}',
    '{"capabilities":{"codeActionProvider":{"codeActionKinds":[1]}}}',
    `{"capabilities":{"x":"${'x'.repeat(1 << 20)}"}}`,
  ];
  for (const text of odd) {
    writeFileSync(join(folder, name!), text);
    expect(server().read(client()), text.slice(0, 60)).toBeNull();
  }
  writeFileSync(join(folder, name!), '{"capabilities":{"textDocumentSync":2},"serverInfo":7}');
  expect(server().read(client())).toEqual({ capabilities: { textDocumentSync: 2 } });
});

test('few are kept, and a cache that cannot be written is no failure', () => {
  for (let i = 0; i < 40; i++) server([`jdtls${i}`]).write(client(), result);
  expect(readdirSync(folder)).toHaveLength(32);
  rmSync(folder, { recursive: true });
  mkdirSync(join(root, 'insitu'), { recursive: true });
  writeFileSync(folder, 'a file');
  server().write(client(), result);
  expect(server().read(client())).toBeNull();
});
