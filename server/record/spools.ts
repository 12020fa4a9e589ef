// All spools of a recorder: takes up what waits in them, and tells what is left in them at the end.

import { mkdirSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { bootId, startTicksOf } from '../base/linux-processes.ts';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import { lockHolder, releaseLock, takeLock } from '../base/process-lock.ts';
import { contentHash } from '../store/encoded.ts';
import { endOpenWindows, keepPosition } from './abandoned-windows.ts';
import type { Jvm } from './jvms.ts';
import type { Redaction } from './redact.ts';
import { Spool, type Spooled, type SpoolNote } from './spool.ts';

type SpoolsOptions = {
  readonly root: string;
  /** Folders of chunk files that are followed. */
  readonly repositories: readonly string[];
  readonly redaction: Redaction;
  readonly report: (problems: readonly Problem[]) => void;
  /** Whether a window is on its way already. */
  readonly isSent: (window: Spooled) => boolean;
  /** Takes a window that has ended. */
  readonly upload: (spool: Spool, window: Spooled) => void;
};

export class Spools {
  readonly #options: SpoolsOptions;
  readonly #boot = bootId().slice(0, 8);
  /** The spools of JVMs that run and are not followed: an earlier recorder may have left windows of them. */
  readonly #left = new Set<string>();
  /** One is taken up after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(options: SpoolsOptions) {
    this.#options = options;
  }

  /** Takes the folder for this process; the number of the process that has it. Raises what the system says when that fails. */
  lock(): number | null {
    const { root } = this.#options;
    mkdirSync(root, { recursive: true, mode: 0o700 });
    return takeLock(this.#lockFile());
  }

  unlock(): void {
    for (const name of this.#names()) this.of(name).removeIfEmpty();
    this.unlockFailed();
  }

  /** Of a recorder that could not begin: takes away its own lock, and nothing else. */
  unlockFailed(): void {
    releaseLock(this.#lockFile());
  }

  idOf({ pid, startTicks }: Jvm): string {
    return `${this.#boot}-${pid}-${startTicks}`;
  }

  /** The spool of a JVM or folder, which is made where there is none. */
  of(id: string): Spool {
    return new Spool(this.#options.root, id);
  }

  /** The one of this JVM or folder is in use from now on. */
  taken(id: string): void {
    this.#left.delete(id);
  }

  /** Windows that wait, of whatever JVM; open ones of JVMs that are gone, and of folders that are not named now. */
  async takeUp(): Promise<void> {
    for (const name of this.#names()) this.#begin(name, false);
    await this.#work;
  }

  /** All that is there: nothing is followed any more. */
  async takeUpAll(): Promise<void> {
    for (const name of this.#names()) this.#begin(name, true);
    await this.#work;
  }

  /** Takes up the windows of JVMs that have ended since. */
  takeUpEnded(isInUse: (id: string) => boolean): void {
    for (const name of this.#left) {
      if (isInUse(name) || this.#isGone(name) === false) continue;
      this.#left.delete(name);
      this.#begin(name, false);
    }
  }

  /** Closes open windows that no recorder goes on with, and sends them. `isForGood`: no recorder reads behind them. */
  async end(spool: Spool, isOver: (note: SpoolNote) => boolean, isForGood: boolean): Promise<void> {
    const { redaction, report, upload } = this.#options;
    const { closed, problems } = await endOpenWindows(spool, { isOver, isForGood, redaction });
    report(problems);
    for (const spooled of closed) upload(spool, spooled);
  }

  /** How many windows are left, and one that cannot even be read. */
  left(): { readonly windows: number; readonly broken: string | null } {
    const left = this.#names().flatMap(name => this.of(name).left());
    const broken = left.find(({ isReadable }) => !isReadable);
    return {
      windows: left.length,
      broken: broken === undefined ? null : relative(this.#options.root, broken.path),
    };
  }

  #lockFile(): string {
    return lockOf(this.#options.root);
  }

  #names(): string[] {
    const entries = readdirSync(this.#options.root, { withFileTypes: true });
    return entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
  }

  /** Whether the process of a spool is gone; null for the spool of a folder. */
  #isGone(name: string): boolean | null {
    const [, boot, pid, ticks] = /^([0-9a-f]*)-(\d+)-(\d+)$/.exec(name) ?? [];
    return boot === undefined ? null : boot !== this.#boot || startTicksOf(Number(pid)) !== Number(ticks);
  }

  #isNamed(name: string): boolean {
    return this.#options.repositories.some(folder => repositoryId(resolve(folder)) === name);
  }

  #begin(name: string, isLast: boolean): void {
    this.#work = this.#work.then(() => this.#take(name, isLast)).catch(error => this.#fail(name, error));
  }

  async #take(name: string, isLast: boolean): Promise<void> {
    const { upload, isSent } = this.#options;
    const spool = this.of(name);
    const isGone = this.#isGone(name);
    const waiting = spool.list().filter(window => !window.isOpen && !isSent(window));
    // On a full disk these make room; the last one's note may be all that tells where reading goes on.
    for (const spooled of waiting.slice(0, -1)) upload(spool, spooled);
    if (isGone !== true && waiting.length > 0) keepPosition(spool);
    for (const spooled of waiting.slice(-1)) upload(spool, spooled);
    if (isGone === false && !isLast) this.#left.add(name);
    const isUnnamed = isGone === null && !this.#isNamed(name);
    if (isLast || isGone === true || isUnnamed) await this.end(spool, () => true, isGone === true);
  }

  #fail(name: string, error: unknown): void {
    const message = `windows that wait cannot be taken up: ${messageOf(error)}`;
    const remedy = 'make room there; it is tried again by the next recorder';
    this.#options.report([{ severity: 'error', message, file: join(this.#options.root, name), remedy }]);
  }
}

/** Whether no recorder uses this folder of spools; a folder whose lock may not be read is not free. */
export function isFreeSpool(root: string): boolean {
  try {
    return lockHolder(lockOf(root)) === null;
  } catch {
    return false;
  }
}

function lockOf(root: string): string {
  return join(root, 'lock');
}

/** The name of the spool of a folder of chunk files. */
export function repositoryId(folder: string): string {
  return `repository-${contentHash(Buffer.from(folder))}`;
}
