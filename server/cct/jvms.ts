// The windows of a profile by JVM, which are the replicates of a measurement, and by time, which several JVMs may share.
import type { TimeWindow } from './profile.ts';

/** One JVM and its windows: one byte a row of the profile's windows, 1 for a window of the JVM. */
type JvmWindows = {
  /** Identity; empty for windows that name no JVM. */
  readonly jvm: string;
  readonly windows: Uint8Array;
};

/**
 * The JVMs of the chosen windows, by identity. Each chosen window belongs to one of them, so that the values of all JVMs add up to
 * those of the selection. O(windows × JVMs) bytes.
 * @param chosen one byte a window, 1 = chosen; all when absent
 */
export function windowsByJvm(windows: readonly TimeWindow[], chosen?: Uint8Array): readonly JvmWindows[] {
  const byJvm = new Map<string, Uint8Array>();
  windows.forEach(({ jvm = '' }, row) => {
    if (chosen !== undefined && chosen[row] !== 1) return;
    const own = byJvm.get(jvm) ?? new Uint8Array(windows.length);
    own[row] = 1;
    byJvm.set(jvm, own);
  });
  return [...byJvm].map(([jvm, own]): JvmWindows => ({ jvm, windows: own })).sort((a, b) => (a.jvm < b.jvm ? -1 : 1));
}

/** Identities of the JVMs of windows, sorted; windows that name none are left out. */
export function jvmsOf(windows: readonly TimeWindow[]): readonly string[] {
  return [...new Set(windows.flatMap(({ jvm }) => jvm ?? []))].sort();
}

/** A time that windows have in common: rows from … to−1, one of each JVM. */
type WindowTime = Omit<TimeWindow, 'jvm'> & { readonly from: number; readonly to: number };

/** The distinct times of a profile's windows, in their order. */
export function windowTimes(windows: readonly TimeWindow[]): readonly WindowTime[] {
  const times: (WindowTime & { to: number })[] = [];
  windows.forEach(({ startMillis, endMillis }, row) => {
    const last = times.at(-1);
    if (last?.startMillis === startMillis && last.endMillis === endMillis) last.to = row + 1;
    else times.push({ startMillis, endMillis, from: row, to: row + 1 });
  });
  return times;
}
