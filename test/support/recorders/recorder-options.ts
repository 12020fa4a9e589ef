// The options of recorders that tests start in their own process.
import { join } from 'node:path';
import { tierSettings } from '../../../server/record/flight-settings.ts';
import type { Recorder } from '../../../server/record/recorder.ts';
import { FolderStore } from '../../../server/store/folder-store.ts';
import { EXECUTION } from '../recordings/growing-repository.ts';

export type RecorderOptions = ConstructorParameters<typeof Recorder>[0];

/** A recorder of nothing, with its store and its spool in a folder; options of its own change that. */
export function recorderOptions(folder: string, own: Partial<RecorderOptions> = {}): RecorderOptions {
  return {
    store: new FolderStore('store', join(folder, 'store')),
    wants: () => false,
    processes: [],
    repositories: [],
    settings: tierSettings('base'),
    firstMillis: 60_000,
    intervalMillis: 600_000,
    execution: { flags: EXECUTION, environment: {}, file: {}, folder: 'acme' },
    metrics: [],
    redaction: { pattern: null, threads: 'all' },
    threadsMillis: 0,
    spool: join(folder, 'spool'),
    spoolBytes: 1 << 28,
    host: 'here',
    tell: () => {},
    ...own,
  };
}
