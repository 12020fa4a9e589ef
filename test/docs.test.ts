// The generated pages and schemas say what the table of settings says.
import { expect, test } from 'vitest';
import { outdatedDocs } from '../.ci/docs.ts';

test('docs/configuration.md and the schemas of settings are up to date (node .ci/docs.ts writes them)', () => {
  expect(outdatedDocs()).toEqual([]);
});
