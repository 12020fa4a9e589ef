// The cost of recording: the memory and time of the recorder and of the JVMs that it records.
import { join } from 'node:path';
import { bucketHint, liveHint } from './record/live-hint.ts';
import { overhead } from './record/overhead.ts';
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
import type { BenchRow } from './row.ts';

const MOST_MIB = 110;
const MOST_CORE_PERCENT = 1;
const MOST_MIB_PER_JVM = 3;
const REAL_JVMS = 20;
const REPLAYED = 180;

const oneBusyJvm: BenchRow = {
  name: 'recorder beside one busy JVM',
  async run({ quick }) {
    const folder = scratch();
    const jvm = start('java', ['-cp', compiledLoad(folder), 'Load', 'recursion', 'forever'], folder);
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
      { label: 'resident', value: resident, unit: 'MiB', limit: { most: MOST_MIB } },
      {
        label: 'of a core',
        value: percent,
        unit: '%',
        limit: { most: MOST_CORE_PERCENT },
        isWork: true,
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
    return [
      { label: 'one', value: alone, unit: 'MiB' },
      { label: 'each more', value: each, unit: 'MiB', limit: { most: MOST_MIB_PER_JVM } },
    ];
  },
};

export const rows: readonly BenchRow[] = [oneBusyJvm, liveHint, bucketHint, manyJvms, overhead];
