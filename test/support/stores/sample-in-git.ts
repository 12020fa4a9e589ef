// The sample with both versions as tagged commits of a repository, and a recording of each in a store.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleFolder } from '../../oracle/oracle.ts';
import { ScratchRepository } from '../git/scratch-repository.ts';
import { insitu } from '../insitu/command-line.ts';

const RECORDINGS = fileURLToPath(new URL('../../../samples/recordings/', import.meta.url));

export type SampleInGit = {
  readonly repository: ScratchRepository;
  /** Options that name the store and the program. */
  readonly options: readonly string[];
};

/** Tags `v1` and `v2`, the second of which is checked out. Rejects where a recording cannot be imported. */
export async function sampleInGit(): Promise<SampleInGit> {
  const repository = new ScratchRepository();
  const options = ['--store', join(repository.home, 'store'), '--project', 'acme', '--program', 'shop'];
  for (const [version, recording] of [
    ['v1', 'shop-v1-jdk17-a.jfr'],
    ['v2', 'shop-v2-jdk17.jfr'],
  ] as const) {
    repository.commitFolder(sampleFolder(version));
    repository.git('tag', version);
    const { status, err } = await insitu('import', join(RECORDINGS, recording), ...options, '--version', version);
    if (status !== 0) throw new Error(err);
  }
  return { repository, options };
}
