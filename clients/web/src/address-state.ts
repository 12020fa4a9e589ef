// The state of the page as the fragment of its address: a reload, the back button and a copied link restore it. Never the token.
import { type Look, type MethodKey, SCALINGS } from 'insitu/views';
import type { Span } from './page-types.ts';
import { VIEWS, type View } from './views.ts';

export const FORMS = ['angle', 'area', 'equal'] as const;
export const COLOURINGS = ['package', 'heat', 'change', 'staleness'] as const;
export const ORDERS = ['weight', 'name', 'kept'] as const;
export const AMOUNTS = ['share', 'count', 'absolute'] as const;
export const TABLES = ['methods', 'callers', 'callees'] as const;
const COMPARED_AS = ['usual', 'flame', 'ring', 'boxes'] as const;
export const SORTS = ['own', 'total', 'self', 'name', 'change'] as const;

export type Shown = {
  readonly view: View;
  readonly form: (typeof FORMS)[number];
  readonly direction: 'down' | 'up';
  /** Key of one of several programs; null for the one that the page was opened beside. */
  readonly source: string | null;
  /** null: as the editor looks. */
  readonly look: Look | null;
  /** The picture is of this method's calls; null for everything. */
  readonly of: MethodKey | null;
  /** The method whose sandwich, callers, timeline and text are shown. */
  readonly method: MethodKey | null;
  readonly root: readonly MethodKey[];
  readonly recursion: boolean;
  readonly aggregate: boolean;
  readonly library: boolean;
  /** Whether chains of calls are one box: in rings, */
  readonly ringChains: boolean;
  /** in flame graphs and sandwiches. */
  readonly rowChains: boolean;
  /** Chains that are shown call by call all the same, by the id of their first call to base 36. */
  readonly unfolded: readonly string[];
  /** Whether what the baseline alone has is listed beside the picture. */
  readonly vanished: boolean;
  /** Rows below the root; null for all. */
  readonly depth: number | null;
  /** The part of the root's width that a flame graph shows. */
  readonly zoom: Span;
  readonly colour: (typeof COLOURINGS)[number];
  readonly order: (typeof ORDERS)[number];
  readonly search: string;
  readonly amounts: (typeof AMOUNTS)[number];
  readonly table: (typeof TABLES)[number];
  readonly sort: (typeof SORTS)[number];
  /** How the blueprint makes both versions comparable. */
  readonly scaling: (typeof SCALINGS)[number];
  /** The query by call paths that the analyzer asks. */
  readonly query: string;
  /** Refined paths with fewer samples are left out. */
  readonly least: number;
  /** Whether the analyzer shows running time as a share of the time of all processors (typed time only). */
  readonly processors: boolean;
  /** How a comparison is drawn; `usual`: boxes where it begins with a method, else flames. */
  readonly compared: (typeof COMPARED_AS)[number];
};

export const FIRST_SHOWN: Shown = {
  view: 'ring',
  form: 'angle',
  direction: 'down',
  source: null,
  look: null,
  of: null,
  method: null,
  root: [],
  recursion: false,
  aggregate: false,
  library: true,
  ringChains: true,
  rowChains: false,
  unfolded: [],
  vanished: false,
  depth: null,
  zoom: [0, 1],
  colour: 'package',
  order: 'weight',
  search: '',
  amounts: 'share',
  table: 'methods',
  sort: 'own',
  scaling: 'share',
  query: '*',
  least: 10,
  processors: false,
  compared: 'usual',
};

/** The view of an address that says nothing. */
const FIRST_VIEW: View = 'overview';

/** Parameters that hold one of a few words. */
const WORDS = {
  view: VIEWS.map(({ name }) => name),
  form: FORMS,
  direction: ['down', 'up'],
  colour: COLOURINGS,
  order: ORDERS,
  amounts: AMOUNTS,
  table: TABLES,
  sort: SORTS,
  scaling: SCALINGS,
  compared: COMPARED_AS,
} as const;

const SWITCHES = ['recursion', 'aggregate', 'library', 'ringChains', 'rowChains', 'vanished', 'processors'] as const;

