// Tests loading in the real worker: data come back whole, a cancelled load ends at once, a dead worker is replaced.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { transferList } from '../../../server/analysis/data-buffers.ts';
import { completeData } from '../../../server/analysis/loaded-data.ts';
import { selectData } from '../../../server/analysis/select-data.ts';
import { Tidying } from '../../../server/base/engine.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { Loader } from '../../../server/workspace/data/loader.ts';
import type { Source } from '../../../server/workspace/data/source.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { type LspFolder, lspFolder, putPicture, sourceIn } from '../../support/insitu/lsp-store.ts';
import { datasetOf, provenanceOf } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';

let place: LspFolder;
let loader: Loader;
let source: Source;

beforeEach(async () => {
  place = await lspFolder();
  await putPicture(place.store, 'Shop.run | 20@1\n  Helper.go :1 | 60@9');
  await putPicture(place.store, 'Shop.run | 20@1', { instance: 'i-2' }, 60);
  loader = new Loader();
  source = sourceIn(place);
});

afterEach(async () => {
  loader.close();
  await place.remove();
});

describe('a load', () => {
  test('gives data that features can use, and tells its progress', async () => {
    const progress: string[] = [];
    const result = await loader.load(source, ({ done, all }) => progress.push(`${done}/${all}`)).result;
    const data = completeData(result!.value!);
    const hints = hintsOf(documentWithData('class Shop { void run() { helper.go(); } }', data));
    expect(hints.map(({ text }) => text)).toEqual(['100% · self 40% +1']);
    expect(data.provenance.executions.map(({ instance }) => instance)).toEqual(['i-1', 'i-2']);
    expect(progress.at(-1)).toBe('2/2');
  });

  test('that replaces data has them collected; the first one replaces none', async () => {
    const look = vi.spyOn(Tidying.prototype, 'look').mockReturnValue();
    await loader.load(source, () => {}).result;
    await new Promise(setImmediate);
    expect(look).not.toHaveBeenCalled();
    await putPicture(place.store, 'Shop.run | 7@1', { instance: 'i-3' }, 120);
    await loader.load(source, () => {}).result;
    await vi.waitFor(() => expect(look).toHaveBeenCalled());
    // Of columns that threads share only the thread that made them counts how many bytes they have.
    expect(look.mock.calls[0]![0]).toBeGreaterThan(0);
    look.mockRestore();
  });

  test('that is cancelled ends with null; the ones behind it are done', async () => {
    const loads = [0, 1, 2].map(() => loader.load(source, () => {}));
    loads[0]!.cancel();
    loads[1]!.cancel();
    loads[1]!.cancel();
    expect(await loads[0]!.result).toBeNull();
    expect(await loads[1]!.result).toBeNull();
    expect((await loads[2]!.result)?.value).not.toBeNull();
  });

  test('under way when the loader closes counts as cancelled', async () => {
    const load = loader.load(source, () => {});
    loader.close();
    expect(await load.result).toBeNull();
  });

  test('of a program that is not there says so', async () => {
    const result = await loader.load({ ...source, wish: { ...source.wish, program: 'nobody' } }, () => {}).result;
    expect(result?.value).toBeNull();
    expect(result?.problems.some(({ severity, remedy }) => severity === 'error' && remedy !== undefined)).toBe(true);
  });

  test('of another selection of the same data leaves standing what the document was mapped with', async () => {
    const whole = await loader.load(source, () => {}).result;
    const cut = await loader.load({ ...source, selection: { focus: ['Helper.go'] } }, () => {}, false).result;
    const [before, after] = [completeData(whole!.value!), completeData(cut!.value!)];
    expect(after.analysis.whole.count).toBeLessThan(before.analysis.whole.count);
    expect(after.classes).toBe(before.classes);
  });

  test('for a metric that was not recorded takes another and says so', async () => {
    const result = await loader.load({ ...source, selection: { metric: 'wall' } }, () => {}).result;
    expect(completeData(result!.value!).metric.id).toBe('cpu');
    expect(result?.problems.map(({ message }) => message)).toEqual([
      'metric "wall" was not recorded; "cpu" is shown instead',
    ]);
  });
});

test('every buffer of a selection is transferred, each once; what is folded stays in memory that all threads share', () => {
  const profile = profileOfText('Shop.run | 20@1');
  const { value } = selectData(datasetOf(profile, provenanceOf()), {});
  const { folded, selected } = value!;
  const buffers = new Set(transferList(selected));
  const columns = [selected.analysis.totalCount, selected.values.total.count, selected.values.self.weight];
  for (const { buffer } of columns) if (!(buffer instanceof SharedArrayBuffer)) expect(buffers.has(buffer)).toBe(true);
  expect(buffers.size).toBe(transferList(selected).length);
  expect(transferList(folded)).toEqual([]);
  const copy = structuredClone(selected, { transfer: [...buffers] });
  expect(copy.analysis.whole).toEqual({ weight: 20, count: 20 });
  expect(copy.analysis.totalCount.length).toBe(folded.profile.tree.length);
});
