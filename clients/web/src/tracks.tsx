// Tracks: what each group of threads did over time, the longest running group first; a group unfolds to its threads.
import { type Signal, signal } from '@preact/signals';
import type { TracksHeader } from 'insitu/views';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { momentText, partText, plural, weightText } from './amount-words.ts';
import { type HeldTracks, see, unfolded } from './held-tracks.ts';
import { shownName } from './name-trimming.ts';
import { tintsShown } from './package-hues.ts';
import { data, dropLook, hold, look, say, show, showLook, shown, theme } from './page-state.ts';
import type { Span } from './page-types.ts';
import { type Extent, momentAt, placeOf, spanOver, ticksOf } from './strip-scale.ts';
import { besidePoint } from './tooltip-place.ts';
import { kindColour, kindWords, pixelOf, stackingOrder } from './track-kinds.ts';
import {
  densitiesOf,
  HEIGHTS,
  kindsAt,
  paintTrack,
  rowsBetween,
  type TrackCells,
  type TrackRow,
} from './track-rows.ts';
import { watchSize } from './watch-size.ts';

const TICKS_APART = 110;
/** The least part of the time that is shown. */
const LEAST_ZOOM = 1 / 2_000;
const MOST_KINDS_TOLD = 8;
/** Pixels above and below the visible part whose rows are drawn too. */
const BESIDE = 120;
/** Shorter drags are clicks. */
const LEAST_DRAG = 4;

/** The time that is shown: all windows, or the part that is zoomed to. */
export function zoomedExtent({ from, to }: Extent, [begin, end]: Span): Extent {
  return { from: from + begin * (to - from), to: from + end * (to - from) };
}

/** A part of [0, 1] of some width, zoomed by a factor around a place of it, or moved. */
export function zoomedSpan([begin, end]: Span, factor: number, around: number, moved = 0): Span {
  const wide = Math.min(1, Math.max(LEAST_ZOOM, (end - begin) * factor));
  const from = begin + around * (end - begin) - around * wide + moved * (end - begin);
  const left = Math.min(1 - wide, Math.max(0, from));
  return [left, left + wide];
}

export function Tracks({ held }: { readonly held: HeldTracks | null }) {
  return held === null || held.rows.length === 0 ? null : <TrackTree held={held} />;
}

type Plot = {
  /** The time of all windows. */
  readonly all: Extent;
  readonly extent: Extent;
  readonly width: number;
};

type Pointed = { readonly row: TrackRow; readonly moment: number; readonly x: number; readonly y: number };

function TrackTree({ held }: { readonly held: HeldTracks }) {
  const { header } = held;
  const box = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLDivElement>(null);
  const width = useMemo(() => signal(0), []);
  const dragged = useMemo(() => signal<Extent | null>(null), []);
  const pointed = useMemo(() => signal<Pointed | null>(null), []);
  const active = useMemo(() => signal<string | null>(null), []);
  const { rows } = held;
  const { zoom } = shown.value;
  const all = { from: header.from, to: Math.max(header.to, header.from + 1) };
  const extent = useMemo(() => zoomedExtent(all, zoom), [all.from, all.to, zoom[0], zoom[1]]);
  useEffect(() => {
    const element = axis.current;
    return element === null
      ? undefined
      : watchSize(element, () => {
          width.value = element.clientWidth;
        });
  }, []);
  const plot: Plot = { all, extent, width: width.value };
  const [first, end] = useSeenRows(box, rows);
  useEffect(
    () => see({ rows: [first, end], zoom, width: plot.width * devicePixelRatio }),
    [first, end, zoom[0], zoom[1], plot.width * devicePixelRatio],
  );
  const paint = usePainter(header, plot);
  const focus = useFocus(box, active);
  useWheel(box, plot);
  const isTyped = header.metric === 'typed';
  const shareOf = ({ running, weight }: TrackRow): string =>
    header.running > 0 ? partText(running, header.running) : partText(weight, header.weight);
  const last = rows.at(-1);
  // The active row keeps the focus while it is out of sight.
  const drawn = rows.filter(({ key }, at) => (at >= first && at < end) || key === active.value);
  // The keyboard enters at a drawn row, also when the active row is gone.
  const entered = drawn.find(({ key }) => key === active.value) ?? drawn[0];
  return (
    <div class="tracks">
      <p class="aside">
        {isTyped ? 'What threads did with their time' : 'The packages whose code ran'}, the longest run time first; a
        row is as high as its busiest moment. A click on a name looks at these threads alone, dragging chooses a span;
        Ctrl and wheel, <kbd>+</kbd> and <kbd>−</kbd> zoom.
      </p>
      <div class="track-frame">
        <div ref={box} class="track-scroll">
          <div class="track-axis" aria-hidden="true">
            <div ref={axis}>
              {ticksOf(extent, width.value, TICKS_APART, -new Date(extent.from).getTimezoneOffset() * 60_000).map(
                tick => (
                  <span
                    key={tick.moment}
                    class="track-tick"
                    style={{ left: `${placeOf(extent, tick.moment, width.value)}px` }}
                  >
                    {tick.text}
                  </span>
                ),
              )}
            </div>
          </div>
          <div
            class="track-rows"
            role="tree"
            aria-label="Threads over time"
            style={{ height: `${last === undefined ? 0 : last.top + HEIGHTS[last.level]}px` }}
            onKeyDown={event => walk(event, rows, active, focus)}
            {...pointer(plot, rows, { dragged, pointed })}
          >
            {drawn.map(row => (
              <TrackItem
                key={row.key}
                row={row}
                cells={held.cells.get(row.key) ?? null}
                paint={paint}
                share={shareOf(row)}
                isActive={row === entered}
                onActive={() => {
                  active.value = row.key;
                }}
              />
            ))}
          </div>
        </div>
        <SpanShown plot={plot} dragged={dragged} />
      </div>
      <TrackTooltip held={held} pointed={pointed} />
    </div>
  );
}

