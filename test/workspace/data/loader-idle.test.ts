// Tests that the loading thread ends when it has nothing to do, that the next one goes on with what it kept, and that no order is lost.
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { completeData, type LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { LoadOrder } from '../../../server/workspace/data/load-worker.ts';
import { Loader } from '../../../server/workspace/data/loader.ts';
import type { Source } from '../../../server/workspace/data/source.ts';
import { type LspFolder, lspFolder, putPicture, sourceIn } from '../../support/insitu/lsp-store.ts';

/** Real threads, with the orders that they were given. */
const threads = vi.hoisted((): { readonly worker: Worker; readonly orders: LoadOrder[] }[] => []);
/** Called with each order, before the thread can answer it. */
const ordered = vi.hoisted(() => ({ by: (_order: LoadOrder): void => {} }));

vi.mock('node:worker_threads', async original => {
  const real = await original<typeof import('node:worker_threads')>();
  return {
    ...real,
    Worker: class extends real.Worker {
      readonly #orders: LoadOrder[] = [];
      constructor(...given: ConstructorParameters<typeof real.Worker>) {
        super(...given);
        threads.push({ worker: this, orders: this.#orders });
      }
      override postMessage(order: LoadOrder): void {
        this.#orders.push(order);
        super.postMessage(order);
        ordered.by(order);
      }
    },
  };
});

const IDLE_MILLIS = 30;

let place: LspFolder;
let loader: Loader;
let source: Source;

beforeEach(async () => {
  threads.length = 0;
  ordered.by = () => {};
  place = await lspFolder();
  await putPicture(place.store, 'Shop.run | 20@1\n  Helper.go :1 | 60@9');
  loader = new Loader(IDLE_MILLIS);
  source = sourceIn(place);
});

afterEach(async () => {
  loader.close();
  await place.remove();
});

async function load(of: Source, fresh = true): Promise<LoadedData> {
  const result = await loader.load(of, () => {}, fresh).result;
  return completeData(result!.value!);
}

test('without an order it ends, and one that was only warmed up too', async () => {
  loader.warmUp();
  await once(threads[0]!.worker, 'exit');
  await load(source);
  await once(threads[1]!.worker, 'exit');
  expect(threads.length).toBe(2);
});

test('the next one goes on with the same data, without reading them again', async () => {
  const before = await load(source);
  await once(threads[0]!.worker, 'exit');
  await rm(place.store, { recursive: true });
  const after = await load({ ...source, selection: { focus: ['Helper.go'] } }, false);
  expect(threads.length).toBe(2);
  expect(after.analysis.whole.count).toBe(60);
  expect(after.profile).toBe(before.profile);
  expect(after.classes).toBe(before.classes);
});

test('a store that has not changed is not read again, and what is new is added', async () => {
  const before = await load(source);
  await once(threads[0]!.worker, 'exit');
  expect((await load(source)).profile).toBe(before.profile);
  await once(threads[1]!.worker, 'exit');
  await putPicture(place.store, 'Shop.run | 20@1', { instance: 'i-2' }, 60);
  expect((await load(source)).analysis.whole.count).toBe(100);
});

test('what is asked of the store wakes it', async () => {
  await load(source);
  await once(threads[0]!.worker, 'exit');
  expect((await loader.stamp(source))?.text).toBeTypeOf('string');
});

test('an order that comes while it is about to end is done by it', async () => {
  await load(source);
  const [first] = threads;
  const ending = new Promise<void>(resolve => {
    ordered.by = ({ kind }) => kind === 'giveAway' && resolve();
  });
  await ending;
  const [data, stamp] = await Promise.all([load(source), loader.stamp(source)]);
  expect(data.analysis.whole.count).toBe(80);
  expect(stamp?.text).toBeTypeOf('string');
  expect(first!.orders.filter(({ kind }) => kind === 'load').length + threads.length).toBe(3);
});

test('orders at any moment around its end are all answered', async () => {
  for (let millis = IDLE_MILLIS - 10; millis <= IDLE_MILLIS + 10; millis += 2) {
    await pause(millis);
    expect((await load(source)).analysis.whole.count).toBe(80);
  }
});
