// The address, names, amounts and colours of the page.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNTS,
  COLOURINGS,
  FIRST_SHOWN,
  FORMS,
  ORDERS,
  readAddress,
  type Shown,
  SORTS,
  TABLES,
  writeAddress,
} from '../../../clients/web/src/address-state.ts';
import {
  durationText,
  partText,
  percentText,
  samplesText,
  shareText,
  weightText,
} from '../../../clients/web/src/amount-words.ts';
import { Glow } from '../../../clients/web/src/glow.ts';
import { fitted, fullName, packageOf, shortName, shownName } from '../../../clients/web/src/name-trimming.ts';
import { changeColour, contrast, heatColour, textColour } from '../../../clients/web/src/palette.ts';
import { withName, withoutElement } from '../../../clients/web/src/path-steps.ts';
import { VIEWS, viewKeys } from '../../../clients/web/src/views.ts';
import { shareInProse } from '../../../server/features/text/format-share.ts';
import { SCALINGS } from '../../../server/views/view-messages.ts';
import { frameOf } from './random-frames.ts';
import { fakeMethod } from './stacks-fake.ts';

const key = fc.string({ minLength: 8, maxLength: 8, unit: fc.constantFrom(...'ABCxyz019-_') });
const words = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 });
const shownStates: fc.Arbitrary<Shown> = fc.record({
  view: fc.constantFrom(...VIEWS.map(({ name }) => name)),
  processors: fc.boolean(),
  scaling: fc.constantFrom(...SCALINGS),
  compared: fc.constantFrom(...(['usual', 'flame', 'ring', 'boxes'] as const)),
  form: fc.constantFrom(...FORMS),
  direction: fc.constantFrom('down' as const, 'up' as const),
  source: fc.option(key),
  look: fc.option(
    fc.record(
      {
        ...{ metric: fc.string({ minLength: 1 }), threads: words, from: fc.integer(), to: fc.integer() },
        ...{ focus: words, path: fc.string({ minLength: 1 }), instances: words },
        ...{ program: fc.string({ minLength: 1 }), version: fc.string({ minLength: 1 }) },
      },
      { requiredKeys: [] },
    ),
  ),
  of: fc.option(key),
  method: fc.option(key),
  root: fc.array(key),
  recursion: fc.boolean(),
  aggregate: fc.boolean(),
  library: fc.boolean(),
  ringChains: fc.boolean(),
  rowChains: fc.boolean(),
  unfolded: fc.array(fc.stringMatching(/^[\da-z]{1,11}$/)),
  vanished: fc.boolean(),
  depth: fc.option(fc.integer({ min: 1, max: 40_000 })),
  zoom: fc.constantFrom([0, 1] as const, [0.25, 0.5] as const, [0, 1e-9] as const),
  colour: fc.constantFrom(...COLOURINGS),
  order: fc.constantFrom(...ORDERS),
  search: fc.string(),
  amounts: fc.constantFrom(...AMOUNTS),
  table: fc.constantFrom(...TABLES),
  sort: fc.constantFrom(...SORTS),
  query: fc.string({ minLength: 1 }),
  least: fc.integer({ min: 1, max: 5000 }),
});

describe('the steps of a path', () => {
  const spans = (query: string) =>
    Array.from(query.matchAll(/\S+/g), ({ 0: text, index }) => ({ from: index, to: index + text.length }));

  test.each([
    ['* A ..B', 0, 'A ..B'],
    ['* A ..B', 1, '* ..B'],
    ['A B C', 1, 'A ..C'],
    ['A B C', 2, 'A B'],
    ['A', 0, '*'],
  ])('of %s without step %i: %s', (query, at, wanted) => expect(withoutElement(query, spans(query), at)).toBe(wanted));

  test('keep the text around the path', () =>
    expect(
      withoutElement(
        'let l = a.*; A ..l where C',
        [
          { from: 13, to: 14 },
          { from: 15, to: 18 },
        ],
        1,
      ),
    ).toBe('let l = a.*; A where C'));

  test('take a completed name in the place of what was typed', () =>
    expect(withName('A ..lo where B', { from: 4, to: 6 }, 'Log.info')).toEqual({
      query: 'A ..Log.info where B',
      at: 12,
    }));
});

describe('the address', () => {
  test('holds all that is shown', () => {
    fc.assert(
      fc.property(shownStates, shown => {
        expect(readAddress(`#${writeAddress(shown)}`)).toEqual(shown);
      }),
    );
  });

  test('of anything else shows something', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(Object.keys(readAddress(text)).sort()).toEqual(Object.keys(FIRST_SHOWN).sort());
      }),
    );
    expect(readAddress('view=nothing&zoom=1~0&depth=-3&root=...&from=x')).toEqual(FIRST_SHOWN);
  });
});

describe('views', () => {
  test('have names and keys of their own, a line in the documentation, and their keys in the list of keys', () => {
    for (const field of ['name', 'title', 'key'] as const)
      expect(new Set(VIEWS.map(view => view[field])).size).toBe(VIEWS.length);
    const documentation = readFileSync(new URL('../../../docs/views.md', import.meta.url), 'utf8');
    for (const { key, title } of VIEWS) expect(documentation).toContain(`\n| \`${key}\` | ${title.toLowerCase()} | `);
    expect(viewKeys()).toMatch(/^0 … \d( [a-z])*$/);
  });

  test('are read from addresses that were copied long ago', () => {
    const names = 'ring flame sandwich table threads timeline source blueprint paths'.split(' ');
    expect(names.map(name => readAddress(`view=${name}`).view)).toEqual(names);
    const old =
      '#view=flame&form=area&direction=up&colour=heat&library=off&recursion=on&source=k2&of=AbCd-_12&root=AbCd-_12.ZZZZ0000&depth=4&zoom=0.25~0.5&search=a+b&look=own&metric=alloc&threads=http-*&from=1000&focus=com.acme.Shop.search%28int%29&path=A+..B';
    expect(readAddress(old)).toEqual({
      ...FIRST_SHOWN,
      ...{
        view: 'flame',
        form: 'area',
        direction: 'up',
        colour: 'heat',
        library: false,
        recursion: true,
        source: 'k2',
      },
      ...{ of: 'AbCd-_12', root: ['AbCd-_12', 'ZZZZ0000'], depth: 4, zoom: [0.25, 0.5], search: 'a b' },
      look: {
        ...{ metric: 'alloc', threads: ['http-*'], from: 1000 },
        ...{ focus: ['com.acme.Shop.search(int)'], path: 'A ..B' },
      },
    });
  });
});

