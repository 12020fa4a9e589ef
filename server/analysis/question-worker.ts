// The thread that answers questions, so that neither the editor nor a load waits for numbers.

import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { Tidying } from '../base/engine.ts';
import { messageOf } from '../base/message-of.ts';
import { Cancelled } from '../base/pause.ts';
import type { Problem } from '../base/problem.ts';
import { selectionKey } from '../model/look.ts';
import { AskFailed, answer, lookAt } from './ask.ts';
import { bytesOf } from './data-buffers.ts';
import type { HeldDataset, LoadedData } from './loaded-data.ts';
import type { ParametersOf, QuestionName } from './questions/question-table.ts';
import { withMetric } from './select-data.ts';
import type { Selection } from './selection.ts';

/** Datasets are named by numbers that are used once. */
export type QuestionOrder =
  | { readonly kind: 'hold'; readonly dataset: number; readonly data: HeldDataset }
  | { readonly kind: 'release'; readonly dataset: number }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly dataset: number;
      readonly selection: Selection;
      /** The data to compare with. */
      readonly baseline?: { readonly dataset: number; readonly selection: Selection };
      readonly name: QuestionName;
      readonly parameters: ParametersOf<QuestionName>;
      readonly urgent: boolean;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** No further question will come. */
  | { readonly kind: 'end' };

/** Every question is reported once, so that the asking side knows what the thread is at. */
export type QuestionReport = { readonly id: number } & (
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly problems: readonly Problem[] }
  | { readonly kind: 'cancelled' }
);

type Held = { readonly data: HeldDataset; readonly looks: Map<string, LoadedData> };

/** With the data that it is about, which may be let go of before it is answered. */
type Ask = Extract<QuestionOrder, { kind: 'ask' }> & {
  readonly held: Held | undefined;
  readonly heldBaseline: Held | undefined;
};

/** Selections of a Dataset that stay worked out, the latest used ones: the one on screen, the same without its focus, one before. */
const MOST_LOOKS = 3;

class Answering {
  readonly #port: MessagePort;
  readonly #datasets = new Map<number, Held>();
  #released = 0;
  #waiting: Ask[] = [];
  /** The questions that are being answered, and whether they were cancelled meanwhile: the last question interrupts the earlier ones. */
  readonly #running = new Map<number, { isCancelled: boolean }>();

  constructor(port: MessagePort) {
    this.#port = port;
  }

  take(order: QuestionOrder): void {
    if (order.kind === 'hold') this.#datasets.set(order.dataset, { data: order.data, looks: new Map() });
    else if (order.kind === 'release') this.#release(order.dataset);
    else if (order.kind === 'ask') this.#waiting.push({ ...order, ...this.#heldFor(order) });
    else if (order.kind === 'cancel') this.#cancel(order.id);
    else this.#end();
  }

  #release(dataset: number): void {
    const held = this.#datasets.get(dataset);
    this.#datasets.delete(dataset);
    if (held !== undefined) this.#released += bytesOf(held.data.folded);
  }

  /** Bytes of shared columns that were let go of since the last call. */
  takeReleased(): number {
    const released = this.#released;
    this.#released = 0;
    return released;
  }

  #heldFor({ dataset, baseline }: Extract<QuestionOrder, { kind: 'ask' }>): Pick<Ask, 'held' | 'heldBaseline'> {
    return {
      held: this.#datasets.get(dataset),
      heldBaseline: baseline === undefined ? undefined : this.#datasets.get(baseline.dataset),
    };
  }

  /** Ends all questions that wait or are being answered: they are of no use any more. */
  #end(): void {
    this.#waiting = [];
    for (const running of this.#running.values()) running.isCancelled = true;
    this.#port.close();
  }

  #cancel(id: number): void {
    const left = this.#waiting.filter(ask => ask.id !== id);
    if (left.length < this.#waiting.length) this.#report({ kind: 'cancelled', id });
    this.#waiting = left;
    const running = this.#running.get(id);
    if (running !== undefined) running.isCancelled = true;
  }

  /** Takes the messages that have come meanwhile. */
  #read(): void {
    for (let got = receiveMessageOnPort(this.#port); got !== undefined; got = receiveMessageOnPort(this.#port))
      this.take(got.message as QuestionOrder);
  }

  /** Answers what waits, urgent questions first. */
  answerWaiting(urgentOnly = false): void {
    for (;;) {
      this.#read();
      const urgent = this.#waiting.find(ask => ask.urgent);
      const next = urgent ?? (urgentOnly ? undefined : this.#waiting[0]);
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter(ask => ask !== next);
      this.#answer(next);
    }
  }

  #answer(ask: Ask): void {
    const { id, name, parameters, urgent, held, selection, baseline, heldBaseline } = ask;
    const state = { isCancelled: false };
    this.#running.set(id, state);
    const pause = () => {
      if (urgent) this.#read();
      else this.answerWaiting(true);
      if (state.isCancelled) throw new Cancelled();
    };
    try {
      const compared = baseline === undefined ? null : this.#look(heldBaseline, baseline.selection);
      const found = answer(this.#look(held, selection), name, parameters, pause, compared);
      this.#report({ kind: 'answer', id, answer: found });
    } catch (error) {
      this.#report(
        error instanceof Cancelled ? { kind: 'cancelled', id } : { kind: 'failed', id, problems: problemsOf(error) },
      );
    } finally {
      this.#running.delete(id);
    }
  }

  #look(held: Held | undefined, selection: Selection): LoadedData {
    if (held === undefined)
      throw new AskFailed([
        { severity: 'error', message: 'the data of this question were let go of', remedy: 'ask again' },
      ]);
    const key = selectionKey(withMetric(held.data.folded, selection));
    const look = held.looks.get(key) ?? lookAt({ dataset: held.data, selection });
    held.looks.delete(key);
    held.looks.set(key, look);
    for (const oldest of held.looks.keys()) if (held.looks.size > MOST_LOOKS) held.looks.delete(oldest);
    return look;
  }

  #report(report: QuestionReport): void {
    this.#port.postMessage(report);
  }
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof AskFailed) return error.problems;
  const message = `a question failed: ${messageOf(error)}`;
  return [{ severity: 'error', message, remedy: 'please report this' }];
}

if (parentPort === null) throw new Error('question-worker must be started as a worker thread');
const answering = new Answering(parentPort);
let tidying: Tidying | null = null;
parentPort.on('message', (order: QuestionOrder) => {
  answering.take(order);
  answering.answerWaiting();
  const released = answering.takeReleased();
  if (released === 0) return;
  tidying ??= new Tidying();
  tidying.look(released);
});
