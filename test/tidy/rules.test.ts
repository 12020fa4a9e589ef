// Each house rule finds what it is there to find, and leaves its neighbour alone.
import { expect, test } from 'vitest';
import { formatViolations, type Rule } from './files.ts';
import { castRule, leftoverRule, skipRule, traceRule } from './forbidden.ts';
import { circleRule, layerRule, mirrorRule } from './layers.ts';
import { lookRule } from './looks.ts';
import { nounRule } from './plain-words.ts';
import { fileLengthRule, functionLengthRule, headerRule, nameRule } from './shape.ts';
import { streamRule } from './streams.ts';
import { deadFileRule, messageRule } from './usage.ts';

type Files = Readonly<Record<string, string>>;

/** `path:line` of each violation that the rule finds in these files. */
function found(rule: Rule, files: Files): string[] {
  const list = Object.entries(files).map(([path, text]) => ({ path, text }));
  return rule(list).map(({ path, line }) => `${path}:${line}`);
}

test.each<[string, string, string, boolean]>([
  ['to the right', 'server/cct/tree.ts', "import { x } from '../metrics/x.ts';", true],
  ['to the right, types only', 'server/base/a.ts', "import type { X } from '../ingest/x.ts';", true],
  ['to a neighbour of the same rank', 'server/cct/tree.ts', "import { x } from '../../grammar/x.ts';", true],
  ['by re-export', 'server/cct/tree.ts', "export { x } from '../store/x.ts';", true],
  ['at run time', 'server/cct/tree.ts', "const x = await import('../lsp/x.ts');", true],
  ['from the server to the tests', 'server/cct/tree.ts', "import { x } from '../../test/x.ts';", true],
  ['of the protocol outside lsp', 'server/features/a.ts', "import { Range } from 'vscode-languageserver';", true],
  ['from a client to the server', 'clients/vscode/a.ts', "import { x } from '../../server/base/x.ts';", true],
  ['of files in the tree', 'server/cct/tree.ts', "import { readFileSync } from 'node:fs';", true],
  ['of files without their prefix', 'server/cct/tree.ts', "import { readFile } from 'fs/promises';", true],
  ['of the network in metrics', 'server/metrics/a.ts', "import { connect } from 'node:net';", true],
  ['of processes in features', 'server/features/a.ts', "import { spawn } from 'node:child_process';", true],
  ['of threads in the grammar', 'grammar/a.ts', "const { Worker } = await import('node:worker_threads');", true],
  ['of what another such layer may import', 'grammar/a.ts', "import { runInContext } from 'node:vm';", true],
  ['of files in the snapshot format', 'server/snapshot/a.ts', "import { open } from 'node:fs/promises';", true],
  ['of expressions with a time limit in metrics', 'server/metrics/a.ts', "import { Script } from 'node:vm';", false],
  ['of digests in the grammar', 'grammar/a.ts', "import { createHash } from 'node:crypto';", false],
  ['of files in a store', 'server/store/a.ts', "import { open } from 'node:fs/promises';", false],
  ['to the left', 'server/metrics/a.ts', "import { x } from '../cct/x.ts';", false],
  ['inside a layer', 'server/ingest/jfr/a.ts', "import { x } from '../x.ts';", false],
  ['of the protocol in lsp', 'server/lsp/a.ts', "import { Range } from 'vscode-languageserver/node';", false],
  [
    'of the protocol in the proxy',
    'server/proxy/a.ts',
    "import type { Hover } from 'vscode-languageserver/node';",
    false,
  ],
  ['of message framing in the proxy', 'server/proxy/a.ts', "import { x } from '../lsp/wire/frames.ts';", false],
  ['from the server to the proxy', 'server/lsp/a.ts', "import { x } from '../proxy/envelope.ts';", true],
  ['from the tests to anything', 'test/a.ts', "import { x } from '../server/lsp/x.ts';", false],
  ['of a room by its door', 'server/analysis/a.ts', "import { x } from '../capabilities/typed/door.ts';", false],
  ['of a room past its door', 'server/analysis/a.ts', "import { x } from '../capabilities/typed/words.ts';", true],
  ['of a room by the core', 'server/workspace/a.ts', "import { x } from '../capabilities/typed/door.ts';", true],
  ['inside a room', 'server/capabilities/typed/a.ts', "import { x } from './words.ts';", false],
  ['of the core by a room', 'server/capabilities/typed/a.ts', "import { x } from '../../metrics/x.ts';", false],
  ['of the layer above by a room', 'server/capabilities/typed/a.ts', "import { x } from '../../analysis/x.ts';", true],
  ['of another room', 'server/capabilities/typed/a.ts', "import { x } from '../compare/door.ts';", true],
  ['of a room of features by its door', 'server/features/top.ts', "import { x } from './compare/door.ts';", false],
  ['of a room of features past its door', 'server/features/top.ts', "import { x } from './compare/a.ts';", true],
  [
    'of a door that a room of features may import',
    'server/features/compare/a.ts',
    "import { x } from '../../capabilities/compare/door.ts';",
    false,
  ],
  [
    'of another door by a room of features',
    'server/features/compare/a.ts',
    "import { x } from '../../capabilities/typed/door.ts';",
    true,
  ],
  ['of files in a room', 'server/capabilities/typed/a.ts', "import { open } from 'node:fs/promises';", true],
])('an import %s', (_title, path, text, wrong) => {
  expect(found(layerRule, { [path]: text })).toEqual(wrong ? [`${path}:1`] : []);
});

