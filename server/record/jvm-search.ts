// Looks for JVMs again and again, and spares the processes that it knows.

import { processIds, startTicksOf } from '../base/linux-processes.ts';
import { describeJvm, type Jvm } from './jvms.ts';

/** A JVM that starts is told from other programs only after a while: it becomes one by `exec`, and writes what it tells of itself later. */
const LOOKS_AT_OTHERS = 5;
/** Numbers of processes are given away again: then even what was none is looked at once more. */
const FORGOTTEN_AFTER_MILLIS = 60_000;

type Looked = { readonly jvm: Jvm | null; readonly looks: number };

/** The JVMs of this machine, each time anew. A process that is no JVM costs something only while it is young. */
export class JvmSearch {
  readonly #describe: (pid: number) => Jvm | null;
  readonly #now: () => number;
  #known = new Map<number, Looked>();
  #forgotten: number;

  constructor(describe: (pid: number) => Jvm | null = describeJvm, now: () => number = () => performance.now()) {
    this.#describe = describe;
    this.#now = now;
    this.#forgotten = now();
  }

  /** All JVMs among these processes, by pid. */
  list(pids: readonly number[] = processIds()): Jvm[] {
    if (this.#now() - this.#forgotten >= FORGOTTEN_AFTER_MILLIS) this.#forget();
    const known = new Map<number, Looked>();
    for (const pid of pids) known.set(pid, this.#look(pid, this.#known.get(pid)));
    this.#known = known;
    return [...known.values()].flatMap(({ jvm }) => (jvm === null ? [] : [jvm])).sort((a, b) => a.pid - b.pid);
  }

  #look(pid: number, before: Looked | undefined): Looked {
    const looks = (before?.looks ?? 0) + 1;
    if (before === undefined || looks <= LOOKS_AT_OTHERS) return { jvm: this.#describe(pid), looks };
    if (before.jvm === null) return before;
    // The facts that the JVM tells of itself are all there by now; only whether it still runs may change.
    return startTicksOf(pid) === before.jvm.startTicks ? before : { jvm: this.#describe(pid), looks: 1 };
  }

  #forget(): void {
    this.#forgotten = this.#now();
    this.#known = new Map([...this.#known].filter(([, { jvm }]) => jvm !== null));
  }
}
