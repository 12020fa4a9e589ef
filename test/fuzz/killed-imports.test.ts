// Kills importers and compactors at random moments over overlapping dumps: afterwards every chunk counts once.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../server/ingest/byte-source.ts';
import { listChunks } from '../../server/ingest/jfr/chunk-header.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { FolderStore } from '../../server/store/folder-store.ts';
import { loadProfile } from '../../server/store/load-snapshots.ts';
import { insituProgram } from '../support/insitu/program.ts';
import { isInFull } from '../support/runs.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDING = join(ROOT, 'samples/recordings/shop-v1-jdk17-b.jfr');
const STORES = isInFull() ? 8 : 2;
const IMPORT_KILLS = 3;
const COMPACT_KILLS = 2;

/** Runs a command; kills it after so many milliseconds unless it has ended. Tells how long it ran. */
function run(args: readonly string[], killAfter = Number.POSITIVE_INFINITY): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, [insituProgram, ...args], { stdio: 'ignore' });
  const timer = Number.isFinite(killAfter) ? setTimeout(() => child.kill('SIGKILL'), killAfter) : undefined;
  return new Promise(resolve => {
    child.on('exit', () => {
      clearTimeout(timer);
      resolve(performance.now() - from);
    });
  });
}

test(`${STORES * (IMPORT_KILLS + COMPACT_KILLS)} kills: totals equal the union of the chunks`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'killed-imports-'));
  try {
    const bytes = readFileSync(RECORDING);
    const { chunks } = listChunks(openFile(RECORDING).value!);
    const [a, b, c] = chunks.map(({ position, available }) => bytes.subarray(position, position + available));
    const dumps = [[a!.subarray(0, a!.length >> 1)], [a!], [a!, b!], [b!, c!]].map((parts, at) => {
      const path = join(folder, `dump-${at}.jfr`);
      writeFileSync(path, Buffer.concat(parts));
      return path;
    });
    const { profile } = await ingestFile(RECORDING, { names: 'normalised' });
    const expected = Object.fromEntries(
      profile!.metrics.map(({ id }, i) => [id, profile!.cells[i]!.count.reduce((x, y) => x + y, 0)]),
    );
    for (let round = 0; round < STORES; round++) {
      const location = join(folder, `store-${round}`);
      const place = ['--store', location, '--project', 'samples', '--program', 'shop'];
      const order = round % 2 === 0 ? dumps : dumps.toReversed();
      const importArguments = ['import', ...order, ...place, '--version', '1', '--instance', 'eu-1'];
      let longest = 4000;
      for (let kill = 0; kill < IMPORT_KILLS; kill++) await run(importArguments, Math.random() * longest);
      longest = await run(importArguments);
      const compactArguments = ['compact', ...place, '--grace', '0s'];
      for (let kill = 0; kill < COMPACT_KILLS; kill++) await run(compactArguments, Math.random() * 1500);
      await run(compactArguments);
      await run(importArguments, Math.random() * longest);
      const loaded = (await loadProfile(new FolderStore(location, location), {})).value!.profile;
      const counts = loaded.metrics.map(({ id }, i) => [id, loaded.cells[i]!.count.reduce((x, y) => x + y, 0)]);
      expect(Object.fromEntries(counts), `store ${round}`).toEqual(expected);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
