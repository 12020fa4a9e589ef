// Decides which program of a project is meant when none is named: the only one, else the one whose classes stand in the source root.
import { relative, sep } from 'node:path';
import { DistinctProblems, NOTHING_RECORDED, type Outcome, type Problem } from '../base/problem.ts';
import { walkSources } from '../mapping/source-walk.ts';
import { newestVersion } from '../store/select-snapshots.ts';
import type { Store, StoreEntry } from '../store/store.ts';
import type { Wish } from './wish.ts';

/** More than these are not looked at: a decision after a second beats a perfect one after a minute. */
const MOST_FILES = 20_000;
const MOST_FOLDERS = 5_000;
const LONGEST_MILLIS = 500;
const MOST_PROGRAMS = 8;
/** Of each program; the classes of one run are nearly those of all. */
const MOST_SNAPSHOTS = 3;

/** The named program, else the best one; null with problems when the store has nothing for the project. */
export async function chooseProgram(store: Store, wish: Wish): Promise<Outcome<string | null>> {
  if (wish.program !== null) return { value: wish.program, problems: [] };
  const listed = await store.list({ project: wish.project });
  const programs = [...new Set(listed.value.map(entry => entry.execution.program))].sort();
  if (programs.length === 1) return { value: programs[0]!, problems: listed.problems };
  // A store that cannot be read may have it.
  if (programs.length === 0 && listed.problems.some(({ severity }) => severity === 'error'))
    return { value: null, problems: listed.problems };
  if (programs.length === 0) return { value: null, problems: [...listed.problems, await nothingFor(store, wish)] };
  const entries = Map.groupBy(listed.value, entry => entry.execution.program);
  const looked = new Map(programs.slice(0, MOST_PROGRAMS).map(program => [program, entries.get(program) ?? []]));
  const program = await mostClasses(store, wish, looked);
  const message = `project ${wish.project} has the programs ${programs.join(', ')}; ${program} is shown`;
  const remedy = 'name another one by "program" or "programs" in insitu.json';
  return { value: program, problems: [...listed.problems, { severity: 'info', message, remedy }] };
}

async function nothingFor(store: Store, wish: Wish): Promise<Problem> {
  const others = new Set((await store.list({})).value.map(entry => entry.execution.project));
  const importing = `insitu import <recording> --program <name> --project ${wish.project}`;
  const remedy =
    others.size === 0
      ? `import a recording: ${importing}`
      : `name one that there is by --project or "project" in insitu.json: ${[...others].sort().join(', ')}; or import a recording: ${importing}`;
  const message = `no snapshots of project ${wish.project}`;
  const named = [...others].sort().join(', ');
  const inEditor =
    others.size === 0
      ? NOTHING_RECORDED
      : {
          message: `there are no recordings of project ${wish.project}`,
          remedy: `${NOTHING_RECORDED.remedy}; "project" in insitu.json names another one that there is: ${named}`,
        };
  return { severity: 'error', message, file: store.location, remedy, inEditor };
}

async function mostClasses(store: Store, { root }: Wish, programs: ReadonlyMap<string, readonly StoreEntry[]>) {
  const files = javaFiles(root);
  let best = { program: '', classes: -1 };
  for (const [program, entries] of programs) {
    const classes = await classesOf(store, newestVersion(entries).slice(-MOST_SNAPSHOTS));
    let found = 0;
    for (const name of classes) if (files.has(lastSegments(name.replaceAll('.', '/')))) found++;
    if (found > best.classes) best = { program, classes: found };
  }
  return best.program;
}

/** Names of all classes in the entries; an entry that cannot be read is reported when it is loaded. */
async function classesOf(store: Store, entries: readonly StoreEntry[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const entry of entries) {
    const { value: methods } = await store.readMethods(entry);
    for (const row of new Set(methods?.className)) names.add(methods!.strings[row]!);
  }
  return names;
}

/** Java files below `root`, each as the last two segments of its path without the ending: `shop/Cart`. */
function javaFiles(root: string): ReadonlySet<string> {
  const files = new Set<string>();
  const end = performance.now() + LONGEST_MILLIS;
  let folders = 0;
  for (const found of walkSources([root], new DistinctProblems())) {
    if (found === null) folders++;
    else files.add(lastSegments(relative(root, found.path.slice(0, -'.java'.length)).replaceAll(sep, '/')));
    if (files.size === MOST_FILES || folders === MOST_FOLDERS || performance.now() > end) break;
  }
  return files;
}

function lastSegments(path: string): string {
  return path.split('/').slice(-2).join('/');
}
