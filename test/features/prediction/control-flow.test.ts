// Tests that a change of control flow is a change, that code which only moved is none, and what is unknown: each rule by examples.
import { describe, expect, test } from 'vitest';
import type { PredictedMethod } from '../../../server/analysis/prediction/prediction.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { predictFile } from '../../../server/features/prediction/predict-file.ts';
import { predictionText } from '../../../server/features/prediction/prediction-text.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../../support/profiles/profiles.ts';

import { type Counts, classOf, edited, MS, RUNS, told, toldOf } from './edited-run.ts';

const LOOP = 'for (int i = 0; i < 3; i++) { store.find(i); }';
const EACH = 'for (String word : words) { store.find(word); }';
const GUARD = 'if (count == 0) return; ';

describe('a change of control flow is a change', () => {
  test.each<readonly [what: string, before: string, after: string, counts: Counts, wanted: string]>([
    ['a bound', LOOP, LOOP.replace('< 3', '< 10'), { find: 3 }, '≈ +14 ms, likely'],
    ['a start', LOOP, LOOP.replace('= 0', '= 2'), { find: 3 }, '≈ −4 ms, likely'],
    [
      'a step',
      LOOP.replace('3', '8'),
      LOOP.replace('3', '8').replace('i++', 'i += 4'),
      { find: 8 },
      '≈ −12 ms, likely',
    ],
    [
      'a bound in a variable',
      `int n = 3; ${LOOP.replace('3', 'n')}`,
      `int n = 5; ${LOOP.replace('3', 'n')}`,
      { find: 3 },
      '≈ +4 ms, likely',
    ],
    ['a bound that is no number', LOOP, LOOP.replace('3', 'count'), { find: 3 }, '≈ ?, unknown'],
    ['what is looped over', EACH, EACH.replace(': words', ': words.subList(0, 2)'), { find: 5 }, '≈ −6 ms, likely'],
    ['what is looped over, of any size', EACH, EACH.replace(': words', ': others()'), { find: 5 }, '≈ ?, unknown'],
    [
      'a step in the body',
      'int i = 0; while (i < count) { store.find(i); i++; }',
      'int i = 0; while (i < count) { store.find(i); i += 2; }',
      { find: 6 },
      '≈ ?, unknown',
    ],
    ['a deleted early return', `${GUARD}store.load(1);`, 'store.load(1);', { load: 0.4 }, '≈ +6 ms, likely'],
    ['a new early return', 'store.load(1);', `${GUARD}store.load(1);`, { load: 1 }, '≥ −10 ms, rough'],
    [
      'a new throw',
      'store.load(1);',
      'if (count < 0) throw new Error(); store.load(1);',
      { load: 1 },
      '≥ −10 ms, rough',
    ],
    ['a new break', EACH, EACH.replace('{', '{ if (word.isEmpty()) break;'), { find: 5 }, '≥ −10 ms, rough'],
    [
      'a new break behind the call',
      EACH,
      EACH.replace('}', ' if (word.isEmpty()) break; }'),
      { find: 5 },
      '≥ −10 ms, rough',
    ],
    ['a new continue', EACH, EACH.replace('{', '{ if (word.isEmpty()) continue;'), { find: 5 }, '≥ −10 ms, rough'],
    [
      'a new return in a loop, for what follows',
      `${EACH} store.load(1);`,
      `${EACH.replace('}', ' if (count > 3) return; }')} store.load(1);`,
      { find: 5, load: 1 },
      '≥ −20 ms, rough',
    ],
    [
      'a deleted break in a literal loop',
      LOOP.replace('; }', '; if (count > 3) break; }').replace('3', '8'),
      LOOP.replace('3', '8'),
      { find: 5 },
      '≈ +6 ms, likely',
    ],
    [
      'a deleted break in another loop',
      EACH.replace('}', ' if (count > 3) break; }'),
      EACH,
      { find: 5 },
      '≈ + ?, unknown',
    ],
    [
      'a break that became a continue',
      EACH.replace('{', '{ if (word.isEmpty()) break;'),
      EACH.replace('{', '{ if (word.isEmpty()) continue;'),
      { find: 2 },
      '≈ ?, unknown',
    ],
    ['a condition', 'if (count > 3) store.load(1);', 'if (count > 9) store.load(1);', { load: 0.5 }, '≈ ?, unknown'],
    ['a condition that is gone', 'if (count > 3) store.load(1);', 'store.load(1);', { load: 0.5 }, '≈ +5 ms, likely'],
    [
      'an operand',
      'if (store.find(1) && store.load(1)) count++;',
      'if (count > 0 && store.find(1) && store.load(1)) count++;',
      { find: 1, load: 1 },
      '≥ −12 ms, rough',
    ],
    [
      'a case that falls through no more',
      'switch (count) { case 1: count++; case 2: store.load(1); }',
      'switch (count) { case 1: count++; break; case 2: store.load(1); }',
      { load: 0.5 },
      '≈ ?, unknown',
    ],
    [
      'a label',
      'outer: for (String a : words) { for (String b : words) { store.find(a, b); if (a == b) break; } }',
      'outer: for (String a : words) { for (String b : words) { store.find(a, b); if (a == b) break outer; } }',
      { find: 9 },
      '≈ ?, unknown',
    ],
  ])('%s', async (_, before, after, counts, wanted) => {
    expect(await toldOf(before, after, counts)).toBe(wanted);
  });

  test('a constant', async () => {
    const before = classOf(LOOP.replace('3', 'TOP'));
    expect(await told(before, before.replace('TOP = 4', 'TOP = 6'), { find: 4 })).toBe('≈ +4 ms, likely');
    const kinds = classOf('for (String kind : KINDS) store.find(kind);');
    expect(await told(kinds, kinds.replace(', "c"', ''), { find: 3 })).toBe('≈ −2 ms, likely');
  });
});

