// The last commits of the bundled history of Apache Commons CSV (made by make-bundle.sh) in a repository of their own, with slowdowns planted from some commits on.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUNDLE = fileURLToPath(new URL('../../bench/commons-csv/commons-csv.bundle', import.meta.url));
const SOURCES = 'src/main/java/org/apache/commons/csv';

/** A loop that begins a method. */
export type Plant = {
  /** Beginning of the subject of the commit from which on it is there. */
  readonly from: string;
  /** Beginning of the subject of the commit from which on it is gone again; it stays to the end when absent. */
  readonly until?: string;
  readonly file: string;
  /** The line that opens the method; in every commit between. */
  readonly at: string;
  readonly turns: number;
};

/** No compiler can leave it out or shorten it. */
function loop(turns: number): string {
  return `
        int planted = ${turns};
        for (int i = 0; i < ${turns}; i++) {
            planted = Integer.rotateLeft(planted, 5) ^ planted * 31 + i;
        }
        if (planted == 42) {
            throw new IllegalStateException();
        }`;
}

/**
 * Makes the repository in `folder`, from the last `count` commits.
 * @returns for each plant the commit that has it first, by its hash in the repository.
 */
export function plantedCommonsCsv(folder: string, count: number, plants: readonly Plant[]): Map<Plant, string> {
  execFileSync('git', ['clone', '-q', BUNDLE, folder]);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Insitu', '-c', 'user.email=insitu@localhost', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commits = git('log', '--reverse', '-n', String(count), '--format=%H %s').split('\n');
  git('checkout', '-q', '--orphan', 'planted');
  const first = new Map<Plant, string>();
  const active = new Set<Plant>();
  for (const line of commits) {
    const [hash, subject] = [line.slice(0, 40), line.slice(41)];
    git('read-tree', '-u', '--reset', hash);
    for (const plant of plants) {
      if (subject.startsWith(plant.from)) active.add(plant);
      if (plant.until !== undefined && subject.startsWith(plant.until)) active.delete(plant);
    }
    for (const { file, at, turns } of active) {
      const path = join(folder, SOURCES, file);
      const text = readFileSync(path, 'utf8');
      if (text.split(at).length !== 2) throw new Error(`${file} has not one "${at}" at ${subject}`);
      writeFileSync(path, text.replace(at, `${at}${loop(turns)}`));
    }
    // Slowdowns are not of the authors of the library.
    git('commit', '-q', '-a', '--allow-empty', '-C', hash, '--reset-author');
    for (const plant of active) if (!first.has(plant)) first.set(plant, git('rev-parse', 'HEAD'));
  }
  if (first.size < plants.length) throw new Error('a plant is of no commit');
  return first;
}