/** Without `#`; values of the beginning are left out. */
export function writeAddress(shown: Shown): string {
  const parameters = new URLSearchParams();
  for (const name of Object.keys(WORDS) as (keyof typeof WORDS)[])
    if (shown[name] !== FIRST_SHOWN[name] || name === 'view') parameters.set(name, shown[name]);
  for (const name of SWITCHES) if (shown[name] !== FIRST_SHOWN[name]) parameters.set(name, shown[name] ? 'on' : 'off');
  for (const name of ['source', 'of', 'method'] as const) if (shown[name] !== null) parameters.set(name, shown[name]);
  if (shown.root.length > 0) parameters.set('root', shown.root.join('.'));
  if (shown.unfolded.length > 0) parameters.set('unfolded', shown.unfolded.join('.'));
  if (shown.depth !== null) parameters.set('depth', String(shown.depth));
  if (shown.zoom[0] !== 0 || shown.zoom[1] !== 1) parameters.set('zoom', shown.zoom.join('~'));
  if (shown.search !== '') parameters.set('search', shown.search);
  if (shown.query !== FIRST_SHOWN.query) parameters.set('query', shown.query);
  if (shown.least !== FIRST_SHOWN.least) parameters.set('least', String(shown.least));
  if (shown.look !== null) writeLook(parameters, shown.look);
  return parameters.toString();
}

/** The fields of a look by what they hold. */
const LOOK_TEXTS = ['program', 'version', 'metric', 'path'] as const;
const LOOK_TIMES = ['from', 'to'] as const;
const LOOK_LISTS = ['instances', 'threads', 'focus'] as const;

function writeLook(parameters: URLSearchParams, look: Look): void {
  parameters.set('look', 'own');
  for (const name of LOOK_TEXTS) if (look[name] !== undefined) parameters.set(name, look[name]);
  for (const name of LOOK_TIMES) if (look[name] !== undefined) parameters.set(name, String(look[name]));
  for (const name of LOOK_LISTS) for (const each of look[name] ?? []) parameters.append(name, each);
}

/** The state that an address tells; a part that cannot be read is as in the beginning. */
export function readAddress(fragment: string): Shown {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const one = <Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word =>
    words.find(word => word === parameters.get(name)) ?? otherwise;
  const key = (name: string): MethodKey | null => parameters.get(name) || null;
  const on = (name: (typeof SWITCHES)[number]): boolean =>
    parameters.has(name) ? parameters.get(name) === 'on' : FIRST_SHOWN[name];
  return {
    // An address with other parameters was copied from a picture.
    view: one('view', WORDS.view, [...parameters.keys()].length === 0 ? FIRST_VIEW : FIRST_SHOWN.view),
    form: one('form', FORMS, FIRST_SHOWN.form),
    direction: one('direction', WORDS.direction, FIRST_SHOWN.direction),
    source: key('source'),
    look: parameters.get('look') === 'own' ? readLook(parameters) : null,
    of: key('of'),
    method: key('method'),
    root: (parameters.get('root') ?? '').split('.').filter(step => step !== ''),
    recursion: on('recursion'),
    aggregate: on('aggregate'),
    library: on('library'),
    ringChains: on('ringChains'),
    rowChains: on('rowChains'),
    unfolded: (parameters.get('unfolded') ?? '').split('.').filter(id => /^[\da-z]{1,11}$/.test(id)),
    vanished: on('vanished'),
    depth: readCount(parameters.get('depth')),
    zoom: readZoom(parameters.get('zoom')),
    colour: one('colour', COLOURINGS, FIRST_SHOWN.colour),
    order: one('order', ORDERS, FIRST_SHOWN.order),
    search: parameters.get('search') ?? '',
    amounts: one('amounts', AMOUNTS, FIRST_SHOWN.amounts),
    table: one('table', TABLES, FIRST_SHOWN.table),
    sort: one('sort', SORTS, FIRST_SHOWN.sort),
    scaling: one('scaling', SCALINGS, FIRST_SHOWN.scaling),
    query: parameters.get('query') || FIRST_SHOWN.query,
    least: readCount(parameters.get('least')) ?? FIRST_SHOWN.least,
    processors: on('processors'),
    compared: one('compared', COMPARED_AS, FIRST_SHOWN.compared),
  };
}

function readLook(parameters: URLSearchParams): Look {
  const look: { -readonly [Name in keyof Look]: Look[Name] } = {};
  for (const name of LOOK_TEXTS) if (parameters.get(name)) look[name] = parameters.get(name)!;
  for (const name of LOOK_TIMES) if (isNumber(parameters.get(name))) look[name] = Number(parameters.get(name));
  for (const name of LOOK_LISTS) if (parameters.has(name)) look[name] = parameters.getAll(name);
  return look;
}

function isNumber(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '' && Number.isFinite(Number(text));
}

/** A whole number from 1 on. */
function readCount(text: string | null): number | null {
  const count = Number(text);
  return text !== null && Number.isInteger(count) && count > 0 ? count : null;
}

function readZoom(text: string | null): Span {
  const [from = Number.NaN, to = Number.NaN] = (text ?? '').split('~').map(Number);
  return from >= 0 && to <= 1 && from < to ? [from, to] : FIRST_SHOWN.zoom;
}
