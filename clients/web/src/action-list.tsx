// The list of all actions (Ctrl K): words narrow it, arrows walk, Enter runs one. The actions are the ones of keys and menus.
import { computed, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Item, itemsFor } from './menu.tsx';
import { NAMED_ACTIONS, toView } from './page-keys.ts';
import { hasActions } from './page-state.ts';
import { activePicture } from './pictures-shown.ts';
import { VIEWS } from './views.ts';

const typed = signal('');
const at = signal(0);

/** Views first, then what can be done with the selected part, then the rest; each that has all typed words. */
const found = computed<readonly Item[]>(() => {
  const model = activePicture.value;
  const all: readonly Item[] = [
    ...VIEWS.map(({ name, title, key }) => ({ text: `View: ${title}`, key, run: () => toView(name) })),
    ...(model === null ? [] : itemsFor(model)),
    ...NAMED_ACTIONS,
    { text: 'Print', run: () => print() },
  ];
  const words = typed.value.toLowerCase().split(/\s+/);
  return all.filter(({ text }) => words.every(word => text.toLowerCase().includes(word)));
});

export function ActionList() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = hasActions.value;
  // A layout effect, since a key may follow before the next frame.
  useLayoutEffect(() => {
    if (isOpen) {
      typed.value = '';
      at.value = 0;
      dialog.current?.showModal();
    } else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="commands" aria-label="Actions" onClose={() => (hasActions.value = false)}>
      {isOpen ? <Entries /> : null}
    </dialog>
  );
}

function run({ run: act }: Item): void {
  hasActions.value = false;
  // After the dialog has given the focus back.
  requestAnimationFrame(() => void act());
}

function Entries() {
  const items = found.value;
  const chosen = Math.min(at.value, items.length - 1);
  const walk = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = items[chosen];
    if (by !== undefined && item !== undefined) at.value = (chosen + by + items.length) % items.length;
    else if (event.key === 'Enter' && item !== undefined) run(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Action"
        aria-expanded={true}
        aria-controls="actions"
        aria-activedescendant={chosen < 0 ? undefined : `action-${chosen}`}
        placeholder="What to do"
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={walk}
      />
      <div id="actions" role="listbox" aria-label="Actions">
        {items.map((item, index) => (
          <div
            key={item.text}
            id={`action-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            ref={element => {
              if (index === chosen) element?.scrollIntoView({ block: 'nearest' });
            }}
            onPointerDown={event => {
              event.preventDefault();
              run(item);
            }}
          >
            {item.text}
            {item.key === undefined ? null : <kbd>{item.key}</kbd>}
          </div>
        ))}
      </div>
      {items.length === 0 ? <p class="empty">No action has these words.</p> : null}
    </>
  );
}
