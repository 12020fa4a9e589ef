// `npm test`: runs each suite until it ends or stands still, fetches engines once the fast suite is through, and ends with one summed line.

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { messageOf } from '../server/base/message-of.ts';
import { allowedSkips } from './run/allowed-skips.ts';
import { runInLanes } from './run/lanes.ts';
import { describeFailures, describeOutcome, forbiddenSkips, type Outcome, summary, survivors } from './run/outcome.ts';
import { runCheck, runSuite } from './run/run-suite.ts';
import { foldersInFull, IN_FULL, SEED, SHORT } from './run/sizes.ts';
import { type EngineName, type Suite, suites } from './run/suites.ts';
import { killRunning } from './run/watched-command.ts';
import { fetchEngine, forgetFailures, type Provided } from './support/engines/engines.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

type Choice = { readonly suites: readonly Suite[]; readonly isFull: boolean; readonly seed: number };

const MOST_SEED = 1_000_000;

function chosen(args: readonly string[]): Choice | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { only: { type: 'string', multiple: true }, full: { type: 'boolean' }, seed: { type: 'string' } },
    });
    const seed = Number(values.seed ?? Date.now() % MOST_SEED);
    const names = values.only?.flatMap(list => list.split(',')) ?? suites.map(suite => suite.name);
    const unknown = names.find(name => !suites.some(suite => suite.name === name));
    if (unknown !== undefined) console.error(`there is no suite "${unknown}"`);
    else if (!Number.isSafeInteger(seed)) console.error(`--seed takes a whole number, not "${values.seed}"`);
    else return { suites: suites.filter(suite => names.includes(suite.name)), isFull: values.full === true, seed };
  } catch (error) {
    console.error(messageOf(error));
  }
  return undefined;
}

/** Tells the tests, by their environment, how much of them is run. */
function setSize({ isFull, seed }: Choice): void {
  process.env[SEED] = String(seed);
  const folders = isFull ? null : foldersInFull(root);
  if (folders === null) {
    console.log(`size: in full; seed ${seed}`);
    return;
  }
  process.env[SHORT] = '1';
  process.env[IN_FULL] = folders.join(',');
  const full = folders.length === 0 ? 'nothing differs from the merge base' : `in full: ${folders.join(', ')}`;
  console.log(`size: short, a tenth of each property (${full}); --full runs everything; seed ${seed}`);
}

/** How many engines are fetched at once: unpacking takes a core, and tests run meanwhile. */
const FETCHED_AT_ONCE = 2;

/** Starts fetching what the suites need, in the order in which they need it. */
function startFetching(wanting: readonly Suite[]): Map<EngineName, Promise<Provided>> {
  forgetFailures();
  const wanted = [...new Set(wanting.flatMap(suite => suite.engines))];
  if (wanted.length > 0) console.log(`engines: ${wanted.join(', ')} (fetched into .cache/engines/ where missing)`);
  const fetched: Promise<Provided>[] = [];
  for (const [i, name] of wanted.entries()) {
    const before = fetched[i - FETCHED_AT_ONCE] ?? Promise.resolve();
    fetched.push(before.then(() => fetchEngine(name, line => console.log(`  engine | ${line}`))));
  }
  return new Map(wanted.map((name, i) => [name, fetched[i]!]));
}

async function runAll(wanted: readonly Suite[]): Promise<Outcome[]> {
  let engines: ReturnType<typeof startFetching> | undefined;
  const outcomes: Outcome[] = [];
  const running = new Set<string>();
  const conclude = (outcome: Outcome): void => {
    outcomes.push(outcome);
    console.log(`==== ${describeOutcome(outcome)}\n`);
  };
  await runInLanes(wanted, async suite => {
    const { name } = suite;
    if (name === 'fast') {
      conclude(await runCheck('types', root, 'tsc', ['--noEmit', '-p', '.']));
      conclude(await runCheck('types of the page', root, 'tsc', ['--noEmit', '-p', 'clients/web']));
      conclude(await runCheck('lint', root, 'biome', ['check', '--error-on-warnings', '.']));
    } else engines ??= startFetching(wanted);
    for (const engine of suite.engines) {
      const provided = await engines?.get(engine);
      if (provided !== undefined && 'missing' in provided)
        console.log(`  engine | ${engine} is missing: ${provided.missing}`);
    }
    console.log(`==== ${name}${running.size > 0 ? ` (beside ${[...running].join(', ')})` : ''}`);
    running.add(name);
    conclude(await runSuite(suite, root));
    running.delete(name);
  });
  return outcomes;
}

async function main(): Promise<number> {
  const choice = chosen(process.argv.slice(2));
  if (choice === undefined) {
    const names = suites.map(suite => suite.name).join('|');
    console.error(`usage: npm test -- [--only ${names}[,…]] [--full] [--seed N]`);
    return 2;
  }
  const started = performance.now();
  setSize(choice);
  const outcomes = await runAll(choice.suites.filter(hasFiles));
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

function hasFiles(suite: Suite): boolean {
  return globSync([...suite.include], { cwd: root }).length > 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    killRunning();
    process.exit(1);
  });
}
process.exit(await main());
