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

// A line `// hint 0.62 62% · self 4%` carries that hint with that heat (`hint@2`: line 2 does), with ` // data {"stale":true}` behind it those data
// as well, and with `%turn` in it another hint at every question; `// lens insitu.callers 3 callers` carries that lens. `// order delay 300`, `// order die`, `// order fail -32801`,
// `// order refresh 300`, `// order changed 300` and `// order load 40` say how to behave at the next question.
type FakeAnswers = Readonly<Record<string, readonly { readonly name?: string; readonly answer: unknown }[]>>;

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
  const { insitu } = (params.capabilities.experimental ?? {}) as { insitu?: unknown };
  record('initialize', { root: params.rootUri, options: params.initializationOptions });
  record('experimental', insitu);
  const { FAKE_SERVER_TELLS: warning, FAKE_SERVER_INFORMS: information } = process.env;
  for (const [type, message] of [
    [MessageType.Warning, warning],
    [MessageType.Info, information],
  ] as const)
    if (message) connection.sendNotification('window/showMessage', { type, message });
  return {
    serverInfo: { name: 'insitu', version: '9.9' },
    capabilities: {
      positionEncoding: 'utf-16',
      textDocumentSync: TextDocumentSyncKind.Incremental,
      inlayHintProvider: true,
      codeLensProvider: {},
      executeCommandProvider: { commands: ['insitu.status', 'insitu.callers', 'insitu.focus'] },
    },
  };
});

// With FAKE_SERVER_STATUS it knows the command insitu.status and answers that.
connection.onExecuteCommand(({ command, arguments: given }) => {
  if (command !== 'insitu.status') record('command', { command, given });
  const status = process.env.FAKE_SERVER_STATUS;
  if (!status) throw new ResponseError(-32601, 'unknown command');
  return JSON.parse(status);
});

// FAKE_SERVER_ANSWERS holds the answers to insitu's own questions: for each a list, with the name of the method that an
// answer is about, or none where it is for any other.
connection.onRequest((method, params) => {
  record('ask', { method, params });
  const answers: FakeAnswers = JSON.parse(process.env.FAKE_SERVER_ANSWERS ?? '{}');
  const name = method.replace(/^insitu\//, '');
  if (!Object.hasOwn(answers, name)) throw new ResponseError(-32601, `Unhandled method ${method}`);
  const { method: named, item } = params as {
    method?: { name: string };
    item?: { data: { path: { name: string }[][] } };
  };
  const wanted = named?.name ?? item?.data.path.at(-1)?.[0]?.name;
  const byName = answers[name]!;
  return (byName.find(each => each.name === wanted) ?? byName.find(each => each.name === undefined))?.answer ?? null;
});

connection.onCodeLens(({ textDocument }) => {
  const lines = (documents.get(textDocument.uri)?.getText() ?? '').split('\n');
  return lines.flatMap((text, line) =>
    [...text.matchAll(/\/\/ lens (\S+) (.*)/g)].map(([, command, title]) => {
      const range = { start: { line, character: 2 }, end: { line, character: 3 } };
      const argument = { textDocument, position: range.start };
      return { range, command: { title: title ?? '', command: command ?? '', arguments: [argument] } };
    }),
  );
});

connection.onDidChangeConfiguration(params => record('settings', params.settings));

connection.languages.inlayHint.on(async params => {
  const text = (documents.get(params.textDocument.uri)?.getText() ?? '').replaceAll('%turn', `${++turn}`);
  record('question', params.range);
  for (const [, order, argument] of text.matchAll(/\/\/ order (\w+) ?(.*)/g)) await obey(order ?? '', argument ?? '');
  const { start, end } = params.range;
  return hintsOf(text).filter(({ position }) => position.line >= start.line && position.line < end.line);
});

/** Counts questions. */
let turn = 0;

async function obey(order: string, argument: string): Promise<void> {
  if (order === 'delay') await new Promise(resolve => setTimeout(resolve, Number(argument)));
  if (order === 'die') process.exit(Number(argument));
  if (order === 'fail') throw new ResponseError(Number(argument), 'as ordered');
  if (order === 'refresh') setTimeout(() => connection.sendRequest(InlayHintRefreshRequest.type), Number(argument));
  if (order === 'changed')
    setTimeout(() => connection.sendNotification('insitu/dataChanged', { text: 'new data' }), Number(argument));
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
  const lines = text.split('\n');
  return lines.flatMap((line, row) => {
    const found = /\/\/ hint(?:@(\d+))? ([\d.]+) (.*?)(?: \/\/ data (\{.*\}))?$/.exec(line);
    if (found === null) return [];
    const [, elsewhere, heat, label, data] = found;
    const number = elsewhere === undefined ? row : Number(elsewhere) - 1;
    return [
      {
        position: { line: number, character: lines[number]?.length ?? 0 },
        label: [{ value: label ?? '' }],
        data: { heat: Number(heat), ...JSON.parse(data ?? '{}') },
      },
    ];
  });
}

documents.listen(connection);
connection.listen();
