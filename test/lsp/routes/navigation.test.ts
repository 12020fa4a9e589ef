// Call hierarchy and implementation through the real server: what clients get, open further, and that it fits the protocol.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  Location,
  Position,
} from 'vscode-languageserver/node';
import { type LspClient, type StartOptions, startServer } from '../../support/insitu/lsp-client.ts';
import { type LspFolder, lspFolder, putPicture } from '../../support/insitu/lsp-store.ts';
import {
  callHierarchyItem,
  flawsOfList,
  incomingCall,
  location,
  outgoingCall,
  type Shape,
} from '../../support/protocol/lsp-shapes.ts';

const SHOP = `package acme;
class Shop {
  OrderQueue queue;
  void run() {
    queue.take();
    never();
  }
  void never() {}
  static void main(String[] args) {
    new Shop().run();
  }
}
`;
const ORDER_QUEUE = `package acme;
interface OrderQueue {
  void take();
}
`;
const LOCKED = `package acme;
class LockedQueue implements OrderQueue {
  public void take() {
    java.util.Collections.sort(null);
  }
}
`;
const RING = `package acme;
class RingQueue implements OrderQueue {
  public void take() {}
}
`;
const PICTURE = `
acme.Shop.main
  acme.Shop.run :10 | 20@5
    acme.RingQueue.take :5 | 20@3
    acme.LockedQueue.take :5 | 30@4
      java.util.Collections.sort :4 | 30@99
acme.Admin.main
  acme.LockedQueue.take :7 | 100@4`;

let place: LspFolder;
let client: LspClient;

beforeEach(async () => {
  const files = { Shop: SHOP, OrderQueue: ORDER_QUEUE, LockedQueue: LOCKED, RingQueue: RING };
  place = await lspFolder(Object.fromEntries(Object.entries(files).map(([name, text]) => [`acme/${name}.java`, text])));
  await putPicture(place.store, PICTURE);
});

afterEach(async () => {
  if (client.process.exitCode === null) await client.stop();
  await place.remove();
});

async function serve(options: StartOptions = {}): Promise<void> {
  client = await startServer({ folders: [place.folder], ...options });
  client.open(place.uri('acme/Shop.java'), SHOP);
}

/** An answer that was found to fit the protocol. */
async function ask<T>(shape: Shape, method: string, params: unknown): Promise<T[]> {
  const answer = await client.connection.sendRequest<T[] | null>(method, params);
  expect(flawsOfList(shape, answer)).toEqual([]);
  return answer ?? [];
}

const at = (path: string, position: Position) => ({ textDocument: { uri: place.uri(path) }, position });
const prepare = (line: number, character: number) =>
  ask<CallHierarchyItem>(
    callHierarchyItem,
    'textDocument/prepareCallHierarchy',
    at('acme/Shop.java', { line, character }),
  );
const callees = (item: CallHierarchyItem) =>
  ask<CallHierarchyOutgoingCall>(outgoingCall, 'callHierarchy/outgoingCalls', { item });
const callers = (item: CallHierarchyItem) =>
  ask<CallHierarchyIncomingCall>(incomingCall, 'callHierarchy/incomingCalls', { item });

const start = ({ range }: { range: { start: Position } }) => `${range.start.line + 1}:${range.start.character}`;
const rangesOf = (ranges: readonly { start: Position }[]) => ranges.map(each => start({ range: each })).join(' ');
function lineOf(
  { name, detail, uri, selectionRange }: CallHierarchyItem,
  ranges: readonly { start: Position }[],
): string {
  return `${name} | ${detail} | ${uri.split('/').at(-1)} ${start({ range: selectionRange })} | ${rangesOf(ranges)}`;
}

test('what is called goes down with its path, what ran first, to libraries', async () => {
  await serve();
  const [item] = await prepare(3, 8);
  expect(item).toMatchObject({ name: 'Shop.run()', detail: '50 % of cpu · 100 of 200 samples', kind: 6 });
  const below = await callees(item!);
  expect(below.map(({ to, fromRanges }) => lineOf(to, fromRanges))).toEqual([
    'LockedQueue.take | 60 % · 60 samples | LockedQueue.java 3:14 | 5:10',
    'RingQueue.take | 20 % · 20 samples | RingQueue.java 3:14 | 5:10',
    'Shop.never() | not seen running | Shop.java 8:7 | 6:4',
  ]);
  const library = await callees(below[0]!.to);
  expect(library.map(({ to, fromRanges }) => lineOf(to, fromRanges))).toEqual([
    'Collections.sort | 50 % · 30 samples · no source in this workspace | LockedQueue.java 4:26 | 4:26',
  ]);
  expect(await callees(library[0]!.to)).toEqual([]);
});

