// The two sizes of the test run: which folders of `test/` are run in full because what they test differs from the merge base.
import { execFileSync } from 'node:child_process';

/** Variable that is set in the environment of the short run. */
export const SHORT = 'INSITU_SHORT';
/** Variable with the folders below `test/`, separated by commas, that the short run has in full. */
export const IN_FULL = 'INSITU_IN_FULL';
/** Variable with the seed of all properties. */
export const SEED = 'INSITU_SEED';

/** Readers whose inputs are made up by the tests in `test/fuzz/`. */
const FUZZED = ['ingest', 'grammar', 'snapshot', 'base', 'lsp', 'fuzz'];

/** Branches that work starts from; the first that exists counts. */
const BASES = ['origin/HEAD', 'origin/main', 'main'];

/**
 * The folders below `test/` that belong to files that differ from the merge base, with changes that are not committed; null where git
 * cannot tell, and everything is run in full.
 */
export function foldersInFull(root: string): readonly string[] | null {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  try {
    const base = BASES.flatMap(name => {
      try {
        return [git('merge-base', 'HEAD', name).trim()];
      } catch {
        return [];
      }
    })[0];
    if (base === undefined) return null;
    const changed = `${git('diff', '--name-only', '-z', base)}${git('ls-files', '--others', '--exclude-standard', '-z')}`;
    return foldersOf(changed.split('\0').filter(path => path !== ''));
  } catch {
    return null;
  }
}

/** The folders below `test/` that hold the tests of these files, sorted. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    const [, whole, layer] = /^(?:(server|test)\/([^/]+)\/|)/.exec(path) ?? [];
    if (whole !== undefined && layer !== undefined) {
      const editor = layer === 'editors' ? `/${path.split('/')[2]}` : '';
      if (layer !== 'support' && layer !== 'run') folders.add(`${layer}${editor}`);
    }
    if (path.startsWith('grammar/')) folders.add('grammar');
    const client = /^clients\/([^/]+)\//.exec(path)?.[1];
    if (client !== undefined) folders.add(`editors/${client}`);
  }
  if (FUZZED.some(name => folders.has(name))) folders.add('fuzz');
  return [...folders].sort();
}
