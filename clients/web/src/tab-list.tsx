// A row of tabs, one of which is chosen; arrows lead to the next one and choose it.
import type { ComponentChildren } from 'preact';

type TabListProps<Name extends string> = {
  readonly label: string;
  /** Id of the element with the content of the chosen tab. */
  readonly panel: string;
  /** The texts of the tabs, in their order. */
  readonly texts: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  /** The tab that cannot be chosen now; null for none. */
  readonly off: Name | null;
  readonly choose: (name: Name) => void;
  /** Elements behind the tabs in their row. */
  readonly children: ComponentChildren;
};

export function TabList<Name extends string>({
  label,
  panel,
  texts,
  chosen,
  off,
  choose,
  children,
}: TabListProps<Name>) {
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {(Object.keys(texts) as Name[]).map(name => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(panel, name)}
          aria-selected={name === chosen}
          aria-controls={panel}
          disabled={name === off}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
          onKeyDown={walk}
        >
          {texts[name]}
        </button>
      ))}
      {children}
    </div>
  );
}

export function tabId(panel: string, name: string): string {
  return `${panel}-${name}`;
}

function walk(event: KeyboardEvent): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const tab = event.currentTarget as HTMLButtonElement;
  const tabs = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>('[role=tab]:not(:disabled)') ?? [])];
  const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
  next?.click();
  next?.focus();
  event.preventDefault();
  event.stopPropagation();
}
