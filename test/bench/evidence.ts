// Measures the test over JVMs: how long it takes, how often it is wrong about equal code, and which planted changes it finds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Answers } from '../../server/analysis/answers.ts';
import { answer } from '../../server/analysis/ask.ts';
import { loadFiles } from '../../server/analysis/load-file.ts';
import { Pairing } from '../../server/analysis/pairing.ts';
import { noPause } from '../../server/base/pause.ts';
import { comparedSide } from '../../server/capabilities/compare/compared-side.ts';
import { methodEvidence } from '../../server/capabilities/compare/evidence.ts';
import { decideGate, type Gate, LOOKS } from '../../server/capabilities/compare/gate.ts';
import { TreeComparison } from '../../server/capabilities/compare/tree-comparison.ts';
import { mergeProfiles } from '../../server/cct/merge.ts';
import type { Profile } from '../../server/cct/profile.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { isDirected } from '../../server/model/verdict.ts';
import { normals } from '../capabilities/compare/normals.ts';
import { endOfCheck, type SimulatedCheck } from '../capabilities/compare/simulated-checks.ts';
import { fetchEngine } from '../support/engines/engines.ts';
import { loadedFrom } from '../support/profiles/loaded.ts';
import { compileShop, recordForks, writeShop } from '../support/recordings/forks.ts';
import { bigProfile, randomNumbers } from './big-profile.ts';
import { type BenchFigure, type BenchRow, type Limit, median, millisecondsOf } from './row.ts';

const ORDERS = 30_000;
const FORKS = 20;
const SPLITS = 1_000;

/** Each profile is that of a JVM of its own. */
function merged(profiles: readonly Profile[]): Profile {
  return mergeProfiles(
    profiles.map((profile, jvm) => ({
      ...profile,
      windows: profile.windows.map(each => ({ ...each, jvm: `jvm-${jvm}` })),
    })),
  );
}

const timeRow: BenchRow = {
  name: 'compare 5 + 5 JVMs of 200 k nodes each, with the test',
  async run({ quick }) {
    const side = (seed: string) =>
      loadedFrom(merged(Array.from({ length: 5 }, (_, jvm) => bigProfile({ seed: `${seed}${jvm}`, nodes: 200_000 }))));
    const [baseline, data] = [side('before'), side('now')];
    const wish = {
      became: Pairing.pending(data, baseline).with().becameRows(),
      scaling: 'share',
      work: null,
      code: null,
    } as const;
    // Answers are kept with the data: each run begins without.
    const times = await millisecondsOf(quick ? 1 : 5, 0, () => {
      const fresh = { ...data, answers: new Answers() };
      const { tested } = answer(fresh, 'responsible', { ...wish, most: 20 }, noPause, baseline);
      if (tested.methods === 0) throw new Error('nothing was tested');
      answer(fresh, 'evidence', { ...wish, check: { limit: 0.05, isPlanned: false } }, noPause, baseline);
    });
    const value = median(times);
    return [{ value, unit: 'ms', limit: { most: 3000 } }];
  },
};

/** Forks of the sample, recorded one after the other. */
async function equalForks(folder: string): Promise<Profile[]> {
  const jdk = await fetchEngine('jdk17', () => {});
  if ('missing' in jdk) throw new Error(jdk.missing);
  writeShop(folder, 'v1');
  await compileShop(jdk, folder);
  const [files] = await recordForks(jdk, [folder], FORKS, ORDERS);
  const profiles: Profile[] = [];
  for (const file of files!) {
    const { value, problems } = await loadFiles([file], { project: 'acme', program: 'shop', version: null });
    if (value === null) throw new Error(JSON.stringify(problems));
    profiles.push(value.profile);
  }
  return profiles;
}

