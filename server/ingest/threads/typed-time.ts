// The time types of the threads of a dump: they run, wait for a processor, for a lock, or for something else.
import type { TimeType } from '../../model/time-types.ts';
import { ownCopy } from '../text-lines.ts';
import type { DumpedFrame, DumpedLock, DumpedThread } from './dumped-thread.ts';

/** The facts about the machine that a dump does not tell; null where they are not known. */
export type Machine = {
  readonly processors: number | null;
  /** Whether the operating system obeys the priorities of the JVM's threads. */
  readonly priorities: 'obeyed' | 'ignored' | null;
};

/** The parts of a thread that tell how it spends its time. All threads of a dump are held, so that frames and texts are left out. */
export type TimedThread = Pick<
  DumpedThread,
  'state' | 'priority' | 'osPriority' | 'cpuMillis' | 'elapsedMillis' | 'id'
> & {
  /** Whether the thread has a processor or wants one. */
  readonly wantsProcessor: boolean;
  readonly locks: readonly Pick<DumpedLock, 'kind' | 'of' | 'id'>[];
};

export type TypedPart = {
  readonly type: TimeType;
  /** Part of the thread's time, or of what of it is not measured, 0 < share ≤ 1; the parts of a thread add up to 1. */
  readonly share: number;
  /** Place among the dump's threads of the one that holds the lock; −1 where there is none, or it is not known. */
  readonly holder: number;
  /** Whether the share follows from the number of processors. */
  readonly isEstimated?: true;
};

/** Native methods in which a thread is RUNNABLE by its state, and waits: for data, for a connection, for work. */
const WAITING_NATIVES: readonly RegExp[] = [
  /\.socketRead0$/,
  /\.socketAccept0?$/,
  /\.accept0$/,
  /\.connect0$/,
  /(?:^|\.)Net\.(?:poll|accept|pollConnect)$/,
  /(?:^|\.)EPoll\.wait$/,
  /(?:^|\.)EPollArrayWrapper\.epollWait$/,
  /(?:^|\.)KQueue\.poll$/,
  /(?:^|\.)WEPoll\.wait$/,
  /(?:^|\.)(?:WindowsSelectorImpl\$SubSelector|PollArrayWrapper)\.poll0$/,
  /(?:^|\.)(?:FileDispatcherImpl|SocketDispatcher|UnixFileDispatcherImpl|DatagramDispatcher)\.read0$/,
  /(?:^|\.)FileInputStream\.readBytes$/,
  /(?:^|\.)Reference\.waitForReferencePendingList$/,
  /(?:^|\.)ProcessHandleImpl\.waitForProcessExit0$/,
  /(?:^|\.)UNIXProcess\.waitForProcessExit$/,
  /(?:^|\.)(?:Inotify|LinuxWatchService)\.poll$/,
];

/** The word behind the last field of a heading for a thread that does not wait. */
const RUNNING_WORD = 'runnable';

export function timedThread(thread: DumpedThread): TimedThread {
  const { state, priority, osPriority, cpuMillis, elapsedMillis, id, locks } = thread;
  return {
    ...{ state, osPriority, cpuMillis, elapsedMillis },
    priority: priority === null ? null : Math.min(MOST_PRIORITY, Math.max(LEAST_PRIORITY, priority)),
    id: ownCopy(id),
    wantsProcessor: wantsProcessor(thread),
    locks: locks.map(({ kind, of, id }) => ({ kind, of, id: ownCopy(id) })),
  };
}

/** Priorities of Java's threads; the JVM's own threads may have other ones. */
const LEAST_PRIORITY = 0;
const MOST_PRIORITY = 11;

/** Whether a thread has a processor or wants one: its state alone calls threads RUNNABLE that wait in the operating system. */
function wantsProcessor({ state, condition, frames }: DumpedThread): boolean {
  return state === 'RUNNABLE' && (condition === null || condition === RUNNING_WORD) && !waitsInNative(frames[0]);
}

function waitsInNative(frame: DumpedFrame | undefined): boolean {
  if (frame === undefined) return false;
  const name = `${frame.className}.${frame.method}`;
  return WAITING_NATIVES.some(native => native.test(name));
}

/**
 * The parts of the time in which a runnable thread runs, and waits behind threads of equal and of higher priority.
 * @param processors p. @param higher h, runnable threads of higher priority. @param equal e, runnable threads of its own, itself included.
 */
function processorShares(
  processors: number,
  higher: number,
  equal: number,
): { readonly run: number; readonly load: number; readonly prio: number } {
  if (higher >= processors) return { run: 0, load: 0, prio: 1 };
  const run = Math.min(1, (processors - higher) / equal);
  const load = 1 - Math.min(1, processors / equal);
  return { run, load, prio: Math.max(0, 1 - run - load) };
}

