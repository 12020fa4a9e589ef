// Measures how thread dumps are read: speed and memory, with many threads of deep stacks.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from './row.ts';

const THREADS = 5000;
const FRAMES = 500;
/** Stacks are alike at the root and differ further in, as those of one server's threads. */
const SHARED = FRAMES / 2;
const KINDS = 97;

function frameLine(depth: number, thread: number): string {
  const method = depth < SHARED ? depth : (depth * 31 + (thread % KINDS) * 7) % 400;
  return `\tat com.acme.m${method % 37}.Handler${method}.run${method % 11}(Handler${method}.java:${20 + method})\n`;
}

function threadText(thread: number, second: number): string {
  const id = thread.toString(16).padStart(4, '0');
  const times = `cpu=${second * 10 + (thread % 7)}.00ms elapsed=${second + 5}.00s`;
  const heading = `"worker-${thread}" #${thread + 10} prio=5 os_prio=0 ${times} tid=0x7f00${id} nid=0x${id}`;
  const state = thread % 5 === 0 ? ['runnable', 'RUNNABLE'] : ['waiting on condition', 'WAITING (parking)'];
  const frames = Array.from({ length: FRAMES }, (_, at) => frameLine(FRAMES - 1 - at, thread)).join('');
  return `${heading} ${state[0]}  [0x0]\n   java.lang.Thread.State: ${state[1]}\n${frames}\n`;
}

function writeDumps(path: string, dumps: number): void {
  const file = openSync(path, 'w');
  for (let second = 0; second < dumps; second++) {
    writeSync(
      file,
      `2026-11-20 10:00:${String(second).padStart(2, '0')}\nFull thread dump OpenJDK 64-Bit Server VM:\n\n`,
    );
    for (let thread = 0; thread < THREADS; thread++) writeSync(file, threadText(thread, second));
  }
  closeSync(file);
}

const readRow: BenchRow = {
  name: `read thread dumps of ${THREADS} threads, ${FRAMES} frames each`,
  run: async ({ quick, long = false }) => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-dumps-'));
    try {
      const path = join(folder, 'dumps.txt');
      const dumps = quick ? 1 : long ? 20 : 3;
      writeDumps(path, dumps);
      const megabytes = statSync(path).size / 1e6;
      const program = fileURLToPath(new URL('./jfr/fold.ts', import.meta.url));
      const printed = execFileSync(process.execPath, [program, path, '0'], { encoding: 'utf8' });
      const [samples, , nanos, , most] = printed.split(' ').map(Number) as [number, number, number, number, number];
      if (samples < dumps * THREADS) throw new Error(`${samples} samples of ${dumps * THREADS} threads`);
      const speed = (megabytes * 1e9) / nanos;
      return [
        { label: `${dumps} dumps`, value: speed, unit: 'MB/s', limit: { least: 20 } },
        { label: 'resident at most', value: most, unit: 'MB', limit: { most: 600 } },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

export const rows: readonly BenchRow[] = [readRow];
