// Measures predictions of a service's edits: H2 through JDBC, Jackson and Caffeine behind the JDK's HTTP server.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '../run/suites.ts';
import { type Engine, fetchEngine } from '../support/engines/engines.ts';
import { HARMLESS_KINDS, harmlessEdits } from '../support/recordings/harmless-edits.ts';
import { toldOfHarmless } from '../support/recordings/harmless-predictions.ts';
import type { BenchFigure, BenchRow } from './row.ts';
import { SERVICE_EDITS, type ServiceEdit } from './service/edits.ts';
import { GIVEN_EDITS, QUERY_KIND } from './service/given-edits.ts';
import {
  isToldAsQuery,
  type JudgedEdit,
  type JudgedService,
  judge,
  predictedEdits,
  type Share,
  toldOf,
  type Verdict,
  verdictOf,
} from './service/judge.ts';
import { ServiceRuns } from './service/run-service.ts';

const RUNS = { rounds: 8, roundMillis: 80 };
/** Seconds that the service runs before it is recorded, and that are recorded. */
const [WARM_UP, RECORDED] = [90, 40];

async function engine(name: EngineName): Promise<Engine> {
  const provided = await fetchEngine(name, line => console.error(`  engine | ${line}`));
  if ('missing' in provided) throw new Error(provided.missing);
  return provided;
}

/** `61 of 92 (0.56 to 0.75)`, by Wilson's interval. */
function shareText(what: string, { found, of, low, high }: Share): string {
  return `${what}, ${found} of ${of} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

/** Edits with what is predicted of them and what they came to, from a service that is recorded for them. */
async function judgedEdits(edits: readonly ServiceEdit[]): Promise<{ all: JudgedEdit[]; seconds: number }> {
  const [jdk, libraries] = [await engine('jdk25'), await engine('service')];
  const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
  try {
    const began = performance.now();
    const runs = new ServiceRuns(jdk, libraries, folder);
    const predicted = await predictedEdits(edits, runs.record(WARM_UP, RECORDED));
    const truths = runs.truthsOf(edits, RUNS);
    const seconds = (performance.now() - began) / 1_000;
    return { all: edits.map((edit, at) => ({ edit, truth: truths[at]!, predicted: predicted[at]! })), seconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function share(what: string, of: Share, least: number): BenchFigure {
  return { label: shareText(what, of), value: (100 * of.found) / of.of, unit: '%', limit: { least } };
}

function count(label: string, value: number): BenchFigure {
  return { label, value, unit: 'edits', limit: { most: 0 } };
}

/** The figures of edits of all kinds. */
function figuresOf(judged: JudgedService): BenchFigure[] {
  for (const flaw of judged.flaws) console.error(`  prediction | ${flaw}`);
  return [
    share('have a number', judged.numbers, 60),
    count('neither a number nor a named unknown', judged.silent),
    count('of the wrong sign', judged.wrongSigns),
    count('"measured" that are not within × 1.5', judged.measuredWrongly),
    share('inside the interval of the change', judged.changes, 75),
  ];
}

const serviceRow: BenchRow = {
  name: `predictions of ${SERVICE_EDITS.length} edits of a service`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const { all, seconds } = await judgedEdits(SERVICE_EDITS);
    const judged = judge(all);
    const { means, changeRatio, meanRatio, error } = judged;
    return [
      ...figuresOf(judged),
      share("inside the interval of the method's mean", means, 75),
      {
        label: 'upper by lower end of the method with the change, median',
        value: changeRatio,
        unit: '',
        limit: { most: 1.5 },
      },
      { label: "upper by lower end of the method's mean, median", value: meanRatio, unit: '', limit: { most: 1.5 } },
      { label: 'median error', value: 100 * error, unit: '%', limit: { most: 20 } },
      { label: 'service recorded, all edits run beside it', value: seconds, unit: 's', limit: { most: 2_400 } },
    ];
  },
};

const givenRow: BenchRow = {
  name: `predictions of ${GIVEN_EDITS.length} edits with lambdas, streams, threads and queries`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const { all, seconds } = await judgedEdits(GIVEN_EDITS);
    const of = (verdict: Verdict) => all.filter(each => verdictOf(each) === verdict);
    for (const each of [...of('beside'), ...of('wrong')])
      console.error(
        `  prediction | ${each.edit.method}: ${each.truth.ratio.toFixed(3)}, told ${toldOf(each.predicted)}`,
      );
    const queries = all.filter(({ edit }) => edit.kind === QUERY_KIND);
    return [
      ...figuresOf(judge(all)),
      { label: 'right', value: of('right').length, unit: 'edits', limit: { least: 20 } },
      { label: 'unknown, for a named reason', value: of('unknown').length, unit: 'edits' },
      {
        label: 'of the right sign, outside the interval',
        value: of('beside').length,
        unit: 'edits',
        limit: { most: 4 },
      },
      count('wrong', of('wrong').length),
      {
        label: `told as queries in loops, of ${queries.length}`,
        value: queries.filter(({ predicted }) => isToldAsQuery(predicted)).length,
        unit: 'edits',
        limit: { least: queries.length },
      },
      { label: 'service recorded, all edits run beside it', value: seconds, unit: 's', limit: { most: 1_200 } },
    ];
  },
};

const HARMLESS = 200;

/** Comments, layout, names and moves in the files of jsoup, every method of which counts as timed. */
const harmlessRow: BenchRow = {
  name: `predictions of ${HARMLESS} harmless edits of a library`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const { home } = await engine('service');
    const root = join(home, 'src', 'jsoup');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.java'));
    const all = files.sort().flatMap(path => {
      const text = readFileSync(join(root, path), 'utf8');
      return harmlessEdits(text, 2).map(edit => ({ path, edit }));
    });
    // As many of each kind, from all over the library.
    const chosen = HARMLESS_KINDS.flatMap(kind => {
      const own = all.filter(({ edit }) => edit.kind === kind);
      const count = Math.min(own.length, Math.ceil(HARMLESS / HARMLESS_KINDS.length));
      return Array.from({ length: count }, (_, at) => own[Math.floor((at * own.length) / count)]!);
    });
    const told: string[] = [];
    for (const { path, edit } of chosen) {
      const lines = await toldOfHarmless(edit, path);
      if (lines.length > 0) told.push(`${edit.kind}, ${path}: ${lines.join(' | ')}`);
    }
    for (const line of told) console.error(`  prediction | ${line}`);
    return [
      { label: 'edits', value: chosen.length, unit: '', limit: { least: HARMLESS } },
      { label: 'of which something is told', value: told.length, unit: 'edits', limit: { most: 0 } },
    ];
  },
};

export const rows: readonly BenchRow[] = [harmlessRow, serviceRow, givenRow];
