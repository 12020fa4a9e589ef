// How many processors a process may use, as Linux tells.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { procText } from '../base/linux-processes.ts';

const CONTROL_GROUPS = '/sys/fs/cgroup';

/**
 * The processors that the scheduler may put it on, within the limits of its control groups (version 2), which may be parts of one. null
 * where the system does not tell.
 */
export function usableProcessors(pid: number): number | null {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(procText(pid, 'status') ?? '')?.[1];
  if (list === undefined) return null;
  const group = /^0::(\/.*)$/m.exec(procText(pid, 'cgroup') ?? '')?.[1] ?? '/';
  return Math.min(processorsIn(list), quotaOf(group));
}

/** How many a process may use, also when it has ended and the system does not tell any more. */
export class KnownProcessors {
  readonly #pid: number;
  #latest: number | null = null;

  constructor(pid: number) {
    this.#pid = pid;
  }

  now(): number | null {
    this.#latest = usableProcessors(this.#pid) ?? this.#latest;
    return this.#latest;
  }
}

/** `0-3,8`: five. */
function processorsIn(list: string): number {
  return list.split(',').reduce((sum, part) => {
    const [first, last] = part.split('-').map(Number);
    return sum + (last ?? first!) - first! + 1;
  }, 0);
}

/** The least quota of a group and of the groups around it; none for a group that this process does not see. */
function quotaOf(group: string): number {
  let least = Number.POSITIVE_INFINITY;
  if (group.split('/').includes('..')) return least;
  for (let at = group; at !== '/'; at = dirname(at)) {
    const [, quota, period] = /^(\d+) (\d+)/.exec(limitOf(at)) ?? [];
    if (quota !== undefined) least = Math.min(least, Number(quota) / Number(period));
  }
  return least;
}

function limitOf(group: string): string {
  try {
    return readFileSync(join(CONTROL_GROUPS, group, 'cpu.max'), 'utf8');
  } catch {
    return '';
  }
}
