// A recording that was cut off stays known as such: what was wrong with it comes back with the data.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { openStore } from '../../server/store/open-store.ts';
import { sampleRecordings } from '../oracle/oracle.ts';
import { insitu } from '../support/insitu/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'insitu-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the flaw of a cut recording is among what its data stand on; whole recordings have none', async () => {
  const whole = sampleRecordings.find(({ jdk }) => jdk === 17)!.path;
  const cut = join(folder, 'cut.jfr');
  const bytes = readFileSync(whole);
  writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
  const store = join(folder, 'store');
  const problemsOf = async (file: string, program: string) => {
    await insitu('import', file, '--store', store, '--project', 'p', '--program', program);
    const loaded = await loadProfile(openStore(store).value!, { project: 'p', program });
    expect(loaded.problems).toEqual([]);
    return loaded.value!.provenance.recordingProblems?.map(({ message }) => message);
  };
  expect(await problemsOf(whole, 'whole')).toBeUndefined();
  expect(await problemsOf(cut, 'cut')).toEqual([
    expect.stringMatching(/^the chunk says it has \d+ bytes, but the file ends/),
  ]);
});
