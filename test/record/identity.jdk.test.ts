// A JVM has one identity, whether a recorder asks the machine or an import reads what the JVM recorded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jvmsOf } from '../../server/cct/jvms.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { describeJvm, hasBegun } from '../../server/record/jvms.ts';
import { needs } from '../support/engines/needs.ts';
import { jdks } from '../support/engines/versions.ts';
import { startShop, until } from '../support/recorders/recording-shop.ts';

for (const name of jdks())
  needs(name, `a JVM of ${name}`, jdk => {
    test('is called alike by both', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'insitu-identity-'));
      const recording = join(folder, 'shop.jfr');
      const java = startShop(jdk, folder, 2, [`-XX:StartFlightRecording:filename=${recording},settings=profile`]);
      const jvm = await until('the JVM runs its program', () => {
        const found = describeJvm(java.pid);
        return found !== null && hasBegun(found) ? found : null;
      });
      await java.ended;
      const { profile } = await ingestFile(recording, { names: 'normalised' });
      expect(jvmsOf(profile!.windows)).toEqual([jvm.identity]);
      expect(jvm.identity).toMatch(new RegExp(`^${java.pid}-\\d{8}T\\d{6}\\.\\d{3}Z$`));
      rmSync(folder, { recursive: true });
    });
  });
