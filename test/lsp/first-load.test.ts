// Tests that the first message is looked at without being taken away, and that what was begun for it is not loaded twice.
import { stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { beginFirstLoad } from '../../server/lsp/first-load.ts';
import { Loader } from '../../server/workspace/data/loader.ts';
import type { Source } from '../../server/workspace/data/source.ts';
import { type LspFolder, lspFolder, putPicture } from '../support/lsp-store.ts';

vi.mock('node:fs/promises', { spy: true });

let place: LspFolder;
let loader: Loader;

beforeEach(async () => {
  place = await lspFolder();
  await putPicture(place.store, 'Shop.run | 20@1');
  loader = new Loader();
});

afterEach(async () => {
  loader.close();
  await place.remove();
});

function message(method: string, params: unknown): Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
  return Buffer.from(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Lets a first load look at what has come; gives what it began and what a reader finds afterwards. */
async function looked(...sent: readonly Buffer[]): Promise<{ begun: Source[]; hintsFirst: boolean[]; read: string }> {
  const begun: Source[] = [];
  const hintsFirst: boolean[] = [];
  class Noting extends Loader {
    override begin(source: Source, first: boolean): void {
      begun.push(source);
      hintsFirst.push(first);
    }
  }
  const input = new PassThrough();
  for (const part of sent) input.write(part);
  await beginFirstLoad(input, new Noting(), { metric: 'cpu' });
  const parts: Buffer[] = [];
  input.on('data', (part: Buffer) => parts.push(part));
  input.end();
  await new Promise(resolve => input.on('end', resolve));
  return { begun, hintsFirst, read: Buffer.concat(parts).toString() };
}

describe('the first message', () => {
  test('is left to be read, and says what to load', async () => {
    const sent = message('initialize', {
      capabilities: {},
      workspaceFolders: [{ uri: pathToFileURL(place.folder).href, name: 'ä' }],
      initializationOptions: { version: '1.0' },
    });
    const { begun, read } = await looked(sent, message('shutdown', null));
    expect(begun).toMatchObject([{ store: place.store, project: 'acme', version: '1.0', metric: 'cpu' }]);
    expect(read).toBe(sent.toString() + message('shutdown', null).toString());
  });

  test('lets this thread look at the store where hints come first, unless that does not answer', async () => {
    const initialize = (textDocument: object) =>
      message('initialize', {
        capabilities: { textDocument },
        workspaceFolders: [{ uri: pathToFileURL(place.folder).href, name: 'a' }],
      });
    expect(await looked(initialize({ inlayHint: {} }))).toMatchObject({ hintsFirst: [true] });
    expect(await looked(initialize({}))).toMatchObject({ hintsFirst: [false] });
    vi.mocked(stat).mockReturnValueOnce(new Promise(() => {}));
    expect(await looked(initialize({ inlayHint: {} }))).toMatchObject({ hintsFirst: [false] });
  });

  test.each([
    ['nothing', []],
    ['half of it', [message('initialize', { rootUri: 'file:///a' }).subarray(0, 40)]],
    ['another one', [message('shutdown', null)]],
    ['no JSON', [Buffer.from('Content-Length: 4\r\n\r\n{{{{')]],
    ['no folder', [message('initialize', { rootUri: null })]],
    ['params that are none', [message('initialize', 7)]],
  ])('that is %s begins nothing and is lost to nobody', async (_what, sent: readonly Buffer[]) => {
    const { begun, read } = await looked(...sent);
    expect(begun).toEqual([]);
    expect(read).toBe(Buffer.concat(sent).toString());
  });
});

describe('a load that was begun', () => {
  const source = (): Source => ({
    store: place.store,
    project: 'acme',
    program: null,
    version: null,
    metric: null,
    root: place.folder,
  });

  test('is taken over with its progress by a load of the same source', async () => {
    loader.begin(source());
    const progress: number[] = [];
    const result = await loader.load(source(), ({ done }) => progress.push(done)).result;
    expect(result?.value?.selected.analysis.whole.count).toBe(20);
    expect(progress).toEqual([1]);
  });

  test('makes way for any other', async () => {
    loader.begin(source());
    const result = await loader.load({ ...source(), version: 'none' }, () => {}).result;
    expect(result?.missing).toEqual(['version']);
  });
});
