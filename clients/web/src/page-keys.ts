// The keys of the whole page; those of a picture's canvas are in picture-keys.ts.
import { COLOURINGS, FORMS } from './address-state.ts';
import {
  goBack,
  goForward,
  hasActions,
  hasBaseline,
  hasHits,
  hasKeys,
  hasTable,
  highlighted,
  say,
  selectedMethod,
  show,
  shown,
  sortAnew,
} from './page-state.ts';
import {
  nextHit,
  openSource,
  reset,
  settleRoot,
  stepOut,
  toggleChains,
  toggleHighlight,
  useAsFocus,
} from './picture-actions.ts';
import { activePicture } from './pictures-shown.ts';
import { VIEWS, type View, type ViewKey, viewKeys, viewNamed } from './views.ts';

/** Key, and what it does, as the list of keys shows them. */
export const KEYS: readonly (readonly [string, string])[] = [
  [viewKeys(), VIEWS.map(({ title }) => title.toLowerCase()).join(', ')],
  ['↑ ↓ ← →', 'parent, heaviest child, siblings (inverted above a sandwich: the way they point)'],
  ['Home End', 'first and last sibling'],
  ['Enter', 'take as root'],
  ['Backspace', 'one step out'],
  ['Esc', 'close what is open, clear search and highlight, then everything'],
  ['+ −', 'deeper, less deep'],
  ['Ctrl wheel, drag', 'zoom and move a flame graph; Shift ← → moves it too'],
  ['PageUp PageDown', 'half a screen up and down'],
  ['r', 'merge recursion'],
  ['a', 'by method, without contexts'],
  ['f', 'fold calls within libraries'],
  ['k', 'fold chains of calls that lead to one other call, in rings or in flames'],
  ['x', 'show the calls of the selected chain, or fold them again'],
  ['i', 'invert: callers instead of callees'],
  ['s', 'sort anew, heaviest first'],
  ['w', 'next form of the rings: angle, area, equal'],
  ['c', 'next colouring: package, own time, change, changed code'],
  ['v', 'what the baseline has and the data no longer have'],
  ['p', 'all calls of the selected method as one'],
  ['/', 'search; /expression/ between slashes'],
  ['n N', 'next and previous hit'],
  ['l', 'list of hits'],
  ['h', 'highlight all parts of the selected method'],
  ['u', 'use as focus, in the editor too'],
  ['o', 'open source'],
  ['m', 'menu of the selected part'],
  ['Enter, e', 'blueprint: show what a box calls, all below it'],
  ['Backspace, g', 'blueprint: hide all below a box, hot path from there'],
  ['d', 'the same data as a table, beside'],
  ['[ ]', 'back and forward'],
  ['Ctrl k', 'list of all actions'],
  ['?', 'this list'],
];

export function toggle(what: 'table' | 'direction' | 'library' | 'recursion' | 'aggregate' | 'vanished'): void {
  const state = shown.value;
  if (what === 'table') hasTable.value = !hasTable.value;
  else if (what === 'direction') {
    // A path of callees leads to no caller.
    show({ direction: state.direction === 'down' ? 'up' : 'down', root: [], zoom: [0, 1] });
    const rest = state.root.length === 0 ? '' : ' The way to the root leads nowhere there: the top is shown.';
    say(`${shown.value.direction === 'up' ? 'Callers' : 'Callees'} are shown.${rest}`);
  } else if (what === 'vanished') {
    if (hasBaseline.value) show({ vanished: !state.vanished });
    say(
      hasBaseline.value
        ? `The list of vanished parts is ${shown.value.vanished ? 'on' : 'off'}.`
        : 'Nothing is compared with.',
    );
  } else {
    show({ [what]: !state[what], zoom: [0, 1] });
    settleRoot();
    const names = {
      library: 'Folding of libraries',
      recursion: 'Merging of recursion',
      aggregate: 'Aggregation by method',
    };
    say(`${names[what]} is ${shown.value[what] ? 'on' : 'off'}.`);
  }
}

export function changeDepth(by: 1 | -1): void {
  const deepest = Math.max(1, (activePicture.value?.rowCount.value ?? 1) - 1);
  const depth = Math.max(1, (shown.value.depth ?? deepest) + by);
  const isAll =
    by > 0 && viewNamed(shown.value.view).picture !== 'ring' && depth >= deepest && shown.value.depth === null;
  show({ depth: isAll ? null : depth });
  say(`Depth ${depth}.`);
}

