// Forks of the sample: JVMs that do the same work, each recorded into a file of its own.
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Engine } from '../engines/engines.ts';

const run = promisify(execFile);
export const samples = fileURLToPath(new URL('../../../samples', import.meta.url));
/** The sample's package below the folder of a version. */
export const SOURCES = 'src/main/java/com/acme/shop';

/** A replacement of one text by another in a file of the sample, given by its path below the package. */
export type Edit = { readonly file: string; readonly from: string; readonly to: string };

/** Copies the sample's sources, with changes, to `folder`. A text that is not there exactly once is a mistake of the test. */
export function writeShop(folder: string, version: 'v1' | 'v2', edits: readonly Edit[] = []): void {
  mkdirSync(folder, { recursive: true });
  cpSync(join(samples, 'shop/v1/src'), join(folder, 'src'), { recursive: true });
  if (version === 'v2') cpSync(join(samples, 'shop/v2/src'), join(folder, 'src'), { recursive: true });
  for (const { file, from, to } of edits) {
    const path = join(folder, SOURCES, file);
    const parts = readFileSync(path, 'utf8').split(from);
    if (parts.length !== 2) throw new Error(`${file} has "${from}" ${parts.length - 1} times`);
    writeFileSync(path, parts.join(to));
  }
}

/** Compiles what `writeShop` wrote. */
export async function compileShop(jdk: Engine, folder: string): Promise<void> {
  const sources = globSync('src/main/java/**/*.java', { cwd: folder }).sort();
  await run(jdk.program('javac'), ['-g', '-nowarn', '-d', 'classes', ...sources], { cwd: folder });
}

/** Runs the compiled sample once, for so many orders, and records it into `file`. */
export async function recordFork(jdk: Engine, folder: string, file: string, orders: number): Promise<void> {
  const settings = join(samples, 'recording.jfc');
  const flags = [
    '-Xmx512m',
    '-Xlog:jfr*=off',
    '-XX:FlightRecorderOptions=stackdepth=128',
    `-XX:StartFlightRecording=settings=${settings},filename=${file}`,
  ];
  const load = ['--orders', `${orders}`, '--threads', '2', '--seed', '1'];
  await run(jdk.program('java'), [...flags, '-cp', 'classes', 'com.acme.shop.Main', ...load], { cwd: folder });
}

/** Records forks of several programs in turns, so that what changes on the machine meanwhile meets all of them. */
export async function recordForks(
  jdk: Engine,
  folders: readonly string[],
  forks: number,
  orders: number,
): Promise<string[][]> {
  const files = folders.map(folder => Array.from({ length: forks }, (_, fork) => join(folder, `fork-${fork}.jfr`)));
  for (let fork = 0; fork < forks; fork++)
    for (const [at, folder] of folders.entries()) await recordFork(jdk, folder, files[at]![fork]!, orders);
  return files;
}