test('a folder of the server that is no layer, or no room', () => {
  expect(found(layerRule, { 'server/drawer/a.ts': '' })).toEqual(['server/drawer/a.ts:1']);
  const capabilities = [
    'server/capabilities/a.ts',
    'server/capabilities/drawer/a.ts',
    'server/capabilities/typed/a.ts',
  ];
  expect(found(layerRule, Object.fromEntries(capabilities.map(path => [path, ''])))).toEqual([
    'server/capabilities/a.ts:1',
    'server/capabilities/drawer/a.ts:1',
  ]);
});

test('tests of a layer in a folder that the layer does not have', () => {
  const files = {
    'server/features/lenses.ts': '',
    'server/features/hints/hints.ts': '',
    'grammar/lexer.ts': '',
    'test/features/hints/hints.test.ts': '',
    'test/features/edited.test.ts': '',
    'test/features/hint/lines.test.ts': '',
    'test/grammar/lexer.test.ts': '',
    'test/grammar/words/lexer.test.ts': '',
    'test/grammar/corpus/A.java': '',
    'test/editors/kate/kate.test.ts': '',
  };
  expect(found(mirrorRule, files)).toEqual([
    'test/features/hint/lines.test.ts:1',
    'test/grammar/words/lexer.test.ts:1',
  ]);
});

test('headers in each language', () => {
  const good = {
    'a.ts': '// Says what the file does.\n',
    'a.lua': '-- Says what the file does.\n',
    'a.sh': '#!/bin/sh\n# Says what the file does.\n',
    run: '#!/bin/bash\n# Says what the file does.\n',
    'a.cjs': '#!/usr/bin/env node\n// Says what the file does.\n',
    'notes.md': 'anything',
  };
  expect(found(headerRule, good)).toEqual([]);
  const bad = {
    'a.ts': "import 'x';\n",
    'b.ts': '\n// Says what the file does.\n',
    'a.java': 'package a;\n',
    'a.lua': '-- short\n',
    run: '#!/bin/bash\nset -e\n',
    'a.mjs': '',
  };
  expect(found(headerRule, bad)).toEqual(['a.ts:1', 'b.ts:1', 'a.java:1', 'a.lua:1', 'run:2', 'a.mjs:1']);
});

