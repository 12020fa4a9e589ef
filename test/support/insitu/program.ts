// Which program the tests start as a process: the one that is shipped, in `dist/`; `test/run/built.ts` builds it from the sources before a test starts.
import { fileURLToPath } from 'node:url';

/** The launcher `insitu`: run it with Node.js. */
export const insituProgram = fileURLToPath(new URL('../../../dist/bin/insitu.cjs', import.meta.url));

/** The same program from its sources, which Node.js runs too. */
export const insituSources = fileURLToPath(new URL('../../../server/cli/main.ts', import.meta.url));
