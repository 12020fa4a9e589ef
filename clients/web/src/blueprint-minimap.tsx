// The whole blueprint in a corner, with the visible part marked; a click or a drag moves the view there.
import type { BlueprintLayout } from './blueprint-layout.ts';
import { isPale, kindColour, kindOf } from './blueprint-words.ts';
import { inksNow } from './inks.ts';
import { hasForcedColours, theme } from './page-state.ts';

/** A picture with fewer boxes needs no map. */
export const LEAST_BOXES = 200;
/** Pixels: the width, and the least and the greatest height, so that flat blueprints can be seen too. */
const WIDTH = 180;
const [LEAST_HEIGHT, MOST_HEIGHT] = [40, 120];

type Span = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };

type MinimapProps = {
  readonly layout: BlueprintLayout;
  /** The visible part, in the layout's own units. */
  readonly seen: Span;
  /** Moves the view; its middle is then at this point. */
  readonly goTo: (x: number, y: number) => void;
};

export function Minimap({ layout: { placed, width, height }, seen, goTo }: MinimapProps) {
  const tall = Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, (height * WIDTH) / width));
  const [byX, byY] = [WIDTH / width, tall / height];
  const inks = inksNow(theme.value, hasForcedColours.value);
  const go = (event: MouseEvent): void => {
    const map = event.currentTarget as Element;
    const { left, top } = map.getBoundingClientRect();
    goTo((event.clientX - left - map.clientLeft) / byX, (event.clientY - top - map.clientTop) / byY);
  };
  // Smaller marks could not be seen.
  const [leastX, leastY] = [2 / byX, 2 / byY];
  return (
    <svg
      class="minimap"
      width={WIDTH}
      height={tall}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onPointerDown={go}
      onPointerMove={event => {
        if (event.buttons === 1) go(event);
      }}
    >
      {placed.map(({ box, x, y, width: own, height: high }) => (
        <rect
          key={box.row}
          x={x}
          y={y}
          width={Math.max(leastX, own)}
          height={Math.max(leastY, high)}
          fill={inks.box ?? kindColour(kindOf(box), isPale(box), theme.value)}
        />
      ))}
      <rect
        class="seen"
        x={seen.left}
        y={seen.top}
        width={Math.min(seen.width, width)}
        height={Math.min(seen.height, height)}
        fill="none"
        stroke={inks.selection}
        stroke-width={2}
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