test('circles of files in the server, the grammar and the sources of each client', () => {
  const circle = (folder: string, ending: string) => ({
    [`${folder}/a.ts`]: `import type { B } from './b.${ending}';`,
    [`${folder}/b.${ending}`]: "export { c } from './c.ts';",
    [`${folder}/c.ts`]: "const a = await import('./a.ts');",
    [`${folder}/beside.ts`]: "import './a.ts';",
  });
  const planted = {
    ...circle('server/lsp/wire', 'ts'),
    ...circle('grammar', 'ts'),
    ...circle('clients/web/src', 'tsx'),
    ...circle('clients/vscode/src/panels', 'ts'),
  };
  const first = [
    'server/lsp/wire/a.ts:1',
    'grammar/a.ts:1',
    'clients/web/src/a.ts:1',
    'clients/vscode/src/panels/a.ts:1',
  ];
  expect(found(circleRule, planted)).toEqual(first.toSorted());
  const cut = Object.entries(planted).map(([path, text]) => [path, path.endsWith('/c.ts') ? '' : text]);
  expect(found(circleRule, Object.fromEntries(cut))).toEqual([]);
});

test('files of 500 lines pass, of 501 do not', () => {
  expect(found(fileLengthRule, { 'a.ts': 'x\n'.repeat(500), 'b.md': 'x\n'.repeat(900) })).toEqual([]);
  expect(found(fileLengthRule, { 'a.lua': 'x\n'.repeat(501) })).toEqual(['a.lua:501']);
});

test('functions are measured without those inside them', () => {
  const body = (lines: number): string => 'x();\n'.repeat(lines);
  expect(found(functionLengthRule, { 'a.ts': `function f() {\n${body(68)}}` })).toEqual([]);
  expect(found(functionLengthRule, { 'a.ts': `function f() {\n${body(69)}}` })).toEqual(['a.ts:1']);
  expect(found(functionLengthRule, { 'a.ts': `class A {\n\n m() {\n${body(69)}}\n}` })).toEqual(['a.ts:3']);
  const nested = `function f() {\n const g = () => {\n${body(60)} };\n${body(60)}}`;
  expect(found(functionLengthRule, { 'a.ts': nested })).toEqual([]);
  expect(
    found(functionLengthRule, { 'a.ts': `const f = () => {\n${body(10)} const g = () => {\n${body(69)} };\n}` }),
  ).toEqual(['a.ts:12']);
  expect(found(functionLengthRule, { 'test/a.ts': `describe('a', () => {\n${body(90)}});` })).toEqual([]);
  expect(found(functionLengthRule, { 'test/a.ts': `test('a', () => {\n${body(90)}});` })).toEqual(['test/a.ts:1']);
});

test('names that say nothing', () => {
  expect(
    found(nameRule, { 'server/cct/index.ts': '', 'test/utils.ts': '', 'server/mapping/class-index.ts': '' }),
  ).toEqual(['server/cct/index.ts:1', 'test/utils.ts:1']);
});

test.each([
  "test.skip('a', () => {});",
  "describe.only('a', () => {});",
  "it.todo('a');",
  "test.skipIf(x)('a', () => {});",
  "test.each([1]).skip('a', () => {});",
  "test('a', { skip: true }, () => {});",
  "test('a', context => { context.skip(); });",
  "xit('a', () => {});",
  "test.fails('a', () => {});",
])('a skipped or focused test: %s', text => {
  expect(found(skipRule, { 'test/a.test.ts': text })).toEqual(['test/a.test.ts:1']);
});

test('skipping something else is fine, and so is the one place that may skip', () => {
  expect(found(skipRule, { 'test/a.test.ts': "cursor.skip(4); f({ only: 'fast' }); expect(a.only).toBe(1);" })).toEqual(
    [],
  );
  expect(found(skipRule, { 'test/support/engines/needs.ts': "test.skip('a', () => {});" })).toEqual([]);
});

test.each([
  'const a: any = 1;',
  'const a = b as unknown as C;',
  '// @ts-ignore\nf();',
  '// @ts-expect-error it is late\nf();',
  '// biome-ignore lint: no\nf();',
])('a way around the type checker: %s', text => {
  expect(found(castRule, { 'server/a.ts': text })).toEqual(['server/a.ts:1']);
});

test('ordinary casts, and words in text, are fine', () => {
  expect(found(castRule, { 'a.ts': "const a = b as C; const c: unknown = 'any'; // any of them" })).toEqual([]);
});

