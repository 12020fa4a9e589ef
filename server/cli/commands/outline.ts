// `insitu outline`: what the grammar sees in one Java file, as JSON.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { outlineOf } from '../../../grammar/parse.ts';
import { failed } from '../failure.ts';
import type { Output } from '../output.ts';

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
      const { lineStarts, ...outline } = outlineOf(readSource(file));
      output.out(`${JSON.stringify({ file, ...outline, lineCount: lineStarts.length }, null, 2)}\n`);
    });
}

/** Text of a source file; a file that cannot be read ends the command with a clear message. */
export function readSource(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = reason === 'ENOENT' ? 'there is no such file' : `the file cannot be read (${reason})`;
    throw failed(message, { file, remedy: 'give the path of a Java file' });
  }
}
