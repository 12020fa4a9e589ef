// The tool `recordings` on a real JVM: it is listed, nothing happens without consent, and what is recorded is looked at under its label.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { startAgent } from '../support/insitu/agent.ts';
import { RecordingScene } from '../support/recorders/recording-scene.ts';
import { startShop, until } from '../support/recorders/recording-shop.ts';

const scene = new RecordingScene();

type Row = { readonly pid: number; readonly refusal: string | null };

/** The program may have begun, and not yet be ready to be recorded. */
async function agentBeside(pid: number, ...options: readonly string[]) {
  const root = join(scene.folder, 'project');
  mkdirSync(root);
  const place = ['--root', root, '--store', join(scene.folder, 'store'), '--project', 'acme'];
  const agent = await startAgent(...place, '--allow-record', ...options);
  const listed = async (): Promise<readonly Row[]> => (await agent.call('recordings')).data.jvms;
  await until('the JVM can be recorded', async () =>
    (await listed()).some(each => each.pid === pid && each.refusal === null),
  );
  return agent;
}

needs('jdk25', 'recordings of a running JVM', jdk => {
  test('samples come under their label once the user has agreed', async () => {
    const { pid } = scene.own(startShop(jdk, scene.folder, 120));
    const agent = await agentBeside(pid);
    const wish = { pid, label: 'before', seconds: 3, session: true };
    const asked = await agent.call('recordings', wish);
    expect(asked.isError).toBe(true);
    expect(asked.text).toContain(`nobody has agreed: record JVM ${pid} (com.acme.shop.Main) for 3 s?`);
    expect(asked.text).toContain('ask your user in these words');
    const recording = agent.call('recordings', { ...wish, agreed: true });
    // Other calls are answered meanwhile.
    expect((await agent.call('recordings')).isError).toBe(false);
    const { data, text } = await recording;
    expect([text, data.recorded]).toEqual([
      expect.not.stringContaining('No JVM'),
      expect.objectContaining({ program: 'com.acme.shop.Main', version: 'before', session: true, seconds: 3 }),
    ]);
    const { data: hot } = await agent.call('top', { version: 'before', places: false });
    expect(hot.origin.samples).toBeGreaterThan(10);
    expect(hot.rows.map(({ method }: { method: { key: string } }) => method.key).join()).toContain('com.acme.shop.');
    expect(existsSync(join(scene.folder, 'store'))).toBe(false);
    await agent.close();
  });

  test('calls are counted of methods that have samples', async () => {
    const { pid } = scene.own(startShop(jdk, scene.folder, 120));
    const agent = await agentBeside(pid, '--program', 'shop');
    const wish = { pid, label: 'v1', seconds: 3, agreed: true };
    expect((await agent.call('recordings', wish)).isError).toBe(false);
    const counted = await agent.call('recordings', { ...wish, methods: ['Shop.search'] });
    expect(counted.data.counted).toMatchObject([{ method: 'com.acme.shop.Shop.search' }]);
    const { data } = await agent.call('responseTimes', { version: 'v1', method: 'Shop.search', metric: 'time' });
    expect(data.times.count).toBeGreaterThan(0);
    await agent.close();
  });
});
