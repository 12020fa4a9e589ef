// Benchmark rows: reading recordings and folding their stacks, beside the JDK's own readers doing the same in the same run.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { ingestInWorker } from '../../server/ingest/in-worker.ts';
import { type BenchRecording, largeRecordings, repeated, samples } from './jfr/recordings.ts';
import { bothSides, type Peer, type Run, type Sides } from './jfr/sides.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const ONE = ['jdk.ExecutionSample'];
const THREE = ['jdk.ExecutionSample', 'jdk.NativeMethodSample', 'jdk.ThreadPark'];

/** Megabytes from which a recording is large. */
const LARGE = 10;

const PEERS: readonly Peer[] = [
  { how: 'file', name: 'JDK 25 RecordingFile' },
  { how: 'stream', name: 'JDK 25 EventStream, filtered' },
];

/** All recordings with one event, the largest sample and two large ones with three; in quick mode the largest sample alone. */
function recordingsFor(events: readonly string[], quick: boolean): BenchRecording[] {
  if (quick) return samples().slice(0, 1);
  const large = largeRecordings();
  return events === ONE ? [...samples(), ...large] : [...samples().slice(0, 1), large[0]!, large.at(-1)!];
}

function assertSame(ours: Run, theirs: Run, name: string): void {
  if (ours.samples !== theirs.samples || ours.nodes !== theirs.nodes) {
    const [left, right] = [ours, theirs].map(({ samples, nodes }) => `${samples} samples in ${nodes} nodes`);
    throw new Error(`${name}: the two readers differ: ${left} here, ${right} there`);
  }
}

/** Speed beside the faster peer's, of which it is to be `factor` times as much. */
function compared(
  { name, megabytes }: BenchRecording,
  milliseconds: number,
  peers: readonly { readonly name: string; readonly milliseconds: number }[],
  factor: number,
): BenchFigure {
  const faster = peers.reduce((best, peer) => (peer.milliseconds < best.milliseconds ? peer : best));
  const speed = (time: number) => (megabytes / time) * 1000;
  return {
    label: `${name.replace(/-[0-9a-f]{12}/, '')}, ${megabytes.toFixed(1)} MB`,
    value: speed(milliseconds),
    unit: 'MB/s',
    peer: { name: faster.name, value: speed(faster.milliseconds) },
    limit: { timesPeer: factor },
  };
}

/** Whole processes, from start to exit: the wait of a user for one recording. */
function coldRow(events: readonly string[], title: string): BenchRow {
  const measure = ({ ours, theirs }: Sides, recording: BenchRecording, times: number): BenchFigure => {
    const our: number[] = [];
    const their = PEERS.map(({ name }) => ({ name, times: [] as number[] }));
    for (let i = 0; i < times; i++) {
      const run = ours(recording.path, 0, events);
      our.push(run.wall);
      PEERS.forEach((peer, at) => {
        const other = theirs(peer, recording.path, 0, events);
        assertSame(run, other, recording.name);
        their[at]!.times.push(other.wall);
      });
    }
    const peers = their.map(peer => ({ name: peer.name, milliseconds: median(peer.times) }));
    return compared(recording, median(our), peers, events === ONE && recording.megabytes > 40 ? 5 : 2);
  };
  return {
    name: `read a recording, cold process, ${title}`,
    run: async ({ quick }) => {
      const sides = await bothSides();
      return recordingsFor(events, quick).map(recording =>
        // One large recording takes long enough to say something.
        measure(sides, recording, quick || recording.megabytes > LARGE ? 1 : 3),
      );
    },
  };
}

/** Below this time nobody notices how much sooner a recording could be read, and the fixed cost of each read weighs more. */
const UNNOTICED_MILLIS = 20;
const UNNOTICED_FACTOR = 3;

/**
 * Processes that fold for some seconds, a JVM for twice as long, since it warms up later (3 s are too few for it in a slow moment): the best fold of each side, and what it then has resident.
 * Where a fold takes little, each side has two such processes, in turns: other work of the machine that falls on one of them counts for no side.
 */
