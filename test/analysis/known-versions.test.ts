// Tests the message for a version that has no data: it lists the versions that have, with the tags of their commits, the most alike first.
import { afterAll, expect, test } from 'vitest';
import { knownVersions } from '../../server/analysis/known-versions.ts';
import type { StoreEntry } from '../../server/store/store.ts';
import { ScratchRepository } from '../support/git/scratch-repository.ts';

const repository = new ScratchRepository();
afterAll(() => repository.remove());

function entries(...versions: readonly string[]): StoreEntry[] {
  return versions.map((version, at) => ({
    execution: { project: 'shop', program: 'shop', version, instance: 'i' },
    startMillis: at,
    hash: `${at}`,
    bytes: 1,
    key: `${at}`,
  })) as StoreEntry[];
}

async function said(version: string, versions: readonly string[], inGit = false): Promise<string> {
  const wish = { project: 'shop', store: 's', program: 'shop', version, ...(inGit && { repository: repository.root }) };
  return (await knownVersions(wish as Parameters<typeof knownVersions>[0], 'shop', entries(...versions))).message;
}

test('the versions that are most like it, then the newest', async () => {
  expect(await said('1.5', ['1.4', 'night', 'V1.5', 'beta'])).toBe('versions of shop: V1.5, 1.4, beta, night');
  expect(await said('release-7', ['a', 'b c', 'release-6'])).toBe("versions of shop: release-6, 'b c', a");
});

test('beyond twelve the others are counted', async () => {
  const versions = Array.from({ length: 20 }, (_, i) => `build ${i} ${'x'.repeat(i)}`);
  expect(await said('none', versions)).toMatch(/^versions of shop: (?:'[^']+', ){11}'[^']+' and 8 more$/);
});

test('tags of their commits, and a tag that is alike counts', async () => {
  const [first, second, third] = [repository.commit(), repository.commit(), repository.commit()];
  repository.git('tag', 'v1.4', first);
  repository.git('tag', '--annotate', '--message', 'x', 'v1.5', second);
  repository.git('tag', 'stable', second);
  const versions = [second, third, 'v1.4'];
  expect(await said('v1.6', versions, true)).toBe(`versions of shop: v1.4, ${second} (tag stable, v1.5), ${third}`);
  expect(await said('v1.55', versions, true)).toMatch(
    new RegExp(`^versions of shop: ${second} \\(tag stable, v1\\.5\\), `),
  );
});
