// What recording costs: the recorder's own memory and time, and that of the JVMs that it records.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsText, TIERS } from '../../server/record/flight-settings.ts';
import { differenceOf, verdictOf } from './record/compare.ts';
import { liveHint } from './record/live-hint.ts';
import {
  compiledLoad,
  cpuSeconds,
  type Running,
  residentMiB,
  scratch,
  seconds,
  start,
  startRecorder,
  untilSpooled,
} from './record/processes.ts';
import { Replay, sampleChunks } from './record/replay.ts';
import type { BenchFigure, BenchRow } from './row.ts';

const MOST_MIB = 110;
const MOST_CORE_PERCENT = 1;
const MOST_MIB_PER_JVM = 3;
const LIMITS = { base: 0.01, standard: 0.02, full: null } as const;
const PAIRS = 20;
/** Units of work that take some two seconds on one machine of 2026. */
const WORK = { recursion: 2000, locks: 12_000, requests: 16_000 } as const;
const REAL_JVMS = 20;
const REPLAYED = 180;

const oneBusyJvm: BenchRow = {
  name: 'recorder beside one busy JVM',
  async run({ quick }) {
    const folder = scratch();
    const jvm = start('java', ['-cp', compiledLoad(folder), 'Load', 'recursion', '100000000', 'none'], folder);
    const recorder = startRecorder(folder, ['--pid', String(jvm.pid), '--interval', '10m']);
    await untilSpooled(folder, 1);
    await seconds(quick ? 1 : 20);
    const [before, span] = [cpuSeconds(recorder.pid), quick ? 4 : 60];
    await seconds(span);
    const percent = (100 * (cpuSeconds(recorder.pid) - before)) / span;
    const resident = residentMiB(recorder.pid);
    await recorder.end();
    await jvm.end('SIGKILL');
    return [
      { label: 'resident', value: resident, unit: 'MiB', wanted: `≤ ${MOST_MIB} MiB`, ok: resident <= MOST_MIB },
      {
        label: 'of a core',
        value: percent,
        unit: '%',
        wanted: `≤ ${MOST_CORE_PERCENT} %`,
        ok: percent <= MOST_CORE_PERCENT,
      },
    ];
  },
};

const manyJvms: BenchRow = {
  name: `${REAL_JVMS} JVMs and ${REPLAYED} replayed repositories`,
  async run({ long }) {
    if (long !== true) return [];
    const folder = scratch();
    const classes = compiledLoad(folder);
    const chunks = sampleChunks();
    const repositories = Array.from({ length: REPLAYED }, (_, i) => new Replay(join(folder, `r${i}`), chunks, 40_000));
    for (const repository of repositories) repository.step();
    const one = startRecorder(join(folder), ['--repository', join(folder, 'r0'), '--interval', '1m']);
    await seconds(40);
    const alone = residentMiB(one.pid);
    await one.end();
    const idle = ['-Xmx32m', '-XX:+UseSerialGC', '-cp', classes, 'Load', 'idle'];
    const jvms: Running[] = Array.from({ length: REAL_JVMS }, () => start('java', idle, folder));
    const names = repositories.flatMap((_, i) => ['--repository', join(folder, `r${i}`)]);
    const recorder = startRecorder(folder, [...names, '--main', '^Load', '--interval', '1m']);
    for (let second = 0; second < 150; second++) {
      for (const repository of repositories) repository.step();
      await seconds(1);
    }
    await untilSpooled(folder, REAL_JVMS + REPLAYED);
    const each = (residentMiB(recorder.pid) - alone) / (REAL_JVMS + REPLAYED - 1);
    await recorder.end();
    for (const jvm of jvms) await jvm.end('SIGKILL');
    const wanted = `≤ ${MOST_MIB_PER_JVM} MiB`;
    return [
      { label: 'one', value: alone, unit: 'MiB' },
      { label: 'each more', value: each, unit: 'MiB', wanted, ok: each <= MOST_MIB_PER_JVM },
    ];
  },
};

/** CPU seconds of one run, and how busy it kept the machine. */
function oneRun(folder: string, kind: keyof typeof WORK, settings: string): { cpu: number; busy: number } {
  const args = ['-cp', folder, '-Xmx512m', 'Load', kind, String(WORK[kind]), settings];
  const [cpu, wall, cores] = execFileSync('java', args, { encoding: 'utf8' }).trim().split(' ').map(Number);
  return { cpu: cpu! / 1e9, busy: cpu! / (wall! * cores!) };
}

const overhead: BenchRow = {
  name: 'CPU time of fixed work, recorded against not recorded',
  async run({ long }) {
    if (long !== true) return [];
    const folder = compiledLoad(scratch());
    const files = TIERS.map(tier => {
      const file = join(folder, `${tier}.jfc`);
      writeFileSync(file, settingsText(tier));
      return { tier, file };
    });
    const figures: BenchFigure[] = [];
    for (const kind of ['recursion', 'locks', 'requests'] as const) {
      const plain: number[] = [];
      const control: number[] = [];
      const recorded = new Map(TIERS.map(tier => [tier, [] as number[]]));
      let busy = 1;
      for (let pair = 0; pair < PAIRS; pair++) {
        const run = oneRun(folder, kind, 'none');
        busy = Math.min(busy, run.busy);
        plain.push(run.cpu);
        // Each goes first as often as the others, so that what drifts meets all alike.
        const order = [null, ...files];
        for (let i = 0; i < order.length; i++) {
          const each = order[(i + pair) % order.length]!;
          if (each === null) control.push(oneRun(folder, kind, 'none').cpu);
          else recorded.get(each.tier)!.push(oneRun(folder, kind, each.file).cpu);
        }
      }
      const same = differenceOf(plain, control);
      figures.push({
        label: `${kind}, nothing against nothing`,
        value: 100 * same.mean,
        unit: `% (${interval(same)})`,
      });
      figures.push({
        label: `${kind}, cores busy at least`,
        value: 100 * busy,
        unit: '%',
        wanted: '≥ 90 %',
        ok: busy >= 0.9,
      });
      for (const tier of TIERS) {
        const difference = differenceOf(plain, recorded.get(tier)!);
        const limit = LIMITS[tier];
        const unit = `% (${interval(difference)})`;
        if (limit === null) figures.push({ label: `${kind}, ${tier}`, value: 100 * difference.mean, unit });
        else {
          const verdict = verdictOf(difference, limit);
          const wanted = `≤ ${100 * limit} %: ${verdict}`;
          const isSaid = verdict !== 'not resolvable here';
          figures.push({
            label: `${kind}, ${tier}`,
            value: 100 * difference.mean,
            unit,
            wanted,
            ...(isSaid ? { ok: verdict.startsWith('below') } : {}),
          });
        }
      }
    }
    return figures;
  },
};

function interval({ from, to }: { from: number; to: number }): string {
  return `${(100 * from).toFixed(2)} to ${(100 * to).toFixed(2)}`;
}

export const rows: readonly BenchRow[] = [oneBusyJvm, liveHint, manyJvms, overhead];
