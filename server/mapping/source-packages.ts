// Packages that a folder has sources of, by the paths of the folders with sources below it.
import { dirname } from 'node:path';
import { DistinctProblems } from '../base/problem.ts';
import { walkSources } from './source-walk.ts';

export type SourcePackages = {
  /** Whether a folder with sources is called as the package: `…/com/acme` for `com.acme`. */
  has(packageName: string): boolean;
};

/** More are not looked at: what a home folder holds is no project. */
const MOST_FOLDERS = 20_000;
const LONGEST_MILLIS = 1_000;

const SOURCE = /\.(?:java|kt|scala|groovy)$/;

/** @param root absolute path of the project. */
export function sourcePackages(root: string): SourcePackages {
  /** Folders with sources, by the last name of their paths. */
  const folders = new Map<string, Set<string>>();
  const end = performance.now() + LONGEST_MILLIS;
  let walked = 0;
  let last = '';
  for (const found of walkSources([root], new DistinctProblems(), [], SOURCE)) {
    if (found === null) {
      if (++walked === MOST_FOLDERS || performance.now() > end) break;
      continue;
    }
    const folder = dirname(found.path);
    if (folder === last) continue;
    last = folder;
    const path = folder.replaceAll('\\', '/');
    const name = path.slice(path.lastIndexOf('/') + 1);
    const alike = folders.get(name);
    if (alike === undefined) folders.set(name, new Set([path]));
    else alike.add(path);
  }
  return {
    has(packageName) {
      const path = `/${packageName.replaceAll('.', '/')}`;
      const alike = folders.get(path.slice(path.lastIndexOf('/') + 1)) ?? [];
      return packageName !== '' && [...alike].some(folder => folder.endsWith(path));
    },
  };
}

/** New packages of a project are known this much later. */
const KEPT_MILLIS = 60_000;

/** Packages of projects, looked for anew after a while: data that a recorder feeds are loaded every second. */
export class KeptSourcePackages {
  readonly #known = new Map<string, { readonly packages: SourcePackages; readonly due: number }>();

  /** @param root absolute path of the project; empty, with the answer null, where there is none. */
  of(root: string): SourcePackages | null {
    if (root === '') return null;
    const known = this.#known.get(root);
    if (known !== undefined && performance.now() < known.due) return known.packages;
    const packages = sourcePackages(root);
    this.#known.set(root, { packages, due: performance.now() + KEPT_MILLIS });
    return packages;
  }
}
