// The share of a method, or of everything in the focus, in each window, what each thread did, and all windows as a table; dragging chooses a span.
import { signal } from '@preact/signals';
import { scaleLinear } from 'd3-scale';
import type { Answers, Times, ViewAmount } from 'insitu/views';
import { useMemo } from 'preact/hooks';
import {
  callsText,
  grouped,
  momentText,
  nanosText,
  percentText,
  perSecondText,
  samplesText,
  shareText,
} from './amount-words.ts';
import { amountsOf, useNamedAnswer } from './answers.ts';
import { useTracks } from './held-tracks.ts';
import { knownMethod } from './known-methods.ts';
import { fullName } from './name-trimming.ts';
import { Waiting } from './nothing-yet.tsx';
import { hold, look, methodShown, say, showLook, shown } from './page-state.ts';
import { TableHead } from './table-head.tsx';
import { barAt, barsOf, zoomedBars } from './time-bars.ts';
import { Tracks, zoomedExtent } from './tracks.tsx';

type Window = {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly part: ViewAmount;
  readonly whole: ViewAmount;
  readonly times: Times | null;
};

function windowOf({ from, to, share, times }: Answers['timeline']['rows'][number]): Window {
  return { from: Date.parse(from), to: Date.parse(to), ...amountsOf(share), times };
}
type Range = { readonly from: number; readonly to: number };

export function TimelineView() {
  const answer = useNamedAnswer('timeline', () => {
    // The whole time is shown, so that another span can be chosen.
    const { from: _from, to: _to, ...rest } = look.value;
    return { look: rest, of: methodShown.value, more: { hottest: 0 } };
  });
  const tracks = useTracks();
  const found = answer.value;
  const windows = useMemo(() => found?.rows.map(windowOf) ?? [], [found]);
  if (found === null) return <Waiting />;
  if (windows.length === 0) return <p class="empty">There are no windows of time in these data.</p>;
  const method = methodShown.value === null ? null : knownMethod(methodShown.value);
  return (
    <section class="sheet timeline" aria-label="Timeline">
      <p>
        {isOfEverything(windows) ? 'Samples' : `Share of ${method === null ? 'what is looked at' : fullName(method)}`}{' '}
        in each window. Drag over bars to choose a span; with the keyboard, arrows walk, Shift with arrows chooses,
        Enter takes it.
      </p>
      <Bars windows={windows} />
      <Tracks held={tracks} />
      <WindowTable windows={windows} />
    </section>
  );
}

const fractionOf = ({ part, whole }: Window): number => (whole.weight > 0 ? part.weight / whole.weight : 0);

/** Without a method or a focus every share is 100 %: then the bars are samples. */
function isOfEverything(windows: readonly Window[]): boolean {
  return windows.every(({ part, whole }) => part.weight === whole.weight);
}

