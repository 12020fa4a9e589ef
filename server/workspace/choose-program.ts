// Decides which program of a project is meant when nobody says: the only one, else the one whose classes stand in the source root.
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Outcome, Problem } from '../base/problem.ts';
import { loadProfile } from '../store/load.ts';
import type { Store } from '../store/store.ts';
import type { Source } from './source.ts';

/** More than these are not looked at: a decision after a second beats a perfect one after a minute. */
const MOST_FILES = 20_000;
const MOST_PROGRAMS = 8;

/** The named program, else the best one; null with problems when the store has nothing for the project. */
export async function chooseProgram(store: Store, source: Source): Promise<Outcome<string | null>> {
  if (source.program !== null) return { value: source.program, problems: [] };
  const listed = await store.list({ project: source.project });
  const programs = [...new Set(listed.value.map(entry => entry.execution.program))].sort();
  if (programs.length === 1) return { value: programs[0]!, problems: listed.problems };
  if (programs.length === 0)
    return { value: null, problems: [...listed.problems, await nothingFor(store, source, listed.problems)] };
  const program = await mostClasses(store, source, programs.slice(0, MOST_PROGRAMS));
  const message = `project ${source.project} has the programs ${programs.join(', ')}; ${program} is shown`;
  const remedy = 'name another one by "program" or "programs" in insitu.json';
  return { value: program, problems: [...listed.problems, { severity: 'info', message, remedy }] };
}

async function nothingFor(store: Store, source: Source, already: readonly Problem[]): Promise<Problem> {
  const severity = already.some(problem => problem.severity === 'error') ? 'info' : 'error';
  const others = new Set((await store.list({})).value.map(entry => entry.execution.project));
  const importing = `insitu import <recording> --program <name> --project ${source.project}`;
  const remedy =
    others.size === 0
      ? `import a recording: ${importing}`
      : `set "project" to one of ${[...others].sort().join(', ')}, or import a recording: ${importing}`;
  return { severity, message: `no snapshots of project ${source.project}`, file: store.location, remedy };
}

async function mostClasses(store: Store, source: Source, programs: readonly string[]): Promise<string> {
  const files = await javaFiles(source.root);
  let best = { program: programs[0]!, classes: -1 };
  for (const program of programs) {
    const loaded = await loadProfile(store, { project: source.project, program });
    const methods = loaded.value?.profile.methods;
    const classes = methods === undefined ? [] : Array.from(new Set(methods.className), row => methods.strings[row]!);
    const found = classes.filter(name => files.has(lastSegments(name.replaceAll('.', '/')))).length;
    if (found > best.classes) best = { program, classes: found };
  }
  return best.program;
}

/** Java files below `root`, each as the last two segments of its path without the ending: `shop/Cart`. */
async function javaFiles(root: string): Promise<Set<string>> {
  const files = new Set<string>();
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined && files.size < MOST_FILES; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isDirectory() && !/^(?:\.|node_modules$|target$|build$)/.test(entry.name))
        folders.push(join(folder, entry.name));
      if (entry.isFile() && entry.name.endsWith('.java'))
        files.add(lastSegments(relative(root, join(folder, entry.name.slice(0, -5))).replaceAll(sep, '/')));
    }
  }
  return files;
}

function lastSegments(path: string): string {
  return path.split('/').slice(-2).join('/');
}