function next<Word>(words: readonly Word[], word: Word): Word {
  return words[(words.indexOf(word) + 1) % words.length] ?? word;
}

export function toView(view: View): void {
  const method = selectedMethod.value?.key;
  const isOfMethod = viewNamed(view).of === 'method';
  show({ view, ...(isOfMethod && method !== undefined ? { method } : {}) });
}

function sortByWeight(): void {
  sortAnew();
  show({ order: 'weight' });
  say('Sorted anew, heaviest first.');
}

function closeOrClear(): void {
  if (hasActions.value) hasActions.value = false;
  else if (hasKeys.value) hasKeys.value = false;
  else if (hasHits.value) hasHits.value = false;
  else if (shown.value.vanished) show({ vanished: false });
  else if (shown.value.search !== '') show({ search: '' });
  else if (highlighted.value !== null) highlighted.value = null;
  else reset();
}

/** No action has the key of a view. */
const ACTIONS: Readonly<Record<string, () => unknown> & Partial<Record<ViewKey, never>>> = {
  Escape: closeOrClear,
  Backspace: stepOut,
  '+': () => changeDepth(1),
  '=': () => changeDepth(1),
  '-': () => changeDepth(-1),
  '−': () => changeDepth(-1),
  r: () => toggle('recursion'),
  a: () => toggle('aggregate'),
  f: () => toggle('library'),
  k: toggleChains,
  i: () => toggle('direction'),
  d: () => toggle('table'),
  s: sortByWeight,
  w: () => show({ form: next(FORMS, shown.value.form), view: 'ring' }),
  c: () =>
    show({
      colour: next(
        COLOURINGS.filter(word => word !== 'change' || hasBaseline.value),
        shown.value.colour,
      ),
    }),
  v: () => toggle('vanished'),
  p: () => {
    const of = selectedMethod.value?.key;
    if (of !== undefined) show({ of, root: [], zoom: [0, 1] });
  },
  n: () => nextHit(1),
  N: () => nextHit(-1),
  l: () => (hasHits.value = !hasHits.value),
  h: toggleHighlight,
  u: useAsFocus,
  o: openSource,
  '/': () => document.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
  '?': () => (hasKeys.value = !hasKeys.value),
  '[': goBack,
  ']': goForward,
};

/** Actions of the whole page by what they do; a part has its actions in its menu. */
export const NAMED_ACTIONS: readonly { readonly text: string; readonly key: string; readonly run: () => unknown }[] = (
  [
    ['Fold libraries: only own code', 'f'],
    ['Fold chains of calls', 'k'],
    ['Merge recursion', 'r'],
    ['By method, without contexts', 'a'],
    ['Inverted: callers instead of callees', 'i'],
    ['Next form of the rings', 'w'],
    ['Next colouring', 'c'],
    ['Sort anew, heaviest first', 's'],
    ['Deeper', '+'],
    ['Less deep', '−'],
    ['One step out', 'Backspace'],
    ['Search', '/'],
    ['Next hit of the search', 'n'],
    ['List of hits', 'l'],
    ['Side panel', 'd'],
    ['What has vanished', 'v'],
    ['Everything, without operations', 'Escape'],
    ['Back', '['],
    ['Forward', ']'],
    ['List of keys', '?'],
  ] as const
).map(([text, key]) => ({ text, key, run: () => ACTIONS[key]?.() }));

/** While nothing has the focus, the first picture's keys are the page's: it takes the focus with the first of them. */
function isPicturesOwn(event: KeyboardEvent): boolean {
  const canvas = event.target === document.body ? document.querySelector<HTMLElement>('.picture canvas') : null;
  if (canvas === null) return false;
  const { key, shiftKey } = event;
  const isTaken = !canvas.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, cancelable: true }));
  if (!isTaken) return false;
  canvas.focus();
  event.preventDefault();
  return true;
}

export function listenToKeys(): void {
  addEventListener('keydown', event => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      hasActions.value = !hasActions.value;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const isTyping = target.matches('input, select, textarea');
    if (isTyping && event.key !== 'Escape') return;
    if (isPicturesOwn(event)) return;
    const view = VIEWS.find(({ key }) => key === event.key);
    const action = view === undefined ? ACTIONS[event.key] : () => toView(view.name);
    if (action === undefined) return;
    event.preventDefault();
    if (isTyping) target.blur();
    void action();
  });
}
