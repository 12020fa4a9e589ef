// Colours, words and order of what tracks are stacked from: time types, or packages.
import { signal } from '@preact/signals';
import { TIME_TYPES, type TracksHeader } from 'insitu/views';
import { shownName } from './name-trimming.ts';
import type { PackageTints } from './package-tints.ts';
import type { Theme } from './page-types.ts';
import { belongingOf, packageColour } from './palette.ts';

type Kind = TracksHeader['kinds'][number];

/** The tracks that the timeline shows; null in other views, and until they are known. */
export const tracksShown = signal<TracksHeader | null>(null);

const TYPES = Object.keys(TIME_TYPES);

function meaningOf({ name }: Kind): { readonly words: string; readonly colour: string } | undefined {
  return Object.entries(TIME_TYPES).find(([type]) => type === name)?.[1];
}

/** Kinds from the bottom up: time types as their table has them, running first; packages by weight. */
export function stackingOrder(kinds: readonly Kind[]): readonly number[] {
  const place = ({ name }: Kind): number => TYPES.indexOf(name);
  return [...kinds.keys()].sort((a, b) => place(kinds[a]!) - place(kinds[b]!) || a - b);
}

export function kindColour(kind: Kind, theme: Theme, tints: PackageTints): string {
  const { name, library } = kind;
  return meaningOf(kind)?.colour ?? packageColour(belongingOf(name, library, tints), theme);
}

export function kindWords(kind: Kind): string {
  return meaningOf(kind)?.words ?? (shownName(kind.name) || 'no package');
}

/** A colour as a pixel of a canvas, on machines with the least byte first. */
export function pixelOf(colour: string): number {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  const [red = 0, green = 0, blue = 0] =
    hex === null ? (colour.match(/\d+/g) ?? []).map(Number) : hex.slice(1).map(part => Number.parseInt(part, 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
