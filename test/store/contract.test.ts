// Checks that a store in a folder, and one in a bucket, does what every store must do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, vi } from 'vitest';
import { parseBucketAddress } from '../../server/store/bucket/address.ts';
import { BucketStore } from '../../server/store/bucket/bucket-store.ts';
import { DiskCache } from '../../server/store/bucket/disk-cache.ts';
import { connect } from '../../server/store/bucket/s3-chunk.ts';
import { openStore } from '../../server/store/open-store.ts';
import { type MemoryEngine, startMemoryEngine } from '../support/stores/memory-engine.ts';
import { storeContract } from '../support/stores/store-contract.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('a folder', () => {
  storeContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-store-'));
    folders.push(folder);
    return { store: openStore(folder).value!, other: openStore(`file://${folder}`).value! };
  });
});

describe('a bucket', () => {
  let engine: MemoryEngine;
  let prefixes = 0;

  beforeAll(async () => {
    engine = await startMemoryEngine();
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key').stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  });
  afterAll(async () => {
    await engine.end();
    vi.unstubAllEnvs();
  });

  storeContract(async () => {
    const location = engine.store.replace('/team?', `/team-${++prefixes}?`);
    const open = () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-cache-'));
      folders.push(folder);
      const address = parseBucketAddress(location).value!;
      return new BucketStore(
        location,
        address,
        async to => connect(to),
        new DiskCache({ folder, mostBytes: 64 << 20 }),
      );
    };
    return { store: open(), other: open() };
  });
});
