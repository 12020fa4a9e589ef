// Measures `insitu mcp` as a coding agent uses it: from its start to its first answer, tools over a tree of 2.17 million nodes, and what ten tasks cost.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { solveTasks } from '../support/insitu/agent-tasks.ts';
import { lspFolder, putProfile } from '../support/insitu/lsp-store.ts';
import { hotProgram } from './lsp-program.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
const QUICK_NODES = 200_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE = join(ROOT, 'dist/bin/insitu.cjs');
const STARTS = 5;
const ROUNDS = 20;
/** Tools that ask about methods, each with what an agent gives. */
const CALLS: readonly (readonly [tool: string, given: Record<string, unknown>])[] = [
  ['top', { limit: 20 }],
  ['top', { sort: 'total', search: 'hot1' }],
  ['callers', { method: 'bench.Hot.hot0' }],
  ['callees', { method: 'bench.Hot.hot1' }],
  ['heaviestPath', {}],
  ['why', { method: 'bench.Hot.hot2' }],
  ['groups', { by: 'package' }],
  ['timeline', {}],
  ['annotatedFile', { file: 'Hot.java' }],
];

/** A server that has been initialised, with the time that took. */
async function started(folder: string, store: string): Promise<{ readonly client: Client; readonly millis: number }> {
  const program = existsSync(BUNDLE) ? BUNDLE : join(ROOT, 'server/cli/main.ts');
  const args = [program, 'mcp', '--root', folder, '--store', store, '--project', 'acme', '--program', 'shop'];
  const client = new Client({ name: 'bench', version: '1' });
  const began = performance.now();
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  return { client, millis: performance.now() - began };
}

const mcpRow: BenchRow = {
  name: 'insitu mcp',
  async run({ quick }): Promise<BenchFigure[]> {
    const { profile, text } = hotProgram(quick ? QUICK_NODES : NODES);
    const place = await lspFolder({ 'Hot.java': '' });
    try {
      await writeFile(join(place.folder, 'Hot.java'), text);
      await putProfile(place.store, profile);
      const starts: number[] = [];
      for (let run = 0; run < (quick ? 1 : STARTS); run++) {
        const { client, millis } = await started(place.folder, place.store);
        starts.push(millis);
        await client.close();
      }
      const { client } = await started(place.folder, place.store);
      const ask = async ([name, given]: (typeof CALLS)[number]): Promise<number> => {
        const began = performance.now();
        const { isError, content } = await client.callTool({ name, arguments: given });
        if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
        return performance.now() - began;
      };
      const first = await ask(CALLS[0]!);
      for (const call of CALLS) await ask(call);
      const millis: (readonly [string, number])[] = [];
      for (let round = 0; round < (quick ? 3 : ROUNDS); round++)
        for (const call of CALLS) millis.push([call[0], await ask(call)]);
      await client.close();
      const sorted = millis.toSorted((a, b) => a[1] - b[1]);
      const [, p95] = sorted[Math.floor(0.95 * sorted.length)]!;
      const [slowest, longest] = sorted.at(-1)!;
      return [
        {
          label: 'start to initialised',
          value: median(starts),
          unit: 'ms',
          limit: { most: 400 },
        },
        { label: 'the first tool, with the data to read', value: first, unit: 'ms', limit: { most: 1_500 } },
        { label: 'a tool then, median', value: median(millis.map(([, each]) => each)), unit: 'ms' },
        { label: 'a tool then, p95', value: p95, unit: 'ms', limit: { most: 200 } },
        { label: `the longest (${slowest})`, value: longest, unit: 'ms' },
      ];
    } finally {
      await place.remove();
    }
  },
};

const tasksRow: BenchRow = {
  name: 'ten tasks with insitu mcp alone',
  async run() {
    const { tools, solved } = await solveTasks();
    const right = solved.filter(({ found, wanted }) => found === wanted);
    return [
      { label: 'solved with the right row', value: right.length, unit: 'tasks', limit: { least: solved.length } },
      { label: 'list of tools', value: tools, unit: 'tokens', limit: { most: 7_000 } },
      ...solved.map(({ task, calls, tokens }) => ({
        label: `${task} (${calls.length} ${calls.length === 1 ? 'call' : 'calls'})`,
        ...{ value: tokens, unit: 'tokens' },
      })),
    ];
  },
};

export const rows: readonly BenchRow[] = [mcpRow, tasksRow];
