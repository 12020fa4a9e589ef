// Records what a client and a real language server say to each other: record-traffic.ts NAME COMMAND…, run by hand; see traffic/README.md.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Frame, FrameSplitter } from '../../server/lsp/wire/split-messages.ts';
import { framed } from './fake-java-server.ts';
import type { Spoken } from './traffic.ts';

/** A file in the language of each server, and where in it something is asked. */
const DOCUMENTS: Readonly<Record<string, { file: string; text: string; line: number; character: number }>> = {
  typescript: {
    file: 'a.ts',
    text: '/** Länge: 5 \u{1f600} */\ninterface Point { readonly x: number; y?: string }\nexport function length(point: Point): number {\n  return point.x * misspelt;\n}\nlength({ x: 1 });\n',
    line: 3,
    character: 15,
  },
  json: { file: 'a.json', text: '{ "ä": [1.0, 1e400, "\\u00e4"],\n  "colour": "#ff0000", }\n', line: 1, character: 5 },
  yaml: { file: 'a.yaml', text: 'ä:\n  - one\nb: [1.0, !!str 2\n', line: 1, character: 5 },
};

const [name = '', ...command] = process.argv.slice(2);
const document = DOCUMENTS[name];
if (document === undefined || command.length === 0)
  throw new Error('usage: record-traffic.ts typescript|json|yaml COMMAND…');

const folder = mkdtempSync(join(tmpdir(), 'insitu-traffic-'));
const root = pathToFileURL(folder).href;
const uri = `${root}/${document.file}`;
writeFileSync(join(folder, document.file), document.text);
const spoken: Spoken[] = [];
const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<number, (result: unknown) => void>();

const splitter = new FrameSplitter({
  onFrame: ({ bytes, bodyStart }: Frame) => {
    const body = bytes.toString('utf8', bodyStart);
    spoken.push({ by: 'server', body });
    const { id, method, params, result } = JSON.parse(body);
    if (method === undefined) waiting.get(id)?.(result);
    else if (id !== undefined)
      say({ id, result: method === 'workspace/configuration' ? params.items.map(() => null) : null });
  },
  onJunk: bytes => process.stderr.write(bytes),
  onBroken: reason => {
    throw new Error(reason);
  },
});
child.stdout.on('data', chunk => splitter.push(chunk));

function say(message: object): void {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  spoken.push({ by: 'client', body });
  child.stdin.write(framed(body));
}

let lastId = 0;
function ask(method: string, params?: object): Promise<unknown> {
  const id = ++lastId;
  say({ id, method, ...(params && { params }) });
  return new Promise(resolve => waiting.set(id, resolve));
}

const pause = (millis: number) => new Promise(resolve => setTimeout(resolve, millis));
const { line, character } = document;
const textDocument = { uri };
const position = { line, character };
const range = { start: { line: 0, character: 0 }, end: { line: line + 1, character: 0 } };

await ask('initialize', {
  processId: null,
  rootUri: root,
  workspaceFolders: [{ uri: root, name: 'project' }],
  capabilities: {
    workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: { dynamicRegistration: true } },
    textDocument: {
      hover: { contentFormat: ['markdown', 'plaintext'] },
      publishDiagnostics: { relatedInformation: true },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'refactor'] } } },
      callHierarchy: {},
      implementation: {},
    },
    window: { workDoneProgress: true },
  },
});
say({ method: 'initialized', params: {} });
say({
  method: 'textDocument/didOpen',
  params: { textDocument: { uri, languageId: name, version: 1, text: document.text } },
});
await pause(4_000);
for (const method of [
  'hover',
  'definition',
  'completion',
  'documentHighlight',
  'implementation',
  'prepareCallHierarchy',
])
  await ask(`textDocument/${method}`, { textDocument, position });
for (const method of ['documentSymbol', 'foldingRange', 'codeLens', 'documentColor', 'documentLink'])
  await ask(`textDocument/${method}`, { textDocument });
await ask('textDocument/formatting', { textDocument, options: { tabSize: 2, insertSpaces: true } });
await ask('textDocument/inlayHint', { textDocument, range });
await ask('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } });
const change = { range: { start: position, end: position }, text: 'é' };
say({ method: 'textDocument/didChange', params: { textDocument: { uri, version: 2 }, contentChanges: [change] } });
const cancelled = ask('textDocument/references', { textDocument, position, context: { includeDeclaration: true } });
say({ method: '$/cancelRequest', params: { id: lastId } });
await cancelled;
await ask('odd/request', { any: 1 });
say({ method: 'odd/notification', params: [] });
await pause(3_000);
say({ method: 'textDocument/didClose', params: { textDocument } });
await ask('shutdown');
say({ method: 'exit' });

/** Where the server is installed names a machine too. */
const [installed = folder] = command[0]!.split('/node_modules/');
const named = (body: string) =>
  body.replaceAll(root, 'file:///project').replaceAll(folder, '/project').replaceAll(installed, '/servers');
const lines = spoken.map(({ by, body }) => JSON.stringify({ by, body: named(body) }));
writeFileSync(fileURLToPath(new URL(`./traffic/${name}.jsonl`, import.meta.url)), `${lines.join('\n')}\n`);
rmSync(folder, { recursive: true });
process.exit(0);
