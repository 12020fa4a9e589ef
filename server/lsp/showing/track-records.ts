// How well earlier predictions of a program held, worked out once by `insitu predictions` as a process of its own, which keeps no editor waiting.
import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Wish } from '../../analysis/wish.ts';
import type { AnsweredPrediction } from '../../features/prediction/backtest.ts';
import { type TrackRecord, trackRecordOf } from '../../features/prediction/track-record.ts';
import { ownCommand } from '../../record/own-command.ts';

/** A track record that takes longer is given up: predictions are told without it. */
const LONGEST_MILLIS = 120_000;
const MOST_BYTES = 16 << 20;

/** Kept until newer data come. */
export class TrackRecords {
  readonly #known = new Map<string, TrackRecord | null>();
  readonly #running = new AbortController();
  readonly #came: () => void;

  /** @param came a record is there: what is shown of predictions is out of date. */
  constructor(came: () => void) {
    this.#came = came;
  }

  /** null until it is known, and where there is none. Asks for it the first time. */
  of({ store, project, program, root }: Wish): TrackRecord | null {
    if (program === null) return null;
    const key = [store, project, program].join('\n');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, null);
    this.#ask(key, ['--store', store, '--project', project, '--program', program], root);
    return null;
  }

  close(): void {
    this.#running.abort();
  }

  #ask(key: string, place: readonly string[], cwd: string): void {
    const [command, ...before] = ownCommand();
    const options = { cwd, timeout: LONGEST_MILLIS, maxBuffer: MOST_BYTES, signal: this.#running.signal };
    const { pid } = execFile(command, [...before, 'predictions', '--json', ...place], options, (error, text) => {
      const record = error === null ? recordIn(text) : null;
      if (record === null || this.#running.signal.aborted) return;
      this.#known.set(key, record);
      this.#came();
    });
    yieldProcessor(pid);
  }
}

/** Lets all other processes go first: the work may read many versions. */
function yieldProcessor(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process may have ended, or the system forbids the change: then it competes.
  }
}

function recordIn(text: string): TrackRecord | null {
  const { predictions }: { predictions: readonly AnsweredPrediction[] } = JSON.parse(text);
  return trackRecordOf(predictions);
}
