// Counts: exports of the program that no other file imports, and exports that only tests import.
import { isScript } from '../files.ts';
import { type Counted, eachPlace, isProgram, type Project } from './count.ts';
import { EVERY_NAME, exportedNames, handedOn, nameUses } from './modules.ts';

/** Counts exports that no other file imports: a name that its own file alone uses need not be exported. */
export function countUnusedExports(project: Project): Counted {
  return counted(project, 'nothing', 'that no other file imports');
}

export function countTestOnlyExports(project: Project): Counted {
  return counted(project, 'tests', 'that only tests import');
}

type Users = 'nothing' | 'tests' | 'program';

function counted(project: Project, wanted: Users, why: string): Counted {
  const usersOf = usersOfExports(project);
  const places = project.files.filter(isProgram).flatMap(file => {
    if (project.entries.has(file.path)) return [];
    const names = exportedNames(file).filter(({ name }) => usersOf(file.path, name) === wanted);
    return names.map(({ name, line }) => ({ path: file.path, line, message: `exports ${name}, ${why}` }));
  });
  return eachPlace(places);
}

/** Tells the users of a name of a file: the program comes before tests. Names that entries hand on with `export *` are used. */
function usersOfExports({ files, entries }: Project): (path: string, name: string) => Users {
  const scripts = files.filter(isScript);
  const passed = new Map(scripts.map(file => [file.path, handedOn(file)]));
  const own = new Map(scripts.map(file => [file.path, new Set(exportedNames(file).map(({ name }) => name))]));
  const used = { program: new Map<string, Set<string>>(), tests: new Map<string, Set<string>>() };
  const use = (by: 'program' | 'tests', start: string, name: string): void => {
    const open = [start];
    const seen = new Set<string>();
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const names = used[by].get(path) ?? new Set();
      used[by].set(path, names.add(name));
      if (!own.get(path)?.has(name)) open.push(...(passed.get(path) ?? []));
    }
  };
  for (const file of scripts) {
    const by = file.path.startsWith('test/') ? 'tests' : 'program';
    for (const { target, name } of nameUses(file)) if (target !== file.path) use(by, target, name);
  }
  for (const path of entries) use('program', path, EVERY_NAME);
  const has = (by: 'program' | 'tests', path: string, name: string): boolean => {
    const names = used[by].get(path);
    return names?.has(name) === true || names?.has(EVERY_NAME) === true;
  };
  return (path, name) => (has('program', path, name) ? 'program' : has('tests', path, name) ? 'tests' : 'nothing');
}
