// The output of `insitu track --report`: each step with its commit, its code, and how certain it is.

import { inlineReach } from '../analysis/ask.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { markupLine, markupText } from '../base/markup.ts';
import { printableLine, printableName } from '../base/printable.ts';
import { DistinctProblems, type Problem } from '../base/problem.ts';
import { type Output, styled } from '../base/terminal.ts';
import { comparedTrees, percent } from '../features/compare/door.ts';
import { listedText } from '../features/text/listed-method.ts';
import { shellWord } from '../track/benchmark.ts';
import { svgOf } from '../track/chart.ts';
import { type ForkProfile, forkProfiles } from '../track/fork-profiles.ts';
import {
  certaintyText,
  changeText,
  csvOf,
  doubtfulCommits,
  type History,
  millisText,
  nameOf,
  type ProfiledHistory,
  profileTimeText,
  pText,
  visibleIn,
  visibleText,
} from '../track/history.ts';
import type { Journal } from '../track/journal.ts';
import {
  type FoundMethod,
  LEAST_FORKS,
  type ProfileEvidence,
  type ProfileFinding,
  profileEvidence,
} from '../track/profile-findings.ts';
import type { Series, Step } from '../track/series.ts';
import { steadinessText } from '../track/steady-state.ts';
import { sourceOf } from '../workspace/data/source.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { CommandFailure } from './failure.ts';
import { loadVersions, pairedBaseline } from './load-chosen.ts';
import { printJson, reportProblems } from './output.ts';
import { openConfiguredStore } from './store-options.ts';

export const REPORT_FORMS = ['text', 'json', 'csv', 'svg', 'html'] as const;
type ReportForm = (typeof REPORT_FORMS)[number];

/** Code that the test over forks holds responsible. */
type Responsible = {
  /** The method whose time with all it calls changed most, and by how much, as a part of everything before. */
  readonly method: string;
  readonly change: number;
  /** The deepest context that explains it, and what calls it, root first; null where everything together changed. */
  readonly context: { readonly method: string; readonly above: readonly string[] } | null;
};

/** A method of a test class with enough samples on both sides; milliseconds of a run, and samples of the forks of both. */
type TestMethod = {
  readonly method: string;
  readonly millis: readonly [before: number, after: number];
  readonly samples: readonly [before: number, after: number];
};

/** The evidence of the recordings of both sides about a step; `responsible` is null where nothing was recorded. */
type Explanation = {
  readonly responsible: readonly Responsible[] | null;
  /** The largest difference first; the class is what the test decides about. */
  readonly testMethods: readonly TestMethod[];
};

type ExplainedStep = Explanation & { readonly series: Series; readonly step: Step };

/** A test method with fewer samples on a side is not shown. */
const LEAST_SAMPLES = 50;
const MOST_TEST_METHODS = 3;

/** More responsible contexts than these explain nothing. */
const MOST_RESPONSIBLE = 3;

type Reported = {
  readonly history: History;
  readonly journal: Journal;
  readonly configuration: Configuration;
  readonly program: string;
};

/** Prints a report to standard output. */
export async function printReport(output: Output, form: ReportForm, reported: Reported): Promise<void> {
  if (form === 'csv') return output.data(csvOf(reported.history));
  const history = await withProfiles(output, reported);
  if (form === 'svg') return output.data(svgOf(history));
  const explained = await explainSteps(output, reported);
  if (form === 'json') printJson(output, jsonOf(reported, history, explained));
  else if (form === 'html') output.data(pageOf(reported, history, explained));
  else printText(output, history, explained);
}

/** Reads the recordings of all forks. */
async function withProfiles(output: Output, reported: Reported): Promise<ProfiledHistory> {
  const { history, journal, configuration, program } = reported;
  const problems = new DistinctProblems();
  const tell = (problem: Problem) => {
    // Benchmarks without a JVM have no recordings, and perhaps no store.
    if (problem.message !== 'there is no store here') problems.add(problem);
  };
  const recorded = {
    ...{ journal, program, project: configuration.project, commits: history.commits.map(({ hash }) => hash) },
    ...{ store: openConfiguredStore(configuration), tell },
  };
  const profiled: { readonly series: Series; readonly profiles: readonly ForkProfile[] }[] = [];
  for (const series of history.series)
    profiled.push({ series, profiles: await forkProfiles(recorded, series.benchmark) });
  reportProblems(output, problems.list());
  return { ...history, evidence: profileEvidence(profiled) };
}

/** Only found steps are explained. */
async function explainSteps(output: Output, reported: Reported): Promise<ExplainedStep[]> {
  const explained: ExplainedStep[] = [];
  for (const series of reported.history.series)
    for (const step of series.suspects) {
      const explanation = step.isFound ? await explanationOf(output, reported, series, step) : UNEXPLAINED;
      explained.push({ series, step, ...explanation });
    }
  return explained;
}

