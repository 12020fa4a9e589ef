// Checks that the loader takes reports from the thread at work alone: one that was given up may still end what it had begun.
import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LoadReport } from '../../server/workspace/data/load-worker.ts';
import { Loader } from '../../server/workspace/data/loader.ts';

const threads = vi.hoisted((): EventEmitter[] => []);

vi.mock('node:worker_threads', async original => ({
  ...(await original<typeof import('node:worker_threads')>()),
  Worker: class extends EventEmitter {
    constructor() {
      super();
      threads.push(this);
    }
    postMessage() {}
    unref() {}
    async terminate() {}
  },
}));

const source = { store: '/store', project: 'acme', program: null, version: null, metric: null, root: '/' };

beforeEach(() => {
  threads.length = 0;
});

/** What a thread reports that has folded `name` as its first data; the loader looks into none of it. */
function ended(id: number, name: string, isKnown = false): LoadReport {
  const fresh = isKnown ? [] : [[1, name]];
  return {
    kind: 'end',
    id,
    data: { folded: 1, selected: {} },
    problems: [],
    stamp: null,
    missing: [],
    fresh,
    kept: [1],
  } as unknown as LoadReport;
}

test('what a thread that was given up still sends replaces nothing', async () => {
  const loader = new Loader();
  loader.load(source, () => {}).cancel();
  const second = loader.load({ ...source, project: 'other' }, () => {});
  const [old, current] = threads;
  current!.emit('message', ended(2, 'new'));
  expect((await second.result)?.value?.folded).toBe('new');
  old!.emit('message', ended(1, 'old'));
  const again = loader.load({ ...source, project: 'other' }, () => {}, false);
  current!.emit('message', ended(3, 'new', true));
  expect((await again.result)?.value?.folded).toBe('new');
  loader.close();
});
