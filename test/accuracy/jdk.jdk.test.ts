// The gate on the JDK's own sources.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { readClassFiles } from './class-files.ts';
import { checkGate } from './gate.ts';
import { measure } from './measure.ts';

needs('jdk17', 'JDK 17', jdk17 => {
  needs('jdk25', 'JDK 25', jdk25 => {
    for (const { engine, home, sources } of [
      { engine: 'JDK 17', home: jdk17.home, sources: jdk17.sources },
      { engine: 'JDK 25', home: jdk25.home, sources: jdk25.sources },
    ]) {
      for (const module of ['java.base', 'jdk.compiler', 'java.xml']) {
        const folder = join(sources ?? '', module);
        // Which modules come with sources is the engine's business; java.base of JDK 17 always does.
        if (sources === undefined || !existsSync(folder)) continue;
        test(`${module} of ${engine}`, async () => {
          checkGate(
            measure(`${engine}, ${module}`, await readClassFiles(jdk25.program('java'), [`${home}=${module}`]), folder),
          );
        });
      }
    }
    test('java.base of JDK 17 was among them', () => {
      expect(existsSync(join(jdk17.sources ?? '', 'java.base'))).toBe(true);
    });
  });
});