/** Forks that both commits have, so that absolute amounts are of equally many. */
function commonInstances(
  { history, journal }: Reported,
  { benchmark }: Series,
  { before, at }: Pick<Step, 'before' | 'at'>,
): string[] {
  const forksOf = (place: number) => journal.measuredForks(history.commits[place]!.hash, benchmark);
  const numbers = new Set(forksOf(at));
  const common = forksOf(before).filter(fork => numbers.has(fork));
  return common.map(fork => `${benchmark}-${fork}`);
}

const UNEXPLAINED: Explanation = { responsible: [], testMethods: [] };

async function explanationOf(output: Output, reported: Reported, series: Series, step: Step): Promise<Explanation> {
  const { before, at, comparison } = step;
  const { configuration, program, history } = reported;
  const instances = commonInstances(reported, series, { before, at });
  const silent = { ...output, err: () => {}, failed: () => {} };
  const ofProgram = { ...configuration, settings: { ...configuration.settings, program } };
  const versions = [history.commits[before]!.hash, history.commits[at]!.hash] as const;
  try {
    const [earlier, data] = await loadVersions(silent, ofProgram, versions, instances);
    const baseline = await pairedBaseline(sourceOf(configuration, null), data, earlier);
    // A test runs for a time, not for an amount of work: what both sides have in common is the measure then.
    const build = reported.journal.buildOf(history.commits[at]!.hash);
    const scaling = build?.state === 'built' && build.tests !== undefined ? 'anchored' : 'absolute';
    const options = { scaling, most: null, work: null, check: null, code: null } as const;
    const { reports } = await comparedTrees(data, baseline, options, inlineReach.ask);
    const alike = reports.filter(({ verdict, methods }) => verdict === comparison.verdict && methods.length > 0);
    const responsible = alike.slice(0, MOST_RESPONSIBLE).map(({ context, methods: [method] }) => ({
      method: listedText(method!),
      change: method!.change,
      context: context === null ? null : { method: listedText(context), above: context.above.map(listedText) },
    }));
    return { responsible, testMethods: testMethodsOf(reported, series, step, [earlier, data]) };
  } catch (error) {
    // A benchmark without a JVM has no data: its times are all there is.
    if (error instanceof CommandFailure) return { responsible: null, testMethods: [] };
    throw error;
  }
}

function testMethodsOf(
  { history, journal }: Reported,
  { benchmark }: Series,
  { before, at }: Step,
  data: readonly [LoadedData, LoadedData],
): TestMethod[] {
  const [first, second] = [before, at].map(place => partsOf(journal, history.commits[place]!.hash, benchmark));
  return Object.keys(first!)
    .flatMap(method => {
      const samples = data.map(each => samplesOf(each, benchmark, method)) as [number, number];
      const millis = [first![method]!, second![method]] as const;
      if (millis[1] === undefined || samples.some(count => count < LEAST_SAMPLES)) return [];
      return [{ method, millis: [millis[0], millis[1]] as const, samples }];
    })
    .sort((a, b) => Math.abs(b.millis[1] - b.millis[0]) - Math.abs(a.millis[1] - a.millis[0]))
    .slice(0, MOST_TEST_METHODS);
}

/** Milliseconds of each test method in a run: means of the forks. */
function partsOf(journal: Journal, commit: string, benchmark: string): Readonly<Record<string, number>> {
  const forks = journal
    .forksOf(commit, benchmark)
    .flatMap(each => (each.state === 'measured' && each.parts !== undefined ? [each.parts] : []));
  const names = new Set(forks.flatMap(parts => Object.keys(parts)));
  return Object.fromEntries(
    Array.from(names, name => {
      const millis = forks.flatMap(parts => parts[name] ?? []);
      return [name, millis.reduce((sum, each) => sum + each, 0) / millis.length];
    }),
  );
}

function samplesOf({ profile: { methods }, values }: LoadedData, className: string, method: string): number {
  const { strings } = methods;
  let most = 0;
  for (let row = 0; row < methods.length; row++)
    if (strings[methods.name[row]!] === method && strings[methods.className[row]!] === className)
      most = Math.max(most, values.total.count[row]!);
  return most;
}

