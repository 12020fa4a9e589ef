// `insitu outline`: what the grammar sees in one Java file, as JSON.

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Output } from '../../base/terminal.ts';
import { erasureCandidates } from '../../mapping/erasure.ts';
import { indexOutline } from '../../mapping/outline-index.ts';
import { failed } from '../failure.ts';

export function outlineCommand(output: Output): Command {
  return new Command('outline')
    .description('print the declarations, lambdas and call sites of a Java file as JSON')
    .argument('<File.java>', 'the file to read')
    .option('--json', 'print JSON (the only form there is)', true)
    .addHelpText(
      'after',
      '\nExample:\n  insitu outline src/main/java/com/acme/Shop.java --json | jq .declarations[].name',
    )
    .action((file: string) => {
      const outline = outlineOf(readSource(file), file);
      const { lineStarts, ...tables } = outline;
      const declarations = withErasures(outline);
      output.out(`${JSON.stringify({ ...tables, declarations, lineCount: lineStarts.length }, null, 2)}\n`);
    });
}

/** The declarations, those with parameters also with what each parameter's type may be at run time, best first. */
function withErasures(outline: Outline): object[] {
  const index = indexOutline(outline);
  return outline.declarations.map(declaration => {
    const { row, parameters, fingerprint } = declaration;
    if (parameters.length === 0) return declaration;
    const erasures = parameters.map(({ type }) => (type === null ? [] : erasureCandidates(index, row, type)));
    return { ...declaration, fingerprint, erasures };
  });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'the file may not be read',
};

/** Text of a source file; a file that cannot be read ends the command with a clear message. */
export function readSource(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = REASONS[reason] ?? `the file cannot be read (${reason})`;
    throw failed(message, { file, remedy: 'give the path of a Java file' });
  }
}
