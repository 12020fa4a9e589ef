// How crowded the machine is: how many processes share a processor.
import { readFileSync } from 'node:fs';
import { availableParallelism, freemem, loadavg } from 'node:os';

/** Processes that run or want to, for each processor: the mean of the last minute, or the number of this moment if that is more. */
export function crowd(): number {
  return Math.max(loadavg()[0]!, running()) / availableParallelism();
}

/** The number that Linux tells at this moment; 0 on other systems. */
export function running(): number {
  return Number(/^\S+ \S+ \S+ (\d+)\//.exec(contentOf('/proc/loadavg'))?.[1] ?? 0);
}

/** Memory that programs can have without anything else being given up, in bytes. */
export function availableBytes(): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(contentOf('/proc/meminfo'))?.[1];
  return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