/** Rows in sight and a little more, as numbers of the first one and the one behind the last. */
function useSeenRows(box: RefObject<HTMLDivElement | null>, rows: readonly TrackRow[]): readonly [number, number] {
  const seen = useMemo(() => signal('0 0'), []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollTop, clientHeight } = element;
      // A text, so that equal rows are not drawn again.
      seen.value = rowsBetween(rows, scrollTop - BESIDE, scrollTop + clientHeight + BESIDE).join(' ');
    };
    element.addEventListener('scroll', measure, { passive: true });
    const unwatch = watchSize(element, measure);
    return () => {
      element.removeEventListener('scroll', measure);
      unwatch();
    };
  }, [rows]);
  const [first = 0, end = 0] = seen.value.split(' ').map(Number);
  return [first, end];
}

type Paint = (canvas: HTMLCanvasElement, row: TrackRow, cells: TrackCells) => void;

type TrackItemProps = {
  readonly row: TrackRow;
  /** null until the cells have come. */
  readonly cells: TrackCells | null;
  readonly paint: Paint;
  readonly share: string;
  readonly isActive: boolean;
  readonly onActive: () => void;
};

function TrackItem({ row, cells, paint, share, isActive, onActive }: TrackItemProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current === null) return;
    if (cells !== null) paint(canvas.current, row, cells);
    // Another time or look must not keep the picture of the one before.
    else canvas.current.width = 0;
  }, [cells, paint]);
  const name = shownName(row.name);
  const folds = row.threads > 0;
  return (
    <div
      class={`track level-${row.level}`}
      role="treeitem"
      tabIndex={isActive ? 0 : -1}
      aria-level={row.level}
      aria-selected={look.value.threads?.includes(row.name) === true}
      aria-label={`${name}, ${share}${folds ? `, ${plural(row.threads, 'thread')}` : ''}`}
      {...(folds && { 'aria-expanded': row.isOpen })}
      data-key={row.key}
      aria-posinset={row.place[0]}
      aria-setsize={row.place[1]}
      style={{ top: `${row.top}px`, height: `${HEIGHTS[row.level]}px` }}
      onFocus={onActive}
    >
      <span class="track-label">
        <span class="track-fold">{folds ? (row.isOpen ? '▾' : '▸') : ''}</span>
        <span class="track-name" title={`${name}: look at it alone`}>
          {name}
        </span>
        <span class="track-share">{share}</span>
      </span>
      <canvas ref={canvas} />
    </div>
  );
}

