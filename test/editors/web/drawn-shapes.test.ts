// The painter's shapes: what is drawn has the area of its share in both projections, and a point leads back to its box.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Label, Pen, Shape } from '../../../clients/web/src/drawing-pen.ts';
import { leastWidths } from '../../../clients/web/src/least-widths.ts';
import { paint, type Scene, shapeOf } from '../../../clients/web/src/paint.ts';
import {
  type Icicle,
  innerRadius,
  LEAST_RING,
  mostRings,
  type Projection,
  placeAt,
  type Ring,
  ROW_HEIGHT,
} from '../../../clients/web/src/projections.ts';
import { frameOf, someStacks } from './random-frames.ts';
import { type FakeMethod, type FakeStack, fakeMethod } from './stacks-fake.ts';

const icicle: Icicle = { kind: 'icicle', width: 1000, height: 600, visible: [0, 1], top: 0, upwards: false };
const ring: Ring = { kind: 'ring', x: 400, y: 300, radius: 290, rings: 12, area: false };

const someProjections: fc.Arbitrary<Projection> = fc.constantFrom<Projection>(
  icicle,
  { ...icicle, upwards: true, top: 30 },
  { ...icicle, visible: [0.2, 0.7], top: 45 },
  ring,
  { ...ring, area: true },
);

function areaOf(shape: Shape): number {
  if (shape.kind === 'rectangle') return shape.width * shape.height;
  return ((shape.to - shape.from) / 2) * (shape.outer ** 2 - shape.inner ** 2);
}

function middleOf(shape: Shape): [number, number] {
  if (shape.kind === 'rectangle') return [shape.x + shape.width / 2, shape.y + shape.height / 2];
  const [radius, turn] = [(shape.inner + shape.outer) / 2, (shape.from + shape.to) / 2];
  return [shape.x + radius * Math.cos(turn), shape.y + radius * Math.sin(turn)];
}

test('the middle of a shape lies at its row and within its fractions', () => {
  const fraction = fc.double({ min: 0.001, max: 0.8, noNaN: true });
  fc.assert(
    fc.property(someProjections, fc.integer({ min: 1, max: 11 }), fraction, (projection, row, start) => {
      const end = start + 0.1;
      const place = placeAt(projection, ...middleOf(shapeOf(projection, row, start, end)));
      expect(place?.row).toBe(row);
      expect(place?.fraction).toBeCloseTo((start + end) / 2, 6);
    }),
  );
});

test('a point outside of the rings is no place', () => {
  expect(placeAt(ring, 400, 300 - 291)).toBeNull();
  expect(placeAt(ring, 400, 300 - 289)?.row).toBe(11);
});

test('rings of equal area have it, and none is thinner than 6 px', () => {
  fc.assert(
    fc.property(fc.integer({ min: 40, max: 2000 }), fc.boolean(), (radius, area) => {
      const rings = mostRings(radius, area);
      const all: Ring = { ...ring, radius, rings, area };
      const [inner, outer] = [innerRadius(all, rings - 1), innerRadius(all, rings)];
      expect(outer - inner).toBeGreaterThanOrEqual(LEAST_RING - 1e-9);
      const wanted = (Math.PI * radius * radius) / rings;
      if (area) expect(areaOf(shapeOf(all, rings - 1, 0, 1))).toBeCloseTo(wanted, 3);
    }),
  );
});

/** Notes each fill with its colour, which names the box. */
class NotedPen implements Pen {
  readonly filled: { readonly shape: Shape; readonly colour: string }[] = [];
  readonly written: Label[] = [];
  readonly fill = (shape: Shape, colour: string): void => void this.filled.push({ shape, colour });
  readonly hatch = (shape: Shape): void => void this.filled.push({ shape, colour: 'hatch' });
  readonly outline = (): void => undefined;
  readonly write = (label: Label): void => void this.written.push(label);
  readonly #letter: number;
  readonly widthOf = (text: string): number => this.#letter * text.length;

  constructor(letter = 7) {
    this.#letter = letter;
  }
}

const inks = {
  background: 'paper',
  text: 'ink',
  selection: 's',
  hit: 'hit',
  recent: 'r',
  hatch: 'h',
  bar: '#666666',
  track: '#eeeeee',
  axis: '#555555',
  box: null,
};

