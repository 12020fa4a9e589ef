// The menu of a selected part: the same actions as the keys, for mouse and screen readers.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { shortName } from './name-trimming.ts';
import { toggle } from './page-keys.ts';
import { hold, selectedMethod, show, shown } from './page-state.ts';
import {
  copyName,
  hideMethod,
  openSource,
  showElsewhere,
  takeAsRoot,
  toggleChain,
  toggleHighlight,
  useAsFocus,
} from './picture-actions.ts';
import type { PictureModel } from './picture-model.ts';
import { exportPicture, exportSelection } from './save-files.ts';
import { viewNamed } from './views.ts';

const opened = signal<{ readonly items: readonly Item[]; readonly x: number; readonly y: number } | null>(null);

export function openMenu(items: readonly Item[], x: number, y: number): void {
  opened.value = { items, x, y };
  hold('menu', true);
}

function close(): void {
  opened.value = null;
  hold('menu', false);
}

export type Item = { readonly text: string; readonly key?: string; readonly run: () => unknown };

/** The actions for the selected part; the most wanted ones come first. */
export function itemsFor(model: PictureModel): Item[] {
  const method = selectedMethod.value;
  const { view, library } = shown.value;
  const [other, otherName] = view === 'ring' ? (['flame', 'flames'] as const) : (['ring', 'rings'] as const);
  const items: Item[] = [
    { text: 'Only its subtree', key: 'Enter', run: () => takeAsRoot(model, model.selected.value) },
    ...(method === null
      ? []
      : [
          { text: 'Focus on it', key: 'u', run: useAsFocus },
          { text: 'Hide it', run: hideMethod },
          { text: 'Copy name', run: copyName },
          { text: 'Open source', key: 'o', run: openSource },
        ]),
    { text: library ? 'Show calls within libraries' : 'Only own code', key: 'f', run: () => toggle('library') },
  ];
  if (viewNamed(view).of === 'root')
    items.push({ text: `Its subtree in ${otherName}`, run: () => showElsewhere(model, other) });
  if (model.hasChains.value)
    items.push({
      text: 'Show or fold the calls of its chain',
      key: 'x',
      run: () => toggleChain(model, model.selected.value),
    });
  if (method !== null)
    items.push(
      {
        text: 'All its calls as one',
        key: 'p',
        run: () => show({ of: method.key, root: [], zoom: [0, 1], view: 'flame' }),
      },
      {
        text: 'Callers above, callees below',
        key: viewNamed('sandwich').key,
        run: () => show({ view: 'sandwich', method: method.key }),
      },
      { text: 'Table of callers', run: () => show({ view: 'table', table: 'callers', method: method.key }) },
      { text: 'Table of callees', run: () => show({ view: 'table', table: 'callees', method: method.key }) },
      {
        text: 'Share over time',
        key: viewNamed('timeline').key,
        run: () => show({ view: 'timeline', method: method.key }),
      },
      { text: 'Text with heat', key: viewNamed('source').key, run: () => show({ view: 'source', method: method.key }) },
      { text: 'Highlight all its parts', key: 'h', run: toggleHighlight },
    );
  return [
    ...items,
    { text: 'Save picture as SVG', run: () => exportPicture('svg') },
    { text: 'Save picture as PNG', run: () => exportPicture('png') },
    { text: 'Save samples for speedscope', run: () => exportSelection('speedscope') },
    { text: 'Save samples for pprof', run: () => exportSelection('pprof') },
    { text: 'Save samples as collapsed stacks', run: () => exportSelection('collapsed') },
  ];
}

export function Menu() {
  const at = opened.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = list.current;
    if (at === null || element === null) return;
    const before = document.activeElement;
    place(element, at.x, at.y);
    element.querySelector<HTMLElement>('[role=menuitem]')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [at]);
  if (at === null) return null;
  const method = selectedMethod.value;
  return (
    <>
      {/* A click beside the menu closes it; Escape does so by keyboard. */}
      <div class="behind" onPointerDown={close} />
      <div
        class="menu"
        role="menu"
        ref={list}
        aria-label={method === null ? 'Everything' : shortName(method)}
        onKeyDown={menuKey}
      >
        {at.items.map(({ text, key, run }) => (
          <button
            type="button"
            key={text}
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              close();
              void run();
            }}
          >
            {text}
            {key === undefined ? null : <kbd>{key}</kbd>}
          </button>
        ))}
      </div>
    </>
  );
}

function place(menu: HTMLElement, x: number, y: number): void {
  menu.style.left = `${Math.max(0, Math.min(x, innerWidth - menu.offsetWidth - 4))}px`;
  menu.style.top = `${Math.max(0, Math.min(y, innerHeight - menu.offsetHeight - 4))}px`;
}

function menuKey(event: KeyboardEvent): void {
  event.stopPropagation();
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (next !== undefined) items[(next + items.length) % items.length]?.focus();
  else if (event.key === 'Enter' || event.key === ' ') items[at]?.click();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else return;
  event.preventDefault();
}
