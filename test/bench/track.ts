// Measures how well `insitu track` finds steps: slowdowns planted into thirty commits of a real library, and steps of simulated histories.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { profileEvidence } from '../../server/track/profile-findings.ts';
import { fetchEngine } from '../support/engines/engines.ts';
import { type Plant, plantedCommonsCsv } from '../support/recordings/commons-csv.ts';
import { judged, simulatedHistory } from '../support/recordings/simulated-histories.ts';
import {
  equalWorld,
  PLANTED_AT,
  type ProfileWorld,
  plantedWorld,
  profilesOf,
} from '../support/recordings/simulated-profiles.ts';
import type { BenchFigure, BenchRow } from './row.ts';

const MAIN = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));
const COMMITS = 30;
const SECONDS = 4;
const MOST_MINUTES = 25;
const CLASSES = ['CSVParserTest', 'CSVRecordTest', 'LexerTest'].map(name => `org.apache.commons.csv.${name}`);

/** Each makes a run of CSVParserTest longer than at the commit before, the first one by 100 %, the others by 50 to 60 %, from a commit on that changes none of the tests. */
const PLANTS: readonly Plant[] = [
  plant('Better name.', 'CSVParser.java', 'CSVRecord nextRecord() throws IOException', 4_000),
  plant('Better internal names.', 'Lexer.java', 'Token nextToken(final Token token) throws IOException', 1_400),
  plant('CSV-283', 'CSVParser.java', 'private void addRecordValue(final boolean lastRecord)', 2_500),
  plant(
    'Bump spotbugs',
    'Lexer.java',
    'private Token parseEncapsulatedToken(final Token token) throws IOException',
    230_000,
  ),
  plant('CSV-286', 'ExtendedBufferedReader.java', 'public int read() throws IOException', 1_200),
];

function plant(from: string, file: string, head: string, turns: number): Plant {
  return { from, file, at: `    ${head} {`, turns };
}

type Step = { readonly commit: string; readonly change: number; readonly found: boolean };
type Found = { readonly commit: string; readonly methods: readonly { readonly method: { readonly name: string } }[] };
type Report = {
  readonly benchmarks: readonly {
    readonly name: string;
    readonly steps: readonly Step[];
    readonly byProfile: { readonly findings: readonly Found[]; readonly commits: number };
  }[];
};

