// The gate on libraries that the resolver was not made for.
import { expect, test } from 'vitest';
import { libraryNames } from '../support/engines/libraries.ts';
import { needs } from '../support/engines/needs.ts';
import { readClassFiles } from './class-files.ts';
import { checkGate } from './gate.ts';
import { inputsOf, sourcesOf } from './library-files.ts';
import { measure } from './measure.ts';

needs('jdk25', 'libraries', jdk25 => {
  needs('libraries', 'as Debian builds them', libraries => {
    test.each(libraryNames)('%s', async name => {
      const truths = await readClassFiles(jdk25.program('java'), inputsOf(libraries, name));
      const measured = measure(name, truths, sourcesOf(libraries, name));
      expect(measured.files).toBeGreaterThan(100);
      // Enums with several constants a line, which no line tells apart, weigh more in a small library.
      checkGate(measured, 99.96);
    });
  });
});
