// Measures what a session does to the language server: changes of focus, large workspaces, requests that are taken back, long editing.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { InlayHintRefreshRequest, InlayHintRequest } from 'vscode-languageserver/node';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { Workspace } from '../../server/workspace/state.ts';
import { type LspClient, REFRESHING, startServer } from '../support/insitu/lsp-client.ts';
import { lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { type HotProgram, hotProgram } from './lsp-program.ts';
import { type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));
const START = existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {};
const METHODS = 400;
/** Lines of a method of the generated file. */
const METHOD_LINES = 13;

type Opened = { readonly client: LspClient; readonly uri: string; readonly text: string };

/** Runs `work` with a server that shows the program's file with its hints. */
async function withServer<T>(
  { profile, text }: HotProgram,
  start: (folder: string) => Promise<LspClient>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const place = await lspFolder();
  try {
    await writeFile(join(place.folder, 'Hot.java'), text);
    await putProfile(place.store, profile);
    const client = await start(place.folder);
    const uri = place.uri('Hot.java');
    client.open(uri, text);
    if ((await client.hints(uri)).length === 0) throw new Error('no hint came');
    const result = await work({ client, uri, text });
    await client.stop();
    return result;
  } finally {
    await place.remove();
  }
}

const focusRow: BenchRow = {
  name: 'change of focus to refreshed hints',
  async run({ quick }) {
    const asked: (() => void)[] = [];
    const start = (folder: string) =>
      startServer({
        folders: [folder],
        capabilities: REFRESHING,
        prepare: connection =>
          void connection.onRequest(InlayHintRefreshRequest.type, () => {
            for (const tell of asked.splice(0)) tell();
          }),
        ...START,
      });
    const millis = await withServer(hotProgram(quick ? QUICK_NODES : NODES), start, async ({ client, uri }) => {
      const measured: number[] = [];
      let before = '';
      for (let i = 0; i < (quick ? 3 : 20); i++) {
        // Refreshes that follow the hints before are over.
        await new Promise(resolve => setTimeout(resolve, 400));
        let refreshed = new Promise<void>(resolve => asked.push(resolve));
        const begun = performance.now();
        const answered = client.command('insitu.focus', { focus: [`bench.Hot.hot${i}`], quiet: true });
        let hints = before;
        for (let refreshes = 0; hints === before; refreshes++) {
          if (refreshes === 5) throw new Error('the hints did not change');
          await refreshed;
          refreshed = new Promise(resolve => asked.push(resolve));
          hints = JSON.stringify(await client.hints(uri, 0, 50));
        }
        measured.push(performance.now() - begun);
        before = hints;
        await answered;
      }
      return measured;
    });
    const value = median(millis);
    return [{ value, unit: 'ms', limit: { most: 200 } }];
  },
};

const CHANGES = 12;
/** At 2.17 M nodes. */
const IDLE_LIMIT_MB = 300;
const CHANGED_LIMIT_MB = 400;
/** By then both threads have tidied up. */
const SETTLED_MILLIS = 6_000;

/** Where the system tells it: on Linux. */
const memoryRow: BenchRow = {
  name: `resident memory of the server, before and after ${CHANGES} changes of focus`,
  async run({ quick }) {
    const nodes = quick ? QUICK_NODES : NODES;
    const start = (folder: string) => startServer({ folders: [folder], capabilities: {}, ...START });
    return withServer(hotProgram(nodes), start, async ({ client, uri }) => {
      const status = `/proc/${client.process.pid}/status`;
      if (!existsSync(status)) return [];
      const settled = async (label: string, most: number) => {
        await new Promise(resolve => setTimeout(resolve, quick ? 500 : SETTLED_MILLIS));
        const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]);
        return { label, value: kilobytes / 1024, unit: 'MB', ...(quick ? {} : { limit: { most } }) };
      };
      const before = await settled('before', IDLE_LIMIT_MB);
      for (let i = 0; i < CHANGES; i++) {
        await client.command('insitu.focus', { focus: [`bench.Hot.hot${i}`], quiet: true });
        if ((await client.hints(uri, 0, 50)).length === 0) throw new Error('no hint came');
      }
      return [before, await settled('after', CHANGED_LIMIT_MB)];
    });
  },
};

const FILES = 10_000;
const A_PACKAGE = 100;

/** A file that nobody has looked at among many, no index of which is kept from earlier. */
const workspaceRow: BenchRow = {
  name: `first hint in an unindexed workspace of ${FILES.toLocaleString('en')} files`,
  async run({ quick }) {
    const { profile, text } = hotProgram(20_000);
    const place = await lspFolder();
    const caches = await mkdtemp(join(tmpdir(), 'insitu-bench-cache-'));
    try {
      await writeFile(join(place.folder, 'Hot.java'), text);
      await putProfile(place.store, profile);
      await writeFiles(place.folder);
      const millis: number[] = [];
      for (let i = 0; i < (quick ? 1 : 7); i++) {
        const env = { XDG_CACHE_HOME: join(caches, `${i}`) };
        const client = await startServer({ folders: [place.folder], capabilities: {}, env, ...START });
        client.open(place.uri('Hot.java'), text);
        if ((await client.hints(place.uri('Hot.java'))).length === 0) throw new Error('no hint came');
        millis.push(performance.now() - client.startedMillis);
        await client.stop();
      }
      const value = median(millis);
      return [{ value, unit: 'ms', limit: { most: 1_000 } }];
    } finally {
      await place.remove();
      await rm(caches, { recursive: true, force: true });
    }
  },
};

