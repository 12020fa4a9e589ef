// Colours of packages: readable labels, told apart with every colour vision, and the same ones while data grow.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignTints, groupNames, MOST_HUES, MOST_TONES, NO_TINTS } from '../../../clients/web/src/package-tints.ts';
import { type Belonging, belongingOf, contrast, packageColour, textColour } from '../../../clients/web/src/palette.ts';

/** Differences in OKLab: 0.02 is just seen side by side. */
const TOLD_APART = 0.045;
const THEMES = ['light', 'dark'] as const;

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Machado, Oliveira and Fernandes 2009, at full severity, of linear light. */
const VISIONS: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'without blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function times(matrix: Matrix, [x, y, z]: Triple): Triple {
  const [a, b, c] = matrix.map(row => row[0] * x + row[1] * y + row[2] * z);
  return [a ?? 0, b ?? 0, c ?? 0];
}

function mapped([x, y, z]: Triple, change: (value: number) => number): Triple {
  return [change(x), change(y), change(z)];
}

/** OKLab of `#rrggbb` or `rgb(r, g, b)` as a vision sees it. */
function seen(colour: string, vision: Matrix): Triple {
  const numbers = colour.startsWith('#')
    ? [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
    : (colour.match(/\d+/g) ?? []).map(Number);
  const light = mapped([numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0], value =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  const simulated = mapped(times(vision, light), value => Math.min(1, Math.max(0, value)));
  return times(TO_LAB, mapped(times(TO_CONES, simulated), Math.cbrt));
}

const INKS: readonly Belonging[] = [
  ...Array.from({ length: MOST_HUES + 1 }, (_, hue) => ({ hue, tone: 0 })),
  'library',
  'platform',
];

describe.each(THEMES)('in %s', theme => {
  test.each(Object.entries(VISIONS))('any two entries of the legend are told apart by a vision: %s', (_, vision) => {
    const labs = INKS.map(ink => seen(packageColour(ink, theme), vision));
    const near: string[] = [];
    for (const [at, one] of labs.entries())
      for (const [other, lab] of labs.entries())
        if (other < at && Math.hypot(one[0] - lab[0], one[1] - lab[1], one[2] - lab[2]) < TOLD_APART)
          near.push(`${JSON.stringify(INKS[at])} ${JSON.stringify(INKS[other])}`);
    expect(near).toEqual([]);
  });

  test('every label is readable on every tone', () => {
    const tones = Array.from({ length: MOST_TONES }, (_, tone) => tone);
    const all = INKS.flatMap<Belonging>(ink =>
      typeof ink === 'string' ? [ink] : tones.map(tone => ({ ...ink, tone })),
    );
    for (const ink of all) {
      const colour = packageColour(ink, theme);
      expect(contrast(colour, textColour(colour)), JSON.stringify(ink)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test('own packages lose what they have in common, and the next segment chooses the hue', () => {
  const shop = [
    'com.acme.shop.search',
    'com.acme.shop.load',
    'com.acme.shop',
    'com.acme.shop.load.plan',
    'com.acme.shop.net',
  ];
  const { groups, tints } = assignTints(shop, NO_TINTS);
  expect(groupNames(groups)).toEqual(['search', 'load', 'shop', 'net']);
  expect(shop.map(name => tints.get(name))).toEqual([
    { hue: 0, tone: 0 },
    { hue: 1, tone: 0 },
    { hue: 2, tone: 0 },
    { hue: 1, tone: 1 },
    { hue: 3, tone: 0 },
  ]);
  const two = assignTints(['org.h2.mvstore', 'org.h2.table', 'net.lib', 'org.h2.mvstore.db'], NO_TINTS);
  expect(groupNames(two.groups)).toEqual(['org.h2.mvstore', 'org.h2.table', 'net']);
  expect(belongingOf('java.util', true, two)).toBe('platform');
  expect(belongingOf('javaland.util', true, two)).toBe('library');
  expect(belongingOf('org.h2.new', false, two)).toEqual({ hue: MOST_HUES, tone: 0 });
});

test('packages keep their colours while data grow, and eight groups are told apart', () => {
  const segment = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const names = fc.uniqueArray(
    fc.array(segment, { minLength: 1, maxLength: 4 }).map(parts => parts.join('.')),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(names, names, (first, then) => {
      const before = assignTints(first, NO_TINTS);
      const after = assignTints([...first, ...then], before);
      for (const [name, tint] of before.tints) expect(after.tints.get(name)).toEqual(tint);
      for (const name of [...first, ...then]) expect(after.tints.has(name)).toBe(true);
      for (const { hue, tone } of after.tints.values()) {
        expect(hue).toBeLessThanOrEqual(MOST_HUES);
        expect(tone).toBeLessThan(MOST_TONES);
      }
      expect(new Set(after.groups).size).toBe(after.groups.length);
    }),
  );
});
