// A JDK's own recording of samples under the name of JDK 9: all of them are cpu, with their stacks.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ingestFile } from '../../../server/ingest/read.ts';
import { toCollapsed } from '../../../server/snapshot/export/collapsed.ts';
import { needs } from '../../support/engines/needs.ts';

needs('jdk25', 'samples under the name of JDK 9', jdk => {
  test('are cpu, beside another metric', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'insitu-renamed-'));
    try {
      const file = join(folder, 'renamed.jfr');
      execFileSync(jdk.program('java'), [fileURLToPath(new URL('Renamed.java', import.meta.url)), file]);
      const { profile } = await ingestFile(file, { names: 'raw' });
      expect(profile!.metrics.map(({ id }) => id).sort()).toEqual(['cpu', 'sleep']);
      const stacks = toCollapsed(profile!, { frames: 'method', threads: false, metric: 'cpu' });
      expect(stacks).toMatch(/(?:^|;)Renamed\.main;Renamed\.outer;Renamed\.inner 100\n$/);
      expect(stacks.split('\n').length).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
