// Controls or sentences behind a button, where a bar has no room for them; a click elsewhere and Escape close it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hold } from './page-state.ts';

type FoldedProps = { readonly summary: string; readonly label?: string; readonly children: ComponentChildren };

export function Folded({ summary, label, children }: FoldedProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (menu.current !== null && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    for (const kind of ['pointerdown', 'focusin']) document.addEventListener(kind, leave);
    return () => {
      for (const kind of ['pointerdown', 'focusin']) document.removeEventListener(kind, leave);
    };
  }, []);
  return (
    <details
      ref={menu}
      class="folded"
      onToggle={({ currentTarget }) => hold('menu', currentTarget.open)}
      onKeyDown={event => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.stopPropagation();
        menu.current.open = false;
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary aria-label={label} title={label}>
        {summary}
      </summary>
      <div class="controls">{children}</div>
    </details>
  );
}
