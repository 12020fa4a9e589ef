// `npm run soak`: a recorder reads recorded chunks a hundred times over; its memory must not grow. With --live, what follows a recorder.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { liveSoak } from './live-soak.ts';
import { residentMiB, scratch, seconds, startRecorder } from './processes.ts';
import { Replay, sampleChunks } from './replay.ts';

const TIMES = 100;
const STEPS_A_SECOND = 5;
const MOST_SLOPE = 0.01;

/** How much the line through the values rises from end to end, as a share of their mean. */
function slopeOf(values: readonly number[]): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const middle = (count - 1) / 2;
  const covariance = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  const spread = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
  return ((covariance / spread) * (count - 1)) / mean;
}

async function soak(): Promise<number> {
  const folder = scratch();
  const chunks = sampleChunks();
  const replay = new Replay(join(folder, 'repository'), chunks, 400_000);
  replay.step();
  const recorder = startRecorder(folder, ['--repository', join(folder, 'repository'), '--interval', '15s']);
  const resident: number[] = [];
  const wanted = TIMES * chunks.length;
  for (let second = 0; replay.finished < wanted; second++) {
    for (let step = 0; step < STEPS_A_SECOND; step++) replay.step();
    await seconds(1);
    resident.push(residentMiB(recorder.pid));
    if (second % 30 === 0) console.log(`${replay.finished} of ${wanted} chunks, ${resident.at(-1)!.toFixed(1)} MiB`);
  }
  await recorder.end();
  const slope = slopeOf(resident.slice(resident.length >> 1));
  const isFlat = slope <= MOST_SLOPE;
  console.log(`${wanted} chunks in ${resident.length} s, ${Math.max(...resident).toFixed(1)} MiB at most`);
  console.log(`slope over the last half: ${(100 * slope).toFixed(2)} % (wanted: at most ${100 * MOST_SLOPE} %)`);
  return isFlat ? 0 : 1;
}

const { live, minutes } = parseArgs({
  options: { live: { type: 'boolean' }, minutes: { type: 'string', default: '20' } },
}).values;

void (live === true ? liveSoak(Number(minutes)) : soak()).then(status => {
  process.exitCode = status;
});
