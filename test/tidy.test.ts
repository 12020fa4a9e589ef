// The project keeps its own house rules: each violation is listed with its place.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundleEntries } from '../.ci/build.ts';
import { countFailures } from './tidy/counts/report.ts';
import { takeCounts } from './tidy/counts/take.ts';
import { formatViolations, projectFiles, type Rule } from './tidy/files.ts';
import { castRule, leftoverRule, skipRule, traceRule } from './tidy/forbidden.ts';
import { circleRule, layerRule, mirrorRule } from './tidy/layers.ts';
import { lookRule } from './tidy/looks.ts';
import { machineNames } from './tidy/machine-names.ts';
import { nounRule } from './tidy/plain-words.ts';
import { fileLengthRule, functionLengthRule, headerRule, nameRule } from './tidy/shape.ts';
import { streamRule } from './tidy/streams.ts';
import { deadFileRule, messageRule } from './tidy/usage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = projectFiles(root);

const rules: readonly (readonly [string, Rule])[] = [
  ['imports go from right to left only', layerRule],
  ['no files import each other in a circle', circleRule],
  ['one schema says what is looked at', lookRule],
  ['tests stand where the code they test stands', mirrorRule],
  ['every source file says what it is for', headerRule],
  ['no file is too long', fileLengthRule],
  ['no function is too long', functionLengthRule],
  ['every file is named for its job', nameRule],
  ['no test is skipped or focused', skipRule],
  ['nothing goes around the type checker', castRule],
  ['nothing is left for later', leftoverRule],
  ['no folder or host of a machine is named', traceRule(machineNames(root))],
  ['subjects are named by their nouns', nounRule],
  ['text reaches a terminal through one module', streamRule],
  ['every file is used', deadFileRule],
  ['every message of our own is documented', messageRule],
];

describe('house rules', () => {
  test('there are files to look at', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  test.each(rules)('%s', (_title, rule) => {
    expect(formatViolations(rule(files))).toBe('');
  });

  test('no count is beyond its limit', async () => {
    expect(countFailures(await takeCounts(root, Object.values(bundleEntries(root))))).toEqual([]);
  });
});
