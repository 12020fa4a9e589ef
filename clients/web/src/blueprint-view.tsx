// The blueprint: contexts of two versions as boxes, callers above callees, with what differs as height, width and colour.
import { signal } from '@preact/signals';
import type { BlueprintBox } from 'insitu/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { BlueprintBeside } from './blueprint-beside.tsx';
import { type BlueprintLayout, edgePath, layOutBlueprint, type PlacedBox } from './blueprint-layout.ts';
import {
  blueprint,
  boxAt,
  hideAllBelow,
  hotPathFrom,
  selectedRow,
  selectRow,
  showAllBelow,
  showChildren,
  shownBelow,
  walkBoxes,
} from './blueprint-model.ts';
import { boxName, boxNumbers, changes, isPale, kindColour, kindOf } from './blueprint-words.ts';
import { widthOfText } from './canvas-pen.ts';
import { inksNow } from './inks.ts';
import { openMenu } from './menu.tsx';
import { data, hasBaseline, hasForcedColours, hasTable, hold, show, theme } from './page-state.ts';
import type { Step } from './page-types.ts';
import { openSource } from './picture-actions.ts';
import { SourcePair } from './source-pair.tsx';
import { viewNamed } from './views.ts';
import { watchSize } from './watch-size.ts';

/** Screen readers then leave the arrow keys to the picture. */
const APPLICATION = {
  role: 'application',
  tabIndex: 0,
  'aria-roledescription': 'blueprint',
  'aria-label':
    'Blueprint. Arrow keys walk from box to box, Enter shows what is below one, question mark lists all keys.',
} as const;
const TOOLTIP = 360;
/** Pixels above and below what is visible that are drawn too. */
const AROUND = 400;

type Pointed = { readonly row: number; readonly x: number; readonly y: number };

export function BlueprintView() {
  if (!hasBaseline.value)
    return (
      <p class="empty">
        {data.value === null
          ? 'Loading …'
          : 'The blueprint compares two versions: run insitu view --compare with both, or choose a baseline in the editor.'}
      </p>
    );
  if (blueprint.value === null) return <p class="empty">Loading …</p>;
  const { finding } = blueprint.value.answer;
  return (
    <section class="blueprint" aria-label="Blueprint">
      {finding === null ? null : <p class="finding">{finding.text}</p>}
      <Actions />
      <div class={`compared ${hasTable.value ? 'with-table' : ''}`}>
        <Boxes />
        {hasTable.value ? <BlueprintBeside /> : null}
      </div>
      <SourcePair />
    </section>
  );
}

type Action = { readonly text: string; readonly key: string; readonly run: (row: number) => unknown };

const ACTIONS: readonly Action[] = [
  { text: 'Show children', key: 'Enter', run: showChildren },
  { text: 'Show all below', key: 'e', run: showAllBelow },
  { text: 'Hide all below', key: 'Backspace', run: hideAllBelow },
  { text: 'Hot path from here', key: 'g', run: hotPathFrom },
];

/** For the selected box. */
function Actions() {
  const row = selectedRow.value;
  const box = boxAt(row);
  const shown = shownBelow(row).length;
  if (box === null) return null;
  const isOff = ({ key }: Action): boolean =>
    key === 'Backspace' ? shown === 0 : key === 'Enter' ? shown === box.below : box.below === 0;
  return (
    <fieldset class="kinds" aria-label="Actions on the selected box">
      {ACTIONS.map(action => (
        <button
          key={action.key}
          type="button"
          title={`Key ${action.key}`}
          disabled={isOff(action)}
          onClick={() => void action.run(row)}
        >
          {action.text}
        </button>
      ))}
      <span class="aside">{boxName(box)}</span>
    </fieldset>
  );
}

const WAYS: Readonly<Record<string, Step>> = {
  ArrowUp: 'parent',
  ArrowDown: 'child',
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  Home: 'first',
  End: 'last',
};

function blueprintKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const row = selectedRow.value;
  const way = WAYS[event.key];
  const action = ACTIONS.find(({ key }) => key === event.key);
  if (way !== undefined) selectRow(walkBoxes(row, way));
  else if (action !== undefined) void action.run(row);
  else if (event.key === 'ContextMenu' || event.key === 'm') {
    const { left, top } = (event.currentTarget as Element).getBoundingClientRect();
    openBoxMenu(row, left + 40, top + 40);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function openBoxMenu(row: number, x: number, y: number): void {
  const method = boxAt(row)?.method ?? null;
  openMenu(
    [
      ...ACTIONS.map(({ text, key, run }) => ({ text, key, run: () => run(row) })),
      ...(method === null
        ? []
        : [
            { text: 'Open source', key: 'o', run: openSource },
            {
              text: 'Callers above, callees below',
              key: viewNamed('sandwich').key,
              run: () => show({ view: 'sandwich', method: method.key }),
            },
            {
              text: 'Share over time',
              key: viewNamed('timeline').key,
              run: () => show({ view: 'timeline', method: method.key }),
            },
          ]),
    ],
    x,
    y,
  );
}

function Boxes() {
  const scroller = useRef<HTMLDivElement>(null);
  const pointed = useMemo(() => signal<Pointed | null>(null), []);
  const seen = useMemo(() => signal({ top: 0, height: 800 }), []);
  const tree = blueprint.value;
  const layout = useMemo(() => (tree === null ? null : layOutBlueprint(tree, widthOfText)), [tree, changes.value]);
  const row = selectedRow.value;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      seen.value = { top: element.scrollTop, height: element.clientHeight };
    };
    const unwatch = watchSize(element, measure);
    element.addEventListener('scroll', measure, { passive: true });
    const stop = pointer(element, pointed);
    return () => {
      unwatch();
      stop();
      hold('pointer', false);
    };
  }, []);
  useEffect(() => {
    if (layout !== null) reveal(scroller.current, layout, row);
    pointed.value = null;
  }, [row, layout, seen.value.height]);
  if (layout === null) return null;
  const at = pointed.value;
  return (
    <div class="picture">
      <div class="boxes" ref={scroller} {...APPLICATION}>
        <Drawing layout={layout} seen={seen.value} />
      </div>
      {at === null ? null : <BoxTooltip at={at} within={scroller.current} />}
    </div>
  );
}

function reveal(element: HTMLElement | null, { placed }: BlueprintLayout, row: number): void {
  const found = placed.find(({ box }) => box.row === row);
  if (element === null || found === undefined) return;
  const { x, y, slot } = found;
  const margin = 24;
  if (y - margin < element.scrollTop) element.scrollTop = y - margin;
  else if (y + slot.height + margin > element.scrollTop + element.clientHeight)
    element.scrollTop = y + slot.height + margin - element.clientHeight;
  if (x - margin < element.scrollLeft) element.scrollLeft = x - margin;
  else if (x + slot.width + margin > element.scrollLeft + element.clientWidth)
    element.scrollLeft = Math.min(x - margin, x + slot.width + margin - element.clientWidth);
}

/** Pointing shows numbers, a click selects, a double click shows or hides what is below, a right click opens the menu. */
function pointer(element: HTMLElement, pointed: { value: Pointed | null }): () => void {
  const rowUnder = ({ target }: Event): number =>
    Number((target as Element).closest('[data-row]')?.getAttribute('data-row') ?? -1);
  const leave = (): void => {
    pointed.value = null;
    hold('pointer', false);
  };
  const handlers = {
    pointermove: (event: PointerEvent) => {
      const row = rowUnder(event);
      hold('pointer', row >= 0);
      pointed.value = row < 0 ? null : { row, x: event.clientX, y: event.clientY };
    },
    pointerleave: leave,
    scroll: leave,
    keydown: blueprintKey,
    click: (event: MouseEvent) => selectRow(rowUnder(event)),
    dblclick: (event: MouseEvent) => void toggleBelow(rowUnder(event)),
    contextmenu: (event: MouseEvent) => {
      event.preventDefault();
      const row = rowUnder(event);
      if (row < 0) return;
      selectRow(row);
      leave();
      openBoxMenu(row, event.clientX, event.clientY);
    },
  };
  for (const [type, handler] of Object.entries(handlers)) element.addEventListener(type, handler as EventListener);
  return () => {
    for (const [type, handler] of Object.entries(handlers)) element.removeEventListener(type, handler as EventListener);
  };
}