/** Whether priorities are obeyed, as far as the threads show it: by whether threads of different priority differ for the system too. */
export function prioritiesOf(threads: readonly TimedThread[]): Machine['priorities'] {
  const system = new Map<number, number>();
  for (const { priority, osPriority } of threads)
    if (priority !== null && osPriority !== null && !system.has(priority)) system.set(priority, osPriority);
  if (system.size < 2) return null;
  return new Set(system.values()).size > 1 ? 'obeyed' : 'ignored';
}

/**
 * The parts of the time of each thread of a dump, in the order of the threads.
 * @param isMeasured whether it is known how long a thread had a processor: then the parts are those of the time in which it had none
 */
export function typedParts(
  threads: readonly TimedThread[],
  machine: Machine,
  isMeasured: (at: number) => boolean,
): readonly (readonly TypedPart[])[] {
  const runnable = runnableByPriority(threads);
  const holders = holdersOf(threads);
  return threads.map((thread, at) => {
    if (thread.wantsProcessor) return runnableParts(thread, runnable, machine, isMeasured(at));
    const lock = thread.locks.find(({ kind }) => kind === 'awaited');
    const holder = lock === undefined || lock.id === '' ? -1 : (holders.get(lock.id) ?? -1);
    const isOwn = holder >= 0 && threads[holder] === thread;
    if (thread.state === 'BLOCKED') return [{ type: ':MONITOR', share: 1, holder: isOwn ? -1 : holder }];
    if (lock?.of === 'synchronizer' && holder >= 0 && !isOwn) return [{ type: ':LOCK', share: 1, holder }];
    return [{ type: ':WAIT', share: 1, holder: -1 }];
  });
}

/** How many threads have or want a processor, by priority; null for threads of which the dump does not tell it. */
type Runnable = ReadonlyMap<number | null, number>;

function runnableByPriority(threads: readonly TimedThread[]): Runnable {
  const counts = new Map<number | null, number>();
  for (const { wantsProcessor, priority } of threads)
    if (wantsProcessor) counts.set(priority, (counts.get(priority) ?? 0) + 1);
  return counts;
}

function countOf(runnable: Runnable, isMeant: (priority: number | null) => boolean): number {
  let count = 0;
  for (const [priority, threads] of runnable) if (isMeant(priority)) count += threads;
  return count;
}

/** By the id of a lock, the place of the thread that holds it: who waits in `Object.wait` has given the monitor back. */
function holdersOf(threads: readonly TimedThread[]): ReadonlyMap<string, number> {
  const holders = new Map<string, number>();
  for (const [at, { locks, state }] of threads.entries()) {
    const awaited = new Set(locks.filter(({ kind }) => kind === 'awaited').map(({ id }) => id));
    const hasGivenBack = (id: string) => awaited.has(id) && (state === 'WAITING' || state === 'TIMED_WAITING');
    const unnamed = givesUnnamedBack(locks, state);
    for (const { kind, id } of locks)
      if (
        kind === 'held' &&
        id !== '' &&
        id !== unnamed &&
        !hasGivenBack(id) &&
        !(state === 'BLOCKED' && awaited.has(id))
      )
        holders.set(id, at);
  }
  return holders;
}

/** The JVM may not know any more in which monitor a thread waits: it is the innermost one that the thread has. Null elsewhere. */
function givesUnnamedBack(locks: TimedThread['locks'], state: TimedThread['state']): string | null {
  const waits = locks.some(({ kind, of, id }) => kind === 'awaited' && of === 'monitor' && id === '');
  if (!waits || (state !== 'WAITING' && state !== 'TIMED_WAITING')) return null;
  return locks.find(({ kind, of }) => kind === 'held' && of === 'monitor')?.id ?? null;
}

function runnableParts(
  { priority }: TimedThread,
  runnable: Runnable,
  { processors, priorities }: Machine,
  isMeasured: boolean,
): TypedPart[] {
  const part = (type: TimeType, share: number, isEstimated = false): TypedPart[] =>
    share > 0 ? [{ type, share, holder: -1, ...(isEstimated && { isEstimated }) }] : [];
  const differs = priority !== null && countOf(runnable, other => other !== null && other !== priority) > 0;
  if (processors === null || (differs && priorities === null)) return part(':RUNNABLE', 1);
  const isObeyed = differs && priorities === 'obeyed';
  const higher = isObeyed ? countOf(runnable, other => other !== null && other > priority) : 0;
  const equal = countOf(runnable, other => !isObeyed || other === null || other === priority);
  const { run, load, prio } = processorShares(processors, higher, equal);
  if (!isMeasured) return [...part(':RUN', run, true), ...part(':LOAD', load, true), ...part(':PRIO', prio, true)];
  // The time without a processor is divided as the estimate divides it.
  const prioPart = load + prio > 0 ? prio / (load + prio) : 0;
  return [...part(':LOAD', 1 - prioPart), ...part(':PRIO', prioPart)];
}