function warmRow(events: readonly string[], title: string, factor: number): BenchRow {
  type Size = { readonly seconds: number; readonly rounds: number };
  const measure = ({ ours, theirs }: Sides, recording: BenchRecording, { seconds, rounds }: Size): BenchFigure[] => {
    const our: Run[] = [];
    const their = PEERS.map(({ name }) => ({ name, runs: [] as Run[] }));
    for (let i = 0; i < rounds; i++) {
      our.push(ours(recording.path, seconds / 2, events));
      PEERS.forEach((peer, at) => {
        const run = theirs(peer, recording.path, seconds, events);
        assertSame(our[i]!, run, recording.name);
        their[at]!.runs.push(run);
      });
    }
    const best = (runs: readonly Run[]) => Math.min(...runs.flatMap(run => run.milliseconds));
    const resident = (runs: readonly Run[]) => median(runs.map(run => run.residentMegabytes));
    const peers = their.map(({ name, runs }) => ({ name, milliseconds: best(runs), resident: resident(runs) }));
    const isUnnoticed = best(our) <= UNNOTICED_MILLIS;
    const speed = compared(recording, best(our), peers, isUnnoticed ? Math.min(factor, UNNOTICED_FACTOR) : factor);
    const leaner = peers.reduce((least, peer) => (peer.resident < least.resident ? peer : least));
    const memory = { name: leaner.name, value: leaner.resident };
    return [speed, { label: `${speed.label}, resident`, value: resident(our), unit: 'MB', peer: memory }];
  };
  return {
    name: `read a recording, warm, best of each, ${title}`,
    run: async ({ quick }) => {
      const sides = await bothSides();
      return recordingsFor(events, quick).flatMap(recording => {
        if (quick) return measure(sides, recording, { seconds: 1, rounds: 1 });
        const size = recording.megabytes > LARGE ? { seconds: 4, rounds: 1 } : { seconds: 6, rounds: 2 };
        return measure(sides, recording, size);
      });
    },
  };
}

/** The samples' chunks again and again, in a process of its own: all metrics, memory bounded by one chunk and the tree. */
const memoryRow: BenchRow = {
  name: 'read a recording of 1 GB (quick: 0.1 GB), all metrics',
  run: async ({ quick }) => {
    const { ours } = await bothSides();
    return withRepeated(quick, recording => {
      const { wall, peakMegabytes } = ours(recording.path, 0, []);
      return [
        { label: 'resident at most', value: peakMegabytes, unit: 'MB', limit: { most: 600 } },
        { label: 'whole process', value: wall / 1000, unit: 's' },
        { label: 'speed', value: (recording.megabytes / wall) * 1000, unit: 'MB/s' },
      ];
    });
  },
};

/** From the cancel to the answer, at several moments of reading a large file. */
const cancelRow: BenchRow = {
  name: 'cancel reading',
  run: ({ quick }) =>
    withRepeated(quick, async recording => {
      const latencies: number[] = [];
      for (const delay of quick ? [60, 120] : [60, 150, 300, 500, 800]) {
        const cancel = new AbortController();
        let cancelled = 0;
        setTimeout(() => {
          cancelled = performance.now();
          cancel.abort();
        }, delay);
        const { profile } = await ingestInWorker(recording.path, { names: 'normalised', signal: cancel.signal });
        if (profile !== null || cancelled === 0) throw new Error('it was read before it could be cancelled');
        latencies.push(performance.now() - cancelled);
      }
      const longest = Math.max(...latencies);
      return [{ label: 'longest', value: longest, unit: 'ms', limit: { most: 100 } }];
    }),
};

async function withRepeated<T>(quick: boolean, body: (recording: BenchRecording) => T | Promise<T>): Promise<T> {
  const recording = repeated(quick ? 100 : 1000, samples());
  try {
    return await body(recording);
  } finally {
    rmSync(dirname(recording.path), { recursive: true });
  }
}

export const rows: readonly BenchRow[] = [
  coldRow(ONE, 'one event'),
  warmRow(ONE, 'one event', 4),
  coldRow(THREE, 'three events'),
  warmRow(THREE, 'three events', 2),
  memoryRow,
  cancelRow,
];
