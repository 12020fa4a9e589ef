// A release is refused, with all reasons at once, unless tag, version, changelog and repository agree; its notes are the version's section.
import { expect, test } from 'vitest';
import { notesOf, troublesOf } from '../../.ci/release.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.3] - 2026-03-04

### Added
- More.

## [1.2.30] - 2026-03-03

### Fixed
- Less.

## [1.0.0]
- First.

## [0.9.0] - 2025-01-01

`;
const good = {
  tag: 'v1.2.3',
  manifest: { version: '1.2.3', repository: { url: 'git+https://forge.example/acme/insitu.git' } },
  changelog: CHANGELOG,
  repository: 'acme/insitu',
};

test('notes are the section of that version alone', () => {
  expect(notesOf(CHANGELOG, '1.2.3')).toBe('### Added\n- More.');
  expect(notesOf(CHANGELOG, '1.2.30')).toBe('### Fixed\n- Less.');
  expect(notesOf(CHANGELOG, '0.9.0')).toBe('');
  expect(notesOf(CHANGELOG, '1.2')).toBeNull();
  // A point in a version is no pattern.
  expect(notesOf(CHANGELOG.replace('[1.2.3]', '[1x2.3]'), '1.2.3')).toBeNull();
});

test('what agrees is published, from anywhere', () => {
  expect(troublesOf(good)).toEqual([]);
  expect(troublesOf({ ...good, repository: undefined, manifest: { version: '1.2.3' } })).toEqual([]);
  const short = { version: '1.2.3', repository: 'git+https://forge.example/acme/insitu' };
  expect(troublesOf({ ...good, manifest: short })).toEqual([]);
});

test.each([
  ['another tag', { tag: 'v1.2.4' }, [/the tag is v1\.2\.4, .* v1\.2\.3$/]],
  ['a tag without v', { tag: '1.2.3' }, [/the tag is 1\.2\.3,/]],
  ['no section', { tag: 'v2.0.0', manifest: { ...good.manifest, version: '2.0.0' } }, [/no section "## \[2\.0\.0\]/]],
  [
    'no date',
    { tag: 'v1.0.0', manifest: { ...good.manifest, version: '1.0.0' } },
    [/1\.0\.0 in CHANGELOG\.md has no date/],
  ],
  ['an empty section', { tag: 'v0.9.0', manifest: { ...good.manifest, version: '0.9.0' } }, [/0\.9\.0 .* is empty/]],
  ['another repository', { repository: 'other/insitu' }, [/names git\+https:.* but other\/insitu publishes/]],
  ['an ending of the same letters', { repository: 'cme/insitu' }, [/but cme\/insitu publishes/]],
  [
    'no repository and another tag',
    { tag: 'v1', manifest: { version: '1.2.3' } },
    [/the tag is v1,/, /names no repository/],
  ],
])('%s is refused', (_, change, reasons) => {
  expect(troublesOf({ ...good, ...change })).toEqual(reasons.map(reason => expect.stringMatching(reason)));
});
