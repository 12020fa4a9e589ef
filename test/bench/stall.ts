// Measures how long the language server's thread is ever kept from answering while it loads, merges and changes what it shows of a large tree.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FocusMessage, SelectMessage, Status } from '../../server/lsp/protocol.ts';
import { type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { bigProfile } from './big-profile.ts';
import type { BenchFigure, BenchRow } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 400_000;
const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));
const LIMIT_MILLIS = 50;

/** One of the generated program's entry points, in the class that the generator puts it in. */
const TEXT = 'package com.acme.shop.part0;\nclass Type0 {\n  void step0(int a, String b) {\n    run();\n  }\n}\n';

/**
 * Runs inside the server, in its main thread: at a signal it writes the longest delay of the event loop since the last one, and the most
 * processor time of that thread between two looks of a timer, which is never longer than its longest turn on a machine that does nothing else.
 */
export const MONITOR = `
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const busyMillis = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [most, before] = [0, busyMillis()];
  setInterval(() => {
    const now = busyMillis();
    [most, before] = [Math.max(most, now - before), now];
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.INSITU_BENCH_STALL, [delays.max / 1e6, most, 'ms'].join(' '));
    delays.reset();
    most = 0;
  });
}`;

/** In milliseconds. */
export type Stall = {
  /** How late the event loop was. */
  readonly lag: number;
  /** Processor time of the main thread in one turn: what other programs of the machine take is not in it. */
  readonly busy: number;
};

type Monitor = { readonly file: string; readonly start: readonly string[] };

/** Two snapshots of one program, so that a load merges; then one change after the other. */
const stallRow: BenchRow = {
  name: 'longest stall of the main thread, 2.17 M nodes',
  async run({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-stall-'));
    const script = existsSync(BUNDLE) ? [BUNDLE, '--stdio'] : undefined;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(MONITOR)}`];
    const main = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));
    const start = [...preload, ...(script ?? [main, 'lsp', '--stdio'])];
    const place = await lspFolder();
    try {
      await writeFile(join(place.folder, 'Type0.java'), TEXT);
      for (const [i, seed] of ['first half', 'second half'].entries()) {
        const nodes = (quick ? QUICK_NODES : NODES) / 2;
        await putProfile(place.store, bigProfile({ seed, nodes, metrics: 2 }), { instance: `i-${i}` }, i * 600);
      }
      return await stalls(place.folder, place.uri('Type0.java'), { file: join(folder, 'longest'), start });
    } finally {
      await place.remove();
      rmSync(folder, { recursive: true });
    }
  },
};

async function stalls(folder: string, uri: string, monitor: Monitor): Promise<BenchFigure[]> {
  const { start, file } = monitor;
  const client = await startServer({ folders: [folder], capabilities: {}, start, env: { INSITU_BENCH_STALL: file } });
  const figures: BenchFigure[] = [];
  const take = async (label: string) => {
    const { lag: value } = await longest(client, file);
    if (label !== '') figures.push({ label, value, unit: 'ms', limit: { most: LIMIT_MILLIS } });
  };
  const change = async (label: string, method: string, params: SelectMessage | FocusMessage) => {
    await client.connection.sendRequest(method, params);
    await loaded(client);
    if ((await client.hints(uri)).length === 0) throw new Error(`no hint came: ${label}`);
    await take(label);
  };
  try {
    // The time of the start does not count.
    await take('');
    client.open(uri, TEXT);
    if ((await client.hints(uri)).length === 0) throw new Error('no hint came');
    await take('load and merge');
    await change('another metric', 'insitu/select', { metric: 'alloc' });
    await change('some threads', 'insitu/select', { threads: ['worker-*'] });
    await change('a focus', 'insitu/focus', { focus: ['com.acme.shop.part0.Type0.step0'] });
    await client.stop();
    return figures;
  } finally {
    client.process.kill('SIGKILL');
  }
}

/** Waits until no load is under way. */
async function loaded(client: LspClient): Promise<void> {
  for (let i = 0; i < 500; i++) {
    const { sources } = (await client.command('insitu.status', { quiet: true })) as Status;
    if (sources.length > 0 && sources.every(({ state }) => state === 'ready')) return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  throw new Error('a load does not end');
}

/** Asks the server's monitor, and waits until it has written its answer whole. */
export async function longest(client: LspClient, file: string): Promise<Stall> {
  rmSync(file, { force: true });
  client.process.kill('SIGUSR2');
  for (let i = 0; i < 500; i++) {
    await new Promise(resolve => setTimeout(resolve, 10));
    const [lag, busy, end] = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : [];
    if (end === 'ms') return { lag: Number(lag), busy: Number(busy) };
  }
  throw new Error('the monitor of the event loop does not answer');
}

export const rows: readonly BenchRow[] = [stallRow];
