// Measures predictions of a service's edits: H2 through JDBC, Jackson and Caffeine behind the JDK's HTTP server.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '../run/suites.ts';
import { type Engine, fetchEngine } from '../support/engines/engines.ts';
import { HARMLESS_KINDS, harmlessEdits } from '../support/recordings/harmless-edits.ts';
import { toldOfHarmless } from '../support/recordings/harmless-predictions.ts';
import type { BenchFigure, BenchRow } from './row.ts';
import { SERVICE_EDITS } from './service/edits.ts';
import { judge, predictedEdits, type Share } from './service/judge.ts';
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

const serviceRow: BenchRow = {
  name: `predictions of ${SERVICE_EDITS.length} edits of a service`,
  async run({ long }): Promise<BenchFigure[]> {
    if (long !== true) return [];
    const [jdk, libraries] = [await engine('jdk25'), await engine('service')];
    const folder = mkdtempSync(join(tmpdir(), 'insitu-bench-'));
    try {
      const began = performance.now();
      const runs = new ServiceRuns(jdk, libraries, folder);
      const predicted = await predictedEdits(SERVICE_EDITS, runs.record(WARM_UP, RECORDED));
      const truths = runs.truthsOf(SERVICE_EDITS, RUNS);
      const seconds = (performance.now() - began) / 1_000;
      const judged = judge(SERVICE_EDITS.map((edit, at) => ({ edit, truth: truths[at]!, predicted: predicted[at]! })));
      for (const flaw of judged.flaws) console.error(`  prediction | ${flaw}`);
      const share = (what: string, of: Share, least: number): BenchFigure => ({
        ...{ label: shareText(what, of), value: (100 * of.found) / of.of, unit: '%', limit: { least } },
      });
      const count = (label: string, value: number): BenchFigure => ({
        ...{ label, value, unit: 'edits', limit: { most: 0 } },
      });
      const { numbers, changes, means, changeRatio, meanRatio, error } = judged;
      return [
        share('have a number', numbers, 60),
        count('neither a number nor a named unknown', judged.silent),
        count('of the wrong sign', judged.wrongSigns),
        count('"measured" that are not within × 1.5', judged.measuredWrongly),
        share('inside the interval of the change', changes, 75),
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
    } finally {
      rmSync(folder, { recursive: true });
    }
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

export const rows: readonly BenchRow[] = [harmlessRow, serviceRow];
