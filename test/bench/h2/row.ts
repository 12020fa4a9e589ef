// The row of the trial on H2: planted slowdowns that are found, equal forks that pass a check, and equal forks recorded anew that report nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../../../server/features/compare/compare-answer.ts';
import { randomNumbers } from '../big-profile.ts';
import type { BenchFigure, BenchRow } from '../row.ts';
import { CHANGES, type Slowdown, slowdowns } from './changes.ts';
import { type Forks, H2Trial } from './trial.ts';

/** Some 11 s of processor time: shorter forks differ by more, 10 % at 3 s beside other work where these differ by 5 %. */
export const ROUNDS = 44_000;
/** Some 1.5 s. */
const FEWER_ROUNDS = 5_000;
const FORKS_A_SIDE = 16;
const MORE_EQUAL = 24;
const PLANTED = { draws: 10, forks: 8 };
const EQUAL = { draws: 100, forks: 10 };
const FRESH = { comparisons: 20, forks: 5 };
/** The work of a fork is fixed. */
const SCALE = ['--fixed-work'];

type Found = Report & { readonly commit: { readonly hash: string } | null };

/** The names of so many forks. */
export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}-${at + 1}`);
}

/** So many of them, each at most once. */
function drawn(forks: Forks, count: number, random: () => number): string[] {
  return forks
    .map(fork => ({ fork, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ fork }) => fork);
}

async function reportsOf(trial: H2Trial, ...sides: Parameters<H2Trial['compare']>): Promise<Found[]> {
  const { status, out, err } = await trial.compare(...sides, ...SCALE, '--format', 'json');
  if (status !== 0) throw new Error(err);
  return out.startsWith('{') ? JSON.parse(out).reports : [];
}

function textOf({ verdict, context, commit, methods }: Found): string {
  const of = context ?? methods[0];
  return `${verdict} ${of?.className}.${of?.method}, ${commit?.hash.slice(0, 8) ?? 'without commit'}`;
}

/** Slower, at a method of the slowdown, with the commit that made it. */
function isOf(slowdown: Slowdown, trial: H2Trial, { verdict, context, commit }: Found): boolean {
  return (
    verdict === 'slower' &&
    context !== null &&
    slowdown.methods.includes(`${context.className}.${context.method}`) &&
    commit?.hash === trial.commits.get(slowdown)
  );
}

async function planted(trial: H2Trial, base: Forks, head: Forks): Promise<BenchFigure[]> {
  const random = randomNumbers('planted');
  const found = new Map<Slowdown, number>();
  let further = 0;
  for (let draw = 0; draw < PLANTED.draws; draw++) {
    const side = (side: 'base' | 'head', forks: Forks) => ({ side, forks: drawn(forks, PLANTED.forks, random) });
    const reports = await reportsOf(trial, side('base', base), side('head', head));
    const rest = new Set(reports);
    for (const slowdown of slowdowns) {
      const first = reports.find(report => isOf(slowdown, trial, report));
      if (first === undefined) continue;
      rest.delete(first);
      found.set(slowdown, (found.get(slowdown) ?? 0) + 1);
    }
    for (const report of rest) process.stderr.write(`  draw ${draw + 1}: also ${textOf(report)}\n`);
    further += rest.size;
  }
  return [
    ...slowdowns.map(slowdown => ({
      label: `${slowdown.points} points, slower with its commit`,
      ...{ value: found.get(slowdown) ?? 0, unit: `of ${PLANTED.draws} draws`, limit: { least: 9 } },
    })),
    { label: 'findings of anything else', value: further, unit: 'findings', limit: { most: 0 } },
  ];
}

/** Forks run in rounds, as `insitu compare --run` has them: of each drawn round one fork is of each side, by chance. */
export async function equal(trial: H2Trial, forks: Forks): Promise<BenchFigure[]> {
  const random = randomNumbers('equal');
  const ends = [0, 0, 0, 0];
  const rounds = Array.from({ length: forks.length / 2 }, (_, at) => String(2 * at));
  for (let draw = 0; draw < EQUAL.draws; draw++) {
    const chosen = drawn(rounds, EQUAL.forks, random).map(first => ({
      first: Number(first),
      turn: random() < 0.5 ? 0 : 1,
    }));
    const side = (now: 0 | 1) => ({
      side: 'base' as const,
      forks: chosen.map(({ first, turn }) => forks[first + (turn === now ? 0 : 1)]!),
    });
    const { status } = await trial.compare(side(0), side(1), ...SCALE, '--fail-on', 'slower > 5%');
    ends[status]!++;
  }
  const unit = `of ${EQUAL.draws} draws`;
  return [
    { label: 'equal forks in 10 rounds: end with 0', value: ends[0]!, unit, limit: { least: 80 } },
    { label: 'equal forks in 10 rounds: end with 1', value: ends[1]!, unit, limit: { most: 1 } },
  ];
}

async function fresh(trial: H2Trial): Promise<BenchFigure> {
  let reported = 0;
  for (let at = 0; at < FRESH.comparisons; at++) {
    const [before, now] = [names(`fresh-${at + 1}-a`, FRESH.forks), names(`fresh-${at + 1}-b`, FRESH.forks)];
    const inTurns = before.flatMap((fork, i) => [fork, now[i]!]);
    for (const fork of at % 2 === 0 ? inTurns : [...before, ...now]) await trial.record('base', fork, FEWER_ROUNDS);
    const reports = await reportsOf(trial, { side: 'base', forks: before }, { side: 'base', forks: now });
    for (const report of reports) process.stderr.write(`  comparison ${at + 1}: ${textOf(report)}\n`);
    if (reports.length > 0) reported++;
  }
  const unit = `of ${FRESH.comparisons} comparisons`;
  return { label: 'equal forks recorded anew, 5 + 5: report anything', value: reported, unit, limit: { most: 3 } };
}

export const h2Row: BenchRow = {
  name: `H2: ${slowdowns.length} slowdowns among ${CHANGES.length} changes, and equal forks`,
  async run({ long }) {
    if (long !== true) return [];
    const folder = mkdtempSync(join(tmpdir(), 'insitu-h2-'));
    try {
      const trial = await H2Trial.prepare(folder);
      const [base, head] = [names('base', FORKS_A_SIDE), names('head', FORKS_A_SIDE)];
      for (const [at, fork] of base.entries()) {
        await trial.record('base', fork, ROUNDS);
        await trial.record('head', head[at]!, ROUNDS);
      }
      const more = names('more', MORE_EQUAL);
      for (const fork of more) await trial.record('base', fork, ROUNDS);
      return [...(await planted(trial, base, head)), ...(await equal(trial, [...base, ...more])), await fresh(trial)];
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};