function printText(output: Output, history: ProfiledHistory, explained: readonly ExplainedStep[]): void {
  for (const [at, series] of history.series.entries()) {
    output.out(styled('bold', printableName(series.benchmark)), `: ${rangeText(history, series)}\n`);
    const own = explained.filter(each => each.series === series);
    const found = own.filter(({ step }) => step.isFound);
    const undecided = own.filter(({ step }) => !step.isFound);
    const gaps = history.gaps.filter(({ benchmark }) => benchmark === series.benchmark);
    const name = (at: number) => nameOf(history.commits[at]!);
    const lines = [
      ...found.flatMap(each => linesOf(history, each)),
      ...(found.length === 0 ? ['  no step was found'] : []),
      ...profileLines(history, history.evidence[at]!),
      ...[visibleText(series), steadinessText(series.steadiness)].flatMap(text => (text === '' ? [] : [`  ${text}`])),
      ...undecided.map(({ step }) => `  ${undecidedText(history, step)}`),
      ...series.changedTests.map(at => `  test changed at ${name(at)}: both sides are not compared`),
      ...gaps.map(({ at, reason }) => `  gap at ${name(at)}: ${reason}`),
    ];
    for (const line of lines) output.out(`${printableLine(line)}\n`);
  }
}

function rangeText({ commits }: History, { points, noise, drift }: Series): string {
  const measured = points.filter(({ mean }) => mean !== null);
  const [first, last] = [measured.at(0), measured.at(-1)];
  if (first === undefined || last === undefined) return 'not measured';
  const end = (each: typeof first) => `${millisText(each.mean!)} at ${nameOf(commits[each.at]!)}`;
  const removed = drift.filter(({ isRemoved }) => isRemoved).length;
  const heldUp = points.reduce((sum, point) => sum + point.heldUp, 0);
  const held = heldUp === 0 ? '' : `, ${heldUp} forks left out that something held up`;
  const drifted = removed === 0 ? '' : `, drift of ${removed} of ${drift.length} rounds taken out`;
  return printableLine(
    `${end(first)}, ${end(last)}; ${measured.length} of ${commits.length} commits, forks differ by ${percent(noise)}${drifted}${held}`,
  );
}

function linesOf(history: History, { series, step, responsible, testMethods }: ExplainedStep): string[] {
  const { verdict, change } = step.comparison;
  const { author, subject, authoredMillis } = history.commits[step.at]!;
  const others = doubtfulCommits(history, step);
  const doubt = others.length === 0 ? '' : `, or one of ${others.length} without a number before it`;
  const means = [step.before, step.at].map(at => millisText(series.points[at]!.mean!));
  return [
    `  ${verdict} by ${changeText(Math.abs(change)).slice(1)} (${means.join(' → ')}) from ${nameOf(history.commits[step.at]!)} on${doubt} · ${certaintyText(step)}`,
    `    ${author}, ${new Date(authoredMillis).toISOString().slice(0, 10)}: ${subject}`,
    ...(responsible ?? []).map(each => `    responsible: ${responsibleText(each)}`),
    ...(responsible?.length === 0
      ? ['    no code is told apart by the test over forks: insitu compare lists all']
      : []),
    ...testMethods.map(each => `    test method ${testMethodText(each)}`),
  ];
}

/** The lines about profiles, which come second: they are about shares, not about time. */
function profileLines({ commits }: History, { findings, forks, commits: tested }: ProfileEvidence): string[] {
  if (findings.length === 0) {
    if (forks === 0) return [];
    const few = `${LEAST_FORKS} + ${LEAST_FORKS} forks with a profile are needed`;
    return [
      `  by profile: ${tested === 0 ? `nothing is told, ${few}` : `no method changed at any of ${tested} commits`}`,
    ];
  }
  return findings.flatMap(finding => findingLines({ commits }, finding));
}

function findingLines({ commits }: Pick<History, 'commits'>, finding: ProfileFinding): string[] {
  const { author, subject, authoredMillis } = commits[finding.at]!;
  const [first, ...others] = finding.methods;
  return [
    `  by profile from ${nameOf(commits[finding.at]!)} on: ${foundMethodText(first)}, ${finding.forks.join(' + ')} forks; ${profileTimeText(finding)}`,
    `    ${author}, ${new Date(authoredMillis).toISOString().slice(0, 10)}: ${subject}`,
    ...others.map(method => `    with it: ${foundMethodText(method)}`),
  ];
}

/** `own time of com.acme.Shop.search(String) 38 % → 50 % of all, ±4.1 points, p 0.001`. */
function foundMethodText({ method: { name, ...others }, of, before, now, margin, p }: FoundMethod): string {
  const what = of === 'self' ? 'own time of' : 'time with all it calls of';
  const points = `±${(100 * margin).toFixed(1)} points`;
  const method = listedText({ ...others, method: name });
  return `${what} ${method} ${percent(before)} → ${percent(now)} of all, ${points}, p ${pText(p)}`;
}