describe('how often', () => {
  test.each<readonly [what: string, before: string, after: string, counts: Counts, wanted: string]>([
    ['a constant', '', 'for (int i = 0; i < TOP; i++) store.rank(i);', {}, '≈ +12 ms, likely'],
    ['elements of a list', '', 'for (String kind : KINDS) store.rank(kind);', {}, '≈ +9 ms, likely'],
    [
      'elements of a list in the text',
      '',
      'for (int i : java.util.List.of(1, 2)) store.rank(i);',
      {},
      '≈ +6 ms, likely',
    ],
    ['counting down', '', 'for (int i = 10; i > 0; i -= 3) store.rank(i);', {}, '≈ +12 ms, likely'],
    [
      'a literal loop with an exit',
      '',
      'for (int i = 0; i < 4; i++) { if (count > i) break; store.rank(i); }',
      {},
      '≤ +12 ms, rough',
    ],
    [
      'a literal loop with an exit behind',
      '',
      'for (int i = 0; i < 4; i++) { store.rank(i); if (count > i) break; }',
      {},
      '≈ +3 ms to +12 ms, rough',
    ],
    [
      'a loop whose body steps too',
      '',
      'for (int i = 0; i < 4; i++) { store.rank(i); i += count; }',
      {},
      '≈ + ?, unknown',
    ],
    ['behind &&', '', 'if (count > 0 && store.rank(1)) count++;', {}, '≤ +3 ms, rough'],
    ['behind ||', '', 'boolean is = count > 0 || store.rank(1);', {}, '≤ +3 ms, rough'],
    ['in ? :', '', 'int i = count > 0 ? store.rank(1) : 0;', {}, '≤ +3 ms, rough'],
    ['in catch', '', 'try { count++; } catch (Error e) { store.rank(1); }', {}, '≤ +3 ms, rough'],
    ['in finally', '', 'try { count++; } finally { store.rank(1); }', {}, '≈ +3 ms, likely'],
    [
      'in a branch that was counted',
      'if (count > 3) store.load(1);',
      'if (count > 3) { store.load(1); store.rank(1); }',
      { load: 0.5 },
      '≈ +1.5 ms, likely',
    ],
    [
      'where a branch that was counted is not taken',
      'if (count > 3) store.load(1);',
      'if (count > 3) store.load(1); else store.rank(1);',
      { load: 0.5 },
      '≈ +1.5 ms, likely',
    ],
    [
      'behind an exit that was counted',
      `${GUARD}store.load(1);`,
      `${GUARD}store.load(1); store.rank(1);`,
      { load: 0.4 },
      '≈ +1.2 ms, likely',
    ],
    [
      'two calls of which one is counted by the other',
      `store.find(0); ${EACH}`,
      `store.find(0); ${EACH.replace('}', 'store.rank(word); }')}`,
      { find: 6 },
      '≈ +15 ms, likely',
    ],
    [
      'both calls of a callee gone',
      'if (count > 1) store.load(1); if (count > 2) store.load(2);',
      '',
      { load: 1.5 },
      '≈ −15 ms, measured',
    ],
    [
      'a new loop never has the count of an old one',
      EACH,
      `${EACH} for (String other : others()) store.rank(other);`,
      { find: 5 },
      '≈ + ?, unknown',
    ],
    [
      'nor has a new one over the same list',
      EACH,
      `${EACH} for (String other : words) store.rank(other);`,
      { find: 5 },
      '≈ + ?, unknown',
    ],
    ['in a lambda', 'words.size();', 'words.forEach(word -> store.rank(word));', {}, '≈ + ?, unknown'],
  ])('%s', async (_, before, after, counts, wanted) => {
    expect(await toldOf(before, after, counts)).toBe(wanted);
  });
});