async function writeFiles(folder: string): Promise<void> {
  for (let at = 0; at < FILES; at += A_PACKAGE) {
    const name = `p${at / A_PACKAGE}`;
    await mkdir(join(folder, 'src', name), { recursive: true });
    const files = Array.from({ length: A_PACKAGE }, (_, i) => {
      const type = `Type${at + i}`;
      const methods = Array.from({ length: 12 }, (_each, m) => `  int m${m}(int a) {\n    return m${m}(a - 1);\n  }\n`);
      return writeFile(
        join(folder, 'src', name, `${type}.java`),
        `package ${name};\nclass ${type} {\n${methods.join('')}}\n`,
      );
    });
    await Promise.all(files);
  }
}

const REQUESTS = 200;

/** Each request after a keystroke, so that none can be answered from another's work; all of them are taken back at once. */
const cancelRow: BenchRow = {
  name: `${REQUESTS} requests in flight, cancelled: until the server is idle`,
  async run({ quick }) {
    const start = (folder: string) => startServer({ folders: [folder], capabilities: {}, ...START });
    return withServer(hotProgram(quick ? QUICK_NODES : NODES), start, async ({ client, uri }) => {
      const idle: number[] = [];
      let answered = 0;
      for (let round = 0; round < (quick ? 3 : 10); round++) {
        const whole = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };
        const requests = Array.from({ length: REQUESTS }, (_, i) => {
          const at = { line: 3 + (i % METHODS) * METHOD_LINES, character: 4 };
          client.change(uri, round * REQUESTS + i + 2, [{ range: { start: at, end: at }, text: 'x' }]);
          const source = new CancellationTokenSource();
          const params = { textDocument: { uri }, range: whole };
          const answer = client.connection.sendRequest(InlayHintRequest.type, params, source.token);
          return { source, answer };
        });
        for (const { source } of requests) source.cancel();
        const begun = performance.now();
        const ended = await Promise.allSettled(requests.map(({ answer }) => answer));
        await client.command('insitu.status', { quiet: true });
        idle.push(performance.now() - begun);
        answered += ended.filter(({ status }) => status === 'fulfilled').length;
      }
      const label = `${answered} of ${REQUESTS * idle.length} answered all the same`;
      return [{ label, value: median(idle), unit: 'ms' }];
    });
  },
};

const ROUNDS = 5;

/** Edits all over a file with hints now and then, in this process: what is left on the heap after each round. */
const editsRow: BenchRow = {
  name: 'heap after rounds of edits, growth a round',
  async run({ quick }) {
    const edits = quick ? 100 : 2_000;
    const { profile, text } = hotProgram(20_000);
    const data = loadedFrom(profile);
    const workspace = new Workspace({}, { env: {}, home: tmpdir() });
    workspace.apply({ kind: 'foldersChanged', folders: [tmpdir()] });
    const document = { kind: 'documentChanged', uri: 'file:///Hot.java', path: join(tmpdir(), 'Hot.java') } as const;
    const heaps: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      let current = text;
      for (let i = 0; i < edits; i++) {
        const at = (i * 7919) % current.length;
        current = i % 2 === 0 ? `${current.slice(0, at)}x${current.slice(at)}` : text;
        workspace.apply({ ...document, text: current });
        if (i === 0)
          workspace.apply({ kind: 'loadEnded', source: workspace.view().sources[0]!.source, data, problems: [] });
        const view = workspace.view().document(document.uri)!;
        if (i % 10 === 0) hintsOf(view);
        else void view.outline;
      }
      workspace.apply({ ...document, text });
      hintsOf(workspace.view().document(document.uri)!);
      globalThis.gc?.();
      heaps.push(process.memoryUsage().heapUsed / 2 ** 20);
    }
    // The first round warms up.
    const value = slope(heaps.slice(1));
    const label = `${ROUNDS} rounds of ${edits.toLocaleString('en')}: ${heaps.map(heap => heap.toFixed(1)).join(', ')} MB`;
    return [{ label, value, unit: 'MB', limit: { most: 0.1 } }];
  },
};

/** Of the line through the values that has the least squares. */
function slope(values: readonly number[]): number {
  const [x, y] = [(values.length - 1) / 2, values.reduce((sum, value) => sum + value, 0) / values.length];
  const up = values.reduce((sum, value, i) => sum + (i - x) * (value - y), 0);
  return up / values.reduce((sum, _, i) => sum + (i - x) ** 2, 0);
}

export const rows: readonly BenchRow[] = [focusRow, memoryRow, workspaceRow, cancelRow, editsRow];
