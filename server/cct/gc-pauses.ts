// The pauses of JVMs: how long the garbage collector stopped all threads.
import { type ProfileBuilder, ROOT_NODE } from './builder.ts';
import type { Metric, Profile } from './profile.ts';

/** Pauses in nanoseconds, and the number of collections as their counts: of no thread, at one node below the root for each kind. */
const PAUSES: Metric = {
  ...{ id: 'gc-pauses', unit: 'nanoseconds', kind: 'exact', events: ['jdk.GarbageCollection'], periodNanos: 0 },
};

/** The begin of a frame's name, before the kind of collections. */
const FRAME = 'pause ';

/** The name of the frame, without a class, below the root: the collector and what it collected for. */
function pauseFrame(collector: string, cause: string): string {
  return `${FRAME}${[collector, cause].filter(text => text !== '').join(', ') || 'of unknown cause'}`;
}

/** `G1New, G1 Evacuation Pause` of a frame of pauses; null for other frames. */
export function pauseOf(frameClass: string, method: string): string | null {
  return frameClass === '' && method.startsWith(FRAME) ? method.slice(FRAME.length) : null;
}

/** Whether a metric is of no method, so that no person chooses it. */
export function isPauses({ id }: Pick<Metric, 'id'>): boolean {
  return id === PAUSES.id;
}

/** All pauses of one collection. */
export type Collection = {
  readonly collector: string;
  readonly cause: string;
  /** 0 where it stopped no thread. */
  readonly nanos: number;
};

export function addCollection(builder: ProfileBuilder, window: number, { collector, cause, nanos }: Collection): void {
  const node = builder.child(ROOT_NODE, builder.methods.method('', pauseFrame(collector, cause), null, 0), 0);
  const thread = builder.threads.thread('', '', false);
  builder.add(builder.metric(PAUSES), node, thread, 0, window, 1, Math.max(0, nanos));
}

/** The collections of one kind. */
export type PausesOfKind = { readonly kind: string; readonly nanos: number; readonly count: number };

/**
 * The pauses by collector and cause, longest first; empty where no collection was recorded.
 * @param chosen one byte a window, 1 = chosen; all when absent
 */
export function pausesOf({ metrics, cells, methods, tree }: Profile, chosen?: Uint8Array): readonly PausesOfKind[] {
  const row = metrics.findIndex(isPauses);
  if (row < 0) return [];
  const { node, window, count, weight } = cells[row]!;
  const sums = new Map<string, { kind: string; nanos: number; count: number }>();
  for (const [cell, nanos] of weight.entries()) {
    if (chosen !== undefined && chosen[window[cell]!] !== 1) continue;
    const method = tree.method[node[cell]!]!;
    const text = (column: Int32Array) => methods.strings[column[method]!]!;
    const kind = pauseOf(text(methods.className), text(methods.name)) ?? '';
    const sum = sums.get(kind) ?? { kind, nanos: 0, count: 0 };
    sums.set(kind, { kind, nanos: sum.nanos + nanos, count: sum.count + count[cell]! });
  }
  return [...sums.values()].sort((a, b) => b.nanos - a.nanos || b.count - a.count || (a.kind < b.kind ? -1 : 1));
}
