// How fast the machine itself is while a benchmark runs: machines differ by factors, and shared processors change within minutes.
import { readFileSync } from 'node:fs';

/** Processor time of one of many equal pieces of three fixed works, in nanoseconds: the time of every program is made of such pieces. */
export type Speed = {
  /** A random read, which needs the one before, in a table of 32 MB. */
  readonly read: number;
  /** A step of arithmetic, which needs the one before. */
  readonly step: number;
  /** A number of the table of which a hash is made, in its order. */
  readonly hash: number;
  /** Share of the passing time in which the works had a processor: of a machine on which nothing else runs it is 1. */
  readonly share: number;
};

/** The machine that limits in times and rates are meant for: one on which tree-sitter reads 17.6 MB/s of Java. */
export const REFERENCE: Speed = { read: 120, step: 0.97, hash: 0.49, share: 1 };

/** Speeds whose factors differ by more than this do not tell how fast the machine was in between. */
const STEADY = 1.15;
/** Below this share of a processor other programs held the work up, which the factor does not tell. */
const CALM = 0.9;

const TABLE_LENGTH = 1 << 23;
// Systems count a thread's processor time in steps of up to 4 ms: each work takes some 100 ms.
const READS = 1_000_000;
const STEPS = 100_000_000;
const HASHES = 16;
/** Of several tries the best counts: what disturbs one of them is not the machine's. */
const TRIES = 3;

/** Measures the reference work, in about two seconds of a processor. */
export function measureSpeed(): Speed {
  const table = oneCycle();
  const [started, before] = [performance.now(), threadMillis()];
  const works = {
    read: best(READS, () => follow(table)),
    step: best(STEPS, compute),
    hash: best(HASHES * TABLE_LENGTH, () => hash(table)),
  };
  return { ...works, share: (threadMillis() - before) / (performance.now() - started) };
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

/** FNV-1a over whole numbers, in four lanes, so that memory and not one multiplication after the other sets the pace. */
function hash(table: Int32Array): number {
  const prime = 0x01000193;
  let [a, b, c, d] = [1, 2, 3, 4];
  for (let round = 0; round < HASHES; round++) {
    for (let i = 0; i < TABLE_LENGTH; i += 4) {
      a = Math.imul(a ^ table[i]!, prime);
      b = Math.imul(b ^ table[i + 1]!, prime);
      c = Math.imul(c ^ table[i + 2]!, prime);
      d = Math.imul(d ^ table[i + 3]!, prime);
    }
  }
  return a ^ b ^ c ^ d;
}

/** Nanoseconds of one of `pieces` equal pieces of the work. */
function best(pieces: number, work: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const before = threadMillis();
    // Used, so that it is not left out.
    if (Number.isNaN(work())) throw new Error('no number came');
    least = Math.min(least, threadMillis() - before);
  }
  return (least * 1e6) / pieces;
}

function threadMillis(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** How many times as long the machine takes as the reference machine: the geometric mean over the works and both moments. */
export function machineFactor(...speeds: readonly Speed[]): number {
  const ratios = speeds.flatMap(({ read, step, hash }) => [
    read / REFERENCE.read,
    step / REFERENCE.step,
    hash / REFERENCE.hash,
  ]);
  return Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
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

/** The machine's speed in a run, from its beginning to its end. */
export type MachineSpeed = {
  readonly first: Speed;
  readonly last: Speed;
  readonly reference: Speed;
  /** Factor of the whole run; see `machineFactor`. */
  readonly factor: number;
  /** Share of the processors that other machines took; null where the system does not tell. */
  readonly stolen: number | null;
};

/** Measures the reference work now, and once more at the end of the run. */
export function watchSpeed(): () => MachineSpeed {
  const [first, before] = [measureSpeed(), processorTime()];
  return () => {
    const [after, last] = [processorTime(), measureSpeed()];
    const stolen = before === null || after === null ? null : (after.stolen - before.stolen) / (after.all - before.all);
    return { first, last, reference: REFERENCE, factor: machineFactor(first, last), stolen };
  };
}

/** The lines above a table. */
export function speedText({ first, last, reference, factor, stolen }: MachineSpeed): string {
  const part = (name: string, of: keyof Speed) =>
    `${name} ${amounts(first[of])} → ${amounts(last[of])} ns (${amounts(reference[of])})`;
  const works = [part('random read', 'read'), part('step', 'step'), part('hash of a number', 'hash')].join(', ');
  const change = machineFactor(last) / machineFactor(first);
  const by = Math.max(change, 1 / change);
  const inPercent = (share: number) => `${(100 * share).toFixed(0)} %`;
  const troubles = [
    ...(by <= STEADY
      ? []
      : [`it became ${change > 1 ? 'slower' : 'faster'} meanwhile, by a factor of ${by.toFixed(2)}`]),
    ...(Math.min(first.share, last.share) >= CALM
      ? []
      : [`the work had a processor for ${inPercent(first.share)} → ${inPercent(last.share)} of the time`]),
  ];
  return [
    `Reference work, first → last (reference machine): ${works}`,
    `Factor ${factor.toFixed(2)}: this machine takes so many times as long as the reference machine; limits in times and rates are compared after dividing by it`,
    ...(troubles.length === 0 ? [] : [`Run it again when the machine is calm: ${troubles.join(', ')}`]),
    ...(stolen === null ? [] : [`${inPercent(stolen)} of the processors taken by other machines`]),
  ].join('\n');
}

function amounts(nanos: number): string {
  return nanos >= 10 ? nanos.toFixed(0) : nanos.toFixed(2);
}