function Bars({ windows }: { readonly windows: readonly Window[] }) {
  const chosen = useMemo(() => signal<Range | null>(null), []);
  const at = useMemo(() => signal(0), []);
  const isAll = isOfEverything(windows);
  const heightOf = isAll ? ({ part }: Window): number => part.count : fractionOf;
  const most = Math.max(1e-9, ...windows.map(heightOf));
  const height = scaleLinear([0, most], [0, 100]);
  const ticks = height.ticks(2).filter(tick => tick > 0 && tick <= most);
  const { zoom } = shown.value;
  const bars = useMemo(() => zoomedBars(barsOf(windows), zoom), [windows, zoom[0], zoom[1]]);
  const extent = zoomedExtent({ from: windows[0]?.from ?? 0, to: windows.at(-1)?.to ?? 0 }, zoom);
  const { from, to } = look.value;
  const range = chosen.value;
  const isIn = (index: number): boolean => {
    if (range !== null) return index >= Math.min(range.from, range.to) && index <= Math.max(range.from, range.to);
    const window = windows[index];
    return (
      window !== undefined &&
      window.to > (from ?? Number.NEGATIVE_INFINITY) &&
      window.from < (to ?? Number.POSITIVE_INFINITY)
    );
  };
  const end = (): void => {
    hold('drag', false);
    chosen.value = null;
  };
  const take = (): void => {
    const span = chosen.value;
    end();
    if (span === null) return;
    const [first, last] = [windows[Math.min(span.from, span.to)], windows[Math.max(span.from, span.to)]];
    if (first === undefined || last === undefined) return;
    showLook({ from: first.from, to: last.to });
    say(`From ${momentText(first.from)} to ${momentText(last.to)}.`);
  };
  const indexOf = (event: PointerEvent): number => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return barAt(bars, (event.clientX - left) / width);
  };
  const walk = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) {
      if (event.key === 'Enter') take();
      return;
    }
    event.preventDefault();
    const before = at.value;
    at.value = Math.max(0, Math.min(windows.length - 1, at.value + by));
    if (event.shiftKey) chosen.value = { from: chosen.value?.from ?? before, to: at.value };
    const window = windows[at.value];
    if (window !== undefined) say(`${momentText(window.from)}: ${shareText(window.part, window.whole)}`);
  };
  return (
    <div class="chart">
      <div
        class="bars"
        role="slider"
        tabIndex={0}
        aria-label="Windows of time"
        aria-valuemin={1}
        aria-valuemax={windows.length}
        aria-valuenow={at.value + 1}
        aria-valuetext={barText(windows[at.value])}
        onKeyDown={walk}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          hold('drag', true);
          chosen.value = { from: indexOf(event), to: indexOf(event) };
        }}
        onPointerMove={event => {
          if (chosen.value !== null) chosen.value = { from: chosen.value.from, to: indexOf(event) };
        }}
        onPointerUp={take}
        onPointerCancel={end}
      >
        {ticks.map(tick => (
          <span key={tick} class="tick" style={{ bottom: `${height(tick)}%` }}>
            {isAll ? samplesText(tick) : (percentText(tick, 1) ?? '')}
          </span>
        ))}
        {windows.map((window, index) => (
          <span
            key={window.from}
            class={`column ${isIn(index) ? 'in' : 'out'} ${index === at.value ? 'at' : ''}`}
            style={{ left: `${100 * (bars[index]?.left ?? 0)}%`, width: `${100 * (bars[index]?.width ?? 0)}%` }}
            title={barText(window)}
          >
            <span style={{ height: `${height(heightOf(window))}%` }} />
          </span>
        ))}
      </div>
      <p class="ends">
        <span>{momentText(extent.from)}</span>
        <span>{momentText(extent.to)}</span>
      </p>
    </div>
  );
}

function barText(window: Window | undefined): string {
  if (window === undefined) return '';
  const share = window.whole.weight > 0 ? shareText(window.part, window.whole) : 'no samples';
  const { times } = window;
  const calls = times === null ? '' : ` · ${callsText(times.count)}, mean ${nanosText(times.mean)}`;
  return `${momentText(window.from)}: ${share}${calls}`;
}

/** The times of whole calls in a window; quantiles are known of all windows together alone. */
const TIMES = ['Mean', 'Calls', 'Calls/s'] as const;

function timesText({ times }: Window): readonly string[] {
  if (times === null) return TIMES.map(() => '–');
  return [nanosText(times.mean), grouped(times.count), perSecondText(times.perSecond)];
}

const countText = ({ count }: ViewAmount): string => (Number.isFinite(count) ? String(count) : '?');

function WindowTable({ windows }: { readonly windows: readonly Window[] }) {
  const hasTimes = windows.some(({ times }) => times !== null);
  return (
    <table>
      <TableHead
        cells={[
          { text: 'From' },
          { text: 'To' },
          { text: 'Share', isNumber: true },
          { text: 'Samples', isNumber: true },
          ...(hasTimes ? TIMES.map(text => ({ text, isNumber: true })) : []),
        ]}
      />
      <tbody>
        {windows.slice(0, 500).map(window => (
          <tr key={window.from}>
            <th scope="row">
              <button
                type="button"
                class="link"
                title="Look at this window alone"
                onClick={() => showLook({ from: window.from, to: window.to })}
              >
                {momentText(window.from)}
              </button>
            </th>
            <td>{momentText(window.to)}</td>
            <td class="number">{window.whole.weight > 0 ? shareText(window.part, window.whole) : '–'}</td>
            <td class="number">
              {countText(window.part)} of {countText(window.whole)}
            </td>
            {hasTimes
              ? timesText(window).map((text, at) => (
                  <td key={TIMES[at]} class="number">
                    {text}
                  </td>
                ))
              : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
