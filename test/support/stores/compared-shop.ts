// A program in git whose second version made one method slower, with JVMs of both versions in a store.
import { join } from 'node:path';
import { ScratchRepository } from '../git/scratch-repository.ts';
import { putJvms, SHOP } from './jvms-of-versions.ts';

export const COMPARED_FILE = 'acme/Shop.java';

export type ComparedShop = {
  readonly scratch: ScratchRepository;
  readonly store: string;
  /** Begin of the hash of the commit that changed `Shop.match`. */
  readonly commit: string;
};

/** Versions `a` and `b`, five JVMs each; `b` is checked out. */
export async function comparedShop(): Promise<ComparedShop> {
  const scratch = new ScratchRepository();
  const store = join(scratch.home, 'store');
  scratch.commit({ [COMPARED_FILE]: SHOP, 'insitu.json': JSON.stringify({ project: 'acme', program: 'shop' }) });
  scratch.git('tag', 'a');
  const slower = SHOP.replace('void match(int i) {}', 'void match(int i) { new int[i].clone(); }');
  const commit = scratch.commit({ [COMPARED_FILE]: slower }).slice(0, 7);
  scratch.git('tag', 'b');
  const loads = { find: 2000, match: 3000, pack: 3000, ship: 1000, bill: 1000 };
  await putJvms(store, 'a', 5, loads);
  await putJvms(store, 'b', 5, { ...loads, match: 6000 });
  return { scratch, store, commit };
}
