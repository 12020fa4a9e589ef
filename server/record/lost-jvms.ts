// Tells of JVMs that cannot be recorded any more: JVMs that ended too early, and named processes that are not there.

import { startTicksOf } from '../base/linux-processes.ts';
import type { Problem } from '../base/problem.ts';
import { OWN_RECORDING } from './followed.ts';
import { ABSENT, type Jvm } from './jvms.ts';

const LISTED = 'insitu doctor lists the JVMs that this user can record';
const UNSEEN = 'it ended before it could be looked at';
const LOST = 'it ended before it could be recorded';

export class LostJvms {
  readonly #named: readonly number[];
  readonly #tell: (problems: readonly Problem[]) => void;
  /** Processes of which something was recorded, processes that ended after that, and processes of which nothing can be recorded any more. */
  readonly #recorded = new Set<number>();
  readonly #left = new Set<number>();
  readonly #lost = new Set<number>();

  /** `named`: the processes that are wanted by their number. */
  constructor(named: readonly number[], tell: (problems: readonly Problem[]) => void) {
    this.#named = named;
    this.#tell = tell;
  }

  /** Something of the process is recorded; 0 for a folder without its JVM. */
  recorded(pid: number): void {
    this.#recorded.add(pid);
  }

  /** A recorded JVM has ended, and its last window is handed over. */
  left(pid: number): void {
    this.#left.add(pid);
  }

  /** The JVM is gone, and nothing of it could be recorded. */
  lose({ pid, name }: Jvm): void {
    this.#lost.add(pid);
    const severity = this.#named.includes(pid) ? 'error' : 'warning';
    this.#tell([{ severity, message: LOST, file: `JVM ${pid} (${name})`, remedy: OWN_RECORDING }]);
  }

  /** The JVM was gone before its name was known. */
  loseUnseen(pid: number): void {
    this.#tell([{ severity: 'warning', message: UNSEEN, file: `JVM ${pid}`, remedy: OWN_RECORDING }]);
  }

  /** Tells which of the named processes are not there. */
  tellAbsent(): void {
    for (const pid of this.#named) {
      if (this.#recorded.has(pid) || this.#lost.has(pid) || startTicksOf(pid) !== null) continue;
      this.#lost.add(pid);
      this.#tell([{ severity: 'error', message: ABSENT, file: `process ${pid}`, remedy: LISTED }]);
    }
  }

  /** Whether nothing can come any more: all named processes are gone. */
  get isOver(): boolean {
    return this.#named.length > 0 && this.#named.every(pid => this.#lost.has(pid) || this.#left.has(pid));
  }

  /** Whether that is so, and none was recorded. */
  get isInVain(): boolean {
    return this.#named.length > 0 && this.#recorded.size === 0 && this.#named.every(pid => this.#lost.has(pid));
  }
}