test('who calls goes up within the path that was opened', async () => {
  await serve();
  const [item, ring] = await prepare(4, 12);
  expect([item?.name, ring?.name]).toEqual(['LockedQueue.take', 'RingQueue.take']);
  const above = await callers(item!);
  expect(above.map(({ from, fromRanges }) => lineOf(from, fromRanges))).toEqual([
    'Admin.main | 63 % · 100 samples · no source in this workspace | LockedQueue.java 3:14 | 3:14',
    'Shop.run | 38 % · 60 samples | Shop.java 4:7 | 5:10',
  ]);
  const further = await callers(above[1]!.from);
  expect(further.map(({ from, fromRanges }) => lineOf(from, fromRanges))).toEqual([
    'Shop.main | 100 % · 60 samples | Shop.java 9:14 | 10:15',
  ]);
});

test('where an editor lists names alone, numbers stand in them, except where it is asked which is meant', async () => {
  await serve({ clientInfo: { name: 'Neovim' } });
  const [item] = await prepare(3, 8);
  expect(item?.name).toBe('Shop.run()');
  expect((await callees(item!)).map(({ to }) => to.name)).toEqual([
    'LockedQueue.take · 60 % · 60 samples',
    'RingQueue.take · 20 % · 20 samples',
    'Shop.never() · not seen running',
  ]);
  const [caller] = await callers(item!);
  expect(caller?.from).toMatchObject({ name: 'Shop.main · 100 % · 100 samples', detail: '100 % · 100 samples' });
});

test('implementations are the methods that ran, hottest first', async () => {
  await serve();
  client.open(place.uri('acme/OrderQueue.java'), ORDER_QUEUE);
  const found = (path: string, line: number, character: number) =>
    ask<Location>(location, 'textDocument/implementation', at(path, { line, character }));
  const lines = (places: readonly Location[]) => places.map(each => `${each.uri.split('/').at(-1)} ${start(each)}`);
  expect(lines(await found('acme/OrderQueue.java', 2, 8))).toEqual(['LockedQueue.java 3:14', 'RingQueue.java 3:14']);
  expect(lines(await found('acme/OrderQueue.java', 1, 12))).toEqual(['LockedQueue.java 2:6', 'RingQueue.java 2:6']);
  expect(lines(await found('acme/Shop.java', 4, 11))).toEqual(['LockedQueue.java 3:14', 'RingQueue.java 3:14']);
});

