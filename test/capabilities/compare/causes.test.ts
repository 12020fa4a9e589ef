// Tests that a change has one cause: the innermost changed or added context that holds it, taken out of all that calls it.
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import { Pairing } from '../../../server/analysis/pairing.ts';
import { noPause } from '../../../server/base/pause.ts';
import { codeOf, jvmsOf } from '../../support/profiles/jvms.ts';
import { methodText } from '../../support/profiles/profiles.ts';

/** Each report as `kind context points`, with the methods that it explains. */
function causes(before: string, now: string, changed: readonly string[] | null): Record<string, string[]> {
  const [baseline, data] = [jvmsOf(8, 1, before), jvmsOf(8, 2, now)];
  const became = Pairing.pending(data, baseline).with().becameRows();
  const code = changed === null ? null : codeOf(data, changed);
  const wish = { became, scaling: 'absolute', work: null, code, most: 20 } as const;
  const nameOf = ({ method, methodThen }: { readonly method: number; readonly methodThen: number }) =>
    methodThen >= 0 ? methodText(baseline.profile, methodThen) : methodText(data.profile, method);
  const everything = answer(data, 'responsible', wish, noPause, baseline);
  const { reports, path } = everything;
  // The findings alone are the same ones.
  const alone = answer(data, 'responsible', { ...wish, most: null }, noPause, baseline);
  const listed = { methods: [], differingMethods: 0, contexts: [], differing: 0, recorder: { before: 0, now: 0 } };
  expect(alone).toEqual({ ...everything, ...listed });
  // Pictures begin at the first finding.
  expect(path[0]?.row).toBe(reports[0]?.box.row);
  return Object.fromEntries(
    reports.map(report => {
      const points = Math.round(100 * (report.now - report.before));
      return [`${report.kind} ${nameOf(report.box)} ${points}`, report.methods.map(nameOf).sort()];
    }),
  );
}

const BEFORE = `
Main.main | 100@1
  Query.run :5 | 300@9
    Scan.next :9 | 2000@20
      Page.read :20 | 1600@30
    Sort.all :12 | 1000@40
      Merge.two :40 | 900@50
  Write.row :6 | 1500@60
    Log.add :60 | 1600@70
  Stats.add :7 | 1000@80`;

