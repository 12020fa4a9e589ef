// The cost of recording for a JVM that has been running for a while: the CPU time of the same work with and without, in turns.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { TIERS, type Tier, tierSettings } from '../../../server/record/flight-settings.ts';
import type { BenchFigure, BenchRow } from '../row.ts';
import { type Block, type Difference, differenceOf, undisturbed, verdictOf } from './compare-recorded.ts';
import { compiledLoad, scratch } from './processes.ts';
import { type Kind, type Phase, startWorkingJvm, type WorkingJvm } from './working-jvm.ts';

const KINDS: readonly Kind[] = ['recursion', 'locks', 'requests'];
const LIMITS = { base: 0.01, standard: 0.02, full: null } as const;
const LEAST_BUSY = 0.9;
/** The sides that are measured beside no recording: a tier, or no recording either. */
const SIDES = [...TIERS, 'nothing'] as const;
type Side = (typeof SIDES)[number];
/** One round: what has a limit is measured twice as often. */
const ROUND: readonly Side[] = [...SIDES, 'base', 'standard'];

/** How much is measured. */
type Extent = {
  readonly jvms: number;
  /** After so many seconds a JVM begins no more blocks: where others take the machine, there are fewer. */
  readonly seconds: number;
  readonly phaseSeconds: number;
  /** After a recording began or ended, before anything is measured. */
  readonly settleSeconds: number;
  /** At most so much more after it began: the JVM flushes once a second, and phases begin anywhere in one. */
  readonly spreadSeconds: number;
};
const WHOLE: Extent = { jvms: 3, seconds: 90, phaseSeconds: 0.5, settleSeconds: 0.2, spreadSeconds: 1 };
const SMOKE: Extent = { jvms: 1, seconds: 5, phaseSeconds: 0.05, settleSeconds: 0.02, spreadSeconds: 0.05 };

const WARM_UP_PHASES = 12;

type Measured = Block & { readonly side: Side; readonly recorder: number; readonly busy: number };

export const overhead: BenchRow = {
  name: 'CPU time of fixed work, recorded against not recorded',
  async run({ quick, long }) {
    if (long !== true) return [];
    const folder = compiledLoad(scratch());
    const figures: BenchFigure[] = [];
    for (const kind of KINDS) figures.push(...figuresOf(kind, await measure(folder, kind, quick ? SMOKE : WHOLE)));
    return figures;
  },
};

/** All blocks of a workload, of several JVMs, so that no single compilation of a method decides. */
async function measure(folder: string, kind: Kind, extent: Extent): Promise<Measured[]> {
  const settings = new Map(TIERS.map(tier => [tier, join(folder, `${tier}.jfc`)]));
  for (const [tier, file] of settings) writeFileSync(file, tierSettings(tier).text);
  const blocks: Measured[] = [];
  for (let number = 0; number < extent.jvms; number++) {
    const until = performance.now() + extent.seconds * 1000;
    const jvm = await startWorkingJvm(folder, kind, Math.max(...TIERS.map(tier => tierSettings(tier).depth)));
    try {
      const units = await unitsOf(jvm, extent.phaseSeconds);
      // The first round warms up what recording and its absence need: it counts for nothing.
      for (let round = 0; performance.now() < until; round++) {
        for (const side of shuffled(round === 0 ? SIDES : ROUND)) {
          if (performance.now() >= until) break;
          const block = await blockOf(jvm, side, settings.get(side as Tier), units, extent);
          if (round > 0) blocks.push(block);
        }
      }
    } finally {
      jvm.end();
    }
  }
  return blocks;
}

/** Warms up and finds how much work keeps all cores busy for a phase. */
async function unitsOf(jvm: WorkingJvm, phaseSeconds: number): Promise<number> {
  const wanted = phaseSeconds * availableParallelism();
  let units = 50;
  for (let phase = 0; phase < WARM_UP_PHASES; phase++) {
    const { cpu } = await jvm.work(units);
    units = Math.max(1, Math.round(units * Math.min(4, wanted / cpu)));
  }
  return units;
}

/** Plain, measured, measured, plain. The recording starts and stops outside of what is measured, at a random moment of its second. */
async function blockOf(
  jvm: WorkingJvm,
  side: Side,
  settings: string | undefined,
  units: number,
  { phaseSeconds, settleSeconds, spreadSeconds }: Extent,
): Promise<Measured> {
  const settle = (seconds: number) => jvm.work(Math.max(1, Math.round((units * seconds) / phaseSeconds)));
  const before = await jvm.work(units);
  if (settings !== undefined) await jvm.startRecording(settings);
  await settle(settleSeconds + Math.random() * spreadSeconds);
  const measured = [await jvm.work(units), await jvm.work(units)] as const;
  if (settings !== undefined) await jvm.stopRecording();
  await settle(settleSeconds);
  const after = await jvm.work(units);
  const cpu = measured[0].cpu + measured[1].cpu;
  const idle = measured[0].idle + measured[1].idle;
  return {
    side,
    plain: [unrecorded(before), unrecorded(after)],
    measured:
      settings === undefined ? [unrecorded(measured[0]), unrecorded(measured[1])] : [measured[0].cpu, measured[1].cpu],
    recorder: (measured[0].recorder + measured[1].recorder) / cpu,
    // Of the time that was to be had: what others on the machine take says nothing of the work.
    busy: cpu / (cpu + idle),
  };
}

/** Where it once recorded, a JVM's recorder keeps looking whether there is something to do; one that never did has no such thread. */
function unrecorded({ cpu, recorder }: Phase): number {
  return cpu - recorder;
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map(value => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}

function figuresOf(kind: Kind, all: readonly Measured[]): BenchFigure[] {
  const kept = undisturbed(all);
  const count = { label: `${kind}, blocks that count`, value: kept.length, unit: `of ${all.length}` };
  if (all.length === 0) return [count];
  const busy = Math.min(...all.map(block => block.busy));
  const of = (side: Side) => kept.filter(block => block.side === side);
  const same = differenceOf(of('nothing'));
  return [
    { label: `${kind}, cores busy at least`, value: 100 * busy, unit: '%', limit: { least: 100 * LEAST_BUSY } },
    count,
    ...(same.blocks > 0
      ? [{ label: `${kind}, nothing against nothing`, value: 100 * same.mean, unit: inWords(same) }]
      : []),
    ...TIERS.filter(tier => of(tier).length > 0).flatMap(tier => {
      const recorder = of(tier).reduce((sum, block) => sum + block.recorder, 0) / of(tier).length;
      return [
        judged(`${kind}, ${tier}`, differenceOf(of(tier)), LIMITS[tier]),
        { label: `${kind}, ${tier}: the recorder's own threads`, value: 100 * recorder, unit: '%' },
      ];
    }),
  ];
}

function judged(label: string, difference: Difference, limit: number | null): BenchFigure {
  const figure = { label, value: 100 * difference.mean, unit: inWords(difference) };
  if (limit === null) return figure;
  const verdict = verdictOf(difference, limit);
  const isMet = verdict === 'not resolvable here' ? null : verdict.startsWith('below');
  return { ...figure, limit: { words: `≤ ${100 * limit} %: ${verdict}`, isMet } };
}

function inWords({ from, to }: Difference): string {
  return `% (${(100 * from).toFixed(2)} to ${(100 * to).toFixed(2)})`;
}
