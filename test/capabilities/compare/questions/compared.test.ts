// Tests the questions that compare two trees: numbers under each scaling, what is responsible, and renamed methods.
import { expect, test } from 'vitest';
import { answer } from '../../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../../server/analysis/loaded-data.ts';
import { Pairing, pairKey } from '../../../../server/analysis/pairing.ts';
import { noPause } from '../../../../server/base/pause.ts';
import type { ComparedBox } from '../../../../server/capabilities/compare/questions/compared-boxes.ts';
import type { Scaling } from '../../../../server/capabilities/compare/scaling.ts';
import { loadedFromText } from '../../../support/profiles/loaded.ts';
import { methodText } from '../../../support/profiles/profiles.ts';

const BEFORE = `
Main.main | 100@1
  Shop.find | 400@1
  Shop.pack | 500@1`;
const AFTER = `
Main.main | 100@1
  Shop.cached | 20@1
    Shop.find | 400@1
  Shop.pack | 500@1
  Shop.audit | 600@1`;

type Sides = { readonly data: LoadedData; readonly baseline: LoadedData; readonly pairing?: Pairing };

function sides(before: string, after: string): Sides {
  return { data: loadedFromText(after), baseline: loadedFromText(before) };
}

function wishOf({ data, baseline, pairing = Pairing.pending(data, baseline).with() }: Sides, scaling: Scaling) {
  return { became: pairing.becameRows(), scaling, work: null, code: null };
}

const CHILDREN = { show: 'children', label: -1 } as const;

/** Each context by its name: state, E of both, H, change of itself. */
function boxes(of: Sides, scaling: Scaling): Map<string, readonly unknown[]> {
  const round = (amount: number) => Math.round(1000 * amount) / 1000;
  const found = new Map<string, readonly unknown[]>();
  const tell = (row: number): void => {
    const wish = { ...wishOf(of, scaling), ...CHILDREN, box: row, from: 0, most: 99 };
    for (const box of answer(of.data, 'comparedBoxes', wish, noPause, of.baseline).boxes) {
      const { state, first, second, height, self } = box;
      found.set(nameOf(of, box), [state, round(first), round(second), round(height), round(self)]);
      if (box.below > 0) tell(box.row);
    }
  };
  tell(0);
  return found;
}

function nameOf({ data, baseline }: Sides, { method, methodThen }: Pick<ComparedBox, 'method' | 'methodThen'>): string {
  return methodThen >= 0 ? methodText(baseline.profile, methodThen) : methodText(data.profile, method);
}

function responsible(of: Sides, scaling: Scaling): (readonly [string, number])[] {
  const found = answer(of.data, 'responsible', { ...wishOf(of, scaling), most: 99 }, noPause, of.baseline);
  return found.contexts.map(({ box, before, now }) => [nameOf(of, box), Math.round(100 * (now - before)) / 100]);
}

test('contexts by share, absolute, per second and anchored', () => {
  const of = sides(BEFORE, AFTER);
  expect(boxes(of, 'absolute')).toEqual(
    new Map([
      ['Main.main', ['kept', 1000, 1620, 620, 0]],
      ['Shop.audit', ['added', 0, 600, 600, 600]],
      ['Shop.cached', ['added', 0, 420, 20, 20]],
      ['Shop.find', ['kept', 400, 400, 0, 0]],
      ['Shop.pack', ['kept', 500, 500, 0, 0]],
    ]),
  );
  expect(boxes(of, 'share').get('Shop.find')).toEqual(['kept', 0.4, 0.247, -0.153, -0.153]);
  expect(boxes(of, 'share').get('Shop.cached')).toEqual(['added', 0, 0.259, -0.141, 0.012]);
  expect(boxes(of, 'perSecond').get('Shop.pack')).toEqual(['kept', 16.667, 16.667, 0, 0]);
  expect(boxes(of, 'anchored').get('Shop.find')).toEqual(['kept', 0.4, 0.4, 0, 0]);
  expect(boxes(of, 'anchored').get('Main.main')).toEqual(['kept', 1, 1.62, 0.62, 0]);
});

test('a page of the boxes below one', () => {
  const of = sides(BEFORE, AFTER);
  const wish = { ...wishOf(of, 'absolute'), ...CHILDREN };
  const ask = (box: number, from: number, most: number) =>
    answer(of.data, 'comparedBoxes', { ...wish, box, from, most }, noPause, of.baseline).boxes;
  const [main] = ask(0, 0, 9);
  expect(main!.below).toBe(3);
  expect(ask(main!.row, 0, 2).map(box => nameOf(of, box))).toEqual(['Shop.audit', 'Shop.cached']);
  expect(ask(main!.row, 2, 2).map(box => nameOf(of, box))).toEqual(['Shop.pack']);
});

test('two looks are compared once and tested once, whichever scale the answers want', () => {
  const of = sides(BEFORE, AFTER);
  const { comparison } = of.data.answers;
  const wish = wishOf(of, 'share');
  const auto = { ...wish, scaling: 'auto' } as const;
  const first = comparison.of(of.data, of.baseline, auto, noPause);
  const methods = comparison.methods(of.data, of.baseline, auto, noPause);
  expect(first).toMatchObject({ scale: { scaling: 'share' }, why: 'no commits tell which code is unchanged' });
  expect(comparison.of(of.data, of.baseline, wish, noPause)).toMatchObject({ scale: first.scale, why: '' });
  expect(comparison.methods(of.data, of.baseline, wish, noPause)).toBe(methods);
  const absolute = { ...wish, scaling: 'absolute' } as const;
  expect(comparison.of(of.data, of.baseline, absolute, noPause).comparison).toBe(first.comparison);
  // Two scales in turns.
  const other = comparison.methods(of.data, of.baseline, absolute, noPause);
  expect(comparison.methods(of.data, of.baseline, wish, noPause)).toBe(methods);
  expect(comparison.methods(of.data, of.baseline, absolute, noPause)).toBe(other);
});