test('calls are counted by name and number of arguments', async () => {
  const profile = profileOfText('Shop.run | 10@3\nStore.find(Ljava/lang/String;)I | 1@2\nStore.rank | 1@2');
  const rows = methodRows(profile);
  const times = new GrowingTimes();
  const [run, find, rank] = ['Shop.run', 'Store.find', 'Store.rank'].map(
    name => [...rows].find(([each]) => each.startsWith(name))![1],
  ) as [number, number, number];
  for (let at = 0; at < RUNS; at++) {
    times.addCall(run, 0, 0, 100 * MS);
    for (let each = 0; each < 5; each++) times.addCall(find, run, 0, 2 * MS);
    times.addCall(rank, 0, 0, 3 * MS);
  }
  const loaded = loadedFrom({ ...profile, times: times.finish()! });
  const before = classOf('for (String word : words) { store.find(one.find()); }');
  const mapping = new KeptMapping({ ...openedText(before), from: 'commit' });
  const after = before.replace('; }', '; store.rank(word); }');
  const { methods } = await predictFile(documentWithData(after, loaded, undefined, 'Shop.java', { mapping }), loaded);
  expect(methods.map(predictionText)).toEqual(['≈ +15 ms, likely']);
});

describe('what only moved is no change', () => {
  const SUM = 'for (String each : words) { if (each.isEmpty()) continue; store.find(each); }';
  test.each<readonly [what: string, before: string, after: string]>([
    ['renamed variables', EACH, EACH.replaceAll(/\bword\b/g, 'one')],
    [
      'an extracted variable',
      'if (words.size() > 3) store.load(1);',
      'int size = words.size(); if (size > 3) store.load(1);',
    ],
    ['an extracted constant', LOOP, LOOP.replace('3', 'LIMIT').replace('for', 'final int LIMIT = 3; for')],
    ['a condition turned round', 'if (count != 0) { store.load(1); }', 'if (count == 0) return; store.load(1);'],
    [
      'conditions in conditions',
      'if (count > 0 && words != null) { store.load(1); }',
      'if (count > 0) { if (words != null) store.load(1); }',
    ],
    ['calls in another order', 'store.load(1); store.save(1);', 'store.save(1); store.load(1);'],
    ['loops that became one', `${EACH} ${EACH.replace('find', 'rank')}`, EACH.replace('}', 'store.rank(word); }')],
    ['an accessor of another name', 'store.load(order.getCount());', 'store.load(order.count());'],
    ['a call of another name that nobody timed', 'price.update(1);', 'price.renew(1);'],
    [
      'brackets',
      'if (count > 3) store.load(1);',
      'if ((count > 3)) { store.load(1); }'.replace('((count > 3))', '(count > 3)'),
    ],
    ['comments and layout', SUM, SUM.replaceAll('{', '{ // here\n').replaceAll('(', '( ')],
  ])('%s', async (_, before, after) => {
    expect(await toldOf(before, after, { find: 5, load: 0.5, save: 1, rank: 5 })).toBe('');
  });

  const HELPER =
    '  private void helper(java.util.List<String> all, Store shop) { for (String word : all) { shop.find(word); } }\n';
  const ONE = '  private void helper(Store shop, String name) { if (name.isEmpty()) return; shop.find(name); }\n';
  const inLoop = 'for (String word : words) { if (word.isEmpty()) continue; store.find(word); }';
  test.each<readonly [what: string, before: string, after: string, counts: Counts]>([
    ['an extracted loop', classOf(EACH), classOf('helper(words, store);', HELPER), { find: 5 }],
    [
      'an extracted body, with its continue',
      classOf(inLoop),
      classOf('for (String word : words) helper(store, word);', ONE),
      { find: 3 },
    ],
    ['an inlined method', classOf('helper(words, store);', HELPER), classOf(EACH), { helper: 1, 'helper>find': 5 }],
    [
      'an inlined method that is still there',
      classOf('helper(words, store);', HELPER),
      classOf(EACH, HELPER),
      { helper: 1, 'helper>find': 5 },
    ],
    [
      'a method of another name',
      classOf('helper(words, store);', HELPER),
      classOf('other(words, store);', HELPER.replace('helper', 'other')),
      { helper: 1, 'helper>find': 5 },
    ],
    [
      'a field of another name',
      classOf('for (int i = 0; i < limit; i++) store.find(i);', '', '  int limit;\n'),
      classOf('for (int i = 0; i < most; i++) store.find(i);', '', '  int most;\n'),
      { find: 5 },
    ],
    [
      'a moved method',
      classOf(EACH, HELPER),
      classOf(EACH, HELPER).replace(HELPER, '').replace('  void run', `${HELPER}  void run`),
      { find: 5 },
    ],
  ])('%s', async (_, before, after, counts) => {
    expect(await told(before, after, counts)).toBe('');
  });

  test('but what changed on the way is told', async () => {
    const helper = HELPER.replace('shop.find(word);', 'shop.find(word); shop.rank(word);');
    expect(await told(classOf(EACH), classOf('helper(words, store);', helper), { find: 5 })).toBe('≈ +15 ms, likely');
    expect(
      await told(classOf('helper(words, store);', HELPER), classOf(`${EACH} store.load(1);`), {
        helper: 1,
        'helper>find': 5,
      }),
    ).toBe('≈ +10 ms, likely');
    const bound = (most: number) =>
      `  private void helper(Store shop) { for (int i = 0; i < ${most}; i++) { shop.find(i); } }\n`;
    expect(await told(classOf(LOOP), classOf('helper(store);', bound(3)), { find: 3 })).toBe('');
    expect(await told(classOf(LOOP), classOf('helper(store);', bound(9)), { find: 3 })).toBe('≈ +12 ms, likely');
  });
});

