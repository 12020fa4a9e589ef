// Threads of dumps for tests.
import type { DumpedThread } from '../../../server/ingest/threads/dumped-thread.ts';

/** A thread of which a dump tells nothing but what is given. */
export function dumpedThread(given: Partial<DumpedThread>): DumpedThread {
  return {
    name: 'worker',
    group: '',
    virtual: false,
    java: true,
    state: 'RUNNABLE',
    priority: null,
    osPriority: null,
    cpuMillis: null,
    elapsedMillis: null,
    condition: null,
    id: '',
    frames: [{ className: 'app.Spin', method: 'run', line: 1 }],
    truncated: false,
    locks: [],
    ...given,
  };
}
