// Tests call hierarchies over Java text beside pictures of profiles, and over the sample shop with a recording of it.
import { globSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { inlineReach } from '../../../server/analysis/ask.ts';
import {
  calleeItems,
  callerItems,
  hierarchyAt,
  type OpenedItem,
} from '../../../server/features/calls/call-hierarchy.ts';
import type { HierarchyCall, HierarchyItem } from '../../../server/features/calls/call-hierarchy-items.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import type { DocumentView } from '../../../server/workspace/document/document-view.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { type WorkspaceWithData, workspaceWithData } from '../../support/profiles/workspace-with-data.ts';

let place: WorkspaceWithData | null = null;

afterEach(() => {
  place?.remove();
  place = null;
});

/** A workspace of these texts, each in a file called after its first class. */
async function workspace(texts: readonly string[], picture: string): Promise<WorkspaceWithData> {
  const named = texts.map(text => [`${/(?:class|interface) (\w+)/.exec(text)![1]}.java`, text] as const);
  place = await workspaceWithData(Object.fromEntries(named), picture);
  return place;
}

function itemsAt(document: DocumentView, marked: string): Promise<HierarchyItem[]> {
  const at = document.text.indexOf(marked);
  if (at < 0) throw new Error(`no ${marked} in the text`);
  return hierarchyAt(document, at, inlineReach);
}

const range = ({ start }: { start: { line: number; character: number } }) => `${start.line + 1}:${start.character}`;

/** `name | detail | File.java line:character | calls`. */
function lines(calls: readonly HierarchyCall[]): string[] {
  return calls.map(({ item, ranges }) => {
    const where = `${item.uri.split('/').at(-1)} ${range(item.selectionRange)}`;
    return `${item.name} | ${item.detail} | ${where} | ${ranges.map(range).join(' ')}`;
  });
}

const below = (document: DocumentView, item: OpenedItem) => calleeItems(document, item, inlineReach);
const above = (document: DocumentView, item: OpenedItem) => callerItems(document, item, inlineReach);

describe('what really ran', () => {
  test('recursion counts once, and the path goes on through it', async () => {
    const at = await workspace(
      ['class Tree {\n  void walk() {\n    walk();\n    visit();\n  }\n  void visit() {}\n}'],
      `
Tree.walk | 10@2
  Tree.walk :3 | 10@2
    Tree.walk :3 | 10@2
      Tree.visit :4 | 20@6
  Tree.visit :4 | 50@6`,
    );
    const document = at.open('Tree.java');
    const [walk] = await itemsAt(document, 'walk() {');
    expect(walk?.detail).toBe('100 % of cpu · 100 of 100 samples');
    const calls = await below(document, walk!);
    expect(lines(calls)).toEqual([
      'Tree.visit | 70 % · 70 samples | Tree.java 6:7 | 4:4',
      'Tree.walk | 40 % · 40 samples | Tree.java 2:7 | 3:4',
    ]);
    expect(lines(await below(document, calls[1]!.item))).toEqual([
      'Tree.walk | 75 % · 30 samples | Tree.java 2:7 | 3:4',
      'Tree.visit | 50 % · 20 samples | Tree.java 6:7 | 4:4',
    ]);
  });

  test('lambdas are entries, and who called them', async () => {
    const at = await workspace(
      [
        'import java.util.List;\nclass Shop {\n  void run(List<String> all) {\n    all.forEach(each -> {\n      check(each);\n    });\n  }\n  void check(String text) {}\n}',
      ],
      `
Shop.run
  java.util.ArrayList.forEach :4 | 10@9
    Shop.lambda$run$0 :9 | 10@5
      Shop.check :5 | 30@8`,
    );
    const document = at.open('Shop.java');
    const [check] = await itemsAt(document, 'check(String');
    const [lambda] = await above(document, check!);
    expect(lines([lambda!])).toEqual(['lambda in Shop.run | 100 % · 30 samples | Shop.java 4:16 | 5:6']);
    expect(lines(await above(document, lambda!.item))).toEqual([
      'ArrayList.forEach | 100 % · 30 samples · no source in this workspace | Shop.java 4:16 | ',
    ]);
    const [run] = await itemsAt(document, 'run(List');
    expect(lines(await below(document, run!))).toEqual([
      'ArrayList.forEach | 100 % · 50 samples · no source in this workspace | Shop.java 4:8 | 4:8',
    ]);
  });

  test('generated and reflective hops are passed over', async () => {
    const at = await workspace(
      [
        'class Shop {\n  void run() throws Exception {\n    method.invoke(this);\n    plain();\n  }\n  void reached() {}\n  void plain() {}\n}',
      ],
      `
Shop.run
  java.lang.reflect.Method.invoke :3
    jdk.internal.reflect.DirectMethodHandleAccessor.invoke :9
      Shop.reached :9 | 30@6
  Shop.plain :4 | 270@7`,
    );
    const document = at.open('Shop.java');
    const [run] = await itemsAt(document, 'run()');
    expect(lines(await below(document, run!))).toEqual([
      'Shop.plain | 90 % · 270 samples | Shop.java 7:7 | 4:4',
      'Shop.reached | 10 % · 30 samples | Shop.java 6:7 | 3:11',
    ]);
  });

  test('in the unsaved text of another open file', async () => {
    const other = 'class Other {\n  void hot() {}\n}';
    const at = await workspace(
      ['class Shop {\n  Other other;\n  void run() {\n    other.hot();\n  }\n}', other],
      'Shop.run\n  Other.hot :4 | 30@2',
    );
    const document = at.open('Shop.java');
    const [run] = await itemsAt(document, 'run()');
    expect(lines(await below(document, run!))).toEqual(['Other.hot | 100 % · 30 samples | Other.java 2:7 | 4:10']);
    at.open('Other.java');
    at.open('Other.java', `// new\n// lines\n${other}`);
    const edited = at.open('Shop.java', document.text.replace('  void run', '\n\n  void run'));
    expect(lines(await below(edited, run!))).toEqual(['Other.hot | 100 % · 30 samples | Other.java 4:7 | 6:10']);
    const [hot] = await below(edited, run!);
    expect(lines(await above(edited, hot!.item))).toEqual(['Shop.run | 100 % · 30 samples | Shop.java 5:7 | 6:10']);
  });
});

describe('what is written', () => {
  const SHOP = `class Shop {
  Other other;
  void run(Other given) {
    other.one();
    given.two(1);
    Other local = null;
    local.three();
    Other.four();
    new Other().five();
    other.self().six();
    helper();
    unknown.one();
    var made = new Other();
    made.seven();
    Runnable later = () -> other.eight();
  }
  void helper() {}
}`;
  const OTHER = `class Other extends Base {
  void one() {}
  void two() {}
  void two(int number) {}
  static void four() {}
  Other self() { return this; }
  void five() {}
  void six() {}
  void seven() {}
  void eight() {}
}`;
  const BASE = 'abstract class Base {\n  void three() {}\n}';

  test('is found through fields, parameters, locals, types, what calls give back and supertypes', async () => {
    const at = await workspace([SHOP, OTHER, BASE], 'Shop.run | 30@4');
    const document = at.open('Shop.java');
    const [run] = await itemsAt(document, 'run(');
    expect(lines(await below(document, run!))).toEqual([
      'Other.one() | not seen running | Other.java 2:7 | 4:10',
      'Other.two(int) | not seen running | Other.java 4:7 | 5:10',
      'Base.three() | not seen running | Base.java 2:7 | 7:10',
      'Other.four() | not seen running | Other.java 5:14 | 8:10',
      'new Other | not seen running | Other.java 1:6 | 9:8 13:19',
      'Other.five() | not seen running | Other.java 7:7 | 9:16',
      'Other.self() | not seen running | Other.java 6:8 | 10:10',
      'Other.six() | not seen running | Other.java 8:7 | 10:17',
      'Shop.helper() | not seen running | Shop.java 17:7 | 11:4',
      'Other.seven() | not seen running | Other.java 9:7 | 14:9',
      'Other.eight() | not seen running · in a lambda | Other.java 10:7 | 15:33',
    ]);
  });

  test('callers are searched in other files, through supertypes too', async () => {
    const queue = 'interface Queue {\n  void take();\n}';
    const locked = 'class Locked implements Queue {\n  public void take() {}\n}';
    const user =
      'class User {\n  void direct(Locked queue) {\n    queue.take();\n  }\n  void through(Queue queue) {\n    queue.take();\n  }\n  void other(String queue) {\n    queue.take();\n  }\n}';
    const at = await workspace([queue, locked, user], 'Main.main | 10@1');
    const document = at.open('Locked.java');
    const [take] = await itemsAt(document, 'take()');
    expect(take?.detail).toBe('');
    expect(lines(await above(document, take!))).toEqual([
      'User.direct(Locked) | not seen running | User.java 2:7 | 3:10',
      'User.through(Queue) | not seen running · through Queue | User.java 5:7 | 6:10',
    ]);
  });

  test('no callee stands twice: what ran at one of its calls is not listed as not seen', async () => {
    const body = '    isOk(1);\n    tidy();\n    isOk(2);\n    Runnable last = () -> isOk(3);\n    names.size();\n';
    const at = await workspace(
      [
        `import java.util.ArrayList;\nclass Shop {\n  ArrayList<String> names;\n  void run() {\n${body}    names.size();\n  }\n  boolean isOk(int at) {}\n  void tidy() {}\n}`,
      ],
      `
Shop.run
  Shop.isOk :5 | 80@12
  java.util.ArrayList.size :9 | 20@1
Other.go
  Shop.isOk :3 | 100@12`,
    );
    const document = at.open('Shop.java');
    const [run] = await itemsAt(document, 'run()');
    expect(lines(await below(document, run!))).toEqual([
      'Shop.isOk | 80 % · 80 samples | Shop.java 12:10 | 5:4',
      'ArrayList.size | 20 % · 20 samples · no source in this workspace | Shop.java 9:10 | 9:10',
      'Shop.tidy() | not seen running | Shop.java 13:7 | 6:4',
    ]);
  });

  test('and says where it ran elsewhere', async () => {
    const at = await workspace(
      ['class Shop {\n  void run() {\n    helper();\n  }\n  void helper() {}\n}'],
      'Shop.run | 30@2\nMain.main\n  Shop.helper :9 | 70@5',
    );
    const document = at.open('Shop.java');
    const [run] = await itemsAt(document, 'run()');
    const [helper] = await below(document, run!);
    expect(lines([helper!])).toEqual([
      'Shop.helper() | not seen running here · 70 % of cpu · 70 of 100 samples elsewhere | Shop.java 5:7 | 3:4',
    ]);
    expect(lines(await above(document, helper!.item))).toEqual([
      'Main.main | 100 % · 70 samples · no source in this workspace | Shop.java 5:7 | ',
      'Shop.run() | not seen running here · 30 % of cpu · 30 of 100 samples elsewhere | Shop.java 2:7 | 3:4',
    ]);
  });
});

test('a method without code stands for all that ran behind it', async () => {
  const queue = 'interface Queue {\n  void take();\n  void idle();\n}';
  const classes = ['Locked', 'Ring'].map(
    name => `class ${name} implements Queue {\n  public void take() {\n    sleep();\n  }\n  public void idle() {}\n}`,
  );
  const user = 'class User {\n  void run(Queue queue) {\n    queue.take();\n  }\n  void spare(Queue queue) {}\n}';
  const at = await workspace(
    [queue, ...classes, user],
    `
User.run | 20@2
  Locked.take :3 | 20@2
    Lock.sleep :3 | 30@9
  Ring.take :3 | 30@2
Main.main
  Ring.take :7 | 100@3`,
  );
  const document = at.open('Queue.java');
  const [take] = await itemsAt(document, 'take()');
  expect(take).toMatchObject({ name: 'Queue.take()', selectionRange: { start: { line: 1, character: 7 } } });
  expect(take?.detail).toBe('what ran behind it: Ring.take, Locked.take · 90 % of cpu · 180 of 200 samples');
  expect(lines(await above(document, take!)).map(line => line.split(' | ', 2).join(' | '))).toEqual([
    'Main.main | 56 % · 100 samples · no source in this workspace',
    'User.run | 44 % · 80 samples',
  ]);
  expect(lines(await below(document, take!))[0]).toMatch(/^Lock\.sleep \| 17 % · 30 samples/);
  expect((await itemsAt(document, 'idle()')).map(({ detail }) => detail)).toEqual(['']);
});

describe('the sample shop', () => {
  async function shop(): Promise<WorkspaceWithData> {
    const { profile } = await ingestFile('samples/recordings/shop-v1-jdk17-a.jfr', { names: 'normalised' });
    if (profile === null) throw new Error('the sample recording cannot be read');
    const paths = globSync('samples/shop/v1/src/**/*.java');
    const files = Object.fromEntries(paths.map(path => [path.split('/').at(-1)!, readFileSync(path, 'utf8')]));
    place = await workspaceWithData(files, loadedFrom(profile));
    return place;
  }

  test('a call through an interface leads to the classes that ran, and on to what they call', async () => {
    const at = await shop();
    const document = at.open('Shop.java');
    const [search] = await itemsAt(document, 'search(String');
    const calls = await below(document, search!);
    expect(lines(calls).slice(0, 3)).toEqual([
      'Ranker.best(Postings, List, int) | 70 % · 915 samples | Ranker.java 31:25 | 50:17',
      'Without.find(TextIndex) | 24 % · 308 samples | Query.java 29:24 | 50:28',
      'Or.find(TextIndex) | 5.0 % · 66 samples | Query.java 21:24 | 50:28',
    ]);
    const [first] = await below(document, calls[1]!.item);
    expect(first?.item.data.path.map(step => step.map(({ name }) => name))).toEqual([
      ['search'],
      ['find'],
      [first?.item.data.path[2]?.[0]?.name],
    ]);
    expect(first?.item.uri).toContain('.java');
  });

  test('shares of all callers of a method make at least its whole', async () => {
    const at = await shop();
    const document = at.open('Shop.java');
    const [search] = await itemsAt(document, 'search(String');
    const counts = (await above(document, search!)).map(({ item }) =>
      Number(/ · (\d+) samples/.exec(item.detail)?.[1] ?? 0),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1_308);
  });
});