describe('a recursive method', () => {
  const WALK = classOf('store.find(count); if (count > 0) run(words, count / 2, store);');
  const counts = { find: 1 };

  test.each<readonly [what: string, edit: (text: string) => string, wanted: string]>([
    [
      'a second call of itself',
      text =>
        text.replace(
          'run(words, count / 2, store);',
          '{ run(words, count / 2, store); run(words, count / 3, store); }',
        ),
      '≈ + ?, unknown',
    ],
    ['no call of itself', text => text.replace('if (count > 0) run(words, count / 2, store);', ''), '≈ − ?, unknown'],
    ['another condition', text => text.replace('count > 0', 'count > 3'), '≈ ?, unknown'],
    [
      'a call in each of four runs',
      text => text.replace('store.find(count);', 'store.find(count); store.rank(count);'),
      '≈ +12 ms, likely',
    ],
  ])('%s', async (_, edit, wanted) => {
    const profile = profileOfText('Shop.run | 10@3\nStore.find | 1@2\nStore.rank | 1@2');
    const rows = methodRows(profile);
    const [run, find, rank] = ['Shop.run', 'Store.find', 'Store.rank'].map(name => rows.get(name)!) as [
      number,
      number,
      number,
    ];
    const times = new GrowingTimes();
    for (let at = 0; at < RUNS; at++) {
      times.addCall(run, 0, 0, 40 * MS);
      for (let depth = 1; depth < 4; depth++) times.addCall(run, run, 0, (40 - 10 * depth) * MS);
      for (let depth = 0; depth < 4; depth++) times.addCall(find, run, 0, 2 * MS * counts.find);
      times.addCall(rank, 0, 0, 3 * MS);
    }
    const loaded = loadedFrom({ ...profile, times: times.finish()! });
    const mapping = new KeptMapping({ ...openedText(WALK), from: 'commit' });
    const { methods } = await predictFile(
      documentWithData(edit(WALK), loaded, undefined, 'Shop.java', { mapping }),
      loaded,
    );
    expect(methods.map(predictionText)).toEqual([wanted]);
    expect(methods[0]!.measured).toBe(40 * MS);
  });
});

describe('words', () => {
  const oneOf = async (before: string, after: string, counts: Counts): Promise<PredictedMethod> =>
    (await edited(classOf(before), classOf(after), counts)).methods[0]!;

  test('measured are calls that stood there, with a count of their own', async () => {
    expect(await toldOf('store.load(1); store.save(1);', 'store.load(1);', { load: 1, save: 1 })).toBe(
      '≈ −5 ms, measured',
    );
    expect(await toldOf('store.load(1);', 'store.load(1); store.load(2);', { load: 1 })).toBe('≈ +10 ms, likely');
  });

  test('an unknown main term has no sum, and a small one stands beside it', async () => {
    const { change, interval, mean } = await oneOf(
      '',
      'store.load(1); for (String each : others()) store.load(2);',
      {},
    );
    expect([change, interval, mean]).toEqual([null, null, null]);
    expect(await toldOf('', 'store.load(1); price.update(1);', {})).toBe('≈ +10 ms + ?, likely');
    // A call that nobody timed may turn the sum round.
    expect(await toldOf('store.load(1);', 'price.update(1);', { load: 1 })).toBe('≈ ?, unknown');
  });

  test('of other numbers and texts among the arguments nothing is known', async () => {
    expect(await toldOf('store.load(20);', 'store.load(2000);', { load: 1 })).toBe('≈ ?, unknown');
    expect(await toldOf('store.load(20);', 'int most = 20; store.load(most);', { load: 1 })).toBe('');
  });
});
