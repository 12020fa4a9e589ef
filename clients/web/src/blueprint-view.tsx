// The blueprint: contexts of two versions as boxes, callers above callees, with what differs as height, width and colour.
import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { blueprintHits, nextBlueprintHit } from './blueprint-hits.ts';
import { type BlueprintLayout, edgePath, LABEL_HEIGHT, type PlacedBox } from './blueprint-layout.ts';
import { LEAST_BOXES, Minimap } from './blueprint-minimap.tsx';
import {
  blueprint,
  boxAt,
  hideAllBelow,
  hotPathFrom,
  layoutOf,
  selectedRow,
  selectRow,
  showAllBelow,
  showChildren,
  shownBelow,
  unfoldedRuns,
  unfoldRun,
  walkBoxes,
} from './blueprint-model.ts';
import { BlueprintTable } from './blueprint-table.tsx';
import { BoxTooltip } from './blueprint-tooltip.tsx';
import { boxName, changes, isPale, kindColour, kindOf } from './blueprint-words.ts';
import { STEP_OF_KEY } from './box-walker.ts';
import { widthOfText } from './canvas-pen.ts';
import { inksNow } from './inks.ts';
import { openMenu } from './menu.tsx';
import { hasForcedColours, hasTable, hold, show, theme } from './page-state.ts';
import { openSource } from './picture-actions.ts';
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
/** Pixels above and below what is visible that are drawn too. */
const AROUND = 400;

type Pointed = { readonly row: number; readonly x: number; readonly y: number };

