// The common part of commands that run benchmarks: their journal, their messages meanwhile, and their end.
import { randomInt } from 'node:crypto';
import { join, resolve } from 'node:path';
import { messageOf } from '../base/message-of.ts';
import { printableLine } from '../base/printable.ts';
import { isDiskFull } from '../base/regular-file.ts';
import { stateFolder } from '../base/state-folder.ts';
import type { Output } from '../base/terminal.ts';
import { type GitRepository, openRepository } from '../mapping/git/git-repository.ts';
import { encodeSegment } from '../store/key.ts';
import type { Benchmark } from '../track/benchmark.ts';
import { Journal, JournalInUse } from '../track/journal.ts';
import { type TrackEvent, UNUSABLE_PATH } from '../track/track.ts';
import { DiskFull } from '../track/worktrees.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { CommandFailure, failed, misused } from './failure.ts';
import { reportProblems } from './output.ts';

export function programOf({ settings: { program } }: Configuration): string {
  if (program === null || program === '')
    throw misused('which program is measured?', 'name it: --program <name>, or "program" in insitu.json');
  return program;
}

export async function repositoryOf({ root }: Configuration): Promise<GitRepository> {
  const { value, problems } = await openRepository(root);
  if (problems.length > 0) throw new CommandFailure(1, problems);
  if (value === null) throw failed('this is no git repository', { file: root, remedy: 'run it in the checkout' });
  return value;
}

export function openJournal(
  options: { readonly journal?: string | undefined },
  { project }: Configuration,
  program: string,
  kind: readonly [folder: string, ...inside: string[]] = ['track'],
): Journal {
  const [first, ...inside] = kind;
  const segments = [project, program].map(each => encodeSegment(each) ?? 'long');
  const usual = join(stateFolder(), first, ...segments, ...inside);
  const folder = options.journal === undefined ? usual : resolve(options.journal);
  if (UNUSABLE_PATH.test(folder))
    throw failed('the JVM takes no options with spaces, commas, quotes or = in a path', {
      file: folder,
      remedy: 'name another folder with --journal',
    });
  try {
    return new Journal(folder, randomInt(2 ** 31));
  } catch (error) {
    throw failed(`the journal cannot be used: ${messageOf(error)}`, { remedy: 'name another with --journal' });
  }
}

/** Refuses benchmarks whose results in the journal were measured with another command: they cannot be compared. */
export function checkBenchmarks(journal: Journal, benchmarks: readonly Benchmark[]): void {
  for (const { name, about } of benchmarks) {
    const known = journal.benchmarkOf(name);
    if (known === null || (known.command === about.command && known.build === about.build)) continue;
    if (!journal.hasMeasured(name)) {
      // The journal's failures are of another command.
      journal.retry();
      continue;
    }
    const build = known.build === null ? '' : ` after the build '${known.build}'`;
    throw misused(
      `benchmark ${name} was measured otherwise: '${known.command}'${build}`,
      'give it another name with --name, or use another --journal',
    );
  }
}

export const GO_ON = 'the same command goes on where it was';

/** Holds the journal while benchmarks run. */
export async function whileTaken<T>(
  journal: Journal,
  benchmarks: readonly Benchmark[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    journal.take();
    for (const { name, about } of benchmarks) journal.saveBenchmark(name, about);
    return await work();
  } catch (error) {
    throw endOf(error, journal);
  } finally {
    journal.release();
  }
}

/** Errors of the machine say what is kept. */
function endOf(error: unknown, { folder }: Journal): unknown {
  if (error instanceof DiskFull || isDiskFull(error))
    return failed(`the disk is full: ${messageOf(error)}`, { file: folder, remedy: `make room; ${GO_ON}` });
  if (error instanceof JournalInUse)
    return failed(`the journal is in use: ${messageOf(error)}`, {
      file: folder,
      remedy: 'wait, or name another with --journal',
    });
  return error;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Tells what happened on standard error. */
export function say(output: Output, event: TrackEvent): void {
  if (event.kind === 'problem') reportProblems(output, [event.problem]);
  else output.err(`${printableLine(described(event))}\n`);
}

function described(event: Exclude<TrackEvent, { kind: 'problem' }>): string {
  if (event.kind === 'round') {
    const { round, runs, leftMillis } = event;
    return `round ${round}: ${counted(runs, 'run')}${leftMillis === null || leftMillis === 0 ? '' : `, about ${hoursText(leftMillis)} left`}`;
  }
  if (event.kind === 'broken')
    return `${event.commit.slice(0, 12)} is broken: ${event.detail}${tellingLine(event.tail)}`;
  const { commit, benchmark, fork } = event.key;
  const named = `${commit.slice(0, 12)} ${benchmark} ${fork}`;
  const { result } = event;
  if (result.state === 'measured') return `${named}: ${(result.millis / 1000).toFixed(3)} s`;
  return `${named}: ${result.reason}: ${result.detail}${tellingLine(result.tail)}`;
}

/** `2 h 5 min`, `40 s`. */
export function hoursText(millis: number): string {
  const seconds = Math.ceil(millis / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The first line of an output that speaks of an error, else the last one. */
function tellingLine(tail: string): string {
  const lines = tail.split('\n').filter(line => line.trim() !== '');
  const line = lines.find(each => /\berror\b/i.test(each)) ?? lines.at(-1);
  return line === undefined ? '' : ` (${line.trim()})`;
}
