// The state of the page in signals: its address, the data that the server has, and the last selection.
import { batch, computed, effect, signal } from '@preact/signals';
import type { Hits, Look, MethodInfo, State, ViewProblem } from 'insitu/views';
import { FIRST_SHOWN, readAddress, type Shown, writeAddress } from './address-state.ts';
import type { Ask } from './ask.ts';
import type { Places, Theme } from './page-types.ts';

type Data = Exclude<State, { readonly same: true }>;

export const shown = signal<Shown>(FIRST_SHOWN);
/** null until the server has answered for the first time. */
export const data = signal<Data | null>(null);
/** The revision that everything on the page is asked with: it is on screen, or about to be. */
export const revision = signal('');
/** Newer revisions that wait while a hand points, drags or has a menu open. */
export const waiting = signal(0);
export const failure = signal<ViewProblem | null>(null);
/** Why there are no data, until there are any. */
export const nothingYet = signal<ViewProblem | null>(null);
/** One sentence for everybody, spoken too. */
export const said = signal('');
/** When the last data came, in the time of the browser. */
export const lastNews = signal(Date.now());

export const selectedMethod = signal<MethodInfo | null>(null);
/** Outlines all parts of this method. */
export const highlighted = signal<string | null>(null);
/** Whether the side panel is shown; in the blueprint, the table beside the boxes. */
export const hasTable = signal(innerWidth >= 1000);
export type PanelTab = 'data' | 'details' | 'source';
export const panelTab = signal<PanelTab>('data');
export const hasKeys = signal(false);
/** The list of all actions. */
export const hasActions = signal(false);
export const hasHits = signal(false);
/** The hits of the search; null without one, and until they are known. */
export const hitsFound = signal<Hits | null>(null);

export const look = computed<Look>(() => shown.value.look ?? data.value?.look ?? {});
/** The method that sandwich, callers, timeline and text are of. */
export const methodShown = computed(() => shown.value.method ?? shown.value.of);
export const hasBaseline = computed(() => data.value !== null && data.value.baseline !== null);

const newName = (): string => Math.random().toString(36).slice(2, 10);
/** The server keeps the order of siblings under this name; under another one it sorts anew. */
export const keptOrder = signal(newName());

export function sortAnew(): void {
  keptOrder.value = newName();
}

/** Asks and moves of this page; set once at the start. */
export let ask: Ask;
let places: Places;

export function begin(asks: Ask, moves: Places): void {
  ask = (question, stop) => {
    const { source } = shown.peek();
    return asks(source === null ? question : { ...question, source }, stop);
  };
  places = moves;
  shown.value = readAddress(moves.first);
}

/** Shows what an address says, without a new place to come back to. */
export function showAddress(address: string): void {
  shown.value = readAddress(address);
}

/** The state that a view has of its own: few rings say nothing about flames, and the root of one picture is none of another one. */
type ViewsOwn = Pick<Shown, 'depth' | 'root' | 'zoom'>;
const FIRST_OWN: ViewsOwn = { depth: null, root: [], zoom: [0, 1] };
/** Each view's own state when it was left. */
const left = new Map<Shown['view'], ViewsOwn>();

function ownOf(view: Shown['view'], before: Shown): Partial<ViewsOwn> {
  if (view === before.view) return {};
  const { depth, root, zoom } = before;
  left.set(before.view, { depth, root, zoom });
  return left.get(view) ?? FIRST_OWN;
}

/** A change of one of these keys makes a place to come back to, */
const SPOTS = ['view', 'source', 'root', 'of', 'method'] as const;
/** and a change of one of these makes the roots of all views meaningless. */
const ROOTED = ['source', 'of', 'direction'] as const;

/** Changes what is shown; another view, root, method, focus or path is a place to come back to. */
export function show(change: Partial<Shown>): void {
  const before = shown.value;
  const next = { ...before, ...ownOf(change.view ?? before.view, before), ...change };
  const differs = (name: keyof Shown): boolean => String(before[name] ?? '') !== String(next[name] ?? '');
  const isOtherPart =
    String(before.look?.focus ?? '') !== String(next.look?.focus ?? '') || before.look?.path !== next.look?.path;
  if (isOtherPart || ROOTED.some(differs))
    for (const [view, own] of left) left.set(view, { ...own, root: [], zoom: [0, 1] });
  const [old, address] = [writeAddress(before), writeAddress(next)];
  if (old === address) return;
  if (isOtherPart || SPOTS.some(differs)) places.push(address);
  else places.replace(address);
  // The message is about the view before.
  if (next.view !== before.view) say('');
  shown.value = next;
}

