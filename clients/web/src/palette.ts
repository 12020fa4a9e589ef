// Colours of boxes: by package, by heat, by change against the baseline; and black or white for the label, whichever is readable.
import { interpolateRgb } from 'd3-interpolate';
import { interpolateCividis } from 'd3-scale-chromatic';
import type { MethodState, Verdict } from 'insitu/views';
import { OTHER_OWN, type PackageTints, type Tint } from './package-tints.ts';
import type { Theme } from './page-types.ts';

/**
 * Eight muted hues for own packages, then other own code. By simulation people with each of the three colour-vision deficiencies tell any two
 * of them and the colours of libraries apart (`test/editors/web/palette.test.ts`).
 */
const HUES: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#86b7f2', '#feba9e', '#8daa6b', '#c0909e', '#ac90ca', '#c7bb6d', '#95cfcd', '#e9c3f5', '#f8e9d2'],
  dark: ['#636ca0', '#825039', '#1d4828', '#9e5757', '#512b5d', '#7e6a1f', '#027c7a', '#704b78', '#73836f'],
};
/** Libraries are slate, the platform is nearer to the page. */
const LIBRARY: Readonly<Record<Theme, string>> = { light: '#a9b2be', dark: '#464e58' };
const PLATFORM: Readonly<Record<Theme, string>> = { light: '#dadee5', dark: '#2f3339' };
/** Towards the page. */
const BACKGROUND: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#16181d' };
const ROOT: Readonly<Record<Theme, string>> = { light: '#d9dce1', dark: '#3a3f47' };
const GREY: Readonly<Record<Theme, string>> = { light: '#d4d4d4', dark: '#4a4a4a' };
const MORE: Readonly<Record<Theme, string>> = { light: '#e8820c', dark: '#d97706' };
const LESS: Readonly<Record<Theme, string>> = { light: '#3b82d6', dark: '#3b82d6' };
/** How far the tones of a hue are from it, towards the page. */
const TONES = [0, 0.14, 0.26] as const;

/** The role of a package in the program: its own code by tint, a library, or the Java platform. */
export type Belonging = Tint | 'library' | 'platform';

/** As mapping/platform-classes.ts of the server. */
const PLATFORM_PACKAGE = /^(?:java|javax|jdk|sun|com\.sun|javafx)(?:\.|$)/;

export function belongingOf(name: string, isLibrary: boolean, { tints }: PackageTints): Belonging {
  if (!isLibrary) return tints.get(name) ?? OTHER_OWN;
  return name === '' || PLATFORM_PACKAGE.test(name) ? 'platform' : 'library';
}

export function packageColour(belonging: Belonging, theme: Theme): string {
  if (belonging === 'library') return LIBRARY[theme];
  if (belonging === 'platform') return PLATFORM[theme];
  const plain = HUES[theme][belonging.hue] ?? GREY[theme];
  return interpolateRgb(plain, BACKGROUND[theme])(TONES[belonging.tone] ?? 0);
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
