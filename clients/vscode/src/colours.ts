// Colours of heat and change on dark and light backgrounds, safe for colour-blind eyes; those of changed code follow from them.
import type { Verdict } from 'insitu/protocol';
import { HEAT_LEVELS, type HeatLevel } from './heat.ts';

export type Background = 'dark' | 'light';

type Colour = { readonly red: number; readonly green: number; readonly blue: number };

/**
 * Told by contrast with the background first, and from grey to orange or red second: what colour-blind eyes keep. On light pages the
 * hottest are no darker than needed: near black they would look like code.
 */
const HEAT: Readonly<Record<Background, Readonly<Record<HeatLevel, string>>>> = {
  dark: { 1: '#868e99', 2: '#a8976f', 3: '#cfa355', 4: '#f0b040', 5: '#ffd166' },
  light: { 1: '#6f757e', 2: '#7f6a45', 3: '#8f5a00', 4: '#a83c00', 5: '#ad1f00' },
};

/** The editor's own pages; themes that differ from them give the groups other colours. */
export const PAPER: Readonly<Record<Background, string>> = { dark: '#1f1f1f', light: '#ffffff' };

/** Changed code has this part of a colour's saturation, and of its opacity. */
const CHANGED = 0.75;
/** Contrast ratio of WCAG 2.2 that small text needs. */
const READABLE = 4.5;

export function heatColour(level: HeatLevel, stale: boolean, background: Background): string {
  const ink = HEAT[background][level];
  return stale ? written(blend(desaturated(parsed(ink), CHANGED), parsed(PAPER[background]), CHANGED)) : ink;
}

/** The server's colour of a change, made readable; that of cold code unless a test finds the code slower or faster. */
export function changeColour(change: { colour: Colour; verdict: Verdict }, background: Background): string {
  if (!isDirected(change.verdict)) return HEAT[background][1];
  const paper = parsed(PAPER[background]);
  const towards = background === 'dark' ? parsed('#ffffff') : parsed('#000000');
  for (let opacity = 1; opacity > 0; opacity -= 0.05) {
    const mixed = blend(change.colour, towards, opacity);
    if (contrast(mixed, paper) >= READABLE) return written(mixed);
  }
  return written(towards);
}

/** Whether a change has a direction that is drawn in colour and with an arrow. */
export function isDirected(verdict: Verdict): boolean {
  return verdict === 'slower' || verdict === 'faster';
}

/** The names under which themes and users give other colours. */
export function heatColourId(level: HeatLevel, stale: boolean): string {
  return `insitu.${stale ? 'stale' : 'heat'}${level}`;
}

/** The colours that package.json contributes as `colors`. */
export function contributedColours(): { id: string; description: string; defaults: Record<string, string> }[] {
  return [false, true].flatMap(stale =>
    HEAT_LEVELS.map(level => ({
      id: heatColourId(level, stale),
      description: `Hints of step ${level} of heat, from 1 (cold) to 5 (hot)${stale ? ', where code has changed since it was recorded' : ''}.`,
      defaults: {
        dark: heatColour(level, stale, 'dark'),
        light: heatColour(level, stale, 'light'),
        highContrast: heatColour(level, stale, 'dark'),
        highContrastLight: heatColour(level, stale, 'light'),
      },
    })),
  );
}

function parsed(colour: string): Colour {
  const value = Number.parseInt(colour.slice(1), 16);
  return { red: value >> 16, green: (value >> 8) & 255, blue: value & 255 };
}

function written({ red, green, blue }: Colour): string {
  return `#${[red, green, blue].map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function mapped(colour: Colour, other: Colour, how: (a: number, b: number) => number): Colour {
  return {
    red: how(colour.red, other.red),
    green: how(colour.green, other.green),
    blue: how(colour.blue, other.blue),
  };
}

function blend(colour: Colour, paper: Colour, opacity: number): Colour {
  return mapped(colour, paper, (one, other) => one * opacity + other * (1 - opacity));
}

/** The same hue and lightness with a part of the saturation (HSL): every channel moves towards the middle of the range. */
function desaturated(colour: Colour, part: number): Colour {
  const channels = [colour.red, colour.green, colour.blue];
  const middle = (Math.max(...channels) + Math.min(...channels)) / 2;
  return mapped(colour, colour, value => middle + (value - middle) * part);
}

/** Relative luminance of WCAG 2.2, 0 to 1. */
function luminance({ red, green, blue }: Colour): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(first, second) / Math.min(first, second);
}