function toggle(row: TrackRow): void {
  const { key } = row;
  const without = [...unfolded.value].filter(each => each !== key);
  unfolded.value = new Set(unfolded.value.has(key) ? without : [...without, key]);
}

function lookAlone({ name }: TrackRow): void {
  showLook({ threads: [name] });
  say(`Only ${shownName(name)} is looked at.`);
}

function zoomBy(factor: number, around: number, moved = 0): void {
  show({ zoom: zoomedSpan(shown.value.zoom, factor, around, moved) });
}

/** Arrows walk as in a tree, Enter looks at the threads of a row alone, `+` and `−` zoom, Shift with arrows moves the zoomed part. */
function walk(
  event: KeyboardEvent,
  rows: readonly TrackRow[],
  active: Signal<string | null>,
  focus: (row: TrackRow | undefined) => void,
): void {
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === active.value),
  );
  const row = rows[at];
  if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const parentAt = rows.findLastIndex(({ level }, other) => other < at && level === 1);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const sideways = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.shiftKey && sideways !== undefined) zoomBy(1, 0, sideways * 0.2);
  else if (sideways === 1 && row.threads > 0 && !row.isOpen) toggle(row);
  else if (sideways === -1 && row.isOpen) toggle(row);
  else if (sideways === -1 && row.level === 2) focus(rows[parentAt]);
  else if (to !== undefined) focus(rows[to]);
  else if (event.key === 'Enter') lookAlone(row);
  else if (event.key === '+' || event.key === '=') zoomBy(0.5, 0.5);
  else if (event.key === '-' || event.key === '−') zoomBy(2, 0.5);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Focuses a row as soon as it is drawn, and scrolls to it. */
function useFocus(
  box: RefObject<HTMLDivElement | null>,
  active: Signal<string | null>,
): (row: TrackRow | undefined) => void {
  const wanted = useRef(false);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const items = box.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [];
    [...items].find(({ dataset }) => dataset.key === active.value)?.focus();
  });
  return row => {
    if (row === undefined || row.key === active.value) return;
    wanted.current = true;
    active.value = row.key;
  };
}

/** The function that paints a row; another function when something changes that all rows have in common. */
function usePainter({ kinds }: TracksHeader, { extent, width }: Plot): Paint {
  const order = useMemo(() => stackingOrder(kinds), [kinds]);
  const colours = kinds.map(kind => pixelOf(kindColour(kind, theme.value, tintsShown.value)));
  const ratio = devicePixelRatio;
  return useMemo(
    () => (canvas, row, cells) => {
      const size = { width: Math.round(width * ratio), height: Math.round(HEIGHTS[row.level] * ratio) - 1 };
      if (size.width === 0) return;
      canvas.width = size.width;
      canvas.height = size.height;
      const context = canvas.getContext('2d');
      if (context === null) return;
      const image = context.createImageData(size.width, size.height);
      const pixels = new Uint32Array(image.data.buffer);
      paintTrack(pixels, size, densitiesOf(cells, extent, size.width), order, colours);
      context.putImageData(image, 0, 0);
      canvas.dataset.painted = 'yes';
    },
    [extent, width, ratio, colours.join(' ')],
  );
}

function useWheel(box: RefObject<HTMLDivElement | null>, plot: Plot): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      const left = plotLeft(element, plot);
      if (event.shiftKey) zoomBy(1, 0, (event.deltaY + event.deltaX) / Math.max(1, plot.width));
      else zoomBy(1.0015 ** event.deltaY, Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, plot.width))));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [plot.width]);
}

/** The left edge of the plot, in pixels of the window. */
function plotLeft(element: HTMLElement, { width }: Plot): number {
  const rows = element.classList.contains('track-rows') ? element : (element.querySelector('.track-rows') ?? element);
  return rows.getBoundingClientRect().right - width;
}

type Hand = { readonly dragged: Signal<Extent | null>; readonly pointed: Signal<Pointed | null> };