async function insitu(folder: string, home: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state'), INSITU_STORE: join(home, 'store') };
  const child = spawn(process.execPath, [MAIN, 'track', '--program', 'csv', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', part => (text += part));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`insitu track ended with status ${status}`);
  return text;
}

const trackRow: BenchRow = {
  name: `insitu track: ${PLANTS.length} slowdowns in ${COMMITS} commits of Commons CSV`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const engine = await fetchEngine('commons-csv', line => console.error(`  engine | ${line}`));
    if ('missing' in engine) throw new Error(engine.missing);
    const home = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
    try {
      const folder = join(home, 'commons-csv');
      const planted = plantedCommonsCsv(folder, COMMITS, PLANTS);
      const maven = `mvn -o -Dmaven.repo.local=${join(engine.home, 'repository')}`;
      const range = ['--last', String(COMMITS)];
      const measured = ['--tests', ...CLASSES, '--seconds', String(SECONDS), '--maven', maven];
      const began = performance.now();
      await insitu(folder, home, [...range, ...measured]);
      const minutes = (performance.now() - began) / 60_000;
      const { benchmarks }: Report = JSON.parse(await insitu(folder, home, [...range, '--report', '--format', 'json']));
      const steps = benchmarks.flatMap(({ name, steps }) =>
        steps.filter(({ found }) => found).map(step => ({ ...step, name })),
      );
      const commits = new Set(planted.values());
      const found = PLANTS.filter(each =>
        steps.some(({ commit, change }) => commit === planted.get(each) && change > 0),
      );
      const others = steps.filter(({ commit, change }) => !commits.has(commit) || change < 0);
      const profiled = benchmarks.flatMap(({ name, byProfile }) =>
        byProfile.findings.map(finding => ({ ...finding, name })),
      );
      const besides = profiled.filter(({ commit }) => !commits.has(commit));
      for (const { name, commit, methods } of besides)
        console.error(`  track | by profile besides: ${name} ${commit} ${methods[0]!.method.name}`);
      for (const each of PLANTS) if (!found.includes(each)) console.error(`  track | not found: ${each.from}`);
      for (const { name, commit, change } of others) console.error(`  track | besides: ${name} ${commit} ${change}`);
      return [
        {
          label: 'found at their commit',
          value: found.length,
          unit: `of ${PLANTS.length}`,
          limit: { least: PLANTS.length },
        },
        { label: 'reported besides', value: others.length, unit: 'steps', limit: { most: 0 } },
        {
          label: 'by profile: at a planted commit that no step tells',
          value: profiled.length - besides.length,
          unit: 'findings',
        },
        { label: 'by profile besides', value: besides.length, unit: 'findings' },
        {
          label: 'all measured',
          value: minutes,
          unit: 'min',
          limit: { most: MOST_MINUTES },
          // Each fork measures for so many seconds, whatever the machine does.
          isWork: false,
        },
      ];
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
};

const HISTORIES = 1000;

/** Whether other commits tell the drift of a round better than the base commit alone. */
const simulatedRow: BenchRow = {
  name: `insitu track: ${HISTORIES} simulated histories`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const rules = [
      ['other commits tell drift', undefined],
      ['the base alone tells it', Number.POSITIVE_INFINITY],
    ] as const;
    return rules.flatMap(([rule, leastOthers]) => {
      const sum = { planted: 0, found: 0, wrong: 0, forks: 0 };
      for (let seed = 1; seed <= HISTORIES; seed++) {
        const history = simulatedHistory(seed * 7919);
        const { found, isFalse, forks } = judged(history, seed, leastOthers);
        sum.planted += history.planted.length;
        sum.found += found;
        sum.wrong += isFalse ? 1 : 0;
        sum.forks += forks;
      }
      const share = (part: number, whole: number) => (100 * part) / whole;
      return [
        { label: `${rule}: planted steps that were found`, value: share(sum.found, sum.planted), unit: '%' },
        {
          label: `${rule}: histories with a false step`,
          value: share(sum.wrong, HISTORIES),
          unit: '%',
          limit: { most: 5 },
        },
        { label: `${rule}: forks`, value: sum.forks, unit: 'forks' },
      ];
    });
  },
};

/** Whether the profiles find a method that makes a benchmark a quarter longer, among times that differ by 17 %, and nothing where forks are equal. */
const profilesRow: BenchRow = {
  name: `insitu track: profiles of ${HISTORIES} simulated histories`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const findingsIn = (world: ProfileWorld, seed: number) =>
      profileEvidence([{ series: { suspects: [], changedTests: [] }, profiles: profilesOf(world, seed) }])[0]!.findings;
    const sum = { false: 0, found: 0, exact: 0, besides: 0 };
    for (let seed = 1; seed <= HISTORIES; seed++) {
      if (findingsIn(equalWorld(seed), seed * 101).length > 0) sum.false++;
      const [first, ...others] = findingsIn(plantedWorld(), seed * 17);
      if (first !== undefined && first.methods[0].method.name === 'm0') sum.found++;
      if (first?.at === PLANTED_AT) sum.exact++;
      if (others.length > 0) sum.besides++;
    }
    const percent = (count: number) => (100 * count) / HISTORIES;
    return [
      { label: 'equal forks: histories with a finding', value: percent(sum.false), unit: '%', limit: { most: 5 } },
      { label: 'a planted quarter: found with its method', value: percent(sum.found), unit: '%', limit: { least: 95 } },
      { label: 'a planted quarter: at its very commit', value: percent(sum.exact), unit: '%', limit: { least: 80 } },
      {
        label: 'a planted quarter: histories with a finding besides',
        value: percent(sum.besides),
        unit: '%',
        limit: { most: 5 },
      },
    ];
  },
};

export const rows: readonly BenchRow[] = [trackRow, simulatedRow, profilesRow];
