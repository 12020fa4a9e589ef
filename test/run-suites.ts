// `npm test`: runs each suite under its cap, fetches engines once the fast suite is through, and ends with one summed line.

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../server/base/message-of.ts';
import { allowedSkips } from './run/allowed-skips.ts';
import { killRunning } from './run/capped-command.ts';
import { describeFailures, describeOutcome, forbiddenSkips, type Outcome, summary, survivors } from './run/outcome.ts';
import { runCheck, runSuite } from './run/run-suite.ts';
import { type EngineName, minutesFor, type Suite, suites } from './run/suites.ts';
import { fetchEngine, forgetFailures, type Provided } from './support/engines/engines.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function chosenSuites(args: readonly string[]): readonly Suite[] | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', multiple: true } } });
    if (values.only === undefined) return suites;
    const names = values.only.flatMap(list => list.split(','));
    const unknown = names.find(name => !suites.some(suite => suite.name === name));
    if (unknown === undefined) return suites.filter(suite => names.includes(suite.name));
    console.error(`there is no suite "${unknown}"`);
  } catch (error) {
    console.error(messageOf(error));
  }
  return undefined;
}

/** How many engines are fetched at once: unpacking takes a core, and tests run meanwhile. */
const FETCHED_AT_ONCE = 2;

/** Starts fetching what the suites with test files need, in the order in which they need it. */
function startFetching(chosen: readonly Suite[]): Map<EngineName, Promise<Provided>> {
  forgetFailures();
  const wanted = [...new Set(chosen.filter(hasFiles).flatMap(suite => suite.engines))];
  if (wanted.length > 0) console.log(`engines: ${wanted.join(', ')} (fetched into .cache/engines/ where missing)`);
  const fetched: Promise<Provided>[] = [];
  for (const [i, name] of wanted.entries()) {
    const before = fetched[i - FETCHED_AT_ONCE] ?? Promise.resolve();
    fetched.push(before.then(() => fetchEngine(name, line => console.log(`  engine | ${line}`))));
  }
  return new Map(wanted.map((name, i) => [name, fetched[i]!]));
}

function hasFiles(suite: Suite): boolean {
  return globSync([...suite.include], { cwd: root }).length > 0;
}

async function runAll(chosen: readonly Suite[]): Promise<Outcome[]> {
  const started = performance.now();
  let engines: ReturnType<typeof startFetching> | undefined;
  const outcomes: Outcome[] = [];
  const conclude = (outcome: Outcome): void => {
    outcomes.push(outcome);
    console.log(`==== ${describeOutcome(outcome)}\n`);
  };
  for (const suite of chosen) {
    if (!hasFiles(suite)) {
      console.log(`==== ${suite.name}: no test files yet\n`);
      continue;
    }
    if (suite.name === 'fast') {
      conclude(await runCheck('types', root, 'tsc', ['--noEmit', '-p', '.']));
      conclude(await runCheck('types of the page', root, 'tsc', ['--noEmit', '-p', 'clients/web']));
      conclude(await runCheck('lint', root, 'biome', ['check', '--error-on-warnings', '.']));
    }
    if (suite.name !== 'fast') engines ??= startFetching(chosen);
    for (const name of suite.engines) {
      const provided = await engines?.get(name);
      if (provided !== undefined && 'missing' in provided)
        console.log(`  engine | ${name} is missing: ${provided.missing}`);
    }
    const capMinutes = minutesFor(suite, (performance.now() - started) / 60_000);
    console.log(`==== ${suite.name} (at most ${capMinutes.toFixed(0)} min)`);
    conclude(await runSuite({ ...suite, capMinutes }, root));
  }
  return outcomes;
}

async function main(): Promise<number> {
  const chosen = chosenSuites(process.argv.slice(2));
  if (chosen === undefined) {
    console.error(`usage: npm test -- [--only ${suites.map(suite => suite.name).join('|')}[,…]]`);
    return 2;
  }
  const started = performance.now();
  const outcomes = await runAll(chosen);
  console.log(`==== all suites, ${((performance.now() - started) / 60_000).toFixed(1)} min`);
  for (const outcome of outcomes) console.log(describeOutcome(outcome));
  for (const { skipped } of outcomes) for (const title of skipped) console.log(`skipped: ${title}`);
  for (const line of describeFailures(outcomes)) console.log(line);
  const forbidden = process.env.CI === 'true' ? forbiddenSkips(outcomes, allowedSkips) : [];
  if (forbidden.length > 0)
    console.log(`In CI nothing may be skipped unless test/run/allowed-skips.ts lists it: ${forbidden.length} skipped.`);
  const survived = survivors(outcomes);
  if (survived !== null) console.log(survived);
  console.log(summary(outcomes));
  return forbidden.length > 0 || outcomes.some(outcome => outcome.failed > 0) ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    killRunning();
    process.exit(1);
  });
}
process.exit(await main());
