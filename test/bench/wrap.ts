// Measures what `insitu lsp --wrap` adds to a message that passes between an editor and its Java server while ours loads and answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { lspFolder, putProfile } from '../support/lsp-store.ts';
import { hotProgram } from './lsp-program.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));
const FAKE = fileURLToPath(new URL('../lsp/wrap/fake-java-server.ts', import.meta.url));
const LIMIT_MILLIS = 1;

type Peer = { readonly process: ChildProcess; readonly connection: MessageConnection };

/** A server that answers at once; the same one stands behind ours. */
async function connected(command: readonly string[], folder: string): Promise<Peer> {
  const [program, ...args] = command;
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, FAKE_JAVA: '{}' } });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest(() => null);
  connection.listen();
  const uri = pathToFileURL(folder).href;
  const workspaceFolders = [{ uri, name: 'bench' }];
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders,
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});
  return { process: child, connection };
}

/** Milliseconds from a request to its answer, directly and through us in turn, so that both meet the same machine. */
async function roundTrips(direct: Peer, wrapped: Peer, isOver: (round: number) => boolean) {
  const millis = { direct: [] as number[], wrapped: [] as number[] };
  const params = {
    textDocument: { uri: 'file:///Hot.java' },
    position: { line: 1, character: 1 },
    text: 'x'.repeat(500),
  };
  for (let round = 0; !isOver(round); round++)
    for (const [kind, { connection }] of [
      ['direct', direct],
      ['wrapped', wrapped],
    ] as const) {
      const begun = performance.now();
      await connection.sendRequest('textDocument/completion', params);
      millis[kind].push(performance.now() - begun);
      await new Promise(resolve => setTimeout(resolve, 1));
    }
  return millis;
}

function percentile99(millis: readonly number[]): number {
  return millis.toSorted((a, b) => a - b)[Math.ceil(millis.length * 0.99) - 1]!;
}

function figure(label: string, { direct, wrapped }: Awaited<ReturnType<typeof roundTrips>>): BenchFigure {
  // There and back are two messages.
  const added = (of: (millis: readonly number[]) => number) => (of(wrapped) - of(direct)) / 2;
  const value = Math.max(0, added(percentile99));
  const text = `${label} (median ${added(median).toFixed(2)} ms, ${wrapped.length} round trips)`;
  return { label: text, value, unit: 'ms', wanted: `≤ ${LIMIT_MILLIS} ms`, ok: value <= LIMIT_MILLIS };
}

const addedRow: BenchRow = {
  name: 'added to a message that passes, 99th percentile',
  async run({ quick }) {
    const { profile, text } = hotProgram(quick ? QUICK_NODES : NODES);
    const place = await lspFolder();
    const peers: Peer[] = [];
    try {
      await writeFile(join(place.folder, 'Hot.java'), text);
      await putProfile(place.store, profile);
      const server = existsSync(BUNDLE) ? [BUNDLE, '--stdio'] : [SOURCES, 'lsp', '--stdio'];
      const direct = await connected([process.execPath, FAKE], place.folder);
      peers.push(direct);
      const java = `"${process.execPath}" "${FAKE}"`;
      const wrapped = await connected([process.execPath, ...server, '--wrap', java], place.folder);
      peers.push(wrapped);
      const uri = place.uri('Hot.java');
      const textDocument = { uri, languageId: 'java', version: 1, text };
      await wrapped.connection.sendNotification('textDocument/didOpen', { textDocument });
      const rounds = quick ? 300 : 1_500;
      const loading = await roundTrips(direct, wrapped, round => round >= rounds);
      let asks = true;
      const range = { start: { line: 0, character: 0 }, end: { line: 100_000, character: 0 } };
      const hints = (async () => {
        let answers = 0;
        for (; asks; answers++)
          await wrapped.connection.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
        return answers;
      })();
      const answering = await roundTrips(direct, wrapped, round => round >= rounds);
      asks = false;
      if ((await hints) < 3) throw new Error('our server did not answer meanwhile');
      return [
        figure('while ours loads', loading),
        figure('while ours answers all hints of a file without a pause', answering),
      ];
    } finally {
      for (const { connection, process: child } of peers) {
        connection.dispose();
        child.kill('SIGTERM');
      }
      await place.remove();
    }
  },
};

export const rows: readonly BenchRow[] = [addedRow];
