// The reading benchmark's own side, run as a process: folds a recording and prints what FoldPeer.java prints.
import { ingestFile } from '../../../server/ingest/read.ts';

/** `fold RECORDING SECONDS EVENT…` prints `samples nodes nanoseconds… megabytes megabytes`, one duration a fold, then resident memory now and at most; the first fold is cold. */
async function fold(): Promise<void> {
  const [recording, seconds, ...events] = process.argv.slice(2);
  // As the peer's clock, in nanoseconds.
  const now = process.hrtime.bigint;
  const end = now() + BigInt(Math.round(Number(seconds) * 1e9));
  const times: number[] = [];
  let samples = 0;
  let nodes = 0;
  do {
    const started = now();
    const { profile } = await ingestFile(recording!, { names: 'raw', events });
    times.push(Number(now() - started));
    if (profile === null) throw new Error(`${recording} cannot be read`);
    samples = profile.cells.reduce((sum, cells) => sum + cells.count.reduce((all, count) => all + count, 0), 0);
    nodes = profile.tree.length - 1;
  } while (now() < end);
  // The peak is in units of 1,024 bytes.
  const peak = process.resourceUsage().maxRSS * 1024;
  const resident = [process.memoryUsage.rss(), peak].map(bytes => Math.round(bytes / 1e6));
  console.log(samples, nodes, ...times, ...resident);
}

void fold();
