// The sample shop as a user of Neovim has it: its sources, a store with its recordings, and the real server.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ExpectedHints, expectedHints, sampleRecordings } from '../../oracle/oracle.ts';
import { insituProgram } from '../../support/insitu/program.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Where the shop's first version stands; its insitu.json names project and program. */
export const shopFolder = join(root, 'samples', 'shop', 'v1');

/** The recordings that the hints come from: two instances of the same program. */
export const shopRecordings: readonly string[] = sampleRecordings
  .filter(({ version, jdk }) => version === 'v1' && jdk === 17)
  .map(({ path }) => path);

/** All Java files, relative to the shop's folder. */
export const shopFiles: readonly string[] = globSync('src/**/*.java', { cwd: shopFolder }).sort();

/** For each file that must carry hints all of them, `line text`, by line; the other files must carry none. */
export type ExpectedShop = ReadonlyMap<string, readonly string[]>;

/** The hints that the oracle asks for; needs JDK 17 (to compile the shop) and JDK 25 (to run the oracle). */
export function expectedShop(): ExpectedShop {
  const expected = new Map<string, string[]>();
  const [{ hints }] = expectedHints({ version: 'v1', jdk: 17, recordings: shopRecordings, text: 'unknown' }) as [
    ExpectedHints,
  ];
  for (const { file, line, text } of [...hints].sort((a, b) => a.line - b.line)) {
    const path = `src/main/java/${file}`;
    expected.set(path, [...(expected.get(path) ?? []), `${line} ${text}`]);
  }
  return expected;
}

/** Lines of one of the shop's files. */
export function shopLines(file: string): string[] {
  return readFileSync(join(shopFolder, file), 'utf8').replace(/\n$/, '').split('\n');
}

/** Lua that sets the plugin up with the real server; `more` are further entries for setup. */
export function shopConfig(more = ''): string {
  const cmd = [process.execPath, insituProgram, 'lsp', '--stdio'].map(part => JSON.stringify(part)).join(', ');
  return `require('insitu').setup({ cmd = { ${cmd} }, ${more} })`;
}

/** Imports the recordings into a fresh store; remove it after use. */
export function shopStore(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'insitu-store-'));
  const whose = ['--project', 'shop', '--program', 'shop', '--version', 'v1', '--store', folder];
  execFileSync(process.execPath, [insituProgram, 'import', ...shopRecordings, ...whose], { cwd: root, stdio: 'pipe' });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