const equalRow: BenchRow = {
  name: `${SPLITS} splits of ${FORKS} equal forks, 5 against 5`,
  async run({ long }) {
    if (long !== true) return [];
    const folder = mkdtempSync(join(tmpdir(), 'insitu-forks-'));
    try {
      const { profile, analysis } = loadedFrom(merged(await equalForks(folder)));
      const { index, selection } = analysis;
      const same = Int32Array.from({ length: profile.methods.length }, (_, row) => row);
      const random = randomNumbers('splits');
      let [reported, failed] = [0, 0];
      for (let split = 0; split < SPLITS; split++) {
        const order = Array.from({ length: FORKS }, (_, jvm) => ({ jvm, at: random() })).sort((a, b) => a.at - b.at);
        const sideOf = (from: number) => {
          const names = new Set(order.slice(from, from + 5).map(({ jvm }) => `jvm-${jvm}`));
          const windows = Uint8Array.from(profile.windows, ({ jvm }) => (names.has(jvm ?? '') ? 1 : 0));
          return analyse(profile, index, { ...selection, windows });
        };
        const sides = [sideOf(0), sideOf(5)] as const;
        const comparison = new TreeComparison(
          comparedSide(sides[0], same),
          comparedSide(sides[1], same),
          2 * same.length,
          noPause,
        );
        const anchors = [...same.keys()];
        const ways = {
          became: same,
          common: () => anchors,
          scaling: 'share',
          work: null,
          isTimed: false,
          anchoring: null,
        } as const;
        const found = methodEvidence(sides, ways, noPause);
        const contexts = found.byContext(comparison, noPause)!.contexts(noPause);
        const isTold = found.methods.some(({ verdict }) => isDirected(verdict));
        if (
          isTold ||
          [...contexts.values()].some(({ own, total }) =>
            [own, total].some(each => each !== null && isDirected(each.verdict)),
          )
        )
          reported++;
        if (
          decideGate(found.methodTest, found.jvms, 0.01, { isLooked: at => found.methods[at]!.of === 'total' }).end ===
          'failed'
        )
          failed++;
      }
      return [
        { label: 'report anything', value: reported, unit: 'splits', limit: { most: 50 } },
        { label: 'end the check with 1', value: failed, unit: 'splits', limit: { most: 15 } },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** As a part of everything. */
const LIMIT = 0.05;
const ROWS = 40;
const PASSES = 2_000;
/** Exchanging labels takes long. */
const FAILURES = 100;
/** The usual deviation and samples of forks of some seconds. */
const DEVIATION = 0.04;
const SAMPLES = 300;

/** Rows of a program: their shares fall as in Zipf's law. They differ between JVMs with their share, and as samples do. */
function programRows(): SimulatedCheck['rows'] {
  return Array.from({ length: ROWS }, (_, at) => {
    const share = 1 / (at + 1);
    return { deviation: Math.hypot(DEVIATION * share, Math.sqrt((share * (1 - share)) / SAMPLES)), growth: 0 };
  });
}

const checkRow: BenchRow = {
  name: `a check at 5 %, simulated: after 10 JVMs a side, and after ${LOOKS.join(', ')}`,
  async run({ long }) {
    if (long !== true) return [];
    const grown = (growth: number) => [{ deviation: DEVIATION, growth }];
    const equal = programRows();
    const slower = [...grown(3 * LIMIT), ...equal.slice(1)];
    const figures: BenchFigure[] = [];
    for (const looks of [[10], [...LOOKS]]) {
      const parts = (rows: SimulatedCheck['rows'], end: Gate['end'], times: number): number => {
        const normal = normals(looks.length);
        const check = { rows, limit: LIMIT, looks };
        let ended = 0;
        for (let at = 0; at < times; at++) if (endOfCheck(check, normal, end === 'failed') === end) ended++;
        return (100 * ended) / times;
      };
      const figure = (label: string, value: number, limit: Limit) =>
        figures.push({ label: `${label}, ${looks.length === 1 ? 'one look' : 'four looks'}`, value, unit: '%', limit });
      // Three standard errors of so many tries above the level.
      figure('grown by the limit, passes', parts(grown(LIMIT), 'passed', PASSES), { most: 6.5 });
      figure(`equal, ${ROWS} rows, passes`, parts(equal, 'passed', FAILURES), { least: 80 });
      figure(`equal, ${ROWS} rows, fails`, parts(equal, 'failed', FAILURES), { most: 3 });
      figure('grown by three limits, fails', parts(slower, 'failed', FAILURES), { least: 90 });
    }
    return figures;
  },
};

export const rows: readonly BenchRow[] = [timeRow, equalRow, checkRow];
