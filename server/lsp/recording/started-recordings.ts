// The recordings that the user started from the editor: each a process of its own, followed until it ends, shown as soon as it has data.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { momentText } from '../../base/moment-text.ts';
import { printableName } from '../../base/printable.ts';
import { formatProblem } from '../../base/problem.ts';
import { stateFolder } from '../../base/state-folder.ts';
import type { Execution } from '../../model/execution.ts';
import type { Tier } from '../../record/flight-settings.ts';
import type { Jvm } from '../../record/jvms.ts';
import type { RecorderEvent } from '../../record/recorder.ts';
import { RecorderProcess } from '../../record/recorder-process.ts';
import { isFreeSpool } from '../../record/spools.ts';
import type { Choice } from '../../workspace/data/choice.ts';
import type { RecordingMessage } from '../protocol.ts';

/** The JVM to record, and the place to record to. */
type RecordingWish = {
  readonly jvm: Jvm;
  readonly tier: Tier;
  readonly execution: Execution;
  readonly store: string;
  /** Where the recorder works. */
  readonly folder: string;
};

type RecordingListener = {
  /** Is called when the status of recordings is out of date. */
  readonly changed: () => void;
  /** Something went wrong, or ended by itself; one line. */
  readonly tell: (text: string) => void;
};

/** Attaching to a JVM that swaps takes long. */
const LONGEST_START_MILLIS = 30_000;
/** A store of this machine is asked for the first data so often; others when a window has been stored. */
const LOOK_MILLIS = 400;

type Running = {
  readonly wish: RecordingWish;
  readonly spool: string;
  readonly recorder: RecorderProcess;
  readonly sinceMillis: number;
  readonly ended: AbortController;
  state: RecordingMessage['state'];
  windows: number;
  problem: string | null;
};

/** How a recording began. */
type Started = { readonly recording: RecordingMessage | null; readonly problem: string | null };

export class Recordings {
  /** The look before the first recording was shown; null where there is none to go back to. */
  before: { readonly uri: string | null; readonly choice: Choice } | null = null;
  readonly #running = new Map<number, Running>();
  readonly #listener: RecordingListener;

  constructor(listener: RecordingListener) {
    this.#listener = listener;
  }

