// What the reading worker and its caller say to each other.
import type { Ingested, IngestOptions } from './ingest.ts';

/** What the worker is started with: as much of IngestOptions as can cross to another thread. */
export type WorkerTask = { readonly path: string } & Pick<IngestOptions, 'names' | 'events' | 'metrics' | 'covered'>;

export type WorkerMessage =
  | { readonly kind: 'progress'; readonly bytesRead: number; readonly bytesTotal: number }
  | { readonly kind: 'done'; readonly ingested: Ingested };

/** The one message to the worker: its result is not needed any more. */
export const CANCEL = 'cancel';
