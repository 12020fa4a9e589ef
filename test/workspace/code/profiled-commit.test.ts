// The profiled text comes from the commit of the version: what has changed since is known, for many open files too.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { staleDiagnostics } from '../../../server/features/diagnostics/stale-diagnostics.ts';
import { stateOf } from '../../../server/features/facts/code-state.ts';
import { RepositoryTexts } from '../../../server/mapping/recorded/repository-texts.ts';
import { FILE_BYTES_MAX } from '../../../server/mapping/source-walk.ts';
import { HINTS, hints, Opened, SHOP, said, scratch, states } from './profiled-project.ts';

describe('with many open files', () => {
  const FILES = Array.from({ length: 30 }, (_, i) => `f${i}/Shop.java`);

  /** All are being looked for. */
  async function pending(): Promise<Opened> {
    scratch.commit(Object.fromEntries(FILES.map(path => [path, SHOP])));
    scratch.git('tag', 'v1');
    const workspace = new Opened(scratch.root, '1');
    await workspace.open(FILES[0]!);
    for (const path of FILES.slice(1))
      workspace.workspace.apply({ kind: 'documentChanged', uri: path, path: join(scratch.root, path), text: SHOP });
    workspace.keeper.headMoved();
    expect(FILES.every(path => workspace.keeper.isPending(path))).toBe(true);
    return workspace;
  }

  test('the one that is asked about comes before the rest', async () => {
    const { keeper } = await pending();
    const last = FILES.at(-1)!;
    await keeper.whenKnown(last);
    expect(keeper.isPending(last)).toBe(false);
    expect(FILES.filter(path => keeper.isPending(path)).length).toBeGreaterThan(FILES.length / 2);
    await keeper.whenIdle();
    expect(FILES.filter(path => keeper.isPending(path))).toEqual([]);
  });

  test('nobody waits for one that was closed, nor for what was looked for before HEAD moved', async () => {
    const { keeper, workspace } = await pending();
    const closed = FILES.at(-1)!;
    const waiting = Promise.all([keeper.whenKnown(closed), keeper.whenKnown(FILES[5]!)]);
    workspace.apply({ kind: 'documentClosed', uri: closed });
    keeper.headMoved();
    await waiting;
    expect([closed, FILES[5]!].map(path => keeper.isPending(path))).toEqual([false, false]);
    await keeper.whenSettled();
    expect(workspace.view().openFiles.map(({ mapping }) => mapping.profiled.from)).toEqual(
      FILES.slice(1).map(() => 'commit'),
    );
  });

  test('one that cannot be found out is not looked for without end', async () => {
    const { keeper, workspace } = await pending();
    vi.spyOn(RepositoryTexts.prototype, 'textOf').mockRejectedValue(new Error('broken'));
    onTestFinished(() => void vi.restoreAllMocks());
    await keeper.whenIdle();
    expect(FILES.filter(path => keeper.isPending(path))).toEqual([]);
    const { from, problem } = workspace.view().openFiles[3]!.mapping.profiled;
    expect([from, problem?.message]).toEqual(['opened', 'what was recorded is not known: broken']);
  });
});

