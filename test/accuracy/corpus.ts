// The Java corpus and the ways in which it is compiled: for old class files, and under both rules by which javac numbers lambdas.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readClassFiles } from './class-files.ts';
import { type Measured, measure } from './measure.ts';

const corpus = fileURLToPath(new URL('corpus', import.meta.url));

/** One compilation: sources of one language level, a compiler, and what is passed to it. */
export type Compilation = {
  /** Folder of the corpus; `compact` alone is in the unnamed package. */
  readonly sources: 'java8' | 'java17' | 'java25' | 'compact';
  readonly javac: string;
  readonly options: readonly string[];
};

/** Compiles into `folder`, reads the class files with `java` and measures them. Throws when the corpus does not compile. */
export async function measureCorpus(
  { sources, javac, options }: Compilation,
  java: string,
  folder: string,
): Promise<Measured> {
  const files = globSync('*.java', { cwd: join(corpus, sources) }).sort();
  const sourceFolder = join(folder, 'sources', sources === 'compact' ? '' : 'corpus');
  const classFolder = join(folder, 'classes');
  mkdirSync(classFolder, { recursive: true });
  cpSync(join(corpus, sources), sourceFolder, { recursive: true });
  const args = ['-g', '-nowarn', ...options, '-d', classFolder, ...files.map(file => join(sourceFolder, file))];
  const { status, stderr } = spawnSync(javac, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the corpus does not compile: ${stderr}`);
  return measure(`${sources} ${options.join(' ')}`, await readClassFiles(java, [classFolder]), join(folder, 'sources'));
}
