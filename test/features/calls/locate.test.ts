// Tests where runtime methods are found: in open, unsaved, moved and copied files, on disk, and where nothing is found.
import { renameSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import { type Asking, locateAll, type PlaceInFile } from '../../../server/features/calls/locate.ts';
import { type WorkspaceWithData, workspaceWithData } from '../../support/profiles/workspace-with-data.ts';

const SHOP = `package acme;
class Shop {
  void run() {
    new Queue().take();
  }
}
`;
const QUEUE = `package acme;
class Queue {
  void take() {
    poll();
  }
  void poll() {}
}
`;
const PICTURE = `
acme.Shop.run | 10@4
  acme.Queue.take :4 | 20@4
    acme.Queue.poll :4 | 30@6
  java.util.List.sort :4 | 10@99`;

let place: WorkspaceWithData | null = null;

afterEach(() => {
  place?.remove();
  place = null;
});

async function shop(files: Record<string, string> = {}, options = {}): Promise<WorkspaceWithData> {
  place = await workspaceWithData(
    { 'src/acme/Shop.java': SHOP, 'src/acme/Queue.java': QUEUE, ...files },
    PICTURE,
    options,
  );
  return place;
}

async function locate(asking: Asking, row: number): Promise<PlaceInFile | null> {
  return (await locateAll(asking, [row], inlineReach.turn)).get(row) ?? null;
}

/** `path:line`, with a `~` when not certain. */
function where({ root }: WorkspaceWithData, found: PlaceInFile | null): string | null {
  if (found === null) return null;
  const path = found.path?.slice(root.length + 1) ?? found.uri;
  expect(found.range.start.line + 1).toBe(found.line);
  return `${found.certain ? '' : '~'}${path}:${found.line}`;
}

test('a method of a file on disk, of the asking file, and of a library', async () => {
  const at = await shop();
  const asking = at.open('src/acme/Shop.java');
  const find = async (name: string) => where(at, await locate(asking, at.row(name)));
  expect(await find('acme.Queue.poll')).toBe('src/acme/Queue.java:6');
  expect(await find('acme.Shop.run')).toBe('src/acme/Shop.java:3');
  expect(await find('java.util.List.sort')).toBeNull();
  expect(await locate(asking, at.row('acme.Queue.take'))).toEqual({
    uri: at.uri('src/acme/Queue.java'),
    path: join(at.root, 'src/acme/Queue.java'),
    range: { start: { line: 2, character: 7 }, end: { line: 2, character: 11 } },
    fullRange: { start: { line: 2, character: 2 }, end: { line: 4, character: 3 } },
    line: 3,
    certain: true,
  });
});

test('many at once, read in the background', async () => {
  const at = await shop();
  const asking = at.open('src/acme/Shop.java');
  const rows = ['acme.Queue.take', 'acme.Queue.poll', 'java.util.List.sort'].map(at.row);
  const found = await locateAll(asking, rows, inlineReach.turn);
  expect(rows.map(row => where(at, found.get(row)!))).toEqual(['src/acme/Queue.java:3', 'src/acme/Queue.java:6', null]);
});

describe('another file that is open', () => {
  test('counts with its unsaved text', async () => {
    const at = await shop();
    at.open('src/acme/Queue.java');
    at.open('src/acme/Queue.java', `// one\n// two\n${QUEUE}`);
    const asking = at.open('src/acme/Shop.java');
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('src/acme/Queue.java:8');
  });

  test('is not certain where the method changed, or is gone', async () => {
    const at = await shop();
    at.open('src/acme/Queue.java', QUEUE.replace('poll();', 'poll(); poll();').replace('void poll() {}', ''));
    const asking = at.open('src/acme/Shop.java');
    expect(where(at, await locate(asking, at.row('acme.Queue.take')))).toBe('~src/acme/Queue.java:3');
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('~src/acme/Queue.java:2');
  });

  test('has a class that is not saved yet', async () => {
    const at = await shop();
    unlinkSync(join(at.root, 'src/acme/Queue.java'));
    at.workspace.files.apply([{ path: join(at.root, 'src/acme/Queue.java'), kind: 'deleted' }]);
    const asking = at.open('src/acme/Shop.java');
    expect(await locate(asking, at.row('acme.Queue.take'))).toBeNull();
    at.open('src/acme/New.java', QUEUE);
    expect(where(at, await locate(asking, at.row('acme.Queue.take')))).toBe('src/acme/New.java:3');
  });
});

describe('a file on disk', () => {
  test('that was moved is found when that is told, or when all is looked at again', async () => {
    const at = await shop();
    const asking = at.open('src/acme/Shop.java');
    const [before, after, last] = ['Queue', 'Moved', 'Last'].map(name => join(at.root, `src/acme/${name}.java`));
    renameSync(before!, after!);
    at.workspace.files.apply([
      { path: before!, kind: 'deleted' },
      { path: after!, kind: 'written' },
    ]);
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('src/acme/Moved.java:6');
    renameSync(after!, last!);
    at.workspace.files.lookAgain();
    await at.workspace.files.whenComplete();
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('src/acme/Last.java:6');
  });

  test('that was written is read again', async () => {
    const at = await shop();
    const asking = at.open('src/acme/Shop.java');
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('src/acme/Queue.java:6');
    at.write('src/acme/Queue.java', `\n${QUEUE}`);
    at.workspace.files.apply([{ path: join(at.root, 'src/acme/Queue.java'), kind: 'written' }]);
    // The text on disk is the only known profiled text, and its lines are not the recorded lines any more.
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('~src/acme/Queue.java:7');
  });

  test('is found beside an open one before anything is indexed', async () => {
    const at = await shop({}, { index: false });
    const asking = at.open('src/acme/Shop.java');
    expect(at.workspace.files.isComplete).toBe(false);
    expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('src/acme/Queue.java:6');
  });
});

test('of several files that claim a class, the one whose lines fit what ran', async () => {
  const copy = `${'\n'.repeat(40)}${QUEUE}`;
  const at = await shop({ 'copy/acme/Queue.java': copy, 'another/acme/Queue.java': copy });
  const asking = at.open('src/acme/Shop.java');
  expect(where(at, await locate(asking, at.row('acme.Queue.poll')))).toBe('src/acme/Queue.java:6');
});

test('the index is kept in a folder that is private to the user', async () => {
  const at = await shop();
  const folder = join(at.root, '.cache-home/insitu');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