test('notes for later and code in comments', () => {
  expect(found(leftoverRule, { 'a.ts': `f();\n// ${'TO'}DO: more\n` })).toEqual(['a.ts:2']);
  expect(found(leftoverRule, { 'a.ts': '// const a = f();\n' })).toEqual(['a.ts:1']);
  expect(found(leftoverRule, { 'a.ts': '// If it is empty; else the rest.\n// return the smaller one.' })).toEqual([]);
});

test.each([
  ['a.ts', 'f();\n/** The first of those that fit. */', 2],
  ['a.ts', '/**\n * What\n * stands there.\n */', 2],
  ['a.tsx', '// Whoever calls it, and those\n// who look.', 1],
  ['a.java', 'int a; // Those which ran.', 1],
  ['a.lua', '---What stands behind it.', 1],
  ['a.el', ';; Who asks again waits.', 1],
  ['a.sh', 'true\n# For those who wait.', 2],
  ['a.md', '# Title\n\nRows, those\nthat ran first.', 3],
])('a subject without a noun in %s: %s', (path, text, line) => {
  expect(found(nounRule, { [path]: text })[0]).toBe(`${path}:${line}`);
});

test('words in code, and nouns with such a clause, are fine', () => {
  const texts = {
    'a.ts':
      "const text = 'those that'; // The rows that stand there; ask those.\nf('that'); // Those.\nf(); // That is all.",
    'a.md': 'Not `those that`, but the rows that:\n\n```sh\necho those who\n```\n',
    'a.txt': 'those that',
  };
  expect(found(nounRule, texts)).toEqual([]);
});

test('folders and hosts of a machine', () => {
  const slash = '/';
  const rule = traceRule(['/srv/checkout', 'mirror.example']);
  const bad = {
    'a.md': `see\n${slash}home/someone/x`,
    'b.txt': `${slash}Users/someone`,
    'c.json': `"C:\\\\${'Users'}\\\\x"`,
    'd.sh': `curl https://registry.${'npmjs'}.org`,
    'e.yml': 'cd /srv/checkout/a',
    'f.ts': "const url = 'https://mirror.example/debian';",
    'package-lock.json': `"resolv${'ed'}": "https://x"`,
  };
  expect(found(rule, bad)).toEqual([
    'a.md:2',
    'b.txt:1',
    'c.json:1',
    'd.sh:1',
    'e.yml:1',
    'f.ts:1',
    'package-lock.json:1',
  ]);
  expect(found(rule, { 'a.md': 'GET /api/home/x, ~/work/x and {HOME}/work/', 'b.md': 'a/work/b' })).toEqual([]);
});

test.each([
  'process.stdout.write(name);',
  "process['stderr'].write(name);",
  'process[stream].write(name);',
  'const { stdout } = process;',
  'use(process);',
  'console.log(name);',
  'const { error } = console;',
  'use({ console });',
  'globalThis.process.stdout.write(name);',
  "import { stdout } from 'node:process';",
  "import { WriteStream } from 'node:tty';",
  "const { Console } = await import('node:console');",
  'writeSync(1, name);',
  'fs.writeFileSync(2, name);',
  "createWriteStream('', { fd: 1 });",
  "appendFileSync('/dev/tty', name);",
  "openSync('/proc/self/fd/1', 'w');",
  "spawn('git', { stdio: 'inherit' });",
  "import { messagesToClient } from '../base/program-streams.ts';",
])('what writes to a terminal by itself: %s', text => {
  expect(found(streamRule, { 'server/cli/a.ts': text })).toEqual(['server/cli/a.ts:1']);
  expect(found(streamRule, { 'clients/vscode/src/a.ts': text }).length).toBe(text.includes('program-streams') ? 0 : 1);
  expect(found(streamRule, { 'test/a.ts': text })).toEqual([]);
});

