// Which folders of `test/` the short run has in full.
import { expect, test } from 'vitest';
import { ScratchRepository } from '../support/git/scratch-repository.ts';
import { foldersInFull, foldersOf } from './sizes.ts';

test('a file leads to the folder of its tests', () => {
  expect(foldersOf(['server/cct/merge.ts', 'server/cct/tree.ts', 'test/metrics/a.test.ts'])).toEqual([
    'cct',
    'metrics',
  ]);
  expect(foldersOf(['clients/neovim/lua/insitu/init.lua', 'test/editors/emacs/emacs.ts'])).toEqual([
    'editors/emacs',
    'editors/neovim',
  ]);
  expect(foldersOf(['README.md', 'docs/views.md', 'test/support/patience.ts', 'test/tidy.test.ts'])).toEqual([]);
  // Readers are fuzzed elsewhere.
  expect(foldersOf(['grammar/lexer.ts'])).toEqual(['fuzz', 'grammar']);
  expect(foldersOf(['server/ingest/jfr/chunk.ts'])).toEqual(['fuzz', 'ingest']);
});

test('what differs from the merge base counts, committed or not; without git all does', () => {
  const scratch = new ScratchRepository();
  try {
    scratch.commit({ 'server/cct/a.ts': '1' });
    scratch.git('branch', '-M', 'main');
    expect(foldersInFull(scratch.root)).toEqual([]);
    scratch.git('checkout', '-q', '-b', 'work');
    scratch.commit({ 'server/metrics/a.ts': '1' });
    scratch.write('server/cct/a.ts', '2');
    scratch.write('clients/web/new.ts', '');
    expect(foldersInFull(scratch.root)).toEqual(['cct', 'editors/web', 'metrics']);
    scratch.git('checkout', '-q', '--detach');
    scratch.git('branch', '-D', 'main');
    expect(foldersInFull(scratch.root)).toBeNull();
  } finally {
    scratch.remove();
  }
});
