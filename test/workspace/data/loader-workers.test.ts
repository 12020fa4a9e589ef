// Checks that the loader takes reports from the thread at work alone: one that was given up may still end what it had begun.
import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { TransferableData } from '../../../server/analysis/loaded-data.ts';
import { selectData } from '../../../server/analysis/select-data.ts';
import type { LoadReport } from '../../../server/workspace/data/load-worker.ts';
import { Loader } from '../../../server/workspace/data/loader.ts';
import { sourceIn } from '../../support/insitu/lsp-store.ts';
import { datasetOf, provenanceOf } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';

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

const source = sourceIn({ store: '/store', folder: '/' });

beforeEach(() => {
  threads.length = 0;
});

/** Data that a thread has folded. */
function dataOf(picture: string): TransferableData {
  return selectData(datasetOf(profileOfText(picture), provenanceOf()), {}).value!;
}

/** The report of a thread whose first data these are. */
function ended(id: number, { folded, selected }: TransferableData, isKnown = false): LoadReport {
  const fresh = isKnown ? [] : ([[1, folded]] as const);
  const data = { folded: 1, selected };
  return { kind: 'end', id, data, problems: [], stamp: null, missing: [], fresh, kept: [1] };
}

test('what a thread that was given up still sends replaces nothing', async () => {
  const [wanted, unwanted] = [dataOf('Shop.run | 1@1'), dataOf('Other.run | 1@1')];
  const loader = new Loader();
  loader.load(source, () => {}).cancel();
  const second = loader.load({ ...source, wish: { ...source.wish, project: 'other' } }, () => {});
  const [old, current] = threads;
  current!.emit('message', ended(2, wanted));
  expect((await second.result)?.value?.folded).toBe(wanted.folded);
  old!.emit('message', ended(1, unwanted));
  const again = loader.load({ ...source, wish: { ...source.wish, project: 'other' } }, () => {}, false);
  current!.emit('message', ended(3, wanted, true));
  expect((await again.result)?.value?.folded).toBe(wanted.folded);
  loader.close();
});
