// The tooltip of a box of a comparison, in each of its pictures.
import type { BlueprintBox } from 'insitu/views';
import { blueprint, shownBelow } from './blueprint-model.ts';
import { boxName, boxNumbers } from './blueprint-words.ts';
import { besidePoint } from './tooltip-place.ts';

type BoxTooltipProps = {
  readonly box: BlueprintBox | null;
  /** In pixels of the window. */
  readonly at: { readonly x: number; readonly y: number };
};

/** All numbers of the box under the pointer. */
export function BoxTooltip({ box, at }: BoxTooltipProps) {
  const tree = blueprint.value;
  if (box === null || tree === null) return null;
  return (
    <div class="tooltip of-window" style={besidePoint(at)} aria-hidden="true">
      <p class="name">{boxName(box)}</p>
      <BoxNumbers box={box} unit={tree.answer.unit} />
    </div>
  );
}

function BoxNumbers({ box, unit }: { readonly box: BlueprintBox; readonly unit: string }) {
  return (
    <dl>
      {boxNumbers(box, unit, shownBelow(box.row).length).map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
