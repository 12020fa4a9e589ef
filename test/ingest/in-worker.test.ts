// Reading in a thread of its own: the same as without, and a thread that is not needed any more ends by itself.
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { letEnd } from '../../server/base/workers.ts';
import { ingestInWorker } from '../../server/ingest/in-worker.ts';
import { ingestFile } from '../../server/ingest/read.ts';

const [recording = ''] = globSync('*.jfr', { cwd: fileURLToPath(new URL('../../samples/recordings', import.meta.url)) })
  .sort()
  .map(name => fileURLToPath(new URL(`../../samples/recordings/${name}`, import.meta.url)));

/** The thread that the next call starts. */
async function nextThread(): Promise<Worker> {
  const [worker] = await once(process, 'worker');
  return worker;
}

test('gives what reading here gives', async () => {
  const read = await ingestInWorker(recording, { names: 'normalised' });
  expect(read).toEqual(await ingestFile(recording, { names: 'normalised' }));
});

test.for([
  { windowMillis: 700 },
  { timeTypes: true },
  { compilerLoad: true },
  { events: ['jdk.ObjectAllocationSample'] },
])('reads with the option %o as reading here does', async option => {
  const here = await ingestFile(recording, { names: 'normalised', ...option });
  expect(here).not.toEqual(await ingestFile(recording, { names: 'normalised' }));
  expect(await ingestInWorker(recording, { names: 'normalised', ...option })).toEqual(here);
});

describe('a thread that is not needed any more', () => {
  // The time after which a thread is stopped does not pass by itself: a busy machine takes long to start one.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('ends by itself when its reading is cancelled', async () => {
    const cancel = new AbortController();
    const thread = nextThread();
    const reading = ingestInWorker(recording, { names: 'normalised', signal: cancel.signal });
    const ended = once(await thread, 'exit');
    cancel.abort();
    expect(await reading).toMatchObject({ profile: null, problems: [{ message: 'reading was cancelled' }] });
    expect(await ended).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is stopped when it has not ended after some seconds', async () => {
    const deaf = new Worker('for (;;);', { eval: true });
    await once(deaf, 'online');
    letEnd(deaf, null);
    const ended = once(deaf, 'exit');
    vi.advanceTimersByTime(60_000);
    expect(await ended).toEqual([1]);
  });
});
