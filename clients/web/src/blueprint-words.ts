// The words of a box of the blueprint: its kind with sign, colour and word, and its numbers.

import { signal } from '@preact/signals';
import { interpolateRgb } from 'd3-interpolate';
import type { BlueprintBox, MethodKey } from 'insitu/views';
import { partText, pointsText, weightText } from './amount-words.ts';
import { nameWithParameters, shortName } from './name-trimming.ts';
import type { Theme } from './page-types.ts';
import { VERDICT_WORDS } from './verdicts.ts';

export const KINDS = ['slowerChanged', 'slower', 'new', 'fasterChanged', 'faster', 'removed', 'same'] as const;
type Kind = (typeof KINDS)[number];

/** A sign stands in front of each name: colour never says it alone. */
export const KIND_SIGNS: Readonly<Record<Kind, string>> = {
  slowerChanged: '▲~',
  slower: '▲',
  new: '+',
  fasterChanged: '▼~',
  faster: '▼',
  removed: '−',
  same: '=',
};

/** Beside the word for the source. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  slowerChanged: 'slower',
  slower: 'slower',
  new: 'new',
  fasterChanged: 'faster',
  faster: 'faster',
  removed: 'removed',
  same: 'as before',
};

/** Orange against blue, dark against light, and yellow: told apart with any colour vision. */
const FILLS: Readonly<Record<Kind, string>> = {
  slowerChanged: '#c8410b',
  slower: '#f0a177',
  new: '#e6c300',
  fasterChanged: '#0b5fb0',
  faster: '#86bce8',
  removed: '#8c8c8c',
  same: '#d4d4d4',
};
const BACKGROUND: Readonly<Record<Theme, string>> = { light: '#ffffff', dark: '#16181d' };

/** By key of a method: whether its source differs between both versions, as far as that is known. */
export const changes = signal<ReadonlyMap<MethodKey, boolean>>(new Map());

/** null where it is not known. */
function hasChanged({ method }: BlueprintBox): boolean | null {
  return method === null ? null : (changes.value.get(method.key) ?? null);
}

/** A kept context that a test calls the same is as before, however its small H points. */
export function kindOf(box: BlueprintBox): Kind {
  const { state, height, verdict } = box;
  const changed = hasChanged(box);
  if (state === 'added') return 'new';
  if (state === 'removed') return 'removed';
  if (height === 0 || verdict === 'same') return 'same';
  if (height > 0) return changed === true ? 'slowerChanged' : 'slower';
  return changed === true ? 'fasterChanged' : 'faster';
}

/** Whether nothing was tested: what a test says has its full colour. */
export function isPale({ verdict }: BlueprintBox): boolean {
  return verdict === 'notTested';
}

export function kindColour(kind: Kind, pale: boolean, theme: Theme): string {
  return pale ? interpolateRgb(FILLS[kind], BACKGROUND[theme])(0.55) : FILLS[kind];
}

export function boxName({ method }: BlueprintBox): string {
  return method === null ? 'everything' : nameWithParameters(method);
}

export function boxLabel(box: BlueprintBox): string {
  const name = box.method === null ? 'everything' : shortName(box.method);
  return `${KIND_SIGNS[kindOf(box)]} ${name}`;
}

/** `▲ +12 points`; the sign only where the direction is that of the context: H of a removed one is what is gone. */
export function heightText({ height }: BlueprintBox): string {
  return `${pointsText(height)} points`;
}

/** `+12`, in points of everything before: now less before. */
export function growthText({ scaled: [before, now] }: BlueprintBox): string {
  return pointsText(now - before);
}

export function sourceText(box: BlueprintBox): string {
  const changed = hasChanged(box);
  return changed === null ? 'not known' : changed ? 'changed' : 'unchanged';
}

export function testText({ verdict, p }: BlueprintBox): string {
  return p === null
    ? VERDICT_WORDS[verdict]
    : `${VERDICT_WORDS[verdict]}, p ${p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}`;
}

export function executionsText({ executions }: BlueprintBox): string {
  if (executions === null) return 'not counted';
  const [before, now] = executions.counts;
  const sign = executions.difference < 0 ? '−' : '+';
  return `${before} before, ${now} now, difference ${executions.difference === 0 ? '0' : `${sign}${Math.abs(executions.difference)}`}`;
}

/** Names and values of everything that is known of a box. */
export function boxNumbers(box: BlueprintBox, unit: string, shown: number): (readonly [string, string])[] {
  const pair = ([before, now]: readonly [number, number], text: (value: number) => string): string =>
    `${text(before)} before, ${text(now)} now`;
  const weight = (value: number): string => (value === 0 ? '0' : weightText(value, unit));
  return [
    ['class', box.method?.className || '–'],
    ['kind', KIND_WORDS[kindOf(box)]],
    ['T', pair(box.total, weight)],
    ['E', pair(box.scaled, part => partText(part, 1))],
    ['H', heightText(box)],
    ['itself', pair(box.self, weight)],
    ['executions', executionsText(box)],
    ['source', sourceText(box)],
    ['test', testText(box)],
    ['below it', `${box.below}, ${shown} shown`],
  ];
}

/** The spoken description of a selected box. */
export function describeBlueprintBox(box: BlueprintBox, shown: number): string {
  const words = [
    boxName(box),
    KIND_WORDS[kindOf(box)],
    ...(hasChanged(box) === null ? [] : [`source ${sourceText(box)}`]),
    `${partText(box.scaled[0], 1)} before`,
    `${partText(box.scaled[1], 1)} now`,
    `H ${heightText(box)}`,
    ...(box.executions === null ? [] : [`executions ${executionsText(box)}`]),
    testText(box),
    box.below === 0 ? 'calls nothing' : `${shown} of ${box.below} below it shown`,
  ];
  return words.join(', ');
}