describe('names', () => {
  test('lose the package first, then the middle', () => {
    const widthOf = (text: string): number => text.length;
    const names = ['com.acme.Shop.search', 'Shop.search'];
    expect(fitted(names, 20, widthOf)).toBe('com.acme.Shop.search');
    expect(fitted(names, 19, widthOf)).toBe('Shop.search');
    expect(fitted(names, 10, widthOf)).toBe('…search');
    expect(fitted(names, 7, widthOf)).toBe('…search');
    expect(fitted(names, 5, widthOf)).toBe('se…ch');
    expect(fitted(names, 3, widthOf)).toBe('');
    expect(fitted(['▲ Shop.search'], 9, widthOf)).toBe('▲ …search');
    expect(fitted(['▲~ Shop.search'], 8, widthOf)).toBe('▲~ se…ch');
  });

  test('fit, and keep both ends of the method', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 40 }), (name, width) => {
        const text = fitted([name], width, written => written.length);
        expect(text.length).toBeLessThanOrEqual(width);
        const sign = /^\S{1,2} /.exec(name)?.[0] ?? '';
        const whole = name.slice(sign.length);
        const method = whole.slice(whole.lastIndexOf('.') + 1) || whole;
        if (text === '' || text === name || text === `${sign}…${method}`) return;
        expect(text.startsWith(sign)).toBe(true);
        expect([text[sign.length], text.at(-1)]).toEqual([method[0], method.at(-1)]);
      }),
    );
  });

  test('have a class, or none', () => {
    expect(shortName(fakeMethod('com.acme.Shop$Cart', 'add'))).toBe('Shop$Cart.add');
    expect(packageOf(fakeMethod('com.acme.Shop$$Lambda/0x1.2', 'run'))).toBe('com.acme');
    expect(fullName(fakeMethod('', '__libc_read'))).toBe('__libc_read');
    expect(shortName(fakeMethod('Main', 'main'))).toBe('Main.main');
  });

  test('neither hide nor turn text, and no length stops the page', () => {
    expect(shownName('a\u202eb\nc')).toBe('a\\u202eb\\u000ac');
    expect(shownName('x'.repeat(65_536)).length).toBe(400);
  });
});

describe('amounts', () => {
  test('are shares as the hints write them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }), (whole, more) => {
        const part = Math.min(whole, more);
        const written = shareText({ weight: part, count: part }, { weight: whole, count: whole });
        expect(written).toBe(shareInProse({ part, whole, samples: part }));
      }),
    );
  });

  test('of nothing are no percentage', () => {
    expect([percentText(0, 0), percentText(1, 0), percentText(0, 5)]).toEqual([null, null, null]);
    expect([partText(0, 5), partText(1, 5_000), partText(1, 5)]).toEqual(['0', '< 0.1 %', '20 %']);
    expect(samplesText(1234)).toBe('1,234 samples');
  });

  test('have units', () => {
    expect(weightText(1_234_000_000, 'nanoseconds')).toBe('1.23 s');
    expect(weightText(34_000_000, 'bytes')).toBe('34 MB');
    expect(weightText(7, 'invocations')).toBe('7 invocations');
    expect([0, 90_000, 300_000, 90_000_000, 900_000_000].map(durationText)).toEqual([
      '0 s',
      '90 s',
      '5 min',
      '25 h',
      '10 days',
    ]);
  });
});

test('every label is readable on its box', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const theme = fc.constantFrom('light' as const, 'dark' as const);
  fc.assert(
    fc.property(share, share, theme, (now, before, at) => {
      const verdict = now > before ? 'slower' : 'faster';
      for (const colour of [heatColour(now), changeColour(now, before, verdict, at)])
        expect(contrast(colour, textColour(colour))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a part glows when it has grown, half as much every 5 seconds', () => {
  const glow = new Glow();
  const [a, b] = [fakeMethod('A', 'a'), fakeMethod('B', 'b')];
  const at = (count: number) =>
    frameOf([
      { frames: [a], count, thread: '', window: 0 },
      { frames: [b], count: 5, thread: '', window: 0 },
    ]).frame;
  const idOf = (name: string): number => {
    const { boxes, header } = at(1);
    return boxes.id[boxes.method.findIndex(method => header.methods[method]?.name === name)] ?? 0;
  };
  glow.take(at(10), 0, 'question');
  expect([glow.of(idOf('a'), 0), glow.isActive(0)]).toEqual([0, false]);
  glow.take(at(18), 1000, 'question');
  expect([glow.of(idOf('a'), 1000), glow.of(idOf('a'), 6000), glow.of(idOf('b'), 1000)]).toEqual([8, 4, 0]);
  expect(glow.lately(idOf('a'))).toBe(8);
  glow.take(at(20), 11_500, 'question');
  expect(glow.lately(idOf('a'))).toBe(2);
  glow.take(at(500), 12_000, 'another question');
  expect(glow.of(idOf('a'), 12_000)).toBe(0);
});