test('what is responsible', () => {
  const of = sides(BEFORE, AFTER);
  expect(responsible(of, 'anchored')).toEqual([
    ['Shop.audit', 0.6],
    ['Shop.cached', 0.02],
  ]);
  const slower = sides(BEFORE, AFTER.replace('Shop.cached | 20@1', 'Shop.cached | 200@1').replace('600@1', '1@1'));
  expect(responsible(slower, 'anchored')).toEqual([['Shop.cached', 0.2]]);
  expect(responsible(sides(BEFORE, BEFORE), 'share')).toEqual([]);
});

test('a new subtree is named once, by what calls the rest of it', () => {
  const of = sides(BEFORE, `${BEFORE}\n  Shop.audit | 10@1\n    List.sort | 300@1\n      List.swap | 300@1`);
  expect(responsible(of, 'absolute')).toEqual([['Shop.audit', 610]]);
});

test('the way on which most has changed, through a wrapper', () => {
  const of = sides(
    BEFORE,
    AFTER.replace('Shop.find | 400@1', 'Shop.find | 1400@1').replace('  Shop.audit | 600@1', ''),
  );
  const wish = { ...wishOf(of, 'absolute'), label: -1, box: 0, from: 0, most: 9 };
  const { boxes: path } = answer(of.data, 'comparedBoxes', { ...wish, show: 'path' }, noPause, of.baseline);
  expect(path.slice(1).map(box => nameOf(of, box))).toEqual(['Main.main', 'Shop.cached', 'Shop.find']);
  const { boxes: through } = answer(
    of.data,
    'comparedBoxes',
    { ...wish, show: 'through', box: path[2]!.row },
    noPause,
    of.baseline,
  );
  expect(through).toEqual(path);
});

test('no way leads into the recorder, and its time is told by itself', () => {
  const recorder = (amount: number) =>
    `\n  jdk.jfr.events.Socket.emit | ${amount}@1\n    jdk.jfr.internal.Writer.put | ${amount}@1`;
  const of = sides(`${BEFORE}${recorder(10)}`, `${BEFORE}${recorder(110)}\n  Shop.audit | 50@1`);
  const found = answer(of.data, 'responsible', { ...wishOf(of, 'absolute'), most: 9 }, noPause, of.baseline);
  expect(found.contexts.map(({ box }) => nameOf(of, box))).toEqual(['Shop.audit']);
  expect(found.methods.map(method => nameOf(of, method))).toEqual(['Shop.audit']);
  expect([found.differing, found.differingMethods]).toEqual([1, 1]);
  expect(found.recorder).toEqual({ before: 20, now: 220 });
  expect(found.wholes).toEqual([1020, 1270]);
  const wish = { ...wishOf(of, 'absolute'), label: -1, box: 0, from: 0, most: 9 };
  const { boxes } = answer(of.data, 'comparedBoxes', { ...wish, show: 'path' }, noPause, of.baseline);
  expect(boxes.slice(1).map(box => nameOf(of, box))).toEqual(['Main.main', 'Shop.audit']);
});

test('a renamed method is neither removed nor added', () => {
  const of = sides(BEFORE, BEFORE.replace('Shop.find', 'Shop.search'));
  expect(boxes(of, 'share').get('Shop.search')?.[0]).toBe('added');
  const before = { className: 'Shop', name: 'find', descriptor: null };
  const renames = new Map([[pairKey({ ...before, name: 'search' }), [before]]]);
  const pairing = Pairing.pending(of.data, of.baseline).with({ renames, files: new Map() });
  expect([...boxes({ ...of, pairing }, 'share').values()].map(([state]) => state)).toEqual(['kept', 'kept', 'kept']);
});

test('a focus: both sides are compared below it alone', () => {
  const focus = { focus: ['Shop.cached', 'Shop.find'] };
  const baseline = loadedFromText(BEFORE, {}, {}, { focus: ['Shop.find'] });
  const of = { data: loadedFromText(AFTER, {}, {}, focus), baseline };
  expect(boxes(of, 'absolute')).toEqual(
    new Map([
      ['Shop.cached', ['added', 0, 420, 20, 20]],
      ['Shop.find', ['kept', 400, 400, 0, 0]],
    ]),
  );
});

test('the widest boxes are those of the second tree, each behind the one above', () => {
  const of = sides(BEFORE, AFTER);
  const wish = { ...wishOf(of, 'absolute'), show: 'widest', label: -1, box: 0, from: 0, most: 99 } as const;
  const names = (most: number) =>
    answer(of.data, 'comparedBoxes', { ...wish, most }, noPause, of.baseline)
      .boxes.slice(1)
      .map(box => nameOf(of, box));
  expect(names(99)).toEqual(['Main.main', 'Shop.pack', 'Shop.cached', 'Shop.audit', 'Shop.find']);
  expect(names(5)).toEqual(['Main.main', 'Shop.pack', 'Shop.cached', 'Shop.audit']);
  const { boxes } = answer(of.data, 'comparedBoxes', { ...wish, show: 'path' }, noPause, of.baseline);
  expect(boxes.map(({ row, parent }) => [row, parent])).toEqual([
    [0, -1],
    [boxes[1]!.row, 0],
    [boxes[2]!.row, boxes[1]!.row],
  ]);
});
