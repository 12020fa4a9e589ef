// Checks that a store in a folder does what every store must do.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe } from 'vitest';
import { openStore } from '../../server/store/open-store.ts';
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
