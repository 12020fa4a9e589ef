// Measures the language server as an editor sees it: first hint after start, hints, keystrokes and hover over its streams.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  CodeLensRequest,
} from 'vscode-languageserver/node';
import type { Status } from '../../server/lsp/protocol.ts';
import { type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { type HotProgram, hotProgram } from './lsp-program.ts';
import { type ServerTimes, serverTimes } from './lsp-times.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
/** Lines of a method of the generated file. */
const METHOD_LINES = 13;
const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));

/** The bundle, which users run, where it has been built. */
const START = existsSync(BUNDLE) ? { start: [BUNDLE, '--stdio'] } : {};

/** Runs `work` with a folder that holds the program's file and, in its store, its profile. */
async function withProgram<T>(
  { profile, text }: HotProgram,
  work: (place: { folder: string; uri: string; text: string }) => Promise<T>,
): Promise<T> {
  const place = await lspFolder();
  try {
    await writeFile(join(place.folder, 'Hot.java'), text);
    await putProfile(place.store, profile);
    return await work({ folder: place.folder, uri: place.uri('Hot.java'), text });
  } finally {
    await place.remove();
  }
}

/** A client that lists hints, as every editor that asks for them says, and does not refresh: its first request is answered when the data are there. */
async function started(
  folder: string,
  uri: string,
  text: string,
  env: Readonly<Record<string, string>>,
): Promise<LspClient> {
  const capabilities = { textDocument: { inlayHint: {} } };
  const client = await startServer({ folders: [folder], capabilities, env, ...START });
  client.open(uri, text);
  return client;
}

const startRow: BenchRow = {
  name: 'first hint after start',
  async run({ quick }) {
    const figures: BenchFigure[] = [];
    for (const nodes of quick ? [20_000] : [20_000, QUICK_NODES, NODES])
      figures.push(...(await withProgram(hotProgram(nodes), place => firstHint(place, nodes, quick ? 3 : 7))));
    return figures;
  },
};

/** Longest wait for the first hint of trees of so many nodes, in milliseconds. */
const FIRST_HINT_LIMITS: Readonly<Record<number, number>> = { 20000: 700, [QUICK_NODES]: 900, [NODES]: 1_500 };

/** Each start has a cache folder of its own, so that nothing is kept from the one before. */
async function firstHint(
  { folder, uri, text }: { folder: string; uri: string; text: string },
  nodes: number,
  times: number,
): Promise<BenchFigure[]> {
  const millis: number[] = [];
  for (let i = 0; i < times; i++) {
    const caches = await mkdtemp(join(tmpdir(), 'insitu-bench-cache-'));
    try {
      const client = await started(folder, uri, text, { XDG_CACHE_HOME: caches });
      const hints = await client.hints(uri);
      millis.push(performance.now() - client.startedMillis);
      await client.stop();
      if (hints.length === 0) throw new Error('no hint came');
    } finally {
      await rm(caches, { recursive: true, force: true });
    }
  }
  const value = median(millis);
  const limit = FIRST_HINT_LIMITS[nodes]!;
  return [{ label: `${nodes / 1000} k nodes`, value, unit: 'ms', limit: { most: limit } }];
}

/**
 * Lenses stand above their methods and are asked for after the hints: three frames later nobody sees them come. Those of 400 methods, made
 * anew for each answer, take 3 ms; the slowest one of a hundred is one in which memory is collected or another program runs.
 */
const LENSES_LIMIT = 50;
/** After a keystroke the document is compared with what was recorded before hints come; in milliseconds. */
const TYPED_LIMIT = 20;

const answerRow: BenchRow = {
  name: 'answers over a file of 400 methods, 99th percentile',
  async run({ quick }) {
    const program = hotProgram(quick ? QUICK_NODES : NODES);
    return withProgram(program, async ({ folder, uri, text }) => {
      const times = serverTimes();
      const client = await startServer({
        folders: [folder],
        capabilities: {},
        initializationOptions: { lenses: { enabled: true } },
        prepare: times.prepare,
        ...START,
      });
      await times.start(client.connection);
      client.open(uri, text);
      const count = (await client.hints(uri)).length;
      if (count < 400) throw new Error(`only ${count} hints came`);
      await times.take(1);
      const rounds = quick ? 100 : 400;
      const measured = (label: string, work: (i: number) => Promise<unknown>, limit = 10) =>
        figures({ label, rounds, limit }, times, work);
      const all = [
        ...(await measured(`${count} hints`, () => client.hints(uri))),
        ...(await measured('lenses', () => lenses(client, uri), LENSES_LIMIT)),
        ...(await measured('lenses after a keystroke', i => lensesTyped(client, uri, i + 2 * rounds), LENSES_LIMIT)),
        ...(await measured('one screen of hints', i => client.hints(uri, ...screenAt((i * 50) % 5_000)))),
        ...(await measured(
          'all hints after a keystroke',
          i => client.hints(uri, ...typed(client, uri, i, ALL)),
          TYPED_LIMIT,
        )),
        ...(await measured(
          'a screen after a keystroke',
          i => client.hints(uri, ...typed(client, uri, i + rounds)),
          TYPED_LIMIT,
        )),
        ...(await measured('first hover on a method', i => client.hover(uri, 2 + (i % 400) * METHOD_LINES, 9), 50)),
        // No more methods than are remembered, the latest ones.
        ...(await measured('next hover on a method', i =>
          client.hover(uri, 2 + (rounds - 1 - (i % 100)) * METHOD_LINES, 9),
        )),
        ...(await measured('hover on a call', i => client.hover(uri, 4 + (i % 400) * METHOD_LINES, 9))),
        ...(await hierarchyFigures(client, uri, rounds, times)),
      ];
      await client.stop();
      return all;
    });
  },
};

