// The predictions of open documents, as of their texts on screen: made when asked for, kept as long as nothing changes.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { predictFile } from '../../features/prediction/predict-file.ts';
import type { PredictedFile } from '../../features/prediction/prediction.ts';
import { TimedMethods } from '../../features/prediction/timed-methods.ts';
import { calibrated, type TrackRecord } from '../../features/prediction/track-record.ts';
import { hasTimes } from '../../features/text/times-text.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { TrackRecords } from './track-records.ts';

/** Of so many looks at data what was timed is kept. */
const MOST_TIMED = 4;

export class Predictions {
  /** By address of the document. */
  readonly #known = new Map<string, { readonly document: DocumentView; readonly found: PredictedFile }>();
  /** The one used last stands last. */
  #timed: readonly TimedMethods[] = [];
  #assumed: Readonly<Record<string, string>> = {};
  readonly #records: Pick<TrackRecords, 'of'>;

  constructor(records: Pick<TrackRecords, 'of'>) {
    this.#records = records;
  }

  /** null where nothing is to be predicted: it is switched off, there are no data, or none with response times. */
  of(document: DocumentView): PredictedFile | null {
    const data = document.mapped?.data ?? null;
    if (data === null || !document.settings['predict.enabled'] || !hasTimes(data)) return null;
    const known = this.#known.get(document.uri);
    if (known?.document === document) return known.found;
    const { settings } = document;
    const assumptions = {
      costs: { ...settings['predict.costs'], ...this.#assumed },
      iterations: settings['predict.iterations'],
    };
    const predicted = predictFile(document, data, assumptions, this.#timedOf(data));
    const record = predicted.methods.length === 0 ? null : this.recordOf(document);
    const found = record === null ? predicted : calibrated(predicted, record);
    this.#known.set(document.uri, { document, found });
    return found;
  }

  /** How well earlier predictions of the same program held; null as long as that is not known. */
  recordOf({ mapped, source }: DocumentView): TrackRecord | null {
    if (mapped === null || source === null || !hasTimes(mapped.data)) return null;
    // The program may have been found by the data.
    return this.#records.of({ ...source.wish, program: mapped.data.wish.program });
  }

  /** What is known of earlier predictions has changed. */
  judgeAgain(): void {
    this.#known.clear();
  }

  /** What calls of methods are assumed to take until the server ends, by method: `5 ms`. */
  get assumed(): Readonly<Record<string, string>> {
    return this.#assumed;
  }

  /** @param time null for what was measured */
  assume(method: string, time: string | null): void {
    const { [method]: _before, ...others } = this.#assumed;
    this.#assumed = time === null ? others : { ...others, [method]: time };
    this.#known.clear();
  }

  /** A document was closed. */
  forget(uri: string): void {
    this.#known.delete(uri);
  }

  /** Other data are shown: what was worked out holds them. */
  clear(): void {
    this.#known.clear();
    this.#timed = [];
  }

  #timedOf(data: LoadedData): TimedMethods {
    const timed = this.#timed.find(each => each.data === data) ?? new TimedMethods(data);
    this.#timed = [...this.#timed.filter(each => each !== timed), timed].slice(-MOST_TIMED);
    return timed;
  }
}