  list(): RecordingMessage[] {
    return [...this.#running.values()].map(messageOf);
  }

  has(pid: number): boolean {
    return this.#running.has(pid);
  }

  /** Aborted when the recording of a JVM has ended; null where there is none. */
  endOf(pid: number): AbortSignal | null {
    return this.#running.get(pid)?.ended.signal ?? null;
  }

  /** Resolves when the JVM is followed, or cannot be. There must be none of this JVM yet. */
  start(wish: RecordingWish): Promise<Started> {
    const { promise, resolve } = Promise.withResolvers<Started>();
    const { pid } = wish.jvm;
    const spool = this.#freeSpool(wish.store);
    const ended = new AbortController();
    const refuse = (problem: string): void => {
      resolve({ recording: null, problem });
      running.recorder.letGo();
    };
    const recorder = new RecorderProcess(['record', ...argumentsOf(wish, spool)], wish.folder, {
      event: event => {
        // A recorder counts no calls.
        if (event.kind === 'counting' || event.kind === 'followed' || event.kind === 'counted') return;
        this.#follow(running, event);
        if (running.state === 'recording') resolve({ recording: messageOf(running), problem: null });
        else if (event.kind === 'problem' && event.problem.severity === 'error') refuse(formatProblem(event.problem));
      },
      ended: reason => {
        clearTimeout(timer);
        this.#running.delete(pid);
        ended.abort();
        resolve({ recording: null, problem: reason || 'it ended before it could be recorded' });
        if (running.state === 'recording' && reason !== '') this.#listener.tell(`recording ${nameOf(wish)}: ${reason}`);
        this.#listener.changed();
      },
    });
    const timer = setTimeout(() => refuse('it does not answer'), LONGEST_START_MILLIS);
    const sinceMillis = Date.now();
    const running: Running = {
      wish,
      spool,
      recorder,
      sinceMillis,
      ended,
      state: 'starting',
      windows: 0,
      problem: null,
    };
    this.#running.set(pid, running);
    this.#listener.changed();
    return promise.finally(() => clearTimeout(timer));
  }

  /** Ends a recording; resolves with what went wrong when its last window is in the store. */
  async stop(pid: number): Promise<string | null> {
    const running = this.#running.get(pid);
    if (running === undefined) return null;
    running.state = 'ending';
    running.problem = null;
    this.#listener.changed();
    await running.recorder.stop();
    return running.problem;
  }

  /** Resolves with true as soon as the store has something of a recording, with false when it ended without. */
  async hasData(pid: number): Promise<boolean> {
    const running = this.#running.get(pid);
    if (running === undefined) return false;
    const { wish, ended } = running;
    const { project, program, version, instance } = wish.execution;
    // Loaded when it is needed first, as few people record anything.
    const { openStore } = await import('../../store/open-store.ts');
    const store = openStore(wish.store).value;
    if (store === null) return false;
    const isThere = async () => {
      const { value } = await store.list({ project, program });
      return value.some(({ execution }) => execution.version === version && execution.instance === instance);
    };
    for (let windows = -1; !ended.signal.aborted; ) {
      const isWorthALook = store.live !== undefined || running.windows > windows;
      windows = running.windows;
      if (isWorthALook && (await isThere())) return true;
      await pause(LOOK_MILLIS, null, { signal: ended.signal }).catch(() => undefined);
    }
    return isThere();
  }

  /** Ends all without waiting: each stores its last window by itself. */
  close(): void {
    for (const { recorder } of this.#running.values()) recorder.letGo();
  }

  #follow(running: Running, event: RecorderEvent): void {
    if (event.kind === 'following' && running.state === 'starting') running.state = 'recording';
    if (event.kind === 'stored') {
      running.windows += 1;
      running.problem = null;
    }
    if (event.kind === 'problem' && event.problem.severity !== 'info') running.problem = formatProblem(event.problem);
    if (event.kind === 'left' && running.state === 'recording') {
      running.state = 'ending';
      running.recorder.letGo();
      this.#listener.tell(`${nameOf(running.wish)} has ended, and its recording with it`);
    }
    this.#listener.changed();
  }

  /** A spool for the store: windows that an earlier recorder could not store go out with the next one for the same store. */
  #freeSpool(store: string): string {
    const name = createHash('sha256').update(store).digest('hex').slice(0, 16);
    const folder = join(stateFolder(), 'editor-spools', name);
    const own = new Set([...this.#running.values()].map(({ spool }) => spool));
    for (let number = 1; ; number++) {
      const spool = join(folder, String(number));
      if (!own.has(spool) && isFreeSpool(spool)) return spool;
    }
  }
}

function argumentsOf({ jvm, tier, execution, store }: RecordingWish, spool: string): string[] {
  const { project, program, version, instance } = execution;
  const place = ['--store', store, '--project', project, '--program', program, '--version', version];
  return [...place, '--instance', instance, '--pid', String(jvm.pid), '--settings', tier, '--spool', spool];
}

function nameOf({ jvm }: RecordingWish): string {
  return `JVM ${jvm.pid} (${printableName(jvm.name)})`;
}

function messageOf({ wish, sinceMillis, state, windows, problem }: Running): RecordingMessage {
  const { jvm, tier, execution } = wish;
  const { program, version, instance } = execution;
  const doing = { starting: 'is about to be recorded', recording: 'is recorded', ending: 'ends being recorded' }[state];
  const names = [program, version, instance].map(printableName);
  const as = `as ${names[0]} ${names[1]} (${names[2]}) since ${momentText(sinceMillis)}`;
  const text = `${nameOf(wish)} ${doing} ${as}${problem === null ? '' : `; ${problem}`}`;
  return { pid: jvm.pid, name: jvm.name, program, version, instance, tier, sinceMillis, state, windows, problem, text };
}
