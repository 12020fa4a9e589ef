// The project's files as the tidiness rules see them: paths relative to the root, with their text.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text file; `path` is relative to the root of the checkout, with `/`. */
export type TidyFile = { readonly path: string; readonly text: string };

/** Something to put right; `line` counts from 1. */
export type Violation = { readonly path: string; readonly line: number; readonly message: string };

/** A rule looks at all files at once, because some need to know who uses whom. */
export type Rule = (files: readonly TidyFile[]) => Violation[];

/** All text files that git tracks or would track. */
export function projectFiles(root: string): TidyFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const paths = [...new Set(listed.split('\0'))].filter(path => path !== '' && existsSync(join(root, path)));
  const files: TidyFile[] = [];
  for (const path of paths.sort()) {
    const bytes = readFileSync(join(root, path));
    // As git does it: a zero byte near the start makes a file binary.
    if (!bytes.subarray(0, 8000).includes(0)) files.push({ path, text: bytes.toString('utf8') });
  }
  return files;
}

/** `path:line: message`, one line each. */
export function formatViolations(violations: readonly Violation[]): string {
  return violations.map(({ path, line, message }) => `${path}:${line}: ${message}`).join('\n');
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

/** The ending after the last dot of the name; empty where there is none. */
export function extension(path: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? '';
}

const SCRIPT = new Set(['ts', 'tsx', 'mts', 'mjs', 'cjs', 'js']);

/** Whether a file is JavaScript or TypeScript. */
export function isScript(file: TidyFile): boolean {
  return SCRIPT.has(extension(file.path));
}
