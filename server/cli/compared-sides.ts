// The two sides of `insitu compare`: versions of the store, or files with what was recorded in them; and which of them cannot be compared.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { firstNames, printableName } from '../base/printable.ts';
import type { Output } from '../base/terminal.ts';
import { severalBenchmarks } from '../features/compare/door.ts';
import { openRepository } from '../mapping/git/git-repository.ts';
import { isPlatformClass } from '../mapping/platform-classes.ts';
import { WORKTREE } from '../mapping/recorded/recorded-code.ts';
import type { Configuration } from '../workspace/settings/configuration.ts';
import { misused, undecided } from './failure.ts';

/** A version of the store; or files, and what was recorded in them as the user says it: null where the files say it themselves. */
export type Side =
  | { readonly version: string }
  | { readonly files: readonly string[]; readonly recorded: string | null };

type SideOptions = {
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  readonly beforeVersion?: string | undefined;
  readonly afterVersion?: string | undefined;
};

/** @param before @param after the two arguments of the command */
export function sidesOf(
  before: string | undefined,
  after: string | undefined,
  options: SideOptions,
): readonly [Side, Side] {
  const sides = namedSides(before, after, options);
  const versions = [options.beforeVersion ?? null, options.afterVersion ?? null] as const;
  if (sides.some((side, at) => 'version' in side && versions[at] !== null))
    throw misused('--before-version and --after-version are of files', 'name a version of the store as the argument');
  const [first, second] = sides.map((side, at) => ('files' in side ? { ...side, recorded: versions[at]! } : side));
  if (isOne(first!, second!))
    throw misused(`${sideText(first!)} is compared with itself`, 'name two versions, or two groups of recordings');
  return [first!, second!];
}

function namedSides(
  before: string | undefined,
  after: string | undefined,
  options: SideOptions,
): readonly [Side, Side] {
  const files = (paths: readonly string[]) => ({ files: paths.map(path => resolve(path)), recorded: null });
  if (options.before !== undefined && options.after !== undefined) {
    if (before !== undefined) throw misused('the two sides are named twice', 'leave out the two arguments');
    return [files(options.before), files(options.after)];
  }
  if (before === undefined || after === undefined || options.before !== undefined || options.after !== undefined)
    throw misused('two sides are compared', 'name both: insitu compare v1 v2, or --before FILES --after FILES');
  const side = (text: string): Side => (isFileName(text) ? files([text]) : { version: text });
  return [side(before), side(after)];
}

/** Whether a file is on both sides; parts of one version may be compared. */
function isOne(before: Side, after: Side): boolean {
  if (!('files' in before) || !('files' in after)) return false;
  return before.files.some(file => after.files.includes(file));
}

/** Names that no version has: a path, or a file of a known kind. */
const FILE_NAME = /^\.{0,2}\/|\.(jfr|insitu|cct|gz|zst|zstd|zip|collapsed|folded|pb|pprof|tdump|txt|jsons?)$/i;

export function isFileName(text: string): boolean {
  return FILE_NAME.test(text) || statSync(resolve(text), { throwIfNoEntry: false })?.isFile() === true;
}

/** A full hash, of which a part tells enough. */
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** For people. */
export function sideText(side: Side): string {
  if ('version' in side) return HASH.test(side.version) ? side.version.slice(0, 12) : side.version;
  if (side.recorded !== null) return side.recorded;
  return side.files.length === 1 ? side.files[0]! : `${side.files.length} files`;
}

/**
 * The version that files are of: the full hash where git knows the name, so that commits, changed sources and places are told as of
 * versions in the store; else the name itself.
 */
export async function recordedVersion(
  output: Output,
  { repository }: Configuration,
  name: string | null,
): Promise<string | null> {
  if (name === null || name === WORKTREE) return name;
  const { value: git } = repository === null ? { value: null } : await openRepository(repository);
  if (git === null) return name;
  try {
    const hash = await git.commitNamed(name);
    if (hash === null)
      output.err(`note: git knows no commit "${printableName(name)}": it is a label, and tells nothing of the code\n`);
    return hash ?? name;
  } finally {
    git.close();
  }
}

/** Instances of one benchmark on each side. */
type BenchmarkInstances = readonly [before: readonly string[], now: readonly string[]];

/**
 * The instances of the benchmark that is compared; null where all that was loaded is. Several benchmarks are never pooled: without a
 * name the command ends where both sides have more than one in common.
 */
export function benchmarkOf(
  name: string | undefined,
  [before, now]: readonly [LoadedData, LoadedData],
): BenchmarkInstances | null {
  const sides = [before, now].map(({ provenance }) => provenance.benchmarks ?? new Map<string, readonly string[]>());
  const [first, second] = sides as [ReadonlyMap<string, readonly string[]>, ReadonlyMap<string, readonly string[]>];
  const listed = (names: Iterable<string>) => firstNames([...names].sort().map(printableName), MOST_NAMED);
  if (name === undefined && first.size === 0 && second.size === 0) return null;
  const common = [...first.keys()].filter(each => second.has(each) && (name === undefined || each === name));
  const [one, ...more] = common;
  if (more.length > 0) {
    const { message, remedy } = severalBenchmarks(listed(common));
    throw misused(message, `${remedy}: --benchmark NAME`);
  }
  if (one === undefined && name !== undefined)
    throw misused(
      `benchmark "${printableName(name)}" is not on both sides`,
      `there are: ${listed(new Set([...first.keys(), ...second.keys()])) || 'none'}`,
    );
  if (one === undefined)
    throw undecided(
      `the sides ran other benchmarks: ${listed(first.keys()) || 'none'} before, ${listed(second.keys()) || 'none'} now`,
      'compare the same benchmark',
    );
  if (first.size === 1 && second.size === 1) return null;
  return [first.get(one)!, second.get(one)!];
}

const MOST_NAMED = 10;

/** Ends the command where classes of the program are on both sides, and none of them is on both. */
export function checkOneProgram([before, now]: readonly [LoadedData, LoadedData]): void {
  const [first, second] = [classesOf(before), classesOf(now)];
  if (first.size === 0 || second.size === 0 || [...first].some(name => second.has(name))) return;
  throw undecided(
    `the two sides are of different programs: no class of ${[...first].sort()[0]} and others is on both`,
    'compare recordings of one program',
  );
}

function classesOf({ profile: { methods }, values: { total } }: LoadedData): Set<string> {
  const found = new Set<string>();
  for (let row = 0; row < methods.length; row++) {
    const name = methods.strings[methods.className[row]!]!;
    // Native code has no class.
    if (total.count[row]! > 0 && name !== '' && !isPlatformClass(name)) found.add(name);
  }
  return found;
}
