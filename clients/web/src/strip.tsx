// The strip of time below the bars: how many samples each window has, and which span is looked at; the same in every view.
import { computed, effect, signal } from '@preact/signals';
import type { AskNamed } from 'insitu/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { grouped, momentText, samplesText } from './amount-words.ts';
import { choiceOf } from './answers.ts';
import { inksNow } from './inks.ts';
import { ask, data, dropLook, hasForcedColours, hold, look, say, showLook, theme } from './page-state.ts';
import { type Extent, momentAt, placeOf, spanOver, ticksOf } from './strip-scale.ts';
import { watchSize } from './watch-size.ts';

type Window = Extent & { readonly count: number };

const AXIS = 15;
const TOP = 4;
const TICKS_APART = 110;
const AXIS_FONT = '11px system-ui, "DejaVu Sans", sans-serif';

/** Samples by the begin of their window; empty until they are known. */
const counts = signal<ReadonlyMap<number, number>>(new Map());

/** As text, so that an equal question is not asked again: the whole time is shown, and only a new window asks for more. */
const wanted = computed(() => {
  const { windows = [] } = data.value ?? {};
  const { from: _from, to: _to, ...rest } = look.value;
  return windows.length === 0 ? null : JSON.stringify([choiceOf(rest), windows.length, windows.at(-1)?.to]);
});

/** Asks for the samples of each window; what cannot be told is drawn without heights. */
export function followStrip(): void {
  let running: AbortController | null = null;
  effect(() => {
    const question = wanted.value;
    running?.abort();
    if (question === null) return;
    const mine = new AbortController();
    running = mine;
    const [parameters] = JSON.parse(question) as [Record<string, unknown>];
    const asked: AskNamed<'timeline'> = {
      ask: 'answer',
      answer: 'timeline',
      parameters: { ...parameters, limit: 10_000, hottest: 0 },
    };
    ask(asked, mine.signal).then(
      ({ rows }) => {
        if (!mine.signal.aborted)
          counts.value = new Map(rows.map(({ from, share }) => [Date.parse(from), share.count ?? share.share]));
      },
      // The views tell what went wrong: they ask about the same data.
      () => undefined,
    );
  });
}

const windowsShown = computed<readonly Window[]>(() => {
  const found = counts.value;
  return (data.value?.windows ?? []).map(({ from, to }) => ({ from, to, count: found.get(from) ?? 0 }));
});

/** All windows; a little longer than none. */
const extent = computed<Extent>(() => {
  const windows = windowsShown.value;
  const [from, to] = [windows[0]?.from ?? 0, windows.at(-1)?.to ?? 0];
  return { from, to: Math.max(to, from + 1) };
});

export function Strip() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useMemo(() => signal({ width: 0, height: 0 }), []);
  /** While a hand drags. */
  const dragged = useMemo(() => signal<Extent | null>(null), []);
  const at = useMemo(() => signal(0), []);
  const begun = useRef(0);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const unwatch = watchSize(element, () => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    const stop = effect(() => draw(element, size.value, dragged.value ?? chosenSpan()));
    return () => {
      unwatch();
      stop();
    };
  }, []);
  const momentOf = (event: PointerEvent): number => momentAt(extent.value, event.offsetX, size.value.width);
  const take = (span: Extent | null): void => {
    dragged.value = null;
    hold('drag', false);
    if (span === null) return;
    const { from, to } = extent.value;
    if (span.from <= from && span.to >= to) {
      dropLook('from', 'to');
      return;
    }
    showLook({ from: span.from, to: span.to });
    say(`From ${momentText(span.from)} to ${momentText(span.to)}.`);
  };
  const windows = windowsShown.value;
  return (
    <div class="strip">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="slider"
        aria-label="Strip of time: arrows walk, Shift with arrows chooses a span, Escape takes all time"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, windows.length)}
        aria-valuenow={at.value + 1}
        aria-valuetext={windowText(windows[at.value])}
        onKeyDown={event => {
          const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          if (event.key === 'Escape' && chosenSpan() !== null) dropLook('from', 'to');
          else if (by === undefined) return;
          else {
            at.value = Math.max(0, Math.min(windows.length - 1, at.value + by));
            const window = windows[at.value];
            const before = chosenSpan();
            if (event.shiftKey && window !== undefined)
              take({
                from: Math.min(window.from, before?.from ?? window.from),
                to: Math.max(window.to, before?.to ?? window.to),
              });
            else say(windowText(window));
          }
          event.preventDefault();
          event.stopPropagation();
        }}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          begun.current = momentOf(event);
          hold('drag', true);
          dragged.value = spanOver(windows, begun.current, begun.current);
        }}
        onPointerMove={event => {
          const moment = momentOf(event);
          if (dragged.value !== null) dragged.value = spanOver(windows, begun.current, moment);
          const window = windows.find(({ from, to }) => moment >= from && moment < to);
          event.currentTarget.title = windowText(window);
        }}
        onPointerUp={() => take(dragged.value)}
        onDblClick={() => dropLook('from', 'to')}
      />
    </div>
  );
}

function chosenSpan(): Extent | null {
  const { from, to } = look.value;
  if (from === undefined && to === undefined) return null;
  return { from: from ?? extent.value.from, to: to ?? extent.value.to };
}

function windowText(window: Window | undefined): string {
  if (window === undefined) return 'nothing recorded here';
  const count = Number.isInteger(window.count) ? samplesText(window.count) : grouped(window.count);
  return `${momentText(window.from)} – ${momentText(window.to).slice(11)}: ${count}`;
}

function draw(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  span: Extent | null,
): void {
  const context = canvas.getContext('2d');
  if (context === null || width === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const inks = inksNow(theme.value, hasForcedColours.value);
  const [all, windows] = [extent.value, windowsShown.value];
  const most = Math.max(1, ...windows.map(({ count }) => count));
  const floor = height - AXIS;
  const x = (moment: number): number => placeOf(all, moment, width);
  context.fillStyle = inks.track;
  context.fillRect(0, TOP, width, floor - TOP);
  for (const { from, to, count } of windows) {
    const [left, right] = [x(from), Math.max(x(to), x(from) + 1.5)];
    const isOut = span !== null && (to <= span.from || from >= span.to);
    const high = count === 0 ? 0 : Math.max(1, (count / most) * (floor - TOP));
    context.fillStyle = isOut ? inks.hatch : inks.bar;
    context.globalAlpha = isOut ? 0.45 : 1;
    context.fillRect(left, floor - high, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), high);
  }
  context.globalAlpha = 1;
  if (span !== null) {
    context.fillStyle = inks.selection;
    for (const edge of [x(span.from), x(span.to) - 2]) context.fillRect(edge, TOP - 2, 2, floor - TOP + 2);
  }
  context.font = AXIS_FONT;
  context.textBaseline = 'bottom';
  for (const { moment, text } of ticksOf(all, width, TICKS_APART, -new Date(all.from).getTimezoneOffset() * 60_000)) {
    const left = x(moment);
    context.fillStyle = inks.hatch;
    context.fillRect(left, floor, 1, 4);
    context.fillStyle = inks.axis;
    if (left + 60 < width) context.fillText(text, left + 4, height);
  }
}
