// Beside the boxes of the blueprint: the same comparison as a table, a flame graph or a ring chart, with one selection.
import { BESIDES, type Shown } from './address-state.ts';
import { BlueprintTable } from './blueprint-table.tsx';
import { ComparedPicture } from './compared-picture.tsx';
import { show, shown } from './page-state.ts';

const NAMES: Readonly<Record<Shown['beside'], string>> = { table: 'Table', flame: 'Flames', ring: 'Rings' };

export function BlueprintBeside() {
  const { beside } = shown.value;
  return (
    <section class="beside" aria-label="The same comparison">
      <fieldset class="kinds" aria-label="What stands beside the boxes">
        {BESIDES.map(name => (
          <button key={name} type="button" aria-pressed={beside === name} onClick={() => show({ beside: name })}>
            {NAMES[name]}
          </button>
        ))}
        {beside === 'table' ? null : (
          <span class="aside">the tree as it is now; removed contexts are shown as boxes only</span>
        )}
      </fieldset>
      {beside === 'table' ? <BlueprintTable /> : <ComparedPicture isRing={beside === 'ring'} />}
    </section>
  );
}
