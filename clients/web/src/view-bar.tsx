// The bar inside a view: the way to its root, and its own operations to the right; every control has a key that its title names.
import { signal } from '@preact/signals';
import { SCALINGS } from 'insitu/views';
import { useEffect, useRef } from 'preact/hooks';
import { COLOURINGS, FORMS, ORDERS, type Shown } from './address-state.ts';
import { Breadcrumb } from './breadcrumb.tsx';
import { Folded } from './folded.tsx';
import { changeDepth, toggle } from './page-keys.ts';
import { hasBaseline, isNarrow, show, shown } from './page-state.ts';
import { reset, toggleChains } from './picture-actions.ts';
import { activePicture } from './pictures-shown.ts';
import { viewNamed } from './views.ts';
import { watchSize } from './watch-size.ts';

const FORM_NAMES: Readonly<Record<Shown['form'], string>> = {
  angle: 'by angle',
  area: 'by area',
  equal: 'equal angles',
};
const COLOUR_NAMES: Readonly<Record<Shown['colour'], string>> = {
  package: 'by package',
  heat: 'by own time',
  change: 'by change',
  staleness: 'by changed code',
};
const ORDER_NAMES: Readonly<Record<Shown['order'], string>> = {
  weight: 'heaviest first',
  name: 'by name',
  kept: 'as first seen',
};

const SCALING_NAMES: Readonly<Record<Shown['scaling'], string>> = {
  share: 'compared by share',
  perSecond: 'compared by amount per second',
  absolute: 'compared by amount',
  anchored: 'compared by anchored amount',
};

/** Pixels of the bar beside the panel. */
const room = signal(Number.POSITIVE_INFINITY);
/** The widths of the controls of a picture's operations, of forms and of vanished parts. */
const [OPERATIONS_WIDTH, FORM_WIDTH, VANISHED_WIDTH] = [880, 130, 90];

/** Nothing where a view has none of it. */
export function ViewBar() {
  const element = useRef<HTMLDivElement>(null);
  const { view } = shown.value;
  useEffect(() => {
    const bar = element.current;
    return bar === null ? undefined : watchSize(bar, () => (room.value = bar.clientWidth));
  }, [view]);
  const { bar } = viewNamed(view);
  const needed = OPERATIONS_WIDTH + (bar.includes('form') ? FORM_WIDTH : 0) + (hasBaseline.value ? VANISHED_WIDTH : 0);
  const hasOperations = bar.includes('operations');
  if (!hasOperations && !bar.includes('scaling')) return null;
  return (
    <div class="view-bar" ref={element}>
      <Breadcrumb />
      <div class="operations">
        {bar.includes('scaling') ? (
          <Chooser label="Compared by" name="scaling" words={SCALINGS} names={SCALING_NAMES} />
        ) : null}
        {!hasOperations ? null : isNarrow.value || room.value < needed ? (
          <Folded summary="Operations">
            <PictureControls />
            {isNarrow.value ? <ColourChooser /> : null}
          </Folded>
        ) : (
          <PictureControls />
        )}
      </div>
    </div>
  );
}

/** The chooser of colours, beside the legend, which tells their meaning. */
export function ColourChooser() {
  return (
    <Chooser
      label="Colour"
      name="colour"
      words={COLOURINGS.filter(word => word !== 'change' || hasBaseline.value)}
      names={COLOUR_NAMES}
    />
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
      <Switch
        on={activePicture.value?.hasChains.value ?? false}
        text="Fold chains"
        keyName="k"
        onSwitch={toggleChains}
      />
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
    <select
      aria-label={label}
      title={label}
      value={shown.value[name]}
      onChange={({ currentTarget }) => show({ [name]: currentTarget.value } as Partial<Shown>)}
    >
      {words.map(word => (
        <option key={word} value={word}>
          {names[word]}
        </option>
      ))}
    </select>
  );
}