type DrawingProps = {
  readonly layout: BlueprintLayout;
  readonly seen: { readonly top: number; readonly height: number };
};

function Drawing({ layout, seen }: DrawingProps) {
  const { placed, width, height } = layout;
  const byRow = useMemo(() => new Map(placed.map(each => [each.box.row, each])), [layout]);
  const inks = inksNow(theme.value, hasForcedColours.value);
  const isSeen = ({ y, slot }: PlacedBox): boolean =>
    y + slot.height > seen.top - AROUND && y < seen.top + seen.height + AROUND;
  const visible = placed.filter(isSeen);
  return (
    <svg width={width} height={height} aria-hidden="true">
      {visible.map(each => {
        const above = byRow.get(each.box.parent);
        return above === undefined ? null : (
          <path key={`edge ${each.box.row}`} d={edgePath(above, each)} fill="none" stroke={inks.hatch} />
        );
      })}
      {visible.map(each => (
        <Box key={each.box.row} placed={each} isSelected={each.box.row === selectedRow.value} />
      ))}
    </svg>
  );
}

async function toggleBelow(row: number): Promise<void> {
  const box = boxAt(row);
  if (box === null) return;
  if (shownBelow(row).length === box.below) hideAllBelow(row);
  else await showChildren(row);
}

function Box({ placed, isSelected }: { readonly placed: PlacedBox; readonly isSelected: boolean }) {
  const { box, x, y, width, height, label, slot, shown } = placed;
  const inks = inksNow(theme.value, hasForcedColours.value);
  const kind = kindOf(box);
  const hidden = box.below - shown;
  const border = hidden > 0 ? 3 : 1;
  return (
    <g data-row={box.row} data-kind={kind} data-parent={box.parent} data-hidden={hidden}>
      {isSelected ? (
        <rect
          x={x - 4}
          y={y - 4}
          width={slot.width + 8}
          height={slot.height + 8}
          rx={3}
          fill="none"
          stroke={inks.selection}
          stroke-width={2}
        />
      ) : null}
      <rect x={x} y={y} width={slot.width} height={slot.height} fill="transparent" />
      <rect
        class="box"
        x={x}
        y={y}
        width={width}
        height={height}
        fill={inks.box ?? kindColour(kind, isPale(box), theme.value)}
      />
      {/* Outside of the box, so that narrow ones keep their colour. */}
      <rect
        class="border"
        x={x - border / 2}
        y={y - border / 2}
        width={width + border}
        height={height + border}
        fill="none"
        stroke={inks.text}
        stroke-width={border}
      />
      <text x={x + width + 6} y={y + 8} dominant-baseline="central" fill={inks.text}>
        {label}
      </text>
    </g>
  );
}

/** All numbers of the box under the pointer. */
function BoxTooltip({ at, within }: { readonly at: Pointed; readonly within: HTMLElement | null }) {
  const box = boxAt(at.row);
  const tree = blueprint.value;
  const place = within?.getBoundingClientRect();
  if (box === null || tree === null || place === undefined) return null;
  const [x, y] = [at.x - place.left, at.y - place.top];
  const left = Math.max(0, Math.min(place.width - TOOLTIP, x + 14));
  const vertical = y > place.height / 2 ? { bottom: `${place.height - y + 14}px` } : { top: `${y + 18}px` };
  return (
    <div
      class="tooltip"
      style={{ left: `${left}px`, maxWidth: `${Math.min(TOOLTIP, place.width)}px`, ...vertical }}
      aria-hidden="true"
    >
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
