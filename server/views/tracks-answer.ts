// The time of each thread by kind, over time, as columns for the page.
import { TRACK_COLUMNS } from '../analysis/frame-columns.ts';
import { metricRow } from '../analysis/select-data.ts';
import type { Look } from '../model/look.ts';
import { TYPED } from '../model/time-types.ts';
import { inOrder, packedBytes } from './picture-frame.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskTracks, TracksHeader } from './view-messages.ts';
import { metricOf, subjectOf } from './viewed-data.ts';

/** Metrics of running time: time types tell them and what else the threads did. */
const OF_PROCESSORS: readonly string[] = ['cpu', 'cpu-time'];

export async function tracksAnswer(
  host: ViewHost,
  viewed: Viewed,
  { look, of, unfolded, rows, span, pixels }: AskTracks,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { profile, answers } = viewed.data;
  const row = of === null ? -1 : answers.keysOf(profile.methods).rowOf(of);
  const methods = of === null ? null : row < 0 ? [] : [row];
  const wish = { methods, own: viewed.own, unfolded, rows, span, pixels };
  const under = (looked: Look) => host.door.ask(subjectOf(viewed, looked), 'tracks', wish, { signal });
  const typed = { ...look, metric: TYPED.id };
  const hasTypes = metricRow(profile, TYPED.id) !== null && OF_PROCESSORS.includes(metricOf(viewed, look).id);
  const ofTypes = hasTypes ? await under(typed) : null;
  // Where the recording has waits alone, processor time says more.
  const isTyped = ofTypes !== null && ofTypes.running > 0;
  const { columns, ...found } = isTyped ? ofTypes : await under(look);
  const { id, unit } = metricOf(viewed, isTyped ? typed : look);
  const header: TracksHeader = { metric: id, unit, cells: columns.window.length, ...found };
  return packedBytes(header, inOrder(TRACK_COLUMNS, columns));
}