test('what writes to a terminal through the one module', () => {
  const fine = `
    import { processOutput } from '../base/terminal.ts';
    processOutput().out(name);
    connection.console.info(name);
    type Log = { console: Console };
    process.on('exit', () => process.stdin.resume());
    const { stdout } = child;
    writeSync(descriptor, 1);
    spawn('git', { stdio: ['ignore', 'pipe', 'pipe'] });`;
  expect(found(streamRule, { 'server/cli/a.ts': fine })).toEqual([]);
  const own = 'process.stdout.write(safe);';
  expect(found(streamRule, { 'server/base/terminal.ts': own, 'server/base/other.ts': own })).toEqual([
    'server/base/other.ts:1',
  ]);
  const forPrograms = "import { messagesToClient } from '../base/program-streams.ts';";
  expect(found(streamRule, { 'server/lsp/serve.ts': forPrograms, 'server/lsp/session.ts': forPrograms })).toEqual([
    'server/lsp/session.ts:1',
  ]);
});

test('files that nothing uses', () => {
  const files = {
    'server/cli/main.ts': "import './a.ts'; workerUrl('../base/b-worker.ts', import.meta.url);",
    'server/cli/a.ts': '',
    'server/base/b-worker.ts': "import type { C } from './c.ts';",
    'server/base/c.ts': '',
    'package.json': '"start": "node .ci/bootstrap.mjs samples/start.ts"',
    'samples/start.ts': "spawn(new URL('started.ts', import.meta.url));",
    'samples/started.ts': '',
    'server/base/dead.ts': "import { dead } from './dead-too.ts';",
    'server/base/dead-too.ts': "import { dead } from './dead.ts';",
    'test/a.test.ts': "run('Oracle.java');",
    'test/oracle/Oracle.java': 'new Shared();',
    'test/oracle/Shared.java': '',
    'test/oracle/Alone.java': '',
    'clients/neovim/plugin/insitu.lua': "require('insitu.heat').start()",
    'clients/neovim/lua/insitu/heat.lua': '',
    'clients/neovim/lua/insitu/cold.lua': '',
  };
  expect(found(deadFileRule, files)).toEqual([
    'server/base/dead.ts:1',
    'server/base/dead-too.ts:1',
    'test/oracle/Alone.java:1',
    'clients/neovim/lua/insitu/cold.lua:1',
  ]);
});

test('messages of our own without documentation', () => {
  const files = {
    'server/lsp/a.ts': "connection.onRequest('insitu/known', f);\nconnection.onRequest('insitu/secret', f);",
    'docs/lsp-extensions.md': '### `insitu/known`',
  };
  expect(found(messageRule, files)).toEqual(['server/lsp/a.ts:2']);
});

test('violations read as path, line and what is wrong', () => {
  expect(formatViolations([{ path: 'a.ts', line: 3, message: 'is wrong' }])).toBe('a.ts:3: is wrong');
});

test.each<[string, string, string, boolean]>([
  [
    'a type with two choices',
    'server/cli/a.ts',
    'type A = { readonly program: string; readonly version?: string };',
    true,
  ],
  ['an interface', 'clients/vscode/src/a.ts', 'interface A { threads: string[]; instances: string[] }', true],
  ['a schema', 'server/lsp/a.ts', 'const a = { from: v.number(), threads: v.optional(v.string()) };', true],
  [
    'a schema by a helper',
    'server/lsp/a.ts',
    "const a = { program: optional(v.string(), ''), to: field(v.number(), '') };",
    true,
  ],
  ['the model itself', 'server/model/a.ts', 'type A = { program: string; version: string };', false],
  ['a range', 'server/cli/a.ts', 'type A = { readonly from: number; readonly to: number };', false],
  ['fields of the term', 'server/cli/a.ts', "type A = Pick<Look, 'program' | 'version'>;", false],
  ['schemas of the term', 'server/cli/a.ts', 'const a = { program: LOOK.program, version: LOOK.version };', false],
  ['values', 'server/cli/a.ts', "const a = { program: nameOf(x), version: '1' };", false],
])('what is looked at: %s', (_title, path, text, wrong) => {
  expect(found(lookRule, { [path]: text })).toEqual(wrong ? [`${path}:1`] : []);
});
