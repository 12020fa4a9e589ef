// The bar of views, forms, operations and search; every control has a key that its title names.
import { SCALINGS } from 'insitu/views';
import { useEffect, useRef } from 'preact/hooks';
import { COLOURINGS, FORMS, ORDERS, type Shown } from './address-state.ts';
import { changeDepth, toggle } from './page-keys.ts';
import { hasBaseline, hasKeys, hasTable, hold, isNarrow, isSlim, show, shown } from './page-state.ts';
import { reset } from './picture-actions.ts';
import { activePicture } from './pictures-shown.ts';
import { SearchBox } from './search-box.tsx';
import { VIEWS, type View, viewNamed } from './views.ts';

const FORM_NAMES: Readonly<Record<Shown['form'], string>> = { angle: 'angle', area: 'area', equal: 'equal angles' };
const COLOUR_NAMES: Readonly<Record<Shown['colour'], string>> = {
  package: 'package',
  heat: 'own time',
  change: 'change',
  staleness: 'changed code',
};
const ORDER_NAMES: Readonly<Record<Shown['order'], string>> = {
  weight: 'heaviest first',
  name: 'by name',
  kept: 'as first seen',
};

const SCALING_NAMES: Readonly<Record<Shown['scaling'], string>> = {
  share: 'share',
  perSecond: 'amount per second',
  absolute: 'amount',
  anchored: 'anchored amount',
};

export function Toolbar() {
  const { bar } = viewNamed(shown.value.view);
  return (
    <nav class="toolbar" aria-label="Views and operations">
      <Views />
      {bar.includes('operations') ? isNarrow.value ? <FoldedControls /> : <PictureControls /> : null}
      {bar.includes('scaling') ? (
        <Chooser label="Compared by" name="scaling" words={SCALINGS} names={SCALING_NAMES} />
      ) : null}
      <SearchBox />
      {bar.includes('data') ? (
        <button type="button" aria-pressed={hasTable.value} title="Key d" onClick={() => toggle('table')}>
          Data
        </button>
      ) : null}
      <button type="button" aria-label="Keys" title="Key ?" onClick={() => (hasKeys.value = true)}>
        ?
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

/** The controls in a menu, where the bar has no room for them. */
function FoldedControls() {
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
      <summary>Operations</summary>
      <div class="controls">
        <PictureControls />
      </div>
    </details>
  );
}

function PictureControls() {
  const { view, direction, recursion, aggregate, library, vanished, depth } = shown.value;
  const { bar } = viewNamed(view);
  const deepest = (activePicture.value?.rowCount.value ?? 1) - 1;
  return (
    <>
      {bar.includes('form') ? <Chooser label="Widths" name="form" words={FORMS} names={FORM_NAMES} /> : null}
      {bar.includes('direction') ? (
        <Switch on={direction === 'up'} text="Inverted" keyName="i" onSwitch={() => toggle('direction')} />
      ) : null}
      <Switch on={library} text="Fold libraries" keyName="f" onSwitch={() => toggle('library')} />
      <Switch on={recursion} text="Merge recursion" keyName="r" onSwitch={() => toggle('recursion')} />
      <Switch on={aggregate} text="By method" keyName="a" onSwitch={() => toggle('aggregate')} />
      <fieldset class="depth" aria-label="Depth">
        <button type="button" aria-label="Less deep" title="Key −" onClick={() => changeDepth(-1)}>
          −
        </button>
        <span>{depth === null ? `depth ${deepest}` : `depth ≤ ${depth}`}</span>
        <button type="button" aria-label="Deeper" title="Key +" onClick={() => changeDepth(1)}>
          +
        </button>
      </fieldset>
      <Chooser
        label="Colour"
        name="colour"
        words={COLOURINGS.filter(word => word !== 'change' || hasBaseline.value)}
        names={COLOUR_NAMES}
      />
      {hasBaseline.value ? (
        <Switch on={vanished} text="Vanished" keyName="v" onSwitch={() => toggle('vanished')} />
      ) : null}
      <Chooser label="Order" name="order" words={ORDERS} names={ORDER_NAMES} />
      <button type="button" onClick={reset} title="Everything, without operations">
        Reset
      </button>
    </>
  );
}

type SwitchProps = {
  readonly on: boolean;
  readonly text: string;
  readonly keyName: string;
  readonly onSwitch: () => void;
};

function Switch({ on, text, keyName, onSwitch }: SwitchProps) {
  return (
    <button type="button" aria-pressed={on} title={`Key ${keyName}`} onClick={onSwitch}>
      {text}
    </button>
  );
}

type ChooserProps<Name extends 'form' | 'colour' | 'order' | 'scaling'> = {
  readonly label: string;
  readonly name: Name;
  readonly words: readonly Shown[Name][];
  readonly names: Readonly<Record<Shown[Name], string>>;
};

function Chooser<Name extends 'form' | 'colour' | 'order' | 'scaling'>({
  label,
  name,
  words,
  names,
}: ChooserProps<Name>) {
  return (
    <label>
      {label}{' '}
      <select
        value={shown.value[name]}
        onChange={({ currentTarget }) => show({ [name]: currentTarget.value } as Partial<Shown>)}
      >
        {words.map(word => (
          <option key={word} value={word}>
            {names[word]}
          </option>
        ))}
      </select>
    </label>
  );
}
