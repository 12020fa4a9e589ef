// A git that hangs: a command waits for it once, says so, and answers from what it has.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ScratchRepository } from '../../support/git/scratch-repository.ts';
import { OTHER, SHOP } from '../../support/git/shop-in-git.ts';
import { insitu } from '../../support/insitu/command-line.ts';

let scratch: ScratchRepository;
let place: readonly string[];
beforeEach(async () => {
  scratch = new ScratchRepository();
  const commit = scratch.commit({ 'Shop.java': SHOP, 'Other.java': OTHER });
  const stacks = join(scratch.home, 'stacks.collapsed');
  writeFileSync(stacks, 'Shop.run;Other.hot;Other.work 60\n');
  place = ['--store', join(scratch.home, 'store'), '--project', 'acme', '--program', 'shop'];
  expect((await insitu('import', stacks, ...place, '--version', commit)).status).toBe(0);
});
afterEach(() => {
  vi.unstubAllEnvs();
  scratch.remove();
});

/** A git that hangs where its arguments fit; where it is asked is written down. */
function hangsAt(pattern: string): () => string[] {
  const [bin, asked] = [join(scratch.home, 'bin'), join(scratch.home, 'asked')];
  mkdirSync(bin);
  const git = `#!/bin/sh\ncase "$*" in ${pattern}) echo "$*" >> '${asked}'; exec /bin/sleep 60;; esac\nPATH='${process.env.PATH}' exec git "$@"\n`;
  writeFileSync(join(bin, 'git'), git, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
  return () => (existsSync(asked) ? readFileSync(asked, 'utf8').trimEnd().split('\n') : []);
}

test.each(['*', '*cat-file*'])('annotate waits once where git hangs at %s', async pattern => {
  const asked = hangsAt(pattern);
  const { status, out, err } = await insitu('annotate', join(scratch.root, 'Shop.java'), ...place);
  expect([status, asked().length]).toEqual([0, 1]);
  expect(err).toContain('git gave no answer: it took too long');
  expect(out).toContain('other.hot();');
});