function painted(
  stacks: Parameters<typeof frameOf>[0],
  projection: Projection,
  letter?: number,
): { pen: NotedPen; scene: Scene } {
  const rows = [0, 12] as const;
  const { frame } = frameOf(stacks, { rows, least: leastWidths(projection, [0, 1], rows) });
  const pen = new NotedPen(letter);
  const scene: Scene = {
    frame,
    mapping: { scale: 1, shift: 0, rows: 0 },
    projection,
    fills: {
      fillOf: box => `box ${box}`,
      isHatched: () => false,
      namesOf: () => ['com.acme.Shop.search', 'Shop.search'],
    },
    inks,
    selected: -1,
    hovered: -1,
    highlighted: -1,
    recent: null,
  };
  paint(pen, scene);
  return { pen, scene };
}

test.each<[string, Projection]>([
  ['an icicle', icicle],
  ['rings of equal area', { ...ring, area: true }],
])('the area of each box of %s is its share of a whole row, to one square pixel', (_, projection) => {
  fc.assert(
    fc.property(someStacks, stacks => {
      const { pen, scene } = painted(stacks, projection);
      const { boxes, header } = scene.frame;
      const row =
        projection.kind === 'icicle'
          ? projection.width * (ROW_HEIGHT - 1)
          : (Math.PI * projection.radius ** 2) / projection.rings;
      for (const box of boxes.row.keys()) {
        const drawn = pen.filled.find(({ colour }) => colour === `box ${box}`);
        const share = (boxes.weight[box] ?? 0) / header.whole.weight;
        // Wide boxes of an icicle leave a pixel to the next one.
        const gap = drawn?.shape.kind === 'rectangle' ? ROW_HEIGHT : 1;
        expect(Math.abs(areaOf(drawn?.shape ?? shapeOf(projection, 0, 0, 0)) - share * row)).toBeLessThanOrEqual(gap);
      }
    }),
  );
});

test('half a pixel is the least width, at the radius of the ring', () => {
  expect(leastWidths(icicle, [0, 1], [0, 50])).toEqual([0.0005]);
  expect(leastWidths({ ...icicle, visible: [0.4, 0.6] }, [0.2, 0.8], [0, 50])[0]).toBeCloseTo(0.0005 / 3, 9);
  const least = leastWidths(ring, [0, 1], [0, 12]);
  expect(least).toHaveLength(12);
  least.forEach((width, row) => {
    expect(width * 2 * Math.PI * innerRadius(ring, row + 1)).toBeCloseTo(0.5, 9);
  });
});

test('a hit of a hair’s breadth is at least 3 px wide', () => {
  fc.assert(
    fc.property(someStacks, stacks => {
      const { pen, scene } = painted(stacks, { ...icicle, width: 60 });
      const { boxes, cuts } = scene.frame;
      // Rounding decides about widths of 6 px.
      const thinnerThan = (pixels: number) =>
        [...boxes.row.keys()].filter(
          box => ((boxes.flags[box] ?? 0) & 1) !== 0 && ((boxes.end[box] ?? 0) - (boxes.start[box] ?? 0)) * 60 < pixels,
        ).length +
        [...cuts.hits.keys()].filter(
          cut => (cuts.hits[cut] ?? 0) > 0 && ((cuts.end[cut] ?? 0) - (cuts.start[cut] ?? 0)) * 60 < pixels,
        ).length;
      const marks = pen.filled.filter(({ colour }) => colour === 'hit');
      expect(marks.length).toBeGreaterThanOrEqual(thinnerThan(6 - 1e-4));
      expect(marks.length).toBeLessThanOrEqual(thinnerThan(6 + 1e-4));
      for (const { shape } of marks)
        expect(shape.kind === 'rectangle' ? shape.width : 0).toBeGreaterThanOrEqual(3 - 1e-9);
    }),
  );
});

test('labels of an icicle begin on the screen, also of boxes that begin left of it', () => {
  fc.assert(
    fc.property(someStacks, stacks => {
      const { pen } = painted(stacks, { ...icicle, visible: [0.3, 0.4] });
      for (const { x, text } of pen.written) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + 7 * text.length).toBeLessThanOrEqual(1000);
      }
    }),
  );
});

test('a run of narrow parts says how many there are and what share they have, where it is wide enough', () => {
  const [caller, run] = [fakeMethod('a.Main', 'main'), fakeMethod('a.Thin', 'thin')];
  const of = (count: number, ...frames: FakeMethod[]): FakeStack => ({ frames, count, thread: 'main', window: 0 });
  const narrow = Array.from({ length: 214 }, (_, at) => of(1, caller, { ...run, key: `thin${1000 + at}` }));
  const stacks = [of(6690, caller), ...narrow];
  const texts = (letter: number): string[] =>
    painted(stacks, { ...icicle, width: 3400 }, letter).pen.written.map(({ text }) => text);
  expect(texts(6)).toContain('214 more, 3.1 %');
  expect(texts(12)).toContain('214 more');
});
