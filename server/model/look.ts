// The Look, the same for all faces: its type, its keys and its description. `selectRows` finds what it means in one profile.

import type { InferOutput } from 'valibot';
import { momentText } from '../base/moment-text.ts';
import { printableName } from '../base/printable.ts';
import type { lookSchema } from './look-schema.ts';

/** Which data are looked at, and which part of them. An absent field is left to the settings; times are milliseconds since the epoch. */
export type Look = InferOutput<typeof lookSchema>;

/** A look beside other parameters: null means absent. */
export type GivenLook = { readonly [K in keyof Look]?: Look[K] | null | undefined };

/** A key that equal looks share. */
function lookKey(look: Look): string {
  return JSON.stringify(Object.entries(look).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The part of a look that one Dataset is looked at with, and the definitions that its focus and path may name. */
export type KeyedSelection = Omit<Look, 'program' | 'version' | 'instances'> & {
  readonly tasks?: unknown;
  readonly aspects?: unknown;
};

/** Equal for selections that look at the same. */
export function selectionKey(selection: KeyedSelection): string {
  const { tasks, aspects, ...look } = selection;
  const { focus, path } = look;
  return JSON.stringify([lookKey(look), focus && tasks, (path ?? focus) === undefined ? null : aspects]);
}

/** `focus Shop.search · path A ..b · threads http-* · instance i-1 · from … to …`: the part of the data; empty for everything. */
export function describeLook({ focus, path, threads, instances, from, to }: Look): string {
  const span = [...moment('from', from), ...moment('to', to)].join(' ');
  return [
    ...named('focus', focus),
    ...named('path', path === undefined ? undefined : [path]),
    ...named('threads', threads),
    ...named('instance', instances),
    ...(span === '' ? [] : [span]),
  ].join(' · ');
}

/** More choices of one field than these are counted. */
const MOST_NAMED = 4;

/** `title a or b`, `title a or 9 others`; empty for nothing. */
function named(title: string, texts: readonly string[] | undefined): string[] {
  if (texts === undefined || texts.length === 0) return [];
  const names = texts.length > MOST_NAMED ? [texts[0]!, `${texts.length - 1} others`] : texts;
  return [`${title} ${names.map(printableName).join(' or ')}`];
}

function moment(title: string, millis: number | undefined): string[] {
  return millis === undefined ? [] : [`${title} ${momentText(millis)}`];
}
