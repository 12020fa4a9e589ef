// The tracks that the page has: all rows with their totals, and the cells of the rows that were seen; missing cells are asked for.
import { effect, signal } from '@preact/signals';
import type { AskTracks, TracksHeader } from 'insitu/views';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { choiceOf, useAnswer } from './answers.ts';
import { decodeTracks } from './frame-decoder.ts';
import { look, methodShown, revision, shown } from './page-state.ts';
import { tracksShown } from './track-kinds.ts';
import { cellsByKey, type TrackCells, type TrackRow, trackRows } from './track-rows.ts';
import { type Seen, type Wanted, wishFor } from './track-wishes.ts';

/** Groups that are unfolded, each as `JSON.stringify([group, name])`. */
export const unfolded = signal<ReadonlySet<string>>(new Set());

export type HeldTracks = {
  readonly header: TracksHeader;
  readonly rows: readonly TrackRow[];
  readonly cells: ReadonlyMap<string, TrackCells>;
};

const NOTHING: Wanted = { rows: [0, 0], span: [0, 0], pixels: 1 };
/** More rows than a large screen shows. */
const FIRST_ROWS = [0, 40] as const;
/** Cells of more rows are forgotten. */
const MOST_ROWS_HELD = 400;
/** Cells are asked for when scrolling and zooming have ended for so many milliseconds. */
const SETTLED_MILLIS = 80;

const wanted = signal<Wanted>(NOTHING);
const held = signal<HeldTracks | null>(null);
let settling: ReturnType<typeof setTimeout> | undefined;

/** Asks for the cells of these rows and this part of the time, unless they are held; soon, as more may change. */
export function see(seen: Seen): void {
  clearTimeout(settling);
  settling = setTimeout(() => {
    wanted.value = wishFor(wanted.peek(), seen, held.peek()?.header.isJoined !== false);
  }, SETTLED_MILLIS);
}

/** Adds the cells of an answer to those of answers to the same question about other rows. */
function joined(before: HeldTracks | null, bytes: ArrayBuffer): HeldTracks {
  const tracks = decodeTracks(bytes);
  const rows = trackRows(tracks.header);
  const own = cellsByKey(tracks, rows);
  const cells = before === null || before.cells.size > MOST_ROWS_HELD ? own : new Map([...before.cells, ...own]);
  return { header: tracks.header, rows, cells };
}

/** The tracks, asked for as soon as the view is there; null until they are answered. */
export function useTracks(): HeldTracks | null {
  const asked = useRef('');
  // A memo, since the first question needs it.
  useMemo(() => {
    const seen = { rows: FIRST_ROWS, zoom: shown.peek().zoom, width: innerWidth * devicePixelRatio };
    wanted.value = wishFor(NOTHING, seen, false);
  }, []);
  const answer = useAnswer<AskTracks>(() => {
    // The whole time is shown, so that another span can be chosen.
    const { from: _from, to: _to, ...rest } = look.value;
    const { rows, span, pixels } = wanted.value;
    const same = { look: choiceOf(rest), of: methodShown.value, span, pixels };
    asked.current = JSON.stringify([revision.value, same]);
    return { ask: 'tracks', ...same, rows, unfolded: [...unfolded.value].map(key => JSON.parse(key)) };
  });
  useEffect(() => {
    let answered = '';
    const stop = effect(() => {
      const bytes = answer.value;
      held.value = bytes === null ? null : joined(answered === asked.current ? held.peek() : null, bytes);
      answered = asked.current;
      tracksShown.value = held.value?.header ?? null;
    });
    return () => {
      stop();
      clearTimeout(settling);
      held.value = null;
      tracksShown.value = null;
    };
  }, []);
  return held.value;
}
