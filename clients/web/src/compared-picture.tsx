// The same matched trees as a flame graph or a ring chart: what is there now, coloured as the boxes are, with their selection.
import { effect, signal } from '@preact/signals';
import type { AskBlueprint, BlueprintBox } from 'insitu/views';
import { BOX_FLAG } from 'insitu/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useAnswer } from './answers.ts';
import { blueprint, boxAt, revealRow, selectedRow } from './blueprint-model.ts';
import { BoxTooltip } from './blueprint-tooltip.tsx';
import { boxLabel, boxName, describeBlueprintBox, isPale, KIND_SIGNS, kindColour, kindOf } from './blueprint-words.ts';
import { STEP_OF_KEY, walk } from './box-walker.ts';
import { canvasPen } from './canvas-pen.ts';
import type { Frame } from './frame-decoder.ts';
import { boxAt as boxAtPlace } from './hit-test.ts';
import { inksNow } from './inks.ts';
import { hasForcedColours, hold, look, say, shown, theme } from './page-state.ts';
import { paint } from './paint.ts';
import { type Projection, placeAt, RIM } from './projections.ts';
import { watchSize } from './watch-size.ts';

const MOST_RINGS = 12;
const APPLICATION = { role: 'application' } as const;

/** A frame whose boxes are those of the comparison, by their number. */
type ComparedFrame = { readonly frame: Frame; readonly boxes: readonly BlueprintBox[] };

/** Asked once for both forms. */
export function ComparedPicture({ isRing }: { readonly isRing: boolean }) {
  const answer = useAnswer<AskBlueprint>(() => {
    const tree = blueprint.value?.answer.tree;
    if (tree === undefined) return null;
    const { scaling } = shown.value;
    return { ask: 'blueprint', look: look.value, scaling, tree, box: 0, show: 'widest', of: null, from: 0 };
  });
  const found = answer.value;
  if (found === null || 'outdated' in found) return <p class="empty">Loading …</p>;
  return <Drawn key={String(isRing)} found={found.boxes} isRing={isRing} />;
}

type DrawnProps = { readonly found: readonly BlueprintBox[]; readonly isRing: boolean };

function Drawn({ found, isRing }: DrawnProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const holder = useRef<HTMLDivElement>(null);
  const size = useMemo(() => signal({ width: 0, height: 0 }), []);
  const drawn = useMemo(() => signal<ComparedFrame | null>(null), []);
  useEffect(() => {
    drawn.value = frameOf(found, isRing);
  }, [found]);
  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const unwatch = watchSize(element, () => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    const stop = effect(() => draw(canvas.current, drawn.value, projectionOf(size.value, drawn.value, isRing)));
    return () => {
      unwatch();
      stop();
    };
  }, []);
  const rowOf = (box: number): number => drawn.value?.boxes[box]?.row ?? -1;
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEP_OF_KEY[event.key];
    const current = drawn.value;
    if (step === undefined || current === null || event.ctrlKey || event.metaKey || event.altKey) return;
    void revealRow(rowOf(walk(current.frame, Math.max(0, selectedIn(current)), step)));
    event.preventDefault();
    event.stopPropagation();
  };
  const pointed = useMemo(() => signal<Pointed | null>(null), []);
  const under = ({ offsetX, offsetY }: MouseEvent): number => {
    const current = drawn.value;
    const place = placeAt(projectionOf(size.value, current, isRing), offsetX, offsetY);
    return current === null || place === null ? -1 : boxAtPlace(current.frame, place.row, place.fraction);
  };
  const onClick = (event: MouseEvent): void => {
    const box = under(event);
    if (box >= 0) void revealRow(rowOf(box));
  };
  const point = (event: PointerEvent): void => {
    const box = drawn.value?.boxes[under(event)] ?? null;
    hold('pointer', box !== null);
    pointed.value = box === null ? null : { box, x: event.clientX, y: event.clientY };
  };
  const leave = (): void => {
    hold('pointer', false);
    pointed.value = null;
  };
  useEffect(() => leave, []);
  return (
    <div class="compared-picture" ref={holder}>
      <canvas
        ref={canvas}
        tabIndex={0}
        {...APPLICATION}
        aria-roledescription={isRing ? 'ring chart' : 'flame graph'}
        aria-label="What is there now, coloured by what differs. Arrow keys walk from part to part."
        onKeyDown={onKeyDown}
        onClick={onClick}
        onPointerMove={point}
        onPointerLeave={leave}
        onFocus={() => {
          const box = boxAt(selectedRow.value);
          if (box !== null) say(describeBlueprintBox(box, 0));
        }}
      />
      {pointed.value === null ? null : <BoxTooltip box={pointed.value.box} at={pointed.value} />}
    </div>
  );
}

type Pointed = { readonly box: BlueprintBox; readonly x: number; readonly y: number };