describe('the settings', () => {
  test('auto offers no call hierarchy to an editor that would drop another for it', async () => {
    await serve({ clientInfo: { name: 'Visual Studio Code' } });
    expect(client.capabilities.callHierarchyProvider).toBeUndefined();
    expect(client.capabilities.implementationProvider).toBe(true);
    expect(await prepare(3, 8)).toHaveLength(1);
  });

  test('off and false answer nothing', async () => {
    await serve({ initializationOptions: { callHierarchy: 'off', implementation: { enabled: false } } });
    expect(await prepare(3, 8)).toEqual([]);
    expect(
      await ask(location, 'textDocument/implementation', at('acme/Shop.java', { line: 4, character: 11 })),
    ).toEqual([]);
  });

  test('the call hierarchy is switched on and off while the server runs', async () => {
    await serve({ initializationOptions: { callHierarchy: 'off' } });
    expect(client.capabilities.callHierarchyProvider).toBe(true);
    expect(await prepare(3, 8)).toEqual([]);
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { insitu: { callHierarchy: 'auto' } },
    });
    const [item] = await prepare(3, 8);
    expect(await callees(item!)).toHaveLength(3);
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { insitu: { callHierarchy: 'off' } },
    });
    expect([await prepare(3, 8), await callees(item!), await callers(item!)]).toEqual([[], [], []]);
  });

  /** The registrations and their ends, in order. */
  const registrations = () =>
    client.received
      .filter(({ method }) => /client\/(?:un)?registerCapability/.test(method))
      .flatMap(({ method, params }) => {
        const lists = Object.values(params as Record<string, { method: string }[]>).flat();
        return lists.map(each => `${method.includes('unreg') ? '-' : '+'} ${each.method}`);
      })
      .filter(text => text.includes('allHierarchy'));
  const set = (callHierarchy: string) =>
    client.connection.sendNotification('workspace/didChangeConfiguration', { settings: { insitu: { callHierarchy } } });

  test('on takes the place of another, and gives it back, while the server runs', async () => {
    const capabilities = { textDocument: { callHierarchy: { dynamicRegistration: true } } };
    await serve({ clientInfo: { name: 'Visual Studio Code' }, capabilities });
    expect(client.capabilities.callHierarchyProvider).toBeUndefined();
    const came = ['+ textDocument/prepareCallHierarchy'];
    await set('on');
    await expect.poll(registrations, { timeout: 10_000 }).toEqual(came);
    await set('off');
    await set('auto');
    await expect.poll(registrations, { timeout: 10_000 }).toEqual([...came, '- textDocument/prepareCallHierarchy']);
  });

  test('on from the start is registered too, so that it can be taken back', async () => {
    const capabilities = { textDocument: { callHierarchy: { dynamicRegistration: true } } };
    await serve({ clientInfo: { name: 'VSCodium' }, capabilities, initializationOptions: { callHierarchy: 'on' } });
    expect(client.capabilities.callHierarchyProvider).toBeUndefined();
    await expect.poll(registrations, { timeout: 10_000 }).toEqual(['+ textDocument/prepareCallHierarchy']);
  });

  test('an editor that takes none later is told once that it has to start the server anew', async () => {
    await serve({ clientInfo: { name: 'Visual Studio Code' } });
    await set('on');
    await set('auto');
    await set('on');
    const { params } = await client.waitFor(({ method }) => method === 'window/showMessage');
    expect(params).toMatchObject({ message: expect.stringContaining('they are shown when it is started anew') });
    await prepare(3, 8);
    expect(client.received.filter(({ method }) => method === 'window/showMessage')).toHaveLength(1);
    expect(registrations()).toEqual([]);
  });

  test('off leaves an editor that would drop another the other one', async () => {
    await serve({ clientInfo: { name: 'Visual Studio Code' }, initializationOptions: { callHierarchy: 'off' } });
    expect(client.capabilities.callHierarchyProvider).toBeUndefined();
  });
});

test('a file that is opened under two spellings of its address is one document', async () => {
  await serve();
  const uri = place.uri('acme/Shop.java');
  const other = uri.replace('Shop', '%53hop');
  client.open(other, `// moved\n${SHOP}`);
  const found = async (asked: string, line: number) => {
    const params = { textDocument: { uri: asked }, position: { line, character: 8 } };
    const items = await ask<CallHierarchyItem>(callHierarchyItem, 'textDocument/prepareCallHierarchy', params);
    return items.map(({ name }) => name);
  };
  expect([await found(uri, 4), await found(other, 4)]).toEqual([['Shop.run()'], ['Shop.run()']]);
  await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: other } });
  expect(await found(uri, 3)).toEqual(['Shop.run()']);
});

test('what a client makes of an entry does no harm', async () => {
  await serve();
  const [item] = await prepare(3, 8);
  for (const data of [
    undefined,
    null,
    7,
    { path: [] },
    { ...item!.data, path: [[{}]] },
    { ...item!.data, direction: 'up' },
  ])
    expect(await callees({ ...item!, data })).toEqual([]);
  // Neovim 0.10 drops what is null.
  const without = JSON.parse(JSON.stringify(item!.data, (_, value) => value ?? undefined));
  expect(without).not.toEqual(item!.data);
  expect(await callees({ ...item!, data: without })).toEqual(await callees(item!));
  const gone = { ...item!.data, path: [[{ className: 'acme.Gone', name: 'gone', descriptor: null }]] };
  expect(await callers({ ...item!, data: gone })).toEqual([]);
});