const LOADING_LIMIT = 50;
const WARM_HOVERS = 50;

/** Another version is loaded in one folder while a person hovers in another one. */
const loadingRow: BenchRow = {
  name: 'hover while another Dataset loads, 99th percentile',
  async run({ quick }) {
    const program = hotProgram(quick ? QUICK_NODES : NODES);
    return withProgram(program, shown =>
      withProgram(program, async other => {
        await putProfile(join(other.folder, '.store'), hotProgram(20_000).profile, { version: '2.0' }, 600);
        const client = await startServer({ folders: [shown.folder, other.folder], capabilities: {}, ...START });
        for (const { uri, text } of [other, shown]) {
          client.open(uri, text);
          if ((await client.hints(uri)).length === 0) throw new Error('no hint came');
        }
        // Hovers that find their code compiled: what the load adds is meant.
        for (let i = 0; i < WARM_HOVERS; i++) await client.hover(shown.uri, 2 + i * METHOD_LINES, 9);
        let isLoaded = false;
        const chosen = client.connection
          .sendRequest<Status>('insitu/select', { textDocument: { uri: other.uri }, version: '1.0' })
          .finally(() => {
            isLoaded = true;
          });
        const waited: number[] = [];
        while (!isLoaded) {
          const begun = performance.now();
          await client.hover(shown.uri, 2 + ((WARM_HOVERS + waited.length) % 400) * METHOD_LINES, 9);
          waited.push(performance.now() - begun);
        }
        const { sources } = await chosen;
        if (!sources.some(({ versions }) => versions.includes('1.0'))) throw new Error('nothing was loaded');
        await client.stop();
        const value = percentile99(waited);
        const label = `seen by the client, ${waited.length} hovers${medianOf(waited)}`;
        return [{ label, value, unit: 'ms', limit: { most: LOADING_LIMIT } }];
      }),
    );
  },
};

/** Each method as the root of a call hierarchy, opened downwards and upwards for the first time. */
async function hierarchyFigures(client: LspClient, uri: string, rounds: number, times: ServerTimes) {
  const items: CallHierarchyItem[] = [];
  for (let i = 0; i < rounds; i++) {
    const position = { line: 2 + (i % 400) * METHOD_LINES, character: 9 };
    const params = { textDocument: { uri }, position };
    items.push(...((await client.connection.sendRequest(CallHierarchyPrepareRequest.type, params)) ?? []));
  }
  if (items.length < rounds) throw new Error(`only ${items.length} call hierarchies began`);
  await times.take(rounds);
  const [outgoing, incoming] = [CallHierarchyOutgoingCallsRequest.method, CallHierarchyIncomingCallsRequest.method];
  const opened = (label: string, method: string, limit: number, item = (i: number) => items[i]!) =>
    figures({ label, rounds, limit }, times, i => client.connection.sendRequest(method, { item: item(i) }));
  // No more than are remembered, the latest ones.
  const latest = (i: number) => items[rounds - 1 - (i % 100)]!;
  return [
    ...(await opened('first look at callees in a call hierarchy', outgoing, 50)),
    ...(await opened('first look at callers in a call hierarchy', incoming, 50)),
    ...(await opened('next look at callees', outgoing, 10, latest)),
    ...(await opened('next look at callers', incoming, 10, latest)),
  ];
}

async function lenses(client: LspClient, uri: string): Promise<void> {
  const found = await client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
  if ((found ?? []).length < 400) throw new Error(`only ${found?.length ?? 0} lenses came`);
}

function lensesTyped(client: LspClient, uri: string, i: number): Promise<void> {
  typed(client, uri, i);
  return lenses(client, uri);
}

const ALL: [first: number, last: number] = [0, 1_000_000];

function screenAt(line: number): [first: number, last: number] {
  return [line, line + 50];
}

/** Types a character into a line of code; gives the lines whose hints an editor asks for then. */
function typed(client: LspClient, uri: string, i: number, lines?: [number, number]): [first: number, last: number] {
  const at = { line: 3 + (i % 400) * METHOD_LINES, character: 4 };
  client.change(uri, i + 2, [{ range: { start: at, end: at }, text: 'x' }]);
  return lines ?? screenAt(Math.max(0, at.line - 25));
}

/** The time of the server and, for comparison, the client's wait: from its request to its parsed answer. */
async function figures(
  { label, rounds, limit }: { readonly label: string; readonly rounds: number; readonly limit: number },
  times: ServerTimes,
  work: (i: number) => Promise<unknown>,
): Promise<BenchFigure[]> {
  const waited: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    await work(i);
    waited.push(performance.now() - begun);
  }
  const server = await times.take(rounds);
  const value = percentile99(server);
  return [
    {
      label: `${label}, on the server${medianOf(server)}`,
      value,
      unit: 'ms',
      limit: { most: limit },
    },
    { label: `${label}, seen by the client${medianOf(waited)}`, value: percentile99(waited), unit: 'ms' },
  ];
}

function medianOf(millis: readonly number[]): string {
  return ` (median ${median(millis).toFixed(1)} ms)`;
}

function percentile99(millis: readonly number[]): number {
  const sorted = millis.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1]!;
}

export const rows: readonly BenchRow[] = [startRow, answerRow, loadingRow];
