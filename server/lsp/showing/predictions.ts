// The predictions of open documents, as of their texts on screen: worked out in the question thread, kept as long as nothing changes.
import { setTimeout as delay } from 'node:timers/promises';
import type { Door } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { PredictedFile, PredictedMethod } from '../../analysis/prediction/prediction.ts';
import { messageOf } from '../../base/message-of.ts';
import { Cancelled } from '../../base/pause.ts';
import { predictFile } from '../../features/prediction/predict-file.ts';
import { calibrated, type TrackRecord } from '../../features/prediction/track-record.ts';
import { UNFINISHED } from '../../features/prediction/unfinished.ts';
import { hasTimes } from '../../features/text/times-text.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { RequestLog } from '../request.ts';
import type { TrackRecords } from './track-records.ts';

type Known = {
  readonly document: DocumentView;
  /** The prediction; null as long as it is worked out, and where that failed. */
  found: PredictedFile | null;
  /** Whether the prediction is worked out, or has failed. */
  isSettled: boolean;
  readonly whenFound: Promise<PredictedFile | null>;
  readonly stop: AbortController;
};

/** The predictions of a document from when all of its edited methods were complete, and until when they stand for unfinished ones. */
type Complete = { readonly methods: readonly PredictedMethod[]; until: number | null };

/** A value that was told stands for so long while its method does not parse. */
const HELD_MILLIS = 2_000;

/** The means by which predictions are made. */
type Means = {
  readonly questions: Door;
  readonly records: Pick<TrackRecords, 'of'>;
  readonly log: Pick<RequestLog, 'error'>;
  /** Is called when shown predictions are out of date. */
  readonly changed: () => void;
};

export class Predictions {
  /** By address of the document. */
  readonly #known = new Map<string, Known>();
  /** By address of the document. */
  readonly #complete = new Map<string, Complete>();
  #assumed: Readonly<Record<string, string>> = {};
  readonly #means: Means;

  constructor(means: Means) {
    this.#means = means;
  }

  /**
   * Never rejects: null where nothing is to be predicted (it is switched off, there are no data, or none with response times), where the
   * prediction failed, and once a newer text is asked about.
   */
  of(document: DocumentView): Promise<PredictedFile | null> {
    const data = predictableData(document);
    if (data === null) return Promise.resolve(null);
    const known = this.#known.get(document.uri);
    if (known?.document === document) return known.whenFound;
    known?.stop.abort();
    const stop = new AbortController();
    const whenFound = this.#predict(document, data, stop.signal);
    const made: Known = { document, found: null, isSettled: false, whenFound, stop };
    this.#known.set(document.uri, made);
    void whenFound.then(found => {
      made.found = found;
      made.isSettled = true;
    });
    return whenFound;
  }

  /** The prediction; null where it takes longer than these milliseconds. */
  async within(millis: number, document: DocumentView): Promise<PredictedFile | null> {
    const timer = new AbortController();
    const late = delay(millis, null, { signal: timer.signal }).catch(() => null);
    const found = await Promise.race([this.of(document), late]);
    timer.abort();
    return found;
  }

  /** The prediction of this very document, as far as it is known by now. */
  known(document: DocumentView): PredictedFile | null {
    const known = this.#known.get(document.uri);
    return known?.document === document ? known.found : null;
  }

  /** Whether it is known what `of` gives. */
  isSettled(document: DocumentView): boolean {
    const known = this.#known.get(document.uri);
    return known?.document === document ? known.isSettled : predictableData(document) === null;
  }

  async #predict(document: DocumentView, data: LoadedData, signal: AbortSignal): Promise<PredictedFile | null> {
    const { settings } = document;
    const assumptions = {
      costs: { ...settings['predict.costs'], ...this.#assumed },
      iterations: settings['predict.iterations'],
    };
    const { questions, log } = this.#means;
    try {
      const predicted = await predictFile(document, data, assumptions, (about, name, parameters) =>
        questions.ask(about, name, parameters, { signal, urgent: true }),
      );
      const record = predicted.methods.length === 0 ? null : this.recordOf(document);
      const told = record === null ? predicted : calibrated(predicted, record);
      this.#keepComplete(document.uri, told);
      return told;
    } catch (error) {
      // Nothing else that is shown of the document depends on its prediction.
      if (!(error instanceof Cancelled)) log.error(`nothing is predicted: ${messageOf(error)}`);
      return null;
    }
  }

  #keepComplete(uri: string, { methods, unpredicted }: PredictedFile): void {
    if (!unpredicted.some(({ reason }) => reason === UNFINISHED)) {
      this.#complete.set(uri, { methods, until: null });
      return;
    }
    const complete = this.#complete.get(uri);
    if (complete === undefined || complete.until !== null) return;
    complete.until = performance.now() + HELD_MILLIS;
    setTimeout(() => this.#means.changed(), HELD_MILLIS).unref();
  }

  /** The last predictions of methods whose text is unfinished now, for two seconds. */
  held({ uri }: DocumentView): readonly PredictedMethod[] {
    const complete = this.#complete.get(uri);
    return complete?.until != null && performance.now() < complete.until ? complete.methods : [];
  }

  /** How well earlier predictions of the same program held; null as long as that is not known. */
  recordOf({ mapped, source }: DocumentView): TrackRecord | null {
    if (mapped === null || source === null || !hasTimes(mapped.data)) return null;
    // The program may have been found by the data.
    return this.#means.records.of({ ...source.wish, program: mapped.data.wish.program });
  }

  /** The times that calls of methods are assumed to take until the server ends, by method: `5 ms`. */
  get assumed(): Readonly<Record<string, string>> {
    return this.#assumed;
  }

  /** @param time null for what was measured */
  assume(method: string, time: string | null): void {
    const { [method]: _before, ...others } = this.#assumed;
    this.#assumed = time === null ? others : { ...others, [method]: time };
    this.clear();
  }

  /** A document was closed. */
  forget(uri: string): void {
    this.#known.get(uri)?.stop.abort();
    this.#known.delete(uri);
    this.#complete.delete(uri);
  }

  /** Forgets all predictions: other data are shown, or more is known of how earlier predictions held. */
  clear(): void {
    for (const { stop } of this.#known.values()) stop.abort();
    this.#known.clear();
  }
}

/** The data that predictions of the document are made from; null where nothing is to be predicted. */
function predictableData({ mapped, settings }: DocumentView): LoadedData | null {
  return mapped !== null && settings['predict.enabled'] && hasTimes(mapped.data) ? mapped.data : null;
}
