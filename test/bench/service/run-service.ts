// Runs the service: what its edits cost by its own clock, and a recording of the unedited one under requests.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timeSettings } from '../../../server/record/flight-settings.ts';
import type { Engine } from '../../support/engines/engines.ts';
import { editedText, type ServiceEdit } from './edits.ts';

/** Pairs of an edited and an unedited copy, as the program has them. */
const PAIRS = 3;

const SOURCES = fileURLToPath(new URL('.', import.meta.url));

/** The edited class as it is recorded. */
export const DESK = readFileSync(join(SOURCES, 'Desk.java'), 'utf8');

/** Methods that are timed: those of the edited class, and what they call but for one. */
const TIMED = [
  ...['review', 'total', 'suggest', 'checkout', 'report', 'browse', 'tree', 'search', 'export', 'stockOf', 'greet'],
  ...['compare', 'value', 'named', 'convert', 'worth', 'countOf'],
].map(name => `shop.Desk::${name}`);
const CALLED = [
  ...['customer', 'history', 'items', 'product', 'stock', 'similar', 'audit'].map(name => `shop.Store::${name}`),
  ...['shop.Prices::price', 'shop.Prices::discount', 'shop.Pages::json', 'shop.Rates::rate'],
  // Methods that wait for another process: of the database's driver, and of the HTTP client.
  ...['executeQuery', 'executeUpdate'].map(name => `org.h2.jdbc.JdbcPreparedStatement::${name}`),
  'jdk.internal.net.http.HttpClientImpl::send',
];
const HANDLERS = TIMED.map(name => name.replace('shop.Desk::', '')).filter(
  name => name !== 'worth' && name !== 'countOf',
);

/** The time of a run of an edited method as a part of the same run of the unedited one, with its 95 % interval. */
export type Truth = { readonly ratio: number; readonly low: number; readonly high: number };

type Runs = { readonly rounds: number; readonly roundMillis: number };

export class ServiceRuns {
  readonly #jdk: Engine;
  readonly #folder: string;
  readonly #classPath: string;

  /** Compiles the service. */
  constructor(jdk: Engine, libraries: Engine, folder: string) {
    this.#jdk = jdk;
    this.#folder = folder;
    const jars = join(libraries.home, 'jars');
    const classes = join(folder, 'classes');
    this.#classPath = [classes, ...readdirSync(jars).map(name => join(jars, name))].join(':');
    const sources = readdirSync(SOURCES).filter(name => name.endsWith('.java'));
    const files = sources.map(name => join(SOURCES, name));
    execFileSync(jdk.program('javac'), ['-cp', this.#classPath, '-d', classes, ...files]);
  }

  #java(...args: readonly string[]): void {
    const flags = ['-Xmx512m', '-Xlog:disable', '-Xlog:all=error:stderr', '-cp', this.#classPath];
    execFileSync(this.#jdk.program('java'), [...flags, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  }

  /** Runs each edited version beside the unedited one. */
  truthsOf(edits: readonly ServiceEdit[], { rounds, roundMillis }: Runs): Truth[] {
    const versions = join(this.#folder, 'versions');
    const write = (name: string, text: string) => {
      mkdirSync(join(versions, name), { recursive: true });
      writeFileSync(join(versions, name, 'Desk.java'), text);
    };
    write('control', DESK);
    for (const [at, edit] of edits.entries()) write(`edit${at}`, editedText(DESK, edit));
    this.#java('shop.Compile', versions);
    const told = join(this.#folder, 'told');
    const wanted = edits.map(({ method }, at) => `edit${at}:${method}`);
    this.#java('shop.Rounds', versions, told, `${rounds}`, `${roundMillis}`, ...wanted);
    return readFileSync(told, 'utf8').trim().split('\n').map(truthOf);
  }

  /** Records the unedited service in a JVM of its own. */
  record(warmUpSeconds: number, seconds: number): string {
    const settings = join(this.#folder, 'time.jfc');
    const recording = join(this.#folder, 'service.jfr');
    writeFileSync(settings, timeSettings({ traced: [...TIMED, ...CALLED] }).text);
    this.#java('shop.Service', settings, recording, `${warmUpSeconds}`, `${seconds}`, ...HANDLERS);
    return recording;
  }
}

/** Both times of each round, edited and unedited: the mean over pairs of the middle of the logarithms of their ratios. */
function truthOf(line: string): Truth {
  const times = line.split(' ').slice(1).map(Number);
  const logs = times.flatMap((time, at) => (at % 2 === 0 ? [Math.log(time / times[at + 1]!)] : []));
  const rounds = logs.length / PAIRS;
  const pairs = Array.from({ length: PAIRS }, (_, pair) => logs.slice(pair * rounds, (pair + 1) * rounds));
  // A round in which other work held one of the two up is far from the others.
  const kept = pairs.map(pair => pair.toSorted((a, b) => a - b).slice(1, -1));
  const means = kept.map(meanOf);
  const mean = meanOf(means);
  const within = meanOf(kept.map((pair, at) => varianceOf(pair, means[at]!) / pair.length));
  const reach = 2.2 * Math.sqrt((varianceOf(means, mean) + within) / PAIRS);
  return { ratio: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

function varianceOf(values: readonly number[], mean: number): number {
  return values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1);
}