describe('the profiled text comes from the commit of the version', () => {
  test('unchanged since, with commits of other files in between', async () => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP });
    scratch.git('tag', 'v1');
    scratch.commit({ 'Other.java': 'class Other {}' });
    const document = await new Opened(scratch.root, '1').open('a/Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    expect(hints(document)).toEqual(HINTS);
    expect(stateOf(document, 1).commit).toEqual({ hash: commit, dateMillis: 1_700_000_060_000 });
  });

  test('changed in a later commit, on disk and on screen, each by its own', async () => {
    scratch.commit({ 'Shop.java': SHOP });
    scratch.git('tag', 'v1');
    scratch.commit({ 'Shop.java': `// one\n${SHOP.replace('return ', 'return 1 + ')}` });
    const later = readFileSync(join(scratch.root, 'Shop.java'), 'utf8');
    const workspace = new Opened(scratch.root, '1');
    const document = await workspace.open('Shop.java', later.replace('pay();\n', 'pay(); pay();\n'));
    expect(states(document)).toEqual(['Shop unchanged', 'run changed', 'pay changed']);
    expect(hints(document).map(text => text.split(' ·')[0])).toEqual([
      '4 ~100%',
      '5 40% → LockedQueue',
      '8 ~40%',
      '9 75% → Payment',
    ]);
    const [first] = staleDiagnostics(document);
    expect(first).toEqual({
      span: document.outline.declarations[1]!.nameSpan,
      message: expect.stringMatching(
        /^changed since it was recorded \(commit [0-9a-f]{7}, 2023-11-14, shop 1\): numbers are of the old code$/,
      ),
      code: 'changed-since-recorded',
    });
    expect(staleDiagnostics(document)).toHaveLength(2);
    expect(said(document, 'pay')).toMatch(/^changed since it was recorded \(commit [0-9a-f]{7}, 2023-11-14\)$/);
    const back = await workspace.edit('Shop.java', SHOP);
    expect(states(back)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    expect(staleDiagnostics(back)).toEqual([]);
  });

  test('one that is larger than what is read is not compared, and that is said', async () => {
    const large = `${SHOP}${'// generated\n'.repeat(FILE_BYTES_MAX / 13)}`;
    const commit = scratch.commit({ 'Shop.java': large });
    const workspace = new Opened(scratch.root, commit);
    const document = await workspace.open('Shop.java', SHOP);
    expect(document.mapped?.profiled).toMatchObject({ text: null, from: 'opened', commit: null });
    expect(document.mapped?.profiled.problem?.message).toBe(
      'has more than 2 MiB in this commit, too much to be compared',
    );
    expect(hints(document)).toEqual(HINTS);
  });

  test('a large one that is checked out says nothing of what is not committed', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    scratch.commit({ 'Shop.java': `${SHOP}${'// generated\n'.repeat(FILE_BYTES_MAX / 13)}` });
    const workspace = new Opened(scratch.root, commit, { 'stale.uncommitted': false });
    const document = await workspace.open('Shop.java', SHOP);
    expect(document.mapped?.profiled).toMatchObject({ text: SHOP, from: 'commit', committed: null });
  });

  test('what calls something that changed is affected', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    const document = await new Opened(scratch.root, commit).open('Shop.java', SHOP.replace('return ', 'return 1 + '));
    expect(states(document)).toEqual(['Shop unchanged', 'run affected', 'pay changed']);
    expect(said(document, 'run')).toMatch(/^has not changed since .*, but what it calls has: Shop\.pay$/);
    expect(hints(document)).toContain('3 100% · self 20%');
  });

  test('what calls something in another file that changed is affected too', async () => {
    const payment = 'package acme;\nclass Payment {\n  int pay() {\n\n\n\n\n    return rate * 2;\n  }\n}\n';
    const commit = scratch.commit({ 'Shop.java': SHOP, 'Payment.java': payment });
    scratch.commit({ 'Payment.java': payment.replace('* 2', '* 3') });
    const workspace = new Opened(scratch.root, commit);
    const document = await workspace.open('Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay affected']);
    expect(said(document, 'pay')).toMatch(/what it calls has: Payment\.pay$/);
    await workspace.open('Payment.java', payment);
    await workspace.edit('Payment.java', payment);
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    // Closed without saving, it is what is on disk.
    workspace.workspace.apply({ kind: 'documentClosed', uri: 'Payment.java' });
    workspace.keeper.sync();
    await workspace.keeper.whenSettled();
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'run unchanged', 'pay affected']);
  });

  test.each(['core.autocrlf', 'none'])('line breaks of Windows make no change (%s)', async key => {
    if (key !== 'none') scratch.git('config', key, 'true');
    const windows = SHOP.replaceAll('\n', '\r\n');
    const commit = scratch.commit({ 'Shop.java': windows });
    expect(scratch.git('cat-file', 'blob', 'HEAD:Shop.java').includes('\r')).toBe(key === 'none');
    const document = await new Opened(scratch.root, commit).open('Shop.java');
    expect(document.mapped?.comparison).toBeNull();
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
    const unix = await new Opened(scratch.root, commit).open('Shop.java', SHOP);
    expect(unix.mapped?.comparison).toBeNull();
  });

  test('only committed text counts where that is wished, hints stand on screen all the same', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    const text = `// one\n${SHOP.replace('return ', 'return 1 + ').replace('class Shop {', 'class Shop { int fresh() { return 2; }')}`;
    const workspace = new Opened(scratch.root, commit, { 'stale.uncommitted': false });
    const document = await workspace.open('Shop.java', text);
    expect(states(document)).toEqual(['Shop unchanged', 'fresh new', 'run unchanged', 'pay unchanged']);
    expect(hints(document)).toContain('8 40% · self 10%');
    expect(staleDiagnostics(document)).toEqual([]);
    scratch.commit({ 'Shop.java': SHOP.replace('return ', 'return 1 + ') });
    workspace.keeper.headMoved();
    await workspace.keeper.whenSettled();
    expect(states(workspace.view('Shop.java'))).toEqual(['Shop unchanged', 'fresh new', 'run affected', 'pay changed']);
  });
});
