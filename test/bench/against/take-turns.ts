// Runs the same rows of two checkouts in turns and compares their figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MeasuredRow } from '../report/bench-table.ts';
import { checkOut, prepare } from './checkout.ts';
import { type Comparison, compareRuns, type Pair } from './compare-commits.ts';

export type Turns = {
  readonly root: string;
  readonly commit: string;
  readonly pairs: number;
  /** Arguments of both runs: areas, rows, size. */
  readonly args: readonly string[];
};

/** Ours, theirs, theirs, ours, … Throws what kept a run from giving figures. */
export async function takeTurns({
  root,
  commit,
  pairs,
  args,
}: Turns): Promise<Comparison & { readonly commit: string }> {
  const other = checkOut(root, commit);
  prepare(other);
  const taken: Pair[] = [];
  for (let i = 1; i <= pairs; i++) {
    const run = (folder: string, name: string) => {
      console.error(`pair ${i} of ${pairs}: ${name} …`);
      return rowsOf(folder, args);
    };
    const here = () => run(root, 'here');
    const there = () => run(other.folder, other.commit.slice(0, 12));
    // Each comes first in every second pair: a machine that becomes slower meanwhile favours none.
    if (i % 2 === 1) taken.push({ ours: await here(), theirs: await there() });
    else taken.push({ theirs: await there(), ours: await here() });
  }
  return { commit: other.commit, ...compareRuns(taken) };
}

async function rowsOf(folder: string, args: readonly string[]): Promise<readonly MeasuredRow[]> {
  const bin = join(folder, 'node_modules/.bin');
  const child = spawn(join(bin, 'node'), ['test/bench/run.ts', '--json', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  try {
    return (JSON.parse(printed) as { rows: MeasuredRow[] }).rows;
  } catch {
    throw new Error(`the benchmark in ${folder} gave no figures; its message stands above`);
  }
}