/** Looks otherwise than the editor does from here on. */
export function showLook(change: { readonly [Name in keyof Look]?: Look[Name] | undefined }): void {
  // Undefined values are left out, so that the server sees no restriction.
  const next = Object.fromEntries(
    Object.entries({ ...look.value, ...change }).filter(([, value]) => value !== undefined),
  );
  show({ look: next as Look, root: change.focus === undefined ? shown.value.root : [] });
}

/** Another program in the same view and metric. Whatever else is chosen belongs to the one before. */
export function showSource(source: string): void {
  const { metric } = shown.value.look ?? {};
  const own = metric === undefined ? null : { metric };
  selectedMethod.value = null;
  highlighted.value = null;
  show({ source, look: own, root: [], of: null, method: null, zoom: [0, 1] });
}

/** Drops one restriction. */
export function dropLook(...names: readonly (keyof Look)[]): void {
  const rest = Object.fromEntries(Object.entries(look.value).filter(([name]) => !names.includes(name as keyof Look)));
  show({ look: rest as Look });
}

export function goBack(): void {
  places.back();
}

export function goForward(): void {
  places.forward();
}

export function say(text: string): void {
  // The same sentence twice would not be spoken again.
  said.value = said.value === text ? `${text} ` : text;
}

/** Reasons to hold what is drawn: a hand that points, drags, or reads a menu. */
const holds = signal<ReadonlySet<string>>(new Set());
export const isHeld = computed(() => holds.value.size > 0);

export function hold(reason: string, on: boolean): void {
  if (holds.value.has(reason) === on) return;
  const next = new Set(holds.value);
  if (on) next.add(reason);
  else next.delete(reason);
  holds.value = next;
}

effect(() => {
  const newest = data.value?.revision ?? '';
  const held = isHeld.value;
  batch(() => {
    if (newest === revision.peek()) waiting.value = 0;
    else if (held && revision.peek() !== '') waiting.value = waiting.peek() + 1;
    else {
      revision.value = newest;
      waiting.value = 0;
    }
  });
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const forced = matchMedia('(forced-colors: active)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

/** An editor says by a class of the body how it looks. */
function themeNow(): Theme {
  const { classList } = document.body;
  if (classList.contains('vscode-dark')) return 'dark';
  if (classList.contains('vscode-light')) return 'light';
  return dark.matches ? 'dark' : 'light';
}

export const theme = signal<Theme>(themeNow());
export const hasForcedColours = signal(forced.matches);
export const isStill = signal(still.matches);

/** So little room that controls stand in menus; see layers.css. */
const narrow = matchMedia('(max-width: 1000px), (max-height: 520px)');
/** So little width that the views are a list to choose from. */
const slim = matchMedia('(max-width: 900px)');
export const isNarrow = signal(narrow.matches);
export const isSlim = signal(slim.matches);

/** While the page is printed, pictures are drawn at once: no frame of the screen comes before the paper. */
export let isPrinting = false;

export function followLooks(): void {
  const follow = (): void => {
    theme.value = themeNow();
    hasForcedColours.value = forced.matches;
    isStill.value = still.matches;
    isNarrow.value = narrow.matches;
    isSlim.value = slim.matches;
    document.documentElement.dataset.theme = theme.value;
  };
  for (const query of [dark, forced, still, narrow, slim]) query.addEventListener('change', follow);
  // Paper is white.
  addEventListener('beforeprint', () => {
    isPrinting = true;
    theme.value = 'light';
    document.documentElement.dataset.theme = 'light';
  });
  addEventListener('afterprint', () => {
    isPrinting = false;
    follow();
  });
  new MutationObserver(follow).observe(document.body, { attributes: true, attributeFilter: ['class'] });
  follow();
}