function projectionOf(
  { width, height }: { readonly width: number; readonly height: number },
  drawn: ComparedFrame | null,
  isRing: boolean,
): Projection {
  if (!isRing) return { kind: 'icicle', width, height, visible: [0, 1], top: 0, upwards: false };
  const rings = Math.max(2, Math.min(MOST_RINGS, drawn?.frame.rows.length ?? 2));
  const radius = Math.max(20, Math.min(width, height) / 2 - RIM - 4);
  return { kind: 'ring', x: width / 2, y: height / 2, radius, rings, area: false };
}

/** The selected box, or the nearest one above it that is drawn; −1 where there is none. */
function selectedIn({ boxes }: ComparedFrame): number {
  for (let box = boxAt(selectedRow.value); box !== null; box = boxAt(box.parent)) {
    const row = box.row;
    const at = boxes.findIndex(each => each.row === row);
    if (at >= 0) return at;
  }
  return -1;
}

function draw(canvas: HTMLCanvasElement | null, drawn: ComparedFrame | null, projection: Projection): void {
  const context = canvas?.getContext('2d', { alpha: false }) ?? null;
  if (canvas === null || context === null) return;
  const { clientWidth: width = 0, clientHeight: height = 0 } = canvas.parentElement ?? {};
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const inks = inksNow(theme.value, hasForcedColours.value);
  context.fillStyle = inks.background;
  context.fillRect(0, 0, width, height);
  if (drawn === null) return;
  const { frame, boxes } = drawn;
  const at = theme.value;
  paint(canvasPen(context, ratio), {
    ...{ frame, projection, inks, hovered: -1, highlighted: -1, recent: null },
    mapping: { scale: 1, shift: 0, rows: 0 },
    fills: {
      fillOf: box =>
        boxes[box] === undefined ? inks.background : kindColour(kindOf(boxes[box]), isPale(boxes[box]), at),
      isHatched: () => false,
      namesOf: box =>
        boxes[box] === undefined
          ? ['']
          : [`${KIND_SIGNS[kindOf(boxes[box])]} ${boxName(boxes[box])}`, boxLabel(boxes[box])],
    },
    selected: selectedIn(drawn),
  });
  canvas.dataset.drawn = String(boxes.length);
}

/** Parts as wide as they are now, beside each other in the order of their weight. */
function frameOf(found: readonly BlueprintBox[], isRing: boolean): ComparedFrame {
  const below = Map.groupBy(found, ({ parent }) => parent);
  const boxes: BlueprintBox[] = [];
  const [start, end, parent, row]: [number[], number[], number[], number[]] = [[], [], [], []];
  const whole = found[0]?.total[1] || 1;
  const add = (box: BlueprintBox, from: number, above: number, depth: number): void => {
    boxes.push(box);
    start.push(from);
    end.push(from + box.total[1] / whole);
    parent.push(above);
    row.push(depth);
  };
  if (found[0] !== undefined) add(found[0], 0, -1, 0);
  for (let at = 0; at < boxes.length; at++) {
    let from = start[at] ?? 0;
    const children = (below.get(boxes[at]?.row ?? -2) ?? []).toSorted(
      (a, b) => b.total[1] - a.total[1] || a.row - b.row,
    );
    for (const child of children) {
      add(child, from, at, (row[at] ?? 0) + 1);
      from += child.total[1] / whole;
    }
  }
  const deepest = row.reduce((most, depth) => Math.max(most, depth), 0);
  const isDeeper = (at: number): boolean => isRing && row[at] === MOST_RINGS - 1 && below.has(boxes[at]?.row ?? -2);
  const byDepth = Map.groupBy(boxes.keys(), at => row[at] ?? 0);
  // Boxes come level by level, and from left to right in each.
  const rows = Array.from({ length: deepest + 1 }, (_, depth) => Int32Array.from(byDepth.get(depth) ?? []));
  const none = new Float64Array(0);
  const weight = Float64Array.from(boxes, ({ total }) => total[1]);
  const amount = { weight: whole, count: whole };
  const frame: Frame = {
    header: {
      ...{
        revision: '',
        metric: '',
        unit: '',
        whole: amount,
        boxes: boxes.length,
        cuts: 0,
        methods: [],
        deepest,
        coarser: 1,
      },
      ...{ baseline: false, millis: 0, problems: [], sums: { self: whole, cut: 0, below: 0, outside: 0 } },
      root: { steps: [], method: null, total: amount, missing: null },
    },
    boxes: {
      id: Float64Array.from(boxes, box => box.row),
      start: Float64Array.from(start),
      end: Float64Array.from(end),
      ...{ weight, count: weight },
      self: Float64Array.from(boxes, ({ self }) => self[1]),
      parent: Int32Array.from(parent),
      method: new Int32Array(boxes.length).fill(-1),
      row: Int32Array.from(row),
      flags: Uint8Array.from(boxes, (_, at) => (isDeeper(at) ? BOX_FLAG.deeper : 0)),
    },
    cuts: {
      start: none,
      end: none,
      weight: none,
      count: none,
      ...{ parent: new Int32Array(0), parts: new Int32Array(0) },
      hits: new Int32Array(0),
    },
    ...{ baseline: null, firstRow: 0, chains: null, rows, cutRows: [], cutOf: new Int32Array(boxes.length).fill(-1) },
  };
  return { frame, boxes };
}