/** The boxes with what can be done with the selected one, and the same boxes as a table. */
export function BlueprintBoxes() {
  return (
    <>
      <Actions />
      <div class={`compared ${hasTable.value ? 'with-table' : ''}`}>
        <Boxes />
        {hasTable.value ? (
          <section class="beside" aria-label="The same comparison">
            <BlueprintTable />
          </section>
        ) : null}
      </div>
    </>
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

function blueprintKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const row = selectedRow.value;
  const way = STEP_OF_KEY[event.key];
  const action = ACTIONS.find(({ key }) => key === event.key);
  if (way !== undefined) selectRow(walkBoxes(row, way));
  else if (action !== undefined) void action.run(row);
  else if (event.key === 'n' || event.key === 'N') nextBlueprintHit(event.key === 'n' ? 1 : -1);
  else if (event.key === '+' || event.key === '-')
    zoomInMiddle(event.currentTarget as HTMLElement, event.key === '+' ? ZOOM_STEP : 1 / ZOOM_STEP);
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

/** Whole blueprints are fitted between these; the wheel goes further. */
const [LEAST_FIT, MOST_FIT] = [0.5, 1.5];
const [LEAST_ZOOM, MOST_ZOOM] = [0.1, 4];
/** Of one key or turn of the wheel. */
const ZOOM_STEP = 1.2;

type Seen = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
const zoom = signal(1);

function Boxes() {
  const scroller = useRef<HTMLDivElement>(null);
  const pointed = useMemo(() => signal<Pointed | null>(null), []);
  const seen = useMemo(() => signal<Seen>({ left: 0, top: 0, width: 0, height: 800 }), []);
  const tree = blueprint.value;
  const row = selectedRow.value;
  const layout = useMemo(
    () => (tree === null ? null : layoutOf(tree, widthOfText)),
    [tree, changes.value, unfoldedRuns.value, row],
  );
  const before = useRef<{ readonly layout: BlueprintLayout; readonly tree: string } | null>(null);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = element;
      seen.value = { left, top, width, height };
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
  useLayoutEffect(() => {
    const element = scroller.current;
    if (layout === null || tree === null || element === null || element.clientWidth === 0) return;
    const old = before.current;
    before.current = { layout, tree: tree.answer.tree };
    if (old?.tree !== tree.answer.tree) fit(element, layout);
    else keepPlace(element, old.layout, layout, row);
    pointed.value = null;
  }, [layout, seen.value.width > 0]);
  useEffect(() => {
    if (layout !== null) reveal(scroller.current, layout, row);
  }, [row, layout, seen.value.height]);
  if (layout === null) return null;
  const at = pointed.value;
  return (
    <div class="picture">
      <div class="boxes" ref={scroller} {...APPLICATION}>
        <Drawing layout={layout} seen={seen.value} />
      </div>
      {layout.placed.length < LEAST_BOXES ? null : (
        <Minimap layout={layout} seen={inLayout(seen.value)} goTo={(x, y) => centreOn(scroller.current, x, y)} />
      )}
      {at === null ? null : <BoxTooltip box={boxAt(at.row)} at={at} />}
    </div>
  );
}

/** The visible rectangle, in the units of the layout. */
function inLayout({ left, top, width, height }: Seen): Seen {
  const by = zoom.value;
  return { left: left / by, top: top / by, width: width / by, height: height / by };
}

function centreOn(element: HTMLElement | null, x: number, y: number): void {
  const by = zoom.value;
  element?.scrollTo(x * by - element.clientWidth / 2, y * by - element.clientHeight / 2);
}

/** As large as all of it can be seen, within limits at which names are read. */
function fit(element: HTMLElement, { width, height }: BlueprintLayout): void {
  const whole = Math.min(element.clientWidth / width, element.clientHeight / height);
  zoom.value = Math.min(MOST_FIT, Math.max(LEAST_FIT, whole));
}

function placeIn({ placed }: BlueprintLayout, row: number): PlacedBox | undefined {
  return placed.find(({ box, run }) => box.row === row || run.includes(row));
}

/** Keeps the selected box where it was while boxes around it come and go. */
function keepPlace(element: HTMLElement, before: BlueprintLayout, now: BlueprintLayout, row: number): void {
  const [old, next] = [placeIn(before, row), placeIn(now, row)];
  if (old === undefined || next === undefined) return;
  const middle = ({ x, width }: PlacedBox): number => x + width / 2;
  element.scrollLeft += (middle(next) - middle(old)) * zoom.value;
  element.scrollTop += (next.y - old.y) * zoom.value;
}

function reveal(element: HTMLElement | null, layout: BlueprintLayout, row: number): void {
  const found = placeIn(layout, row);
  if (element === null || found === undefined) return;
  const by = zoom.value;
  const margin = 24;
  const [left, top] = [found.slot.x * by, found.y * by];
  const [right, bottom] = [left + found.slot.width * by, top + found.slot.height * by];
  if (top - margin < element.scrollTop) element.scrollTop = top - margin;
  else if (bottom + margin > element.scrollTop + element.clientHeight)
    element.scrollTop = bottom + margin - element.clientHeight;
  if (left - margin < element.scrollLeft) element.scrollLeft = left - margin;
  else if (right + margin > element.scrollLeft + element.clientWidth)
    element.scrollLeft = Math.min(left - margin, right + margin - element.clientWidth);
}

/** Zooms; the point of the picture at this point of the window stays there. */
function zoomBy(element: HTMLElement, factor: number, x: number, y: number): void {
  const old = zoom.value;
  const next = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, old * factor));
  const { left, top } = element.getBoundingClientRect();
  const [dx, dy] = [x - left, y - top];
  const [atX, atY] = [(element.scrollLeft + dx) / old, (element.scrollTop + dy) / old];
  zoom.value = next;
  // After the drawing has its new size.
  requestAnimationFrame(() => element.scrollTo(atX * next - dx, atY * next - dy));
}

function zoomInMiddle(element: HTMLElement, factor: number): void {
  const { left, top, width, height } = element.getBoundingClientRect();
  zoomBy(element, factor, left + width / 2, top + height / 2);
}