function pointer(plot: Plot, rows: readonly TrackRow[], { dragged, pointed }: Hand) {
  const rowOf = (event: Event): TrackRow | undefined => {
    const key = (event.target as Element).closest<HTMLElement>('[data-key]')?.dataset.key;
    return rows.find(row => row.key === key);
  };
  const xOf = (event: PointerEvent): number => event.clientX - plotLeft(event.currentTarget as HTMLElement, plot);
  const end = (): void => {
    dragged.value = null;
    begun.x = null;
    hold('drag', false);
  };
  const take = (): void => {
    const span = dragged.value;
    end();
    if (span === null) return;
    showLook({ from: span.from, to: span.to });
    say(`From ${momentText(span.from)} to ${momentText(span.to)}.`);
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || xOf(event) < 0) return;
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      begun.x = xOf(event);
    },
    onPointerMove: (event: PointerEvent) => {
      const x = xOf(event);
      if (begun.x === null) {
        const row = x < 0 ? undefined : rowOf(event);
        const moment = momentAt(plot.extent, x, plot.width);
        pointed.value = row === undefined ? null : { row, moment, x: event.clientX, y: event.clientY };
        return;
      }
      pointed.value = null;
      if (dragged.value === null && Math.abs(x - begun.x) < LEAST_DRAG) return;
      hold('drag', true);
      const [one, other] = [begun.x, x].map(each => momentAt(plot.extent, each, plot.width));
      dragged.value = spanOver(data.value?.windows ?? [], one!, other!) ?? dragged.value;
    },
    onPointerUp: (event: PointerEvent) => {
      if (begun.x !== null && dragged.value === null) {
        const moment = momentAt(plot.extent, begun.x, plot.width);
        dragged.value = spanOver(data.value?.windows ?? [], moment, moment);
      }
      if (begun.x !== null) return take();
      const row = xOf(event) < 0 ? rowOf(event) : undefined;
      if (row === undefined) return;
      if ((event.target as Element).closest('.track-fold') !== null && row.threads > 0) toggle(row);
      else lookAlone(row);
    },
    onPointerCancel: end,
    onPointerLeave: () => {
      pointed.value = null;
    },
    onDblClick: () => dropLook('from', 'to'),
  };
}

/** The begin of a drag, in pixels of the plot; one hand drags at a time. */
const begun: { x: number | null } = { x: null };

/** Dims the time outside of the chosen or dragged span: a layer above the rows, so that no row is laid out or drawn anew. */
function SpanShown({ plot: { extent, width }, dragged }: { readonly plot: Plot; readonly dragged: Hand['dragged'] }) {
  const { from, to } = dragged.value ?? look.value;
  if (width === 0 || (from === undefined && to === undefined)) return null;
  const x = (moment: number): number => Math.min(width, Math.max(0, placeOf(extent, moment, width)));
  const [left, right] = [x(from ?? extent.from), x(to ?? extent.to)];
  return (
    <div class="track-span" aria-hidden="true" style={{ width: `${width}px` }}>
      <span class="out" style={{ transform: `scaleX(${left / width})` }} />
      <span class="out" style={{ transform: `translateX(${right}px) scaleX(${1 - right / width})` }} />
    </div>
  );
}

function TrackTooltip({ held, pointed }: { readonly held: HeldTracks; readonly pointed: Hand['pointed'] }) {
  const at = pointed.value;
  const cells = at === null ? undefined : held.cells.get(at.row.key);
  if (at === null || cells === undefined) return null;
  const { kinds: all, unit } = held.header;
  const { window, kinds } = kindsAt(cells, at.moment);
  const whole = kinds.reduce((sum, [, weight]) => sum + weight, 0);
  return (
    <div class="tooltip of-window" style={besidePoint(at)} aria-hidden="true">
      <p class="name">{shownName(at.row.name)}</p>
      <p>
        {window === null
          ? 'nothing recorded here'
          : `${momentText(window.from)} – ${momentText(window.to).slice(11)}: ${weightText(whole, unit)}`}
      </p>
      <dl>
        {kinds.slice(0, MOST_KINDS_TOLD).map(([kind, weight]) => (
          <>
            <dt>
              <span class="swatch" style={{ background: kindColour(all[kind]!, theme.value, tintsShown.value) }} />{' '}
              {kindWords(all[kind]!)}
            </dt>
            <dd>{partText(weight, whole)}</dd>
          </>
        ))}
      </dl>
      {kinds.length > MOST_KINDS_TOLD ? <p>and {plural(kinds.length - MOST_KINDS_TOLD, 'more package')}</p> : null}
    </div>
  );
}
