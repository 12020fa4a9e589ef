// Frames of random stacks for properties of the page's code: asked, laid out and encoded by the reference, decoded by the page.
import fc from 'fast-check';
import type { AskPicture } from 'insitu/views';
import { decodeFrame, type Frame } from '../../../clients/web/src/frame-decoder.ts';
import { encodeFrame, type Layout, layout, treeOf } from './reference-layout.ts';
import { type FakeStack, fakeMethod } from './stacks-fake.ts';

export const WHOLE_PICTURE: AskPicture = {
  ask: 'picture',
  look: {},
  direction: 'down',
  of: null,
  root: [],
  operations: { recursion: false, aggregate: false, library: false },
  form: 'metric',
  order: 'weight',
  window: [0, 1],
  rows: [0, 100],
  least: [0],
  most: 20_000,
  search: null,
  baseline: false,
};

const METHODS = ['a', 'b', 'c', 'd', 'e'].map(name => fakeMethod(`com.acme.${name.toUpperCase()}`, name, name > 'c'));

/** At least one stack, so that there is something to draw. */
export const someStacks: fc.Arbitrary<FakeStack[]> = fc.array(
  fc.record({
    frames: fc.array(fc.constantFrom(...METHODS), { minLength: 1, maxLength: 9 }),
    count: fc.integer({ min: 1, max: 1000 }),
    thread: fc.constant('main'),
    window: fc.constant(0),
  }),
  { minLength: 1, maxLength: 30 },
);

export type Laid = { readonly frame: Frame; readonly laid: Layout; readonly bytes: Buffer };

/** `c` is the hit of every search. */
export function frameOf(stacks: readonly FakeStack[], change: Partial<AskPicture> = {}): Laid {
  const asked = { ...WHOLE_PICTURE, ...change };
  const root = treeOf(stacks, asked, new Map());
  const fits = ({ name }: { readonly name: string }): boolean => name === 'c';
  const laid = layout(root, asked, fits);
  const total = { weight: root.weight, count: root.weight };
  const bytes = encodeFrame({
    laid,
    whole: total,
    root: { steps: [], method: null, total, missing: null },
    fits,
    revision: '1',
    shareBefore: asked.baseline ? () => 0.25 : null,
  });
  return { frame: decodeFrame(copyOf(bytes)), laid, bytes };
}

/** As it arrives: a buffer of its own, aligned. */
export function copyOf(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