describe('the cause of a change', () => {
  test('is the innermost changed method, whatever calls it', () => {
    const now = BEFORE.replace('1600@30', '4100@30');
    const expected = ['Main.main', 'Page.read', 'Query.run', 'Scan.next', '[root]'];
    expect(causes(BEFORE, now, ['Page.read', 'Query.run'])).toEqual({ 'changed Page.read 25': expected });
    // Without any code the innermost context that holds the change.
    expect(causes(BEFORE, now, null)).toEqual({ 'unknown Page.read 25': expected });
    expect(causes(BEFORE, now, [])).toEqual({ 'unchanged Page.read 25': expected });
  });

  test('is an added call, at its outermost added context', () => {
    const now = BEFORE.replace(
      '900@50',
      '900@50\n        Merge.sign :51 | 500@90\n          java.Arrays.sort :90 | 2000@95',
    );
    expect(Object.keys(causes(BEFORE, now, ['Merge.two']))).toEqual(['added Merge.sign 25']);
  });

  test('below an unchanged caller is the outermost added context of changed code', () => {
    const now = BEFORE.replace(
      '900@50',
      '900@50\n        Merge.sign :51 | 10@90\n          Merge.hash :90 | 10@95\n            Merge.mix :95 | 2500@99',
    );
    expect(Object.keys(causes(BEFORE, now, ['Merge.mix']))).toEqual(['added Merge.mix 25']);
    expect(Object.keys(causes(BEFORE, now, ['Merge.hash', 'Merge.mix']))).toEqual(['added Merge.hash 25']);
    expect(Object.keys(causes(BEFORE, now, ['Merge.two', 'Merge.mix']))).toEqual(['added Merge.sign 25']);
    expect(Object.keys(causes(BEFORE, now, []))).toEqual(['added Merge.sign 25']);
  });

  test('counts an added context once, where another context of its method stands for a caller of it', () => {
    const before = `
Main.main | 1000@1
  Query.run :5 | 8000@9
  Other.o :6 | 10@9
    M.m :9 | 1500@40`;
    const now = `${before}
  Top.t :7 | 10@20
    X.x :20 | 10@30
      M.m :30 | 2000@40
    M.m :50 | 1500@60`;
    expect(Object.keys(causes(before, now, ['X.x']))).toEqual(['added Top.t 34']);
  });

  test('is the changed method that calls unchanged code more often', () => {
    const now = BEFORE.replace('1600@30', '3200@30').replace('2000@20', '2300@20');
    const found = causes(BEFORE, now, ['Scan.next']);
    expect(Object.keys(found)).toEqual(['changed Scan.next 19']);
    expect(found['changed Scan.next 19']).toContain('Page.read');
  });

  test('of three changes is three causes, none for what calls them or was only moved', () => {
    const now = BEFORE.replace('1600@30', '4100@30')
      .replace('1000@80', '1600@80')
      .replace('1600@70', '1900@70')
      // A part of Sort.all is a method of its own now.
      .replace('1000@40', '200@40\n      Sort.part :41 | 800@45');
    expect(
      Object.keys(causes(BEFORE, now, ['Page.read', 'Stats.add', 'Log.add', 'Sort.all', 'Sort.part', 'Query.run'])),
    ).toEqual(['changed Page.read 25', 'changed Stats.add 6', 'changed Log.add 3']);
  });

  test('of code that got faster, and of a call that went', () => {
    const now = BEFORE.replace('      Merge.two :40 | 900@50\n', '').replace('1600@70', '600@70');
    expect(Object.keys(causes(BEFORE, now, ['Sort.all', 'Log.add']))).toEqual([
      'changed Log.add -10',
      'removed Merge.two -9',
    ]);
  });

  test('of methods that call each other in a circle is found', () => {
    const circle = (own: number) =>
      [
        'Main.main | 100@1',
        ...['AB', 'BC', 'CA'].flatMap(([one, two]) => [`  ${one}.a :5 | ${own}@9`, `    ${two}.a :9 | ${own}@10`]),
      ].join('\n');
    for (const changed of [null, ['A.a', 'B.a', 'C.a'], []])
      expect(Object.keys(causes(circle(1000), circle(1500), changed)).length).toBeGreaterThan(0);
  });

  test('a wrapper that only takes in what was there takes nothing else out', () => {
    const now = BEFORE.replace(
      '    Sort.all :12 | 1000@40\n      Merge.two :40 | 900@50',
      '    Wrap.sort :12 | 3000@12\n      Sort.all :12 | 1000@40\n        Merge.two :40 | 900@50\n    Fresh.check :13 | 740@14',
    );
    expect(Object.keys(causes(BEFORE, now, ['Query.run'])).sort()).toEqual([
      'added Fresh.check 7',
      'added Wrap.sort 30',
    ]);
  });

  test('a context that another method calls now makes that method no faster or slower', () => {
    const now = `${BEFORE.replace('    Sort.all :12 | 1000@40\n      Merge.two :40 | 900@50\n', '')}\n    Sort.all :81 | 2000@40\n      Merge.two :40 | 900@50`;
    const found = causes(BEFORE, now, ['Sort.all', 'Query.run', 'Stats.add']);
    expect(Object.keys(found).some(each => /^(changed|unchanged) Stats/.test(each) && / -/.test(each))).toBe(false);
  });

  test('does not count again below what was taken out', () => {
    const calls = (first: number, second: number) =>
      `Main.main | 100@1\n  Top.t :5 | 1000@9\n    Shared.s :9 | ${first}@20\n  User.u :6 | 1000@10\n    Shared.s :10 | ${second}@21\n  Rest.r :7 | 4000@11`;
    const found = causes(calls(1000, 1000), calls(3000, 1800), ['Top.t']);
    expect(Object.keys(found)).toEqual(['changed Top.t 25', 'unchanged Shared.s 10']);
  });

  test('of unchanged code names the changed code that it calls', () => {
    const now = BEFORE.replace('2000@20', '4500@20');
    const calledIn = (changed: readonly string[]) => {
      const [baseline, data] = [jvmsOf(8, 1, BEFORE), jvmsOf(8, 2, now)];
      const became = Pairing.pending(data, baseline).with().becameRows();
      const wish = { became, scaling: 'absolute', work: null, code: codeOf(data, changed), most: 20 } as const;
      const { reports } = answer(data, 'responsible', wish, noPause, baseline);
      return reports.map(({ kind, box, calls }) => [
        kind,
        methodText(data.profile, box.method),
        calls && methodText(data.profile, calls.method),
      ]);
    };
    expect(calledIn(['Page.read'])).toEqual([['unchanged', 'Scan.next', 'Page.read']]);
    expect(calledIn(['Sort.all'])).toEqual([['unchanged', 'Scan.next', null]]);
    expect(calledIn(['Scan.next', 'Page.read'])).toEqual([['changed', 'Scan.next', null]]);
  });

  test('of unchanged code names no changed code that is small beside the change, or that changed the other way', () => {
    const named = (before: number, later: number) => {
      const calling = (own: number, called: number) =>
        BEFORE.replace('2000@20', `${own}@20`).replace('1600@30', `${called}@30`);
      const [baseline, data] = [jvmsOf(8, 1, calling(2000, before)), jvmsOf(8, 2, calling(4500, later))];
      const became = Pairing.pending(data, baseline).with().becameRows();
      const code = codeOf(data, ['Page.read']);
      const wish = { became, scaling: 'absolute', work: null, code, most: 20 } as const;
      const report = answer(data, 'responsible', wish, noPause, baseline).reports.find(
        ({ box }) => methodText(data.profile, box.method) === 'Scan.next',
      );
      return [report?.kind, report?.calls == null ? null : methodText(data.profile, report.calls.method)];
    };
    expect(named(300, 310)).toEqual(['unchanged', 'Page.read']);
    expect(named(30, 40)).toEqual(['unchanged', null]);
    expect(named(1000, 600)).toEqual(['unchanged', null]);
  });

  test('of equal code is none', () => {
    expect(causes(BEFORE, BEFORE, [])).toEqual({});
  });
});

test('the verdict of a box is of H, which is drawn, also where its own part did not change', () => {
  const [baseline, data] = [jvmsOf(8, 1, BEFORE), jvmsOf(8, 2, BEFORE.replace('1600@30', '4100@30'))];
  const became = Pairing.pending(data, baseline).with().becameRows();
  const wish = { became, scaling: 'absolute', work: null, code: null, box: 0, label: -1, from: 0, most: 99 } as const;
  const { boxes } = answer(data, 'comparedBoxes', { ...wish, show: 'below' }, noPause, baseline);
  const told = boxes.map(({ method, tested }) => [methodText(data.profile, method), tested?.verdict]);
  expect(Object.fromEntries(told)).toMatchObject({
    'Main.main': 'slower',
    'Query.run': 'slower',
    'Scan.next': 'slower',
    'Page.read': 'slower',
    'Sort.all': 'same',
  });
});
