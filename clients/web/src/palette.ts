// Colours of boxes: by package, by heat, by change against the baseline; and black or white for the label, whichever is readable.
import { interpolateRgb } from 'd3-interpolate';
import { interpolateCividis } from 'd3-scale-chromatic';
import type { MethodState, Verdict } from 'insitu/views';
import type { Theme } from './page-types.ts';

/** Eight muted hues that people with any colour vision tell apart by lightness too. */
const HUES: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#a9c6e8', '#f2c79b', '#b5d8ac', '#e3b3b3', '#cdbfe3', '#dccfa0', '#a8d5d1', '#e5bcd8'],
  dark: ['#33506f', '#7a542b', '#3b6133', '#743f3f', '#544472', '#655a28', '#28605c', '#6d4061'],
};
/** Towards the page: parts of libraries are paler. */
const BACKGROUND: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#16181d' };
const ROOT: Readonly<Record<Theme, string>> = { light: '#d9dce1', dark: '#3a3f47' };
const GREY: Readonly<Record<Theme, string>> = { light: '#d4d4d4', dark: '#4a4a4a' };
const MORE: Readonly<Record<Theme, string>> = { light: '#e8820c', dark: '#d97706' };
const LESS: Readonly<Record<Theme, string>> = { light: '#3b82d6', dark: '#3b82d6' };

/** How many packages can have a hue of their own. */
export const MOST_HUES = HUES.light.length;

/** By the name of a package, the number of its hue. */
export type PackageHues = ReadonlyMap<string, number>;

/**
 * Gives each package the hue that it had before, new ones the next hues in turn: the first eight are told apart.
 * @param names most common first.
 */
export function assignHues(names: readonly string[], before: PackageHues): PackageHues {
  const hues = new Map(before);
  for (const name of names) if (!hues.has(name)) hues.set(name, hues.size % MOST_HUES);
  return hues;
}

/** @param hue undefined for packages without one: they are grey. */
export function packageColour(hue: number | undefined, isLibrary: boolean, theme: Theme): string {
  const plain = hue === undefined ? GREY[theme] : (HUES[theme][hue] ?? ROOT[theme]);
  return isLibrary ? interpolateRgb(plain, BACKGROUND[theme])(0.55) : plain;
}

export function rootColour(theme: Theme): string {
  return ROOT[theme];
}

/** Of code that is still what ran, that is another one, and of which nothing is known. */
export function stateColour(state: MethodState | null, theme: Theme): string {
  if (state === 'changed') return interpolateRgb(GREY[theme], MORE[theme])(0.45);
  if (state === 'unchanged') return interpolateRgb(GREY[theme], LESS[theme])(0.45);
  return state === 'missing' ? interpolateRgb(GREY[theme], BACKGROUND[theme])(0.55) : GREY[theme];
}

/** `part` of the hottest, from 0 to 1; the root of the scale lets small shares be seen. */
export function heatColour(part: number): string {
  return interpolateCividis(Math.sqrt(Math.min(1, Math.max(0, part))));
}

/** Twice as much, or half as much, is the full colour; grey unless a test finds the part slower or faster. */
export function changeColour(now: number, before: number, verdict: Verdict, theme: Theme): string {
  if (verdict !== 'slower' && verdict !== 'faster') return GREY[theme];
  const ratio = before > 0 && now > 0 ? Math.abs(Math.log2(now / before)) : 1;
  return interpolateRgb(
    GREY[theme],
    verdict === 'slower' ? MORE[theme] : LESS[theme],
  )(0.35 + 0.65 * Math.min(1, ratio));
}

type Channels = readonly [number, number, number];

/** Of `#rrggbb` or `rgb(r, g, b)`. */
function channels(colour: string): Channels {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  const [red = 0, green = 0, blue = 0] =
    hex === null ? (colour.match(/\d+/g) ?? []).map(Number) : hex.slice(1).map(part => Number.parseInt(part, 16));
  return [red, green, blue];
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map(value => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const DARK_TEXT = '#000000';
const LIGHT_TEXT = '#ffffff';

/** One of the two always has a contrast of 4.5 or more. */
export function textColour(background: string): string {
  return contrast(background, DARK_TEXT) >= contrast(background, LIGHT_TEXT) ? DARK_TEXT : LIGHT_TEXT;
}
