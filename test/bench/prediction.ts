// Measures predictions: how fast they come, and how well they hold for edits whose cost a program measures itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import { timedMethods } from '../../server/analysis/questions/prediction.ts';
import { GrowingTimes } from '../../server/cct/times.ts';
import { predictFile } from '../../server/features/prediction/predict-file.ts';
import { openedText } from '../../server/mapping/recorded/profiled-text.ts';
import { type DocumentView, documentWithData } from '../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../server/workspace/document/kept-mapping.ts';
import { KeptOutline } from '../../server/workspace/document/kept-outline.ts';
import { fetchEngine } from '../support/engines/engines.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { methodRows, profileOfText } from '../support/profiles/profiles.ts';
import { judgedPredictions, judgementOf, leastInside } from '../support/recordings/judged-predictions.ts';
import { type KnownProgram, knownProgram } from '../support/recordings/known-costs.ts';
import { type BenchFigure, type BenchRow, median } from './row.ts';

const EDITS = 300;
const ROUNDS = 20;
const MILLI = 1e6;
/** Methods of which each has some six declarations, calls, branches and loops. */
const METHODS = 38_500;
const NODES = 270_000;

const truthRow: BenchRow = {
  name: `predictions of ${EDITS} edits of known cost`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const jdk = await fetchEngine('jdk25', line => console.error(`  engine | ${line}`));
    if ('missing' in jdk) throw new Error(jdk.missing);
    const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
    try {
      const began = performance.now();
      const judged = await judgedPredictions(jdk, folder, { seed: 'production', edits: EDITS, rounds: ROUNDS });
      const seconds = (performance.now() - began) / 1_000;
      const { inside, error, ratio, wrongly } = judgementOf(judged);
      for (const line of wrongly) console.error(`  prediction | ${line}`);
      const least = leastInside(EDITS);
      return [
        {
          label: 'inside their 80 % interval',
          value: inside,
          unit: `of ${EDITS}`,
          limit: { least },
        },
        {
          label: 'median error where all was measured',
          value: 100 * error,
          unit: '%',
          limit: { most: 30 },
        },
        { label: 'median of upper by lower end', value: ratio, unit: '', limit: { most: 3 } },
        {
          label: 'unknown or nothing that is told otherwise',
          value: wrongly.length,
          unit: 'edits',
          limit: { most: 0 },
        },
        { label: 'both versions measured', value: seconds, unit: 's', limit: { most: 600 } },
      ];
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

/** Response times of every method of a program, and of what the methods call. */
function timesOf({ edits }: KnownProgram): LoadedData {
  const costs = ['nap1', 'nap2', 'nap4', 'spin1', 'spin2', 'locked', 'down'].map(name => `Costs.${name}`);
  const methods = edits.map(({ className, method }) => `${className}.${method}`);
  const profile = profileOfText([...costs, ...methods].map(name => `${name} | 1@2`).join('\n'));
  const rows = methodRows(profile);
  const times = new GrowingTimes();
  for (const name of methods)
    for (let call = 0; call < 3; call++) times.addCall(rows.get(name)!, 0, 0, (5 + call) * MILLI);
  for (const [at, name] of costs.entries())
    for (let call = 0; call < 100; call++) times.addCall(rows.get(name)!, 0, 0, (1 + at) * MILLI + call);
  return loadedFrom({ ...profile, times: times.finish()! });
}

function documentOf(text: string, recorded: string, data: LoadedData, name: string): DocumentView {
  const mapping = new KeptMapping({ ...openedText(recorded), from: 'commit' });
  return documentWithData(text, data, undefined, `${name}.java`, { mapping });
}

const workspaceRow: BenchRow = {
  name: 'predictions of a whole workspace, every method edited',
  async run({ quick }): Promise<BenchFigure[]> {
    const program = knownProgram('workspace', quick ? METHODS / 20 : METHODS);
    const data = timesOf(program);
    const began = performance.now();
    timedMethods(data);
    const made = performance.now() - began;
    const files: number[] = [];
    let predicted = 0;
    for (const [name, text] of program.after) {
      const document = documentOf(text, program.before.get(name)!, data, name);
      // Reading and mapping a file has rows of its own.
      document.mapped?.comparison?.stateOf(0);
      const started = performance.now();
      predicted += (await predictFile(document, data)).methods.length;
      files.push(performance.now() - started);
    }
    if (predicted < program.edits.length / 2) throw new Error(`only ${predicted} methods have a prediction`);
    const seconds = (made + files.reduce((sum, each) => sum + each, 0)) / 1_000;
    const slowest = Math.max(...files);
    return [
      // Each method is read again from its text, which is three quarters of the time, in the thread that answers questions: nobody waits for
      // all of them.
      { label: `${quick ? NODES / 20 : NODES} nodes`, value: seconds, unit: 's', limit: { most: 8 } },
      { label: 'one file, median', value: median(files), unit: 'ms' },
      { label: 'one file, the slowest', value: slowest, unit: 'ms', limit: { most: 50 } },
    ];
  },
};

/** A file of 400 methods, a call typed into one after the other; with what the collection of garbage takes. */
const keystrokeRow: BenchRow = {
  name: 'predictions after a keystroke, file of 400 methods',
  async run({ quick }): Promise<BenchFigure[]> {
    const program = knownProgram('keystroke', 342);
    const data = timesOf(program);
    timedMethods(data);
    const recorded = [...program.before.values()].join('\n');
    const outline = new KeptOutline('Edited.java');
    const mapping = new KeptMapping({ ...openedText(recorded), from: 'commit' });
    const millis: number[] = [];
    for (const [at, { method }] of program.edits.slice(0, quick ? 60 : 400).entries()) {
      const text = recorded.replace(`void ${method}() {`, `void ${method}() {\n    Costs.nap4();`);
      const before = process.cpuUsage();
      const document = documentWithData(text, data, undefined, 'Edited.java', { outline, mapping });
      const { methods } = await predictFile(document, data);
      const { user, system } = process.cpuUsage(before);
      if (at >= 20) millis.push((user + system) / 1_000);
      if (methods.length !== 1) throw new Error(`${methods.length} methods have a prediction`);
    }
    const p99 = millis.toSorted((a, b) => a - b)[Math.floor(0.99 * millis.length)]!;
    return [
      { label: 'read, compare, predict, processor time: median', value: median(millis), unit: 'ms' },
      { label: 'read, compare, predict, processor time: p99', value: p99, unit: 'ms', limit: { most: 20 } },
    ];
  },
};

export const rows: readonly BenchRow[] = [keystrokeRow, workspaceRow, truthRow];
