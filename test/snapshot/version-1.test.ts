// Reads snapshots that the last version wrote in format 1, one of each kind, and merges them with snapshots of this version.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergeProfiles } from '../../server/cct/merge.ts';
import { decodeHeader, decodeSnapshot, decodeSources } from '../../server/snapshot/decode.ts';
import { encodeSnapshot } from '../../server/snapshot/encode.ts';
import { toJson } from '../../server/snapshot/export/json.ts';
import { assertProfile } from '../support/profiles/assert-profile.ts';

const FOLDER = join(import.meta.dirname, 'version-1');
const NAMES = readdirSync(FOLDER).filter(name => name.endsWith('.cct'));
const EXPECTED = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));

const bytesOf = (name: string) => new Uint8Array(readFileSync(join(FOLDER, name)));
const countsOf = (bytes: Uint8Array) => {
  const { metrics, totals } = decodeHeader(bytes).value!;
  return Object.fromEntries(metrics.map(({ id }, i) => [id, totals[i]!.count]));
};

test('there is one of each kind', () => {
  expect(NAMES.sort()).toEqual(Object.keys(EXPECTED).sort());
  expect(NAMES.length).toBe(9);
});

describe.each(NAMES)('%s', name => {
  test('is of version 1, and reads as when it was written', () => {
    const bytes = bytesOf(name);
    expect(bytes[8]).toBe(1);
    const { value, problems } = decodeSnapshot(bytes);
    expect(problems).toEqual([]);
    assertProfile(value!.profile);
    const { header, totals, hasSources, foreign } = decodeHeader(bytes).value!;
    const json = createHash('sha256')
      .update([...toJson(value!.profile)].join(''))
      .digest('hex');
    expect({ header, totals, hasSources, json }).toEqual(EXPECTED[name]);
    expect(foreign).toEqual([]);
    expect(decodeSources(bytes).value!.length > 0).toBe(hasSources);
  });

  test('merges with a snapshot of this version: amounts add up', () => {
    const bytes = bytesOf(name);
    const old = decodeSnapshot(bytes).value!;
    const other = decodeSnapshot(bytesOf('original-1.cct')).value!;
    const anew = decodeSnapshot(encodeSnapshot(other)).value!;
    const merged = encodeSnapshot({ header: old.header, profile: mergeProfiles([old.profile, anew.profile]) });
    expect(merged[8]).toBe(2);
    const sums = countsOf(bytes);
    for (const [metric, count] of Object.entries(countsOf(bytesOf('original-1.cct'))))
      sums[metric] = (sums[metric] ?? 0) + count;
    expect(countsOf(merged)).toEqual(sums);
  });
});
