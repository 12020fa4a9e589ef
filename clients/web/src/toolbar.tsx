// The second bar: the views, always at the same places, what the data are restricted to, and the switch of the side panel.
import { FilterChips } from './filter-chips.tsx';
import { toggle } from './page-keys.ts';
import { hasTable, isSlim, show, shown } from './page-state.ts';
import { VIEWS, type View } from './views.ts';

export function Toolbar() {
  return (
    <nav class="toolbar" aria-label="Views and filters">
      <Views />
      <FilterChips />
      <button
        type="button"
        class="panel-switch"
        aria-pressed={hasTable.value}
        title="Side panel: key d"
        onClick={() => toggle('table')}
      >
        Panel
      </button>
    </nav>
  );
}

function Views() {
  const { view } = shown.value;
  if (isSlim.value)
    return (
      <select
        aria-label="View"
        value={view}
        onChange={({ currentTarget }) => show({ view: currentTarget.value as View })}
      >
        {VIEWS.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    );
  return (
    <fieldset class="views" aria-label="View">
      {VIEWS.map(({ name, title, key }) => (
        <button
          key={name}
          type="button"
          data-text={title}
          aria-pressed={view === name}
          title={`Key ${key}`}
          onClick={() => show({ view: name })}
        >
          {title}
        </button>
      ))}
    </fieldset>
  );
}
