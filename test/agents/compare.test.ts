// Findings of a comparison as coding agents see them: first, whole, and within the limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Agent, startAgent } from '../support/insitu/agent.ts';
import { type LspFolder, lspFolder } from '../support/insitu/lsp-store.ts';
import { putJvms, SHOP } from '../support/stores/jvms-of-versions.ts';

let place: LspFolder;
let agent: Agent;

beforeAll(async () => {
  place = await lspFolder({ 'acme/Shop.java': SHOP });
  await putJvms(place.store, 'a', 5, { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 });
  await putJvms(place.store, 'b', 5, { find: 2000, match: 6000, pack: 3000, ship: 1000, bill: 1000 });
  agent = await startAgent('--root', place.folder, '--program', 'shop');
});

afterAll(async () => {
  await agent.close();
  await place.remove();
});

test('a check keeps its findings, in data and text', async () => {
  const { data, text } = await agent.call('compare', { version: 'b', baseline: 'a', check: 0.05 });
  const [slower] = data.reports;
  expect(slower).toMatchObject({ verdict: 'slower', context: { method: 'match' } });
  expect(data.check.end).toBe('failed');
  expect(data.check.methods.map(({ method }: { method: string }) => method)).toContain('match');
  const rows = text.split('\n');
  expect(rows.indexOf('reports:')).toBeLessThan(rows.indexOf('check.methods:'));
  expect(rows.indexOf('check.methods:')).toBeLessThan(rows.indexOf('methods:'));
  expect(text).toContain('- jvms: before 5, now 5');
  expect(text).toContain('- check: end failed');
  expect(text).toMatch(/^\| Shop.match \| slower \| unknown \| 2\d\.\d % \| 4\d(\.\d)? % \| 1\d\.\d % \|/m);
});

test('a smaller limit costs less', async () => {
  const [few, many] = [1, 20].map(limit => agent.call('compare', { version: 'b', baseline: 'a', limit }));
  const [{ data, text }, whole] = [await few!, await many!];
  expect(text.length).toBeLessThan(whole.text.length);
  expect(data.reports).toEqual(whole.data.reports);
  expect(data.leftOutOf).toMatchObject({
    methods: whole.data.differingMethods - 1,
    contexts: whole.data.differing - 1,
  });
});
