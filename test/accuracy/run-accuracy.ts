// `npm run accuracy`: measures the resolver on the sources of JDK 17, JDK 25 and some libraries and prints the table with its misses.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provideEngine } from '../support/engines/engines.ts';
import { libraryNames } from '../support/engines/libraries.ts';
import { formatMeasured, formatMisses } from './accuracy-table.ts';
import { readClassFiles } from './class-files.ts';
import { inputsOf, sourcesOf } from './library-files.ts';
import { measure } from './measure.ts';

const MODULES = ['java.base', 'jdk.compiler', 'java.xml'];

const { values } = parseArgs({
  options: {
    /** `HOME,SOURCES` of a JDK, instead of the JDKs that the tests use. */
    jdk: { type: 'string', multiple: true },
    module: { type: 'string', multiple: true },
    /** Folders of class files or jars, with `:` between, and folder of their sources, `CLASSES,SOURCES`: any library. */
    classes: { type: 'string', multiple: true },
    /** Names of libraries that the tests use; `none` for none. */
    library: { type: 'string', multiple: true, default: libraryNames.slice() },
    examples: { type: 'string', default: '3' },
  },
});

function javaOf25(): string {
  const engine = provideEngine('jdk25');
  if ('missing' in engine) throw new Error(`needs JDK 25: ${engine.missing}`);
  return engine.program('java');
}

function jdks(): { home: string; sources: string | undefined; version: string }[] {
  if (values.jdk !== undefined) {
    return values.jdk.map(text => {
      const [home = '', sources] = text.split(',');
      return { home, sources, version: home };
    });
  }
  const found = [provideEngine('jdk17'), provideEngine('jdk25')];
  return found.flatMap(engine => ('missing' in engine ? [] : [{ ...engine, sources: engine.sources }]));
}

async function report(name: string, inputs: readonly string[], sources: string): Promise<void> {
  const measured = measure(name, await readClassFiles(javaOf25(), inputs), sources);
  console.log(`${formatMeasured(measured)}\n${formatMisses(measured, Number(values.examples))}\n`);
}

const ownInputs = values.classes !== undefined;
for (const { home, sources, version } of ownInputs ? [] : jdks()) {
  for (const module of values.module ?? MODULES) {
    const folder = join(sources ?? '', module);
    if (sources === undefined || !existsSync(folder)) console.log(`${version}, ${module}: no sources\n`);
    else await report(`${version}, ${module}`, [`${home}=${module}`], folder);
  }
}
const libraries = ownInputs ? null : provideEngine('libraries');
if (libraries !== null && 'missing' in libraries) console.log(`libraries: ${libraries.missing}\n`);
else if (libraries !== null) {
  console.log(`libraries: ${libraries.version}\n`);
  for (const name of libraryNames.filter(each => values.library.includes(each)))
    await report(name, inputsOf(libraries, name), sourcesOf(libraries, name));
}
for (const text of values.classes ?? []) {
  const [classes = '', sources = classes] = text.split(',');
  await report(classes, classes.split(':'), sources);
}
