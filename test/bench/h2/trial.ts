// The trial on the database H2: a git history of its sources with planted changes, and forks of a fixed workload in a store.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tierSettings } from '../../../server/record/flight-settings.ts';
import { fetchEngine } from '../../support/engines/engines.ts';
import { type CommandRun, insitu } from '../../support/insitu/command-line.ts';
import { CHANGES, type Change } from './changes.ts';

const run = promisify(execFile);
const WORKLOAD = join(import.meta.dirname, 'Workload.java');
/** Imports of optional parts of H2: files with them are not compiled, and their classes come from the jar. */
const OPTIONAL =
  /^import (org\.apache|org\.osgi|javax\.servlet|jakarta|org\.slf4j|org\.locationtech)\.|\.getGeometry\(\)/m;
const HEAP = ['-Xms512m', '-Xmx512m'];

/** A point of the history. */
type Side = 'base' | 'head';

/** Names of instances, in the order in which they ran. */
export type Forks = readonly string[];

async function home(engine: 'jdk25' | 'h2') {
  const provided = await fetchEngine(engine, line => console.error(`  engine | ${line}`));
  if ('missing' in provided) throw new Error(provided.missing);
  return provided;
}

export class H2Trial {
  readonly #folder: string;
  readonly #java: string;
  readonly #jar: string;
  /** The commit that made each change. */
  readonly commits: ReadonlyMap<Change, string>;
  readonly versions: Readonly<Record<Side, string>>;

  constructor(folder: string, java: string, jar: string, hashes: readonly string[]) {
    this.#folder = folder;
    this.#java = java;
    this.#jar = jar;
    this.commits = new Map(CHANGES.map((change, at) => [change, hashes[at + 1]!]));
    this.versions = { base: hashes[0]!, head: hashes.at(-1)! };
  }

  /** Makes the history and compiles both ends of it. @param folder holds everything. */
  static async prepare(folder: string): Promise<H2Trial> {
    const [jdk, h2] = [await home('jdk25'), await home('h2')];
    const jar = join(h2.home, 'h2.jar');
    const repository = join(folder, 'repository');
    mkdirSync(repository, { recursive: true });
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=Insitu', '-c', 'user.email=insitu@localhost', ...args], {
        cwd: repository,
        encoding: 'utf8',
      }).trim();
    const commit = (subject: string): string => {
      git('add', '--all');
      git('commit', '--quiet', '--no-verify', '--message', subject);
      return git('rev-parse', 'HEAD');
    };
    const compile = async (side: Side) => {
      const sources = globSync('src/**/*.java', { cwd: repository }).sort();
      const compiled = sources.filter(file => !OPTIONAL.test(readFileSync(join(repository, file), 'utf8')));
      const classes = join(folder, side);
      const given = ['-g', '-nowarn', '-proc:none', '-encoding', 'UTF-8', '-cp', jar, '-d', classes];
      const list = join(folder, 'sources');
      writeFileSync(list, [...compiled, WORKLOAD].join('\n'));
      await run(jdk.program('javac'), [...given, `@${list}`], { cwd: repository, maxBuffer: 1 << 26 });
    };
    git('init', '--quiet', '--initial-branch=main');
    cpSync(h2.sources!, join(repository, 'src'), { recursive: true });
    const hashes = [commit('H2 as it was published')];
    await compile('base');
    for (const { name, apply } of CHANGES) {
      apply((file, edit) => {
        const path = join(repository, 'src/org/h2', file);
        writeFileSync(path, edit(readFileSync(path, 'utf8')));
      });
      hashes.push(commit(name));
    }
    await compile('head');
    writeFileSync(join(folder, 'insitu.jfc'), tierSettings('standard').text);
    return new H2Trial(folder, jdk.program('java'), jar, hashes);
  }

  /** Runs the workload once with so many rounds, recorded from its first call on, and takes the recording into the store. */
  async record(side: Side, instance: string, rounds: number): Promise<void> {
    const file = join(this.#folder, `${instance}.jfr`);
    const flags = [
      ...HEAP,
      '-Xlog:jfr*=off',
      `-XX:FlightRecorderOptions=stackdepth=${tierSettings('standard').depth}`,
      `-XX:StartFlightRecording:settings=${join(this.#folder, 'insitu.jfc')},filename=${file}`,
    ];
    const path = `${join(this.#folder, side)}:${this.#jar}`;
    await run(this.#java, [...flags, '-cp', path, 'Workload', `${rounds}`], { cwd: this.#folder });
    const { status, err } = await this.insitu(
      ...['import', file, '--version', this.versions[side], '--instance', instance],
    );
    if (status !== 0) throw new Error(err);
  }

  /** One command in the repository, about the store of the trial. */
  async insitu(...args: readonly string[]): Promise<CommandRun> {
    const before = process.cwd();
    process.chdir(join(this.#folder, 'repository'));
    try {
      return await insitu(...args, '--store', join(this.#folder, 'store'), '--project', 'h2', '--program', 'h2');
    } finally {
      process.chdir(before);
    }
  }

  /** Compares forks of one side with forks of another one. */
  compare(before: { readonly side: Side; readonly forks: Forks }, now: typeof before, ...more: readonly string[]) {
    const chosen = (option: string, forks: Forks) => forks.flatMap(fork => [option, fork]);
    return this.insitu(
      ...['compare', this.versions[before.side], this.versions[now.side], ...more],
      ...chosen('--before-instance', before.forks),
      ...chosen('--instance', now.forks),
    );
  }
}