/** Pointing shows numbers, a click selects, a double click shows or hides what is below, a right click opens the menu, dragging moves all. */
function pointer(element: HTMLElement, pointed: { value: Pointed | null }): () => void {
  const rowUnder = ({ target }: Event): number =>
    Number((target as Element).closest('[data-row]')?.getAttribute('data-row') ?? -1);
  const leave = (): void => {
    pointed.value = null;
    hold('pointer', false);
  };
  let drag: { readonly x: number; readonly y: number; readonly left: number; readonly top: number } | null = null;
  let hasMoved = false;
  const move = (event: PointerEvent): boolean => {
    if (drag === null) return false;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    hasMoved ||= Math.hypot(dx, dy) >= 4;
    if (hasMoved) element.scrollTo(drag.left - dx, drag.top - dy);
    return hasMoved;
  };
  const handlers = {
    pointerdown: ({ button, clientX: x, clientY: y }: PointerEvent) => {
      if (button === 0) drag = { x, y, left: element.scrollLeft, top: element.scrollTop };
      hasMoved = false;
    },
    pointerup: () => {
      drag = null;
    },
    wheel: (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(element, event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, event.clientX, event.clientY);
    },
    pointermove: (event: PointerEvent) => {
      if (move(event)) return leave();
      const row = rowUnder(event);
      hold('pointer', row >= 0);
      pointed.value = row < 0 ? null : { row, x: event.clientX, y: event.clientY };
    },
    pointerleave: () => {
      drag = null;
      leave();
    },
    scroll: leave,
    keydown: blueprintKey,
    click: (event: MouseEvent) => {
      if (hasMoved) return;
      const run = (event.target as Element).closest('[data-run]')?.getAttribute('data-run');
      if (run === null || run === undefined) selectRow(rowUnder(event));
      else unfoldRun(run.split(' ').map(Number));
    },
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
  for (const [type, handler] of Object.entries(handlers))
    element.addEventListener(type, handler as EventListener, { passive: false });
  return () => {
    for (const [type, handler] of Object.entries(handlers)) element.removeEventListener(type, handler as EventListener);
  };
}

function Drawing({ layout, seen }: { readonly layout: BlueprintLayout; readonly seen: Seen }) {
  const { placed, width, height } = layout;
  const byRow = useMemo(() => new Map(placed.map(each => [each.box.row, each])), [layout]);
  const inks = inksNow(theme.value, hasForcedColours.value);
  const by = zoom.value;
  const isSeen = ({ y, slot }: PlacedBox): boolean =>
    (y + slot.height) * by > seen.top - AROUND && y * by < seen.top + seen.height + AROUND;
  const visible = placed.filter(isSeen);
  const hits = new Set(blueprintHits.value);
  return (
    <svg width={width * by} height={height * by} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {visible.map(each => {
        const above = byRow.get(each.above);
        return above === undefined ? null : (
          <path key={`edge ${each.box.row}`} d={edgePath(above, each)} fill="none" stroke={inks.hatch} />
        );
      })}
      {visible.map(each => (
        <Box
          key={each.box.row}
          placed={each}
          isSelected={each.box.row === selectedRow.value}
          isHit={hits.has(each.box.row)}
        />
      ))}
      {visible.map(each => (each.run.length === 0 ? null : <Run key={`run ${each.box.row}`} placed={each} />))}
    </svg>
  );
}

/** Stands for boxes that only lead to the one below; a click shows them. */
function Run({ placed: { run, x, width, y } }: { readonly placed: PlacedBox }) {
  const inks = inksNow(theme.value, hasForcedColours.value);
  const middle = x + width / 2;
  return (
    <g class="run" data-run={run.join(' ')}>
      <rect x={middle - 20} y={y - LABEL_HEIGHT} width={40} height={LABEL_HEIGHT} fill="transparent" />
      <text x={middle} y={y - LABEL_HEIGHT / 2} text-anchor="middle" dominant-baseline="central" fill={inks.text}>
        ⋮ {run.length}
      </text>
    </g>
  );
}

async function toggleBelow(row: number): Promise<void> {
  const box = boxAt(row);
  if (box === null) return;
  if (shownBelow(row).length === box.below) hideAllBelow(row);
  else await showChildren(row);
}

type BoxProps = { readonly placed: PlacedBox; readonly isSelected: boolean; readonly isHit: boolean };

function Box({ placed, isSelected, isHit }: BoxProps) {
  const { box, x, y, width, height, label, slot, shown } = placed;
  const inks = inksNow(theme.value, hasForcedColours.value);
  const kind = kindOf(box);
  const hidden = box.below - shown;
  const border = hidden > 0 ? 3 : 1;
  return (
    <g data-row={box.row} data-kind={kind} data-parent={box.parent} data-hidden={hidden} data-hit={isHit || undefined}>
      {isSelected ? (
        <rect
          x={slot.x - 4}
          y={y - 4}
          width={slot.width + 8}
          height={slot.height + 8}
          rx={3}
          fill="none"
          stroke={inks.selection}
          stroke-width={2}
        />
      ) : null}
      <rect x={slot.x} y={y} width={slot.width} height={slot.height} fill="transparent" />
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
      <text
        x={x + width / 2}
        y={y + height + LABEL_HEIGHT / 2 + 1}
        text-anchor="middle"
        dominant-baseline="central"
        fill={isHit ? inks.hit : inks.text}
        font-weight={isHit ? 'bold' : undefined}
      >
        {label}
      </text>
    </g>
  );
}
