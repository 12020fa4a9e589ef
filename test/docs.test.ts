// The generated pages say what the table of settings says.
import { expect, test } from 'vitest';
import { outdatedDocs } from '../.ci/docs.ts';

test('docs/configuration.md and docs/insitu.schema.json are up to date (node .ci/docs.ts writes them)', () => {
  expect(outdatedDocs()).toEqual([]);
});
