// Colours of everything in a picture that is not a box, in both themes and with the user's own colours.

import type { Theme } from './page-types.ts';
import type { Inks } from './paint.ts';

const INKS: Readonly<Record<Theme, Inks>> = {
  light: {
    background: '#ffffff',
    text: '#16181d',
    selection: '#0b3d91',
    hit: '#b3007d',
    recent: '#b26b00',
    hatch: '#8a8f98',
    bar: '#7f9fc7',
    track: '#eceef1',
    axis: '#55595f',
    box: null,
  },
  dark: {
    background: '#16181d',
    text: '#e8eaee',
    selection: '#ffffff',
    hit: '#ff7ad9',
    recent: '#ffd84d',
    hatch: '#7d838d',
    bar: '#5478a8',
    track: '#20242c',
    axis: '#a5abb5',
    box: null,
  },
};

/** System colours: a canvas understands them too. */
const FORCED: Inks = {
  background: 'Canvas',
  text: 'CanvasText',
  selection: 'Highlight',
  hit: 'LinkText',
  recent: 'VisitedText',
  hatch: 'GrayText',
  bar: 'CanvasText',
  track: 'Canvas',
  axis: 'CanvasText',
  box: 'ButtonFace',
};

export function inksNow(theme: Theme, hasForcedColours: boolean): Inks {
  return hasForcedColours ? FORCED : INKS[theme];
}
