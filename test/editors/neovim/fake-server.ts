// A language server whose hints stand in the text itself, for tests of what the plugin does when a server is slow, late, silent or gone.
import { appendFileSync } from 'node:fs';
import {
  createConnection,
  type InlayHint,
  InlayHintRefreshRequest,
  MessageType,
  ProposedFeatures,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';

// A line `// hint 0.62 62% · self 4%` carries that hint with that heat; `// order delay 300`, `// order die`,
// `// order fail -32801`, `// order tell 1 text` and `// order load 40` say how to behave at the next question.
const connection = createConnection(
  ProposedFeatures.all,
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
const documents = new TextDocuments(TextDocument);

/** Tells the test what the client did, one JSON line each. */
function record(event: string, details: unknown): void {
  const log = process.env.FAKE_SERVER_LOG;
  if (log) appendFileSync(log, `${JSON.stringify({ event, details })}\n`);
}

connection.onInitialize(params => {
  record('initialize', { root: params.rootUri, options: params.initializationOptions });
  if (process.env.FAKE_SERVER_TELLS)
    connection.sendNotification('window/showMessage', {
      type: MessageType.Warning,
      message: process.env.FAKE_SERVER_TELLS,
    });
  return {
    serverInfo: { name: 'insitu', version: '9.9' },
    capabilities: {
      positionEncoding: 'utf-16',
      textDocumentSync: TextDocumentSyncKind.Incremental,
      inlayHintProvider: true,
    },
  };
});

// With FAKE_SERVER_STATUS it knows the command insitu.status and answers that.
connection.onExecuteCommand(() => {
  const status = process.env.FAKE_SERVER_STATUS;
  if (!status) throw new ResponseError(-32601, 'unknown command');
  return JSON.parse(status);
});

connection.onDidChangeConfiguration(params => record('settings', params.settings));

connection.languages.inlayHint.on(async params => {
  const text = documents.get(params.textDocument.uri)?.getText() ?? '';
  record('question', params.range);
  for (const [, order, argument] of text.matchAll(/\/\/ order (\w+) ?(.*)/g)) await obey(order ?? '', argument ?? '');
  const { start, end } = params.range;
  return hintsOf(text).filter(({ position }) => position.line >= start.line && position.line < end.line);
});

async function obey(order: string, argument: string): Promise<void> {
  if (order === 'delay') await new Promise(resolve => setTimeout(resolve, Number(argument)));
  if (order === 'die') process.exit(Number(argument));
  if (order === 'fail') throw new ResponseError(Number(argument), 'as ordered');
  if (order === 'refresh') setTimeout(() => connection.sendRequest(InlayHintRefreshRequest.type), Number(argument));
  if (order === 'load') await load(Number(argument));
}

let loaded = false;

async function load(percentage: number): Promise<void> {
  if (loaded) return;
  loaded = true;
  const work = await connection.window.createWorkDoneProgress();
  work.begin('loading', 0);
  work.report(percentage);
  setTimeout(() => work.done(), 700);
}

function hintsOf(text: string): InlayHint[] {
  return text.split('\n').flatMap((line, number) => {
    const found = /\/\/ hint ([\d.]+) (.*)/.exec(line);
    if (found === null) return [];
    const [, heat, label] = found;
    return [
      {
        position: { line: number, character: line.length },
        label: [{ value: label ?? '' }],
        data: { heat: Number(heat) },
      },
    ];
  });
}

documents.listen(connection);
connection.listen();
