// The report of a history whose forks lie in a journal and a store: what the profiles tell comes second, in all forms, and forks tell whether they still compiled.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { outputTo } from '../../server/base/terminal.ts';
import { printReport, type REPORT_FORMS } from '../../server/cli/track-report.ts';
import { historyOf } from '../../server/track/history.ts';
import { Journal } from '../../server/track/journal.ts';
import { executionOf } from '../../server/track/track.ts';
import { configurationFor } from '../../server/workspace/settings/configuration.ts';
import { putProfile } from '../support/insitu/lsp-store.ts';
import { profileOfStacks } from '../support/profiles/profiles.ts';

const COMMITS = 10;
const FORKS = 2;
const PLANTED = 5;
const BENCHMARK = 'orders';
const about = Array.from({ length: COMMITS }, (_, at) => ({
  ...{ hash: at.toString(16).padStart(40, '0'), author: 'A. Author', subject: `Change ${at}` },
  ...{ authoredMillis: 0, tag: at === PLANTED ? 'v5' : null },
}));

let folder: string;
/** The messages of reports about recordings that they cannot read. */
let errors: string;

beforeEach(() => {
  errors = '';
  folder = mkdtempSync(join(tmpdir(), 'insitu-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Forks of one time, in which `Shop.search` has so many samples of 1,000. @param isOld whether they tell nothing of the compiler */
async function measured(samplesAt: (at: number) => number, isOld = false): Promise<Journal> {
  const journal = new Journal(join(folder, 'journal'), 1);
  const program = { project: 'acme', program: 'shop' };
  for (const [at, { hash: commit }] of about.entries())
    for (let fork = 0; fork < FORKS; fork++) {
      const key = { commit, benchmark: BENCHMARK, fork };
      const shares: [number, number, number] = [0.5, 0.3, at < 7 ? 0.2 : 0.05];
      const compiler = isOld || (at === 0 && fork === 0) ? {} : { compiler: shares };
      const times = { millis: 100 + ((at * 7 + fork * 3) % 5), tookMillis: 10_000, atMillis: 0 };
      journal.saveFork(key, { state: 'measured', round: fork, ...times, ...compiler });
      const hot = samplesAt(at) + ((at * 3 + fork * 5) % 7);
      const stack = (method: string) => ({ frames: ['Main.main', method].map(each => ({ method: each, line: 1 })) });
      const samples = Array.from({ length: 1000 }, (_, sample) => stack(sample < hot ? 'Shop.search' : 'Shop.load'));
      const circumstances = { benchmark: BENCHMARK, fork };
      await putProfile(
        join(folder, 'store'),
        profileOfStacks(samples),
        executionOf(program, key),
        at * 60 + fork,
        circumstances,
      );
    }
  return journal;
}

async function reportOf(journal: Journal, form: (typeof REPORT_FORMS)[number]): Promise<string> {
  let text = '';
  const output = outputTo({
    ...{ out: part => (text += part), err: part => (errors += part) },
    ...{ isTerminal: false, colour: false },
  });
  const configuration = configurationFor(folder, { store: join(folder, 'store'), project: 'acme' });
  await printReport(output, form, {
    history: historyOf(journal, about, [BENCHMARK]),
    journal,
    configuration,
    program: 'shop',
  });
  return text;
}

test('a method that takes another share from a commit on is told by profile, where times tell no step', async () => {
  const journal = await measured(at => (at < PLANTED ? 300 : 450));
  const text = await reportOf(journal, 'text');
  expect(text).toMatch(
    / {2}no step was found\n {2}by profile from v5 on: own time of Shop\.search 30% → 45% of all, ±[\d.]+ points, p < 0\.001, 10 \+ 10 forks; time [+−][\d.]+ % \([+−][\d.]+ % to [+−][\d.]+ %\)\n {4}A\. Author, 1970-01-01: Change 5\n/,
  );
  const [{ byProfile }] = JSON.parse(await reportOf(journal, 'json')).benchmarks;
  expect(byProfile).toMatchObject({
    ...{ forks: 20, commits: 3 },
    findings: [
      {
        ...{ before: about[4]!.hash, commit: about[PLANTED]!.hash, forks: [10, 10] },
        methods: [{ method: { className: 'Shop', name: 'search' }, of: 'self' }],
      },
    ],
  });
  for (const form of ['svg', 'html'] as const) expect(await reportOf(journal, form)).toContain('by profile · v5');
  const page = await reportOf(journal, 'html');
  expect(page).toMatch(/<section id="step-0-5">.*own time of Shop\.search/);
  expect(page).toContain('<a href="#step-0-5">');
  expect(page).toContain(`insitu view --compare ${about[4]!.hash} ${about[PLANTED]!.hash} --program shop`);
});

test('equal profiles are told as looked at, and the forks that still compiled are counted', async () => {
  const text = await reportOf(await measured(() => 300), 'text');
  expect(text).toContain('  by profile: no method changed at any of 3 commits\n');
  const advice =
    '13 of 19 forks were still compiling in their last third (of 1 more it is not known): longer ones are needed, of about 24 s';
  expect(text).toContain(`  ${advice}\n`);
  const journal = new Journal(join(folder, 'journal'), 1);
  const [{ steadiness }] = JSON.parse(await reportOf(journal, 'json')).benchmarks;
  expect(steadiness).toEqual({ known: 19, unknown: 1, compiling: 13, share: 0.2, neededSeconds: 24 });
  expect(await reportOf(journal, 'svg')).toContain(advice);
});

test('a journal of an earlier version does not tell whether its forks still compiled, and the report says so', async () => {
  const text = await reportOf(await measured(() => 300, true), 'text');
  expect(text).toContain('  whether the 20 forks reached their steady state is not known\n');
});

test('a fork whose snapshot is damaged is left out, and said to be', async () => {
  const journal = await measured(at => (at < PLANTED ? 300 : 450));
  const [file] = globSync('**/*.cct', { cwd: join(folder, 'store') }).sort();
  writeFileSync(join(folder, 'store', file!), 'damaged');
  const [{ byProfile }] = JSON.parse(await reportOf(journal, 'json')).benchmarks;
  expect(byProfile.forks).toBe(19);
  expect(errors).toContain(file!.split('/').at(-1));
});
