// Credentials of the recorder and secrets of the JVM leave neither: not in what is printed, spooled, cached or stored.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readSpooled } from '../../server/record/spool.ts';
import { decodeSnapshot } from '../../server/snapshot/decode.ts';
import { needs } from '../support/engines/needs.ts';
import {
  compiledShop,
  ends,
  type Process,
  spooled,
  startInsitu,
  startRecorder,
  startShop,
  until,
  untilFollowing,
} from '../support/recorders/recording-shop.ts';
import { type MemoryEngine, startMemoryEngine } from '../support/stores/memory-engine.ts';

/** Part of everything that must not be told. */
const SECRET = 'hidden-8f2c';
const ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: `${SECRET}-key`,
  AWS_SECRET_ACCESS_KEY: `${SECRET}-secret`,
  AWS_SESSION_TOKEN: `${SECRET}-token`,
  DATABASE_PASSWORD: `${SECRET}-database`,
};

let folder = '';
let engine: MemoryEngine;
const running: Process[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-secrets-'));
  engine = await startMemoryEngine();
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of running.splice(0)) await ends(each, 'SIGKILL');
  await engine.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Every file below a folder. */
function filesIn(place: string): string[] {
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return names.map(name => join(place, name)).filter(path => statSync(path).isFile());
}

/** All that can be read out of a snapshot, which is compressed. */
function textOf(bytes: Uint8Array): string {
  const { value } = decodeSnapshot(bytes, '');
  expect(value).not.toBeNull();
  const { header, profile } = value!;
  return JSON.stringify([header, profile.methods.strings, profile.threads, profile.metrics]);
}

needs('jdk17', 'secrets', jdk => {
  beforeAll(() => compiledShop(jdk));

  test('of the environment, of properties and of the command line are told nobody', async () => {
    const repository = join(folder, 'repository');
    // The JVM's own settings record the environment, properties and the command line.
    const shop = startShop(jdk, folder, 120, [
      `-Ddatabase.password=${SECRET}-property`,
      `-XX:FlightRecorderOptions=repository=${repository}`,
      '-XX:StartFlightRecording=settings=profile',
    ]);
    running.push(shop);
    engine.down = true;
    const place = ['--pid', String(shop.pid), '--store', engine.store];
    const recorder = startRecorder(folder, [...place, '--interval', '2s']);
    running.push(recorder);
    await untilFollowing(recorder);
    await until('windows wait', () => spooled(folder).filter(name => name.endsWith('.closed')).length >= 2);
    const chunks = filesIn(repository).map(path => readFileSync(path, 'latin1'));
    expect(chunks.join()).toContain(`${SECRET}-database`);
    expect(chunks.join()).toContain(`${SECRET}-property`);

    const waiting = filesIn(join(folder, 'spool')).map(path => {
      const bytes = readFileSync(path);
      const snapshot = readSpooled(path)?.snapshot ?? new Uint8Array(0);
      return bytes.toString('latin1') + (snapshot.length === 0 ? '' : textOf(snapshot));
    });
    expect(waiting.filter(text => text.includes('com.acme.shop')).length).toBeGreaterThanOrEqual(2);
    expect(waiting.join()).not.toContain(SECRET);

    engine.down = false;
    await until('a window is stored', () => recorder.text().includes('"kind":"stored"'));
    expect(await ends(recorder)).toBe('0');
    const stored = [...engine.objects].map(([key, bytes]) => {
      return key + bytes.toString('latin1') + (key.endsWith('.cct') ? textOf(bytes) : '');
    });
    expect(stored.filter(text => text.includes('com.acme.shop')).length).toBeGreaterThanOrEqual(2);
    expect(stored.join()).not.toContain(SECRET);

    const doctor = startInsitu(folder, ['doctor', ...place, '--json']);
    expect(await doctor.ended).toBe('0');
    const top = startInsitu(folder, ['top', '--store', engine.store, '--project', 'acme']);
    expect(await top.ended).toBe('0');
    expect(top.text()).toContain('com.acme.shop');
    expect([recorder, doctor, top].map(each => each.text()).join()).not.toContain(SECRET);
    const cached = filesIn(join(folder, 'cache')).map(path => {
      const bytes = readFileSync(path);
      return bytes.toString('latin1') + (path.endsWith('.cct') ? textOf(bytes) : '');
    });
    expect(cached.some(text => text.includes('com.acme.shop'))).toBe(true);
    expect(cached.join()).not.toContain(SECRET);
  });
});
