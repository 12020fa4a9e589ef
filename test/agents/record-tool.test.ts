// The tool `recordings` where no JVM is recorded: it is off by default, lists, and refuses with a way out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Agent, startAgent } from '../support/insitu/agent.ts';

let folder = '';
let agent: Agent;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-record-tool-'));
  agent = await startAgent('--root', folder, '--store', join(folder, 'store'), '--allow-record', '--allow-import');
});

afterAll(async () => {
  await agent.close();
  rmSync(folder, { recursive: true });
});

test('only who allows recording has the tool', async () => {
  const reader = await startAgent('--root', folder, '--allow-import');
  const names = (await reader.client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('importRecording');
  expect(names).not.toContain('recordings');
  await reader.close();
});

test('with all that may be allowed the list of tools costs at most 7,000 tokens', async () => {
  const { tools } = await agent.client.listTools();
  expect(tools.find(({ name }) => name === 'recordings')?.annotations).toMatchObject({ readOnlyHint: false });
  const given = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(JSON.stringify(given).length / 4).toBeLessThanOrEqual(7_000);
});

test('JVMs are listed without their arguments, which may hold secrets', async () => {
  const { data, isError } = await agent.call('recordings');
  expect(isError).toBe(false);
  for (const row of data.jvms) expect(Object.keys(row)).toEqual(['pid', 'name', 'java', 'since', 'program', 'refusal']);
});

test('a process that is no JVM is refused', async () => {
  const { isError, text } = await agent.call('recordings', { pid: process.pid, label: 'x', agreed: true });
  expect([isError, text]).toEqual([true, expect.stringContaining(`no JVM ${process.pid} runs here`)]);
});
