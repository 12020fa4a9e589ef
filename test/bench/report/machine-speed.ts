// How fast the machine itself is while a benchmark runs: shared processors change by factors within minutes.
import { readFileSync } from 'node:fs';

/** Two pieces of work that never change, of which every program's time is made. */
export type Speed = {
  /** Nanoseconds of one of many random reads, each of which needs the one before, in a table of 32 MB. */
  readonly readNanos: number;
  /** Nanoseconds of one of many steps of arithmetic, each of which needs the one before. */
  readonly stepNanos: number;
};

const TABLE_LENGTH = 1 << 23;
const READS = 1_000_000;
const STEPS = 20_000_000;
/** Of several tries the best counts: what disturbs one of them is not the machine's. */
const TRIES = 3;

/** Takes about half a second. */
export function measureSpeed(): Speed {
  const table = oneCycle();
  const [reads, steps] = [best(() => follow(table)), best(compute)];
  return { readNanos: (reads * 1e6) / READS, stepNanos: (steps * 1e6) / STEPS };
}

/** A table whose entries, followed from any of them, come by all others in an order that no processor foresees. */
function oneCycle(): Int32Array {
  const table = Int32Array.from({ length: TABLE_LENGTH }, (_, i) => i);
  let seed = 1;
  // Sattolo's algorithm: swaps with smaller places only, which leaves a single cycle.
  for (let i = TABLE_LENGTH - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((seed / 2 ** 32) * i);
    const other = table[j]!;
    table[j] = table[i]!;
    table[i] = other;
  }
  return table;
}

function follow(table: Int32Array): number {
  let at = 0;
  for (let i = 0; i < READS; i++) at = table[at]!;
  return at;
}

function compute(): number {
  let value = 1;
  for (let i = 0; i < STEPS; i++) value = (Math.imul(value, 1_664_525) + 1_013_904_223) | 0;
  return value;
}

function best(work: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const started = performance.now();
    // Used, so that it is not left out.
    if (Number.isNaN(work())) throw new Error('no number came');
    least = Math.min(least, performance.now() - started);
  }
  return least;
}

/** Processor time of the whole machine so far, in clock ticks; null where the system does not tell. */
export type ProcessorTime = { readonly all: number; readonly stolen: number };

export function processorTime(): ProcessorTime | null {
  let text: string;
  try {
    text = readFileSync('/proc/stat', 'utf8');
  } catch {
    return null;
  }
  // user nice system idle iowait irq softirq steal; what guests take counts as the user's.
  const ticks = /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').slice(0, 8).map(Number);
  if (ticks === undefined || ticks.length < 8) return null;
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7]! };
}

/** `random read 55 → 120 ns, step 2.1 → 2.2 ns, 3 % of the processors taken by other machines`, from beginning to end. */
export function speedText(
  speeds: readonly [Speed, Speed],
  times: readonly [ProcessorTime | null, ProcessorTime | null],
) {
  const [first, last] = speeds;
  const [before, after] = times;
  const stolen = before === null || after === null ? null : (after.stolen - before.stolen) / (after.all - before.all);
  return [
    `random read ${first.readNanos.toFixed(0)} → ${last.readNanos.toFixed(0)} ns`,
    `step ${first.stepNanos.toFixed(2)} → ${last.stepNanos.toFixed(2)} ns`,
    ...(stolen === null ? [] : [`${(100 * stolen).toFixed(0)} % of the processors taken by other machines`]),
  ].join(', ');
}
