// Ends child programs with this process, also children of worker threads: a worker gets no exit event when the process ends.
import type { ChildProcess } from 'node:child_process';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const KEY = 'insitu children';
/** Far more than ever run at once; what has no room ends by itself. */
const SLOTS = 512;
const HIGHEST_PID = 2 ** 31 - 1;

/** Ids of running programs, in memory that all threads share; 0 where there is none. To be called before a thread is started. */
export function childSlots(): Int32Array {
  const shared = getEnvironmentData(KEY);
  if (shared instanceof SharedArrayBuffer) return new Int32Array(shared);
  const made = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData(KEY, made);
  if (isMainThread) process.on('exit', () => endAll(new Int32Array(made)));
  return new Int32Array(made);
}

/** A program that hangs must not outlive this process, which alone knows when it has had time enough. */
export function endWithUs(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || pid > HIGHEST_PID) return;
  const slots = childSlots();
  const slot = slots.findIndex((_, each) => Atomics.compareExchange(slots, each, 0, pid) === 0);
  if (slot >= 0) child.once('exit', () => Atomics.store(slots, slot, 0));
}

function endAll(slots: Int32Array): void {
  for (const pid of slots)
    try {
      if (pid > 0) process.kill(pid, 'SIGKILL');
    } catch {
      // The process has just ended.
    }
}
