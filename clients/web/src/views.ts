// The views of the page, one record each: its name in addresses, button, key, picture, what it is of, and its part of the bar.
import type { Projection } from './projections.ts';

/** A part of the bar that not every view has; the operations are those on the tree of a picture. */
type Control = 'form' | 'direction' | 'operations' | 'scaling' | 'panel';

type ViewRecord<Name extends string = string, Key extends string = string> = {
  /** In addresses. */
  readonly name: Name;
  /** On its button. */
  readonly title: string;
  /** A digit, or a letter that no action of the page or of a picture has. */
  readonly key: Key;
  /** How it draws the calling context tree, with a legend and the same data as a table beside it; null for other views. */
  readonly picture: Projection['kind'] | null;
  /** The subject: the calls below a root that one can take and leave; one method; or everything. */
  readonly of: 'root' | 'method' | 'everything';
  readonly bar: readonly Control[];
};

/** Infers the names and keys. */
function table<Name extends string, Key extends string>(records: readonly ViewRecord<Name, Key>[]) {
  return records;
}

/** In the order of the bar. */
export const VIEWS = table([
  { name: 'overview', title: 'Overview', key: '0', picture: null, of: 'everything', bar: [] },
  {
    name: 'ring',
    title: 'Rings',
    key: '1',
    picture: 'ring',
    of: 'root',
    bar: ['form', 'direction', 'operations', 'panel'],
  },
  {
    name: 'flame',
    title: 'Flames',
    key: '2',
    picture: 'icicle',
    of: 'root',
    bar: ['direction', 'operations', 'panel'],
  },
  { name: 'sandwich', title: 'Sandwich', key: '3', picture: 'icicle', of: 'method', bar: ['operations', 'panel'] },
  { name: 'table', title: 'Table', key: '4', picture: null, of: 'everything', bar: ['panel'] },
  { name: 'threads', title: 'Threads', key: '5', picture: null, of: 'everything', bar: [] },
  { name: 'timeline', title: 'Timeline', key: '6', picture: null, of: 'method', bar: [] },
  { name: 'source', title: 'Source', key: '7', picture: null, of: 'method', bar: [] },
  { name: 'blueprint', title: 'Comparison', key: '8', picture: null, of: 'everything', bar: ['scaling', 'panel'] },
  { name: 'paths', title: 'Paths', key: '9', picture: null, of: 'everything', bar: [] },
  { name: 'aspects', title: 'Aspects', key: 'b', picture: null, of: 'everything', bar: [] },
]);

export type View = (typeof VIEWS)[number]['name'];
export type ViewKey = (typeof VIEWS)[number]['key'];

const byName = new Map(VIEWS.map(view => [view.name, view]));

export function viewNamed(name: View): (typeof VIEWS)[number] {
  const view = byName.get(name);
  if (view === undefined) throw new Error(`no view ${name}`);
  return view;
}

/** Whether it draws one method in the middle instead of what is below a root. */
export function isPictureOfMethod({ picture, of }: ViewRecord): boolean {
  return picture !== null && of === 'method';
}

/** The keys of all views: digits as a range, letters by themselves. */
export function viewKeys(): string {
  const keys = VIEWS.map(({ key }): string => key);
  const digits = keys.filter(key => /^\d$/.test(key));
  return [`${digits[0]} … ${digits.at(-1)}`, ...keys.filter(key => !digits.includes(key))].join(' ');
}
