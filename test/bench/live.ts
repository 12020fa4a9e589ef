// Measures live pictures at 2.17 million nodes: a window with 10,000 nodes arrives in a folder, until the columns of its picture are there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completeData, type LoadedData } from '../../server/analysis/loaded-data.ts';
import { QuestionThread } from '../../server/analysis/question-thread.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { Loader } from '../../server/workspace/data/loader.ts';
import { EXECUTION, snapshotOf } from '../support/stores/snapshots.ts';
import { bigProfile, WINDOW_MILLIS, WINDOW_NODES, windowOf } from './big-profile.ts';
import { SCREEN } from './layout.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const NODES = 2_170_000;
/** First ones run in code that is not compiled yet. */
const WARM_UP = 3;

type Step = { readonly load: number; readonly picture: number; readonly processor: number };

/** Loads and asks in the threads in which a server does. */
class LiveTree {
  readonly #source;
  readonly #loader = new Loader();
  readonly #questions = new QuestionThread();

  constructor(store: string) {
    const { project, program, version } = EXECUTION;
    this.#source = { wish: { store, project, program, version, root: '' }, selection: {} };
  }

  async step(): Promise<Step> {
    const before = process.cpuUsage();
    const started = performance.now();
    const { value } = (await this.#loader.load(this.#source, () => {}).result)!;
    const data: LoadedData = completeData(value!);
    this.#questions.pin([data.dataset]);
    const loaded = performance.now();
    await this.#questions.ask(data, 'picture', SCREEN);
    const ended = performance.now();
    const { user, system } = process.cpuUsage(before);
    return { load: loaded - started, picture: ended - loaded, processor: (user + system) / 1_000 };
  }

  close(): void {
    this.#loader.close();
    this.#questions.close();
  }
}

const arrivalRow: BenchRow = {
  name: `live picture of 2.17 M nodes, ${WINDOW_NODES} of them changed`,
  async run({ quick }): Promise<BenchFigure[]> {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
    const tree = new LiveTree(folder);
    try {
      const store = new FolderStore(folder, folder);
      await store.put(snapshotOf(bigProfile({ seed: 'tree', nodes: NODES })));
      await tree.step();
      const steps: Step[] = [];
      for (let at = 0; at < WARM_UP + (quick ? 3 : 12); at++) {
        await store.put(snapshotOf(windowOf(at)));
        const step = await tree.step();
        if (at >= WARM_UP) steps.push(step);
      }
      const whole = steps.map(({ load, picture }) => load + picture);
      const share = (100 * median(steps.map(({ processor }) => processor))) / WINDOW_MILLIS;
      return [
        {
          label: 'from the folder to its columns',
          value: median(whole),
          best: Math.min(...whole),
          unit: 'ms',
          limit: { most: 100 },
        },
        { label: 'read, merge, fold, sum up', value: median(steps.map(({ load }) => load)), unit: 'ms' },
        { label: 'lay out', value: median(steps.map(({ picture }) => picture)), unit: 'ms' },
        {
          label: 'of a core, a window every 5 s',
          value: share,
          unit: '%',
          limit: { most: 25 },
          isWork: true,
        },
      ];
    } finally {
      tree.close();
      rmSync(folder, { recursive: true });
    }
  },
};

export const rows: readonly BenchRow[] = [arrivalRow];
