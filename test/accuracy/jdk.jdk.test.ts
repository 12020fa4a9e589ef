// The gate on the JDK's own sources.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { jdks } from '../support/engines/versions.ts';
import { readClassFiles } from './class-files.ts';
import { checkGate } from './gate.ts';
import { measure } from './measure.ts';

needs('jdk25', 'read by JDK 25', reader => {
  for (const engine of jdks()) {
    const name = engine.replace('jdk', 'JDK ');
    needs(engine, name, ({ home, sources }) => {
      // Which modules come with sources is the engine's business; java.base always does.
      const modules = ['java.base', 'jdk.compiler', 'java.xml'].filter(each => existsSync(join(sources ?? '', each)));
      test.each(modules)('%s', async module => {
        const truths = await readClassFiles(reader.program('java'), [`${home}=${module}`]);
        checkGate(measure(`${name}, ${module}`, truths, join(sources ?? '', module)));
      });

      test('java.base was among them', () => expect(modules).toContain('java.base'));
    });
  }
});
