// The canvas of a picture with its pointer and keys: as large as the viewport, over a spacer that is as tall as the stacks are deep.
import { batch, computed, effect, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { canvasPen } from './canvas-pen.ts';
import { cutAt } from './hit-test.ts';
import { inksNow } from './inks.ts';
import { itemsFor, openMenu } from './menu.tsx';
import { Waiting } from './nothing-yet.tsx';
import { hasForcedColours, hold, isPrinting, isStill, show, shown, theme } from './page-state.ts';
import type { Mapping, Pointed, Span } from './page-types.ts';
import { paint } from './paint.ts';
import { selectBox, takeAsRoot, toggleChain } from './picture-actions.ts';
import { pictureKey } from './picture-keys.ts';
import { PictureModel, type Subject } from './picture-model.ts';
import { activePicture, picturesShown } from './pictures-shown.ts';
import { type Icicle, LEAST_ZOOM, placeAt, ROW_HEIGHT } from './projections.ts';
import { sceneOf } from './scene-now.ts';
import { Tooltip } from './tooltip.tsx';
import { watchSize } from './watch-size.ts';

/** Milliseconds in which browsers join two clicks. */
const DOUBLE_CLICK = 500;

type PictureProps = {
  readonly name: string;
  readonly subject: () => Subject;
  /** The page's keys are for the first picture of a view. */
  readonly isMain: boolean;
};

/** Screen readers then leave the arrow keys to the picture. */
const APPLICATION = { role: 'application' } as const;

export function Picture({ name, subject, isMain }: PictureProps) {
  const model = useMemo(() => new PictureModel(subject), []);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pointed = useMemo(() => signal<Pointed | null>(null), []);
  const { isRing, upwards } = subject();

  useEffect(() => {
    if (isMain) activePicture.value = model;
    picturesShown.value = [...picturesShown.peek(), model];
    const stops = [
      model.start(),
      followSize(model, scroller.current),
      followScroll(model, scroller.current),
      draw(model, canvas.current),
      pointer(model, canvas.current, pointed),
      hideTooltip(model, pointed),
    ];
    return () => {
      for (const stop of stops) stop();
      hold('pointer', false);
      picturesShown.value = picturesShown.peek().filter(other => other !== model);
      if (activePicture.value === model) activePicture.value = null;
    };
  }, []);

  return (
    <div class="picture">
      <div class={`scroller ${isRing ? 'ring' : ''} ${upwards ? 'upwards' : ''}`} ref={scroller}>
        <canvas
          ref={canvas}
          tabIndex={0}
          {...APPLICATION}
          aria-roledescription={isRing ? 'ring chart' : 'flame graph'}
          aria-label={`${name}. Arrow keys walk from part to part, Enter takes one as root, question mark lists all keys.`}
          onKeyDown={event => pictureKey(event, model)}
          onFocus={() => {
            activePicture.value = model;
            if (model.selected.value < 0 && canvas.current?.matches(':focus-visible') === true) selectBox(model, 0);
          }}
        />
        {isRing ? null : <Spacer model={model} />}
      </div>
      <Empty model={model} />
      <Tooltip model={model} pointed={pointed} upwards={upwards} />
    </div>
  );
}

/** Makes the scroll bar as long as the stacks are deep; the canvas stays in place above it. */
function Spacer({ model }: { readonly model: PictureModel }) {
  const missing = Math.max(0, model.rowCount.value * ROW_HEIGHT - model.size.value.height);
  return <div class="spacer" style={{ height: `${missing}px` }} />;
}

function Empty({ model }: { readonly model: PictureModel }) {
  const shot = model.shot.value;
  if (shot === null)
    return model.problem.value === null ? <Waiting /> : <p class="empty">{model.problem.value.message}</p>;
  const { root, problems } = shot.frame.header;
  if (root.total.weight > 0) return null;
  return (
    <p class="empty">
      No samples are left to draw. {problems[0]?.message ?? 'Widen the span, the threads or the focus.'}{' '}
      {problems[0]?.remedy}
    </p>
  );
}

function followSize(model: PictureModel, element: HTMLElement | null): () => void {
  if (element === null) return () => undefined;
  return watchSize(element, () => {
    // Without the scroll bar.
    model.size.value = { width: element.clientWidth, height: element.clientHeight };
  });
}

/** The scroll bar and the model's rows follow each other; where row 0 is at the bottom, from there. */
function followScroll(model: PictureModel, element: HTMLElement | null): () => void {
  if (element === null) return () => undefined;
  const { isRing, upwards } = model.subject();
  if (isRing) return () => undefined;
  const range = (): number => Math.max(0, model.rowCount.value * ROW_HEIGHT - model.size.value.height);
  const scrolled = (): void => {
    // The origin of a reversed column is its end, and what lies above is negative.
    const top = Math.abs(element.scrollTop);
    if (Math.abs(top - model.top.peek()) >= 1) model.top.value = top;
  };
  element.addEventListener('scroll', scrolled, { passive: true });
  const stop = effect(() => {
    const all = range();
    const top = Math.min(all, model.top.value);
    // After the spacer has its height.
    requestAnimationFrame(() => {
      const wanted = upwards ? -top : top;
      if (Math.abs(element.scrollTop - wanted) >= 1) element.scrollTop = wanted;
    });
  });
  return () => {
    stop();
    element.removeEventListener('scroll', scrolled);
  };
}

/** Draws again whenever something that is drawn has changed, at most once a screen frame. */
function draw(model: PictureModel, canvas: HTMLCanvasElement | null): () => void {
  const context = canvas?.getContext('2d', { alpha: false }) ?? null;
  if (canvas === null || context === null) return () => undefined;
  let frame = 0;
  let fading: ReturnType<typeof setTimeout> | undefined;
  const ratio = signal(devicePixelRatio);
  const followRatio = (): void => {
    ratio.value = devicePixelRatio;
  };
  addEventListener('resize', followRatio);
  const stop = effect(() => {
    const scene = sceneOf(model);
    const { width, height } = model.size.value;
    const pixels = ratio.value;
    cancelAnimationFrame(frame);
    const redraw = (): void => {
      const began = performance.now();
      fit(canvas, width, height, pixels);
      context.setTransform(pixels, 0, 0, pixels, 0, 0);
      context.fillStyle = inksNow(theme.value, hasForcedColours.value).background;
      context.fillRect(0, 0, width, height);
      if (scene === null) return;
      paint(canvasPen(context, pixels), scene);
      canvas.dataset.drawn = (performance.now() - began).toFixed(1);
      clearTimeout(fading);
      // Slower where the user wants less motion.
      if (scene.recent !== null && model.glow.isActive(began)) fading = setTimeout(redraw, isStill.value ? 2000 : 100);
    };
    if (isPrinting) redraw();
    else frame = requestAnimationFrame(redraw);
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
    clearTimeout(fading);
    removeEventListener('resize', followRatio);
  };
}

function fit(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

type PointedSignal = ReturnType<typeof signal<Pointed | null>>;

/** Pointing selects nothing; a click does, a double click takes as root, dragging moves a zoomed picture, the wheel with Ctrl zooms. */
function pointer(model: PictureModel, canvas: HTMLCanvasElement | null, pointed: PointedSignal): () => void {
  if (canvas === null) return () => undefined;
  let drag: {
    readonly x: number;
    readonly y: number;
    readonly zoom: Span;
    readonly top: number;
    moved: boolean;
  } | null = null;
  const boxUnder = (event: MouseEvent): number => {
    const place = placeAt(model.projection.value, event.offsetX, event.offsetY);
    return place === null ? -1 : model.boxAtPlace(place);
  };
  let last = { x: 0, y: 0, time: Number.NEGATIVE_INFINITY };
  const clicked = (event: PointerEvent): void => {
    const { clientX: x, clientY: y, timeStamp: time } = event;
    // The second click of two is for what the first one hit: an unfolded chain may have moved.
    const isSecond = time - last.time < DOUBLE_CLICK && Math.hypot(x - last.x, y - last.y) < 4;
    last = { x, y, time };
    if (isSecond) return;
    const box = boxUnder(event);
    selectBox(model, box);
    if ((model.shot.value?.frame.chains?.members[box]?.length ?? 1) > 1) toggleChain(model, box);
  };
  const point = (event: MouseEvent): void => {
    const place = placeAt(model.projection.value, event.offsetX, event.offsetY);
    const frame = model.shot.value?.frame;
    const box = place === null ? -1 : model.boxAtPlace(place);
    const { scale, shift, rows }: Mapping = model.mapping.value;
    const cut =
      place === null || frame === undefined || box >= 0
        ? -1
        : cutAt(frame, place.row + rows, (place.fraction - shift) / scale);
    batch(() => {
      model.hovered.value = box;
      pointed.value = box < 0 && cut < 0 ? null : { box, cut, x: event.offsetX, y: event.offsetY };
    });
    hold('pointer', box >= 0);
  };
  const leave = (): void => {
    model.hovered.value = -1;
    pointed.value = null;
    hold('pointer', false);
  };
  const handlers = {
    pointermove: (event: PointerEvent) => {
      const projection = model.projection.value;
      if (drag === null || projection.kind === 'ring') return point(event);
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      drag.moved = true;
      pointed.value = null;
      hold('drag', true);
      model.top.value = Math.max(0, drag.top + (projection.upwards ? dy : -dy));
      const width = drag.zoom[1] - drag.zoom[0];
      show({ zoom: movedTo(drag.zoom[0] - (dx / projection.width) * width, width) });
    },
    pointerdown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, y: event.clientY, zoom: shown.value.zoom, top: model.top.value, moved: false };
      canvas.setPointerCapture(event.pointerId);
    },
    pointerup: (event: PointerEvent) => {
      if (drag !== null && !drag.moved) clicked(event);
      drag = null;
      hold('drag', false);
    },
    pointerleave: leave,
    dblclick: () => void takeAsRoot(model, model.selected.value),
    contextmenu: (event: MouseEvent) => {
      event.preventDefault();
      const box = boxUnder(event);
      if (box < 0) return;
      selectBox(model, box);
      pointed.value = null;
      openMenu(itemsFor(model), event.clientX, event.clientY);
    },
    wheel: (event: WheelEvent) => {
      const projection = model.projection.value;
      if (projection.kind === 'ring') return;
      if (!event.ctrlKey && !event.altKey && !event.shiftKey) return;
      event.preventDefault();
      show({ zoom: event.shiftKey ? panned(projection, event.deltaY + event.deltaX) : zoomed(projection, event) });
    },
  };
  for (const [type, handler] of Object.entries(handlers))
    canvas.addEventListener(type, handler as EventListener, { passive: false });
  return () => {
    for (const [type, handler] of Object.entries(handlers)) canvas.removeEventListener(type, handler as EventListener);
  };
}

/** Hides the tooltip when the root or the zoom changes: the pointed part is elsewhere then. */
function hideTooltip(model: PictureModel, pointed: PointedSignal): () => void {
  const spot = computed(() => JSON.stringify(model.subject()));
  return effect(() => {
    if (spot.value !== '') pointed.value = null;
  });
}

function movedTo(from: number, width: number): Span {
  const left = Math.min(1 - width, Math.max(0, from));
  return [left, Math.min(1, left + width)];
}

function panned({ visible: [from, to], width }: Icicle, pixels: number): Span {
  return movedTo(from + (pixels / width) * (to - from), to - from);
}

/** The span after a turn of the wheel; the point under the pointer stays there. */
function zoomed({ visible: [from, to], width }: Icicle, { deltaY, offsetX }: WheelEvent): Span {
  const wide = Math.min(1, Math.max(LEAST_ZOOM, (to - from) * 1.0015 ** deltaY));
  const under = from + (offsetX / width) * (to - from);
  return movedTo(under - (offsetX / width) * wide, wide);
}