function testMethodText({ method, millis, samples }: TestMethod): string {
  const change = changeText(millis[1] / millis[0] - 1);
  return `${method}: ${millis.map(millisText).join(' → ')} (${change}), ${samples.join(' and ')} samples`;
}

function responsibleText({ method, change, context }: Responsible): string {
  const caller = context?.above.at(-1);
  const by = context === null || context.method === method ? '' : `, by ${context.method}`;
  return `${changeText(change)} ${method}${by}${caller === undefined ? '' : ` ← ${caller}`}`;
}

function undecidedText({ commits }: History, step: Step): string {
  const { change, verdict } = step.comparison;
  const words = {
    notTested: 'suspected',
    cannotTell: 'cannot tell',
    same: 'no change',
    slower: 'weak',
    faster: 'weak',
  };
  return `${words[verdict]} at ${nameOf(commits[step.at]!)}: ${changeText(change)} · ${certaintyText(step)}`;
}

function jsonOf({ program, configuration }: Reported, history: ProfiledHistory, explained: readonly ExplainedStep[]) {
  const { commits, base, seed, series, gaps, evidence } = history;
  return {
    project: configuration.project,
    program,
    seed,
    base: base === null ? null : commits[base]!.hash,
    commits,
    benchmarks: series.map((each, i) => ({
      name: each.benchmark,
      noise: each.noise,
      visible: visibleIn(each),
      steadiness: each.steadiness,
      drift: each.drift,
      points: each.points.map(({ at, ...point }) => ({ commit: commits[at]!.hash, ...point })),
      steps: explained
        .filter(({ series }) => series === each)
        .map(({ step: { before, at, comparison, p, isFound }, responsible, testMethods }) => ({
          before: commits[before]!.hash,
          commit: commits[at]!.hash,
          found: isFound,
          ...comparison,
          p: Number.isNaN(p) ? null : p,
          margin: Number.isNaN(comparison.margin) ? null : comparison.margin,
          responsible,
          testMethods,
        })),
      byProfile: {
        ...evidence[i]!,
        findings: evidence[i]!.findings.map(({ before, at, ...finding }) => ({
          before: commits[before]!.hash,
          commit: commits[at]!.hash,
          ...finding,
        })),
      },
      changedTests: each.changedTests.map(at => commits[at]!.hash),
      gaps: gaps
        .filter(({ benchmark }) => benchmark === each.benchmark)
        .map(({ at, reason }) => ({ commit: commits[at]!.hash, reason })),
    })),
  };
}

/** A page that needs nothing else: the chart, and below it each step with its commit and its code. */
function pageOf(reported: Reported, history: ProfiledHistory, explained: readonly ExplainedStep[]): string {
  const { program } = reported;
  const idOf = (series: Series, { at }: Pick<Step, 'at'>) => `step-${history.series.indexOf(series)}-${at}`;
  const sectionOf = (series: Series, sides: Pick<Step, 'before' | 'at'>, lines: readonly string[]) => {
    const [head = '', about = '', ...code] = lines.map(line => markupLine(line.trim()));
    const [before, at] = [sides.before, sides.at].map(place => history.commits[place]!.hash);
    const chosen = commonInstances(reported, series, sides).map(name => ` --instance ${shellWord(name)}`);
    const place = ` --program ${shellWord(program)}${chosen.join('')}`;
    const commands = [`insitu compare ${before} ${at}${place}`, `insitu view --compare ${before} ${at}${place}`];
    const items = code.map(line => `<li>${line}</li>`).join('');
    return `<section id="${idOf(series, sides)}"><h2>${markupLine(series.benchmark)}</h2><p>${head}</p><p>${about}</p><ul>${items}</ul><pre>${commands.map(markupText).join('\n')}</pre></section>`;
  };
  const found = explained.filter(({ step }) => step.isFound);
  const sections = [
    ...found.map(each => sectionOf(each.series, each.step, linesOf(history, each))),
    ...history.series.flatMap((series, i) =>
      history.evidence[i]!.findings.map(finding => sectionOf(series, finding, findingLines(history, finding))),
    ),
  ];
  const style =
    'body{font:15px system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}svg{max-width:100%;height:auto}section:target{background:#fff6d8}pre{overflow:auto;background:#f4f4f4;padding:.6rem}@media (prefers-color-scheme:dark){:root{color-scheme:dark}body{background:#16181d;color:#ddd}section:target{background:#3a3520}pre{background:#24272e}}';
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${markupLine(program)}: benchmarks over versions</title><style>${style}</style></head><body>`,
    `<h1>${markupLine(program)}: benchmarks over versions</h1>`,
    svgOf(history, (series, mark) => `#${idOf(series, mark)}`),
    ...sections,
    '</body></html>',
    '',
  ].join('\n');
}
