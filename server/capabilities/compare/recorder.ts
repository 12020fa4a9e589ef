// The frames of the recorder itself: what recording costs is told by itself, and explains no change of a program.
import type { Profile } from '../../cct/profile.ts';
import type { ComparedData } from './kept-comparison.ts';
import type { OwnAmounts, Scale } from './scaling.ts';
import type { TreeComparison } from './tree-comparison.ts';

/** Classes that write JDK Flight Recorder's events, and their instrumented callers. */
const PACKAGES = ['jdk.jfr.internal.', 'jdk.jfr.events.'];

/** Per label of both sides: 1 for methods of the recorder. */
export function recorderLabels(data: ComparedData, baseline: ComparedData): Uint8Array {
  const shown = data.profile.methods.length;
  const labels = new Uint8Array(shown + baseline.profile.methods.length);
  labels.set(recorderMethods(data.profile), 0);
  labels.set(recorderMethods(baseline.profile), shown);
  return labels;
}

function recorderMethods({ methods: { length, strings, className } }: Profile): Uint8Array {
  const known = new Map<number, boolean>();
  return Uint8Array.from({ length }, (_, method) => {
    const name = className[method]!;
    if (!known.has(name))
      known.set(
        name,
        PACKAGES.some(each => strings[name]!.startsWith(each)),
      );
    return known.get(name) === true ? 1 : 0;
  });
}

/** Whether a context is of the recorder, or a call of its. */
export function isOfRecorder(comparison: TreeComparison, recorder: Uint8Array, row: number): boolean {
  for (let at = row; at >= 0; at = comparison.parentOf(at)) if (recorder[comparison.label[at]!] === 1) return true;
  return false;
}

/** Scaled amounts of the recorder on both sides, each sample once. O(rows). */
export function recorderAmounts(comparison: TreeComparison, recorder: Uint8Array, { by }: Scale): OwnAmounts {
  let [before, now] = [0, 0];
  for (let row = 0; row < comparison.length; row++) {
    if (recorder[comparison.label[row]!] !== 1 || comparison.stateOf(row) === null) continue;
    if (isOfRecorder(comparison, recorder, comparison.parentOf(row))) continue;
    const { total } = comparison.amountsOf(row);
    before += total[0] / by[0];
    now += total[1] / by[1];
  }
  return { before, now };
}
