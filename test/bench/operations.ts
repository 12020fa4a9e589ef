// Measures the language server's operations over a large tree: how long a client waits, and how long anything else has to.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EditorAnswers, MethodName } from '../../server/lsp/protocol.ts';
import { type LspClient, startServer } from '../support/insitu/lsp-client.ts';
import { lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { bigProfile } from './big-profile.ts';
import { hotProgram } from './lsp-program.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';
import { longest, MONITOR } from './stall.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const BUNDLE = fileURLToPath(new URL('../../dist/bin/insitu-lsp.cjs', import.meta.url));
const MAIN = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));
const ANSWER_MILLIS = 100;
/** A client that draws the numbers itself asks once after a load, when the tables of all methods are made; it has its hints by then. */
const FIRST_METRICS_MILLIS = 1_000;
/** A menu that a person opens; expressions are looked for in the names of all methods each time. */
const TASKS_MILLIS = 500;
const STALL_MILLIS = 50;

const TASKS = [
  { name: 'parts', type: 'regex', value: String.raw`\.part(?<part>\d+)\.` },
  { name: 'hot', type: 'prefix', value: 'bench.Hot' },
  { name: 'path', type: 'path', value: 'bench.Hot.hot0;bench.Hot.hot1' },
];

/** Each question is asked for the first time; those of methods once a method, the hottest first. */
const operationRow: BenchRow = {
  name: 'operations, 2.17 M nodes',
  async run({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-operations-'));
    const file = join(folder, 'longest');
    const place = await lspFolder({
      'insitu.json': JSON.stringify({ project: 'acme', store: '.store', tasks: TASKS }),
    });
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(MONITOR)}`];
    const start = [...preload, ...(existsSync(BUNDLE) ? [BUNDLE, '--stdio'] : [MAIN, 'lsp', '--stdio'])];
    try {
      const nodes = quick ? QUICK_NODES : NODES;
      const { profile, text } = hotProgram(nodes);
      await writeFile(join(place.folder, 'Hot.java'), text);
      const execution = { project: 'acme', program: 'bench' };
      await putProfile(place.store, bigProfile({ seed: 'editor', nodes: nodes / 4 }), { ...execution, version: '1' });
      await putProfile(place.store, profile, { ...execution, version: '2' }, 600);
      const env = { INSITU_BENCH_STALL: file };
      const client = await startServer({ folders: [place.folder], capabilities: {}, start, env });
      try {
        client.open(place.uri('Hot.java'), text);
        return await measured(client, place.uri('Hot.java'), file, quick ? 5 : 40);
      } finally {
        client.process.kill('SIGKILL');
      }
    } finally {
      await place.remove();
      rmSync(folder, { recursive: true });
    }
  },
};

async function measured(client: LspClient, uri: string, file: string, methods: number): Promise<BenchFigure[]> {
  const figures: BenchFigure[] = [];
  const ask = (name: string, params: object) => client.connection.sendRequest(`insitu/${name}`, params);
  const textDocument = { uri };
  type Work = (i: number) => Promise<unknown>;
  const time = async (label: string, times: number, work: Work, limit: number = ANSWER_MILLIS) => {
    const waited: number[] = [];
    await longest(client, file);
    for (let i = 0; i < times; i++) {
      const begun = performance.now();
      if ((await work(i)) === null) throw new Error(`no answer came: ${label}`);
      waited.push(performance.now() - begun);
    }
    const { lag, busy } = await longest(client, file);
    const [value, most] = [median(waited), Math.max(...waited)];
    const first = times > 1 ? `, at most ${most.toFixed(0)} ms` : '';
    figures.push(
      { label: `${label}${first}`, value, unit: 'ms', limit: { most: limit } },
      { label: `${label}, longest stall`, value: lag, unit: 'ms' },
      {
        label: `${label}, longest stall, processor time`,
        value: busy,
        unit: 'ms',
        limit: { most: STALL_MILLIS },
      },
    );
  };
  const hot = (i: number): MethodName => ({ className: 'bench.Hot', name: `hot${i}`, descriptor: null });
  const ofMethod = (name: string) => time(`${name} of a hot method`, methods, i => ask(name, { method: hot(i) }));
  await client.hints(uri);
  await ask('compareWith', { version: '1' });
  await time('metrics of a document', 1, () => ask('metrics', { textDocument }), FIRST_METRICS_MILLIS);
  await time('metrics of a document again', 5, () => ask('metrics', { textDocument }));
  for (const name of ['callers', 'callees', 'threads', 'why']) await ofMethod(name);
  await time('hot methods', 5, async () => {
    if (((await ask('top', { limit: 50 })) as EditorAnswers['top']).rows.length === 0)
      throw new Error('there are no hot methods');
  });
  await time('comparison', 5, async () => {
    if (((await ask('moved', { limit: 50 })) as EditorAnswers['moved']).rows.length === 0)
      throw new Error('nothing moved');
  });
  await time('tasks', 5, () => ask('tasks', {}), TASKS_MILLIS);
  await time('choices', 5, () => ask('choices', {}));
  await ask('focus', { focus: ['bench.Hot.hot3'] });
  await time('why outside of a focus', methods, i => ask('why', { method: hot(i) }));
  await time('tasks under a focus', 5, () => ask('tasks', { focus: [] }), TASKS_MILLIS);
  await time('an endless expression', 3, () =>
    ask('focus', { focus: [String.raw`regex:^(((\w|\.)+)+)+!$`] }).then(
      () => null,
      () => 'refused',
    ),
  );
  return figures;
}

export const rows: readonly BenchRow[] = [operationRow];
