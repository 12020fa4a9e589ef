// A folder of its own for each test of a recorder, and the processes of that test, which end with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { ends, type Process, startRecorder } from './recording-shop.ts';

export class RecordingScene {
  folder = '';
  readonly #running: Process[] = [];

  /** To be made once a file, outside of its tests. */
  constructor() {
    beforeEach(() => {
      this.folder = mkdtempSync(join(tmpdir(), 'insitu-scene-'));
    });
    afterEach(async () => {
      for (const each of this.#running.splice(0)) await ends(each, 'SIGKILL');
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Killed when the test ends, if it still runs. */
  own(started: Process): Process {
    this.#running.push(started);
    return started;
  }

  recorder(...args: readonly string[]): Process {
    return this.own(startRecorder(this.folder, args));
  }

  /** A recorder of one JVM alone, whatever else runs on the machine. */
  recorderOf({ pid }: Process, ...args: readonly string[]): Process {
    return this.recorder('--pid', String(pid), ...args);
  }
}
