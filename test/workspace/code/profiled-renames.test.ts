// Files and methods that were renamed or moved since they were recorded keep their numbers.
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HINTS, hints, Opened, SHOP, said, scratch, states } from './profiled-project.ts';

describe('files and methods are followed', () => {
  const RENAMED = SHOP.replace('class Shop', 'class Store');

  test.each(['committed', 'staged', 'untracked'])('a renamed file (%s)', async how => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP, 'a/Other.java': 'class Other {}' });
    mkdirSync(join(scratch.root, 'b'));
    renameSync(join(scratch.root, 'a/Shop.java'), join(scratch.root, 'b/Store.java'));
    scratch.write('b/Store.java', RENAMED);
    if (how === 'staged') scratch.git('add', '--all');
    if (how === 'committed') scratch.commit();
    if (how === 'untracked') {
      // Nothing but the contents tells, and they are looked at in the same folder or under the same name.
      renameSync(join(scratch.root, 'b/Store.java'), join(scratch.root, 'a/Store.java'));
    }
    const path = how === 'untracked' ? 'a/Store.java' : 'b/Store.java';
    const document = await new Opened(scratch.root, commit).open(path);
    expect(document.mapped?.profiled.path).toBe('a/Shop.java');
    expect(states(document)).toEqual(['Store renamed', 'run unchanged', 'pay unchanged']);
    expect(hints(document)).toEqual(HINTS);
  });

  test('a file that is renamed in the index while others are open', async () => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP, 'Other.java': 'class Other {}' });
    const workspace = new Opened(scratch.root, commit);
    await workspace.open('Other.java');
    mkdirSync(join(scratch.root, 'b'));
    scratch.git('mv', 'a/Shop.java', 'b/Store.java');
    scratch.write('b/Store.java', RENAMED);
    scratch.git('add', '--all');
    expect((await workspace.open('b/Store.java')).mapped?.profiled.path).toBe('a/Shop.java');
  });

  test('a file that was moved without telling git, among many of its name that are still there', async () => {
    const many = Array.from({ length: 120 }, (_, i) => [`m${i}/Shop.java`, `package m${i};\nclass Shop {}\n`]);
    const commit = scratch.commit({ ...Object.fromEntries(many), 'x/Shop.java': SHOP });
    mkdirSync(join(scratch.root, 'y'));
    renameSync(join(scratch.root, 'x/Shop.java'), join(scratch.root, 'y/Shop.java'));
    const document = await new Opened(scratch.root, commit).open('y/Shop.java');
    expect(document.mapped?.profiled.path).toBe('x/Shop.java');
  });

  test('a file that was moved to another folder without telling git, its type still the same', async () => {
    const commit = scratch.commit({ 'a/Shop.java': SHOP });
    mkdirSync(join(scratch.root, 'b'));
    renameSync(join(scratch.root, 'a/Shop.java'), join(scratch.root, 'b/Shop.java'));
    const document = await new Opened(scratch.root, commit).open('b/Shop.java');
    expect(states(document)).toEqual(['Shop unchanged', 'run unchanged', 'pay unchanged']);
  });

  const PAY = SHOP.slice(SHOP.indexOf('  int pay'), SHOP.lastIndexOf('}'));
  const WITHOUT_PAY = SHOP.replace(PAY, '');
  const TILL = `package acme;\nclass Till {\n${PAY}}\n`;

  test.each(['committed', 'on disk', 'on screen'])('a method that moved to another class (%s)', async how => {
    const commit = scratch.commit({ 'Shop.java': SHOP, 'Till.java': 'package acme;\nclass Till {\n}\n' });
    const workspace = new Opened(scratch.root, commit);
    if (how === 'on screen') await workspace.open('Shop.java', WITHOUT_PAY);
    else scratch.write('Shop.java', WITHOUT_PAY);
    if (how === 'committed') scratch.commit({ 'Till.java': TILL });
    await workspace.open('Till.java', 'package acme;\nclass Till {\n}\n');
    const document = await workspace.edit('Till.java', TILL);
    expect(states(document)).toEqual(['Till unchanged', 'pay moved']);
    expect(hints(document)).toEqual(['3 40% · self 10%', '4 75% → Payment']);
    expect(said(document, 'pay')).toMatch(/^moved here since .* from Shop\.java, its code is the same$/);
    const shop = await workspace.open('Shop.java', WITHOUT_PAY);
    expect(hints(shop)).toEqual(['3 100% · self 20%', '4 40% → LockedQueue', '5 40% → pay()']);
  });

  test('a method that was copied is new: the numbers are of the one that stayed', async () => {
    const commit = scratch.commit({ 'Shop.java': SHOP });
    scratch.write('Till.java', TILL);
    scratch.write('Shop.java', SHOP.replace('queue.take(1', 'queue.take(7'));
    const document = await new Opened(scratch.root, commit).open('Till.java');
    expect(states(document)).toEqual(['Till new', 'pay new']);
    expect(hints(document)).toEqual([]);
  });

  test('a type that moved to a file of its own', async () => {
    const two = `${SHOP}class Till {\n  int pay() { return 1; }\n}\n`;
    const commit = scratch.commit({ 'Till.java': two.replace('class Till', 'class TillToo') });
    scratch.write('Till.java', 'package acme;\nclass TillToo {\n  int pay() { return 1; }\n}\n');
    scratch.write('Shop.java', SHOP);
    const document = await new Opened(scratch.root, commit).open('Shop.java');
    expect(states(document)).toEqual(['Shop moved', 'run moved', 'pay moved']);
    expect(hints(document)).toEqual(HINTS);
  });
});
