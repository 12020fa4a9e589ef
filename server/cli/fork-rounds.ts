// Runs a benchmark at two commits for a comparison: forks of both in rounds, until looks that were fixed beforehand decide.
import { createHash } from 'node:crypto';
import type { Output } from '../base/terminal.ts';
import { LOOKS } from '../capabilities/compare/door.ts';
import { commitNamed } from '../mapping/git/commit-history.ts';
import type { GitRepository } from '../mapping/git/git-repository.ts';
import { commandBenchmark } from '../track/benchmark.ts';
import { executionOf, trackPair } from '../track/track.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { checkBenchmarks, GO_ON, openJournal, programOf, repositoryOf, say, whileTaken } from './benchmark-journal.ts';
import { CommandFailure, failed, misused } from './failure.ts';
import { reportProblems } from './output.ts';
import { openConfiguredStore } from './store-options.ts';
import { untilTold } from './until-told.ts';

type Rounds = {
  /** A shell command; each run is a fork. */
  readonly run: string;
  /** Makes a commit ready, once. */
  readonly build: string | null;
  /** Names of commits, as git knows them. */
  readonly revisions: readonly [before: string, after: string];
  /** Of one build or fork. */
  readonly limitMillis: number;
  readonly journal?: string | undefined;
};

/** The data that are looked at: versions and instances in the store, baseline first. */
type ForkLook = {
  readonly versions: readonly [before: string, after: string];
  readonly instances: readonly [before: readonly string[], after: readonly string[]];
  readonly isLast: boolean;
};

/** @param look tells whether more forks are needed; it is asked at each of the planned looks. */
export async function runForks(
  output: Output,
  configuration: Configuration,
  { run, build, revisions, limitMillis, journal: folder }: Rounds,
  look: (at: ForkLook) => Promise<boolean>,
): Promise<void> {
  const program = programOf(configuration);
  const repository = await repositoryOf(configuration);
  try {
    const commits = [await hashOf(repository, revisions[0]), await hashOf(repository, revisions[1])] as const;
    if (commits[0] === commits[1]) throw misused(`${revisions[0]} and ${revisions[1]} are one commit`, 'name two');
    // Another command is another benchmark, with builds of its own.
    const id = createHash('sha256')
      .update(JSON.stringify([run, build]))
      .digest('hex')
      .slice(0, 8);
    const journal = openJournal({ journal: folder }, configuration, program, ['compare', id]);
    reportProblems(output, journal.problems);
    const benchmark = commandBenchmark(`compare-${id}`, run, build, 'cpu');
    checkBenchmarks(journal, [benchmark]);
    const most = LOOKS.at(-1)!;
    output.err(`up to ${most} forks of each commit, looked at after ${LOOKS.join(', ')}; journal: ${journal.folder}\n`);
    const of = { project: configuration.project, program };
    const instancesOf = (commit: string, forks: number) =>
      journal
        .measuredForks(commit, benchmark.name)
        .slice(0, forks)
        .map(fork => executionOf(of, { commit, benchmark: benchmark.name, fork }).instance);
    const end = await whileTaken(journal, [benchmark], () =>
      untilTold(signal =>
        trackPair(
          {
            ...{ repository, env: process.env, journal, commits, places: [0, 1], benchmarks: [benchmark], build },
            ...{ maven: null, forks: most, budgetMillis: Number.POSITIVE_INFINITY, limitMillis, ...of, signal },
            store: openConfiguredStore(configuration),
            metrics: configuration.settings.metrics,
            tell: event => say(output, event),
          },
          async forks => {
            if (!(LOOKS as readonly number[]).includes(forks)) return true;
            const instances = [instancesOf(commits[0], forks), instancesOf(commits[1], forks)] as const;
            return (await look({ versions: commits, instances, isLast: forks === most })) && forks < most;
          },
        ),
      ),
    );
    if (end === 'cancelled') throw failed('it was ended before its time', { remedy: GO_ON });
    if (end === 'broken')
      throw failed('a commit does not build, or a fork of it failed', { file: journal.folder, remedy: GO_ON });
  } finally {
    repository.close();
  }
}

async function hashOf(repository: GitRepository, name: string): Promise<string> {
  const { value, problems } = await commitNamed(repository, name);
  if (value === null) throw new CommandFailure(2, problems);
  return value;
}
