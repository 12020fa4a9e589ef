// `insitu outline`: what the grammar sees in one Java file, as JSON.
import { Command } from 'commander';
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import { readRegular, refusal } from '../../base/regular-file.ts';
import type { Output } from '../../base/terminal.ts';
import { erasureCandidates } from '../../mapping/erasure.ts';
import { indexOutline } from '../../mapping/outline-index.ts';
import { FILE_BYTES_MAX } from '../../mapping/source-walk.ts';
import { CommandFailure } from '../failure.ts';

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

/** Text of a source file; a file that cannot be read ends the command with a clear message. */
export function readSource(file: string): string {
  try {
    return readRegular(file, FILE_BYTES_MAX)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } catch (error) {
    throw new CommandFailure(1, [refusal(file, error, 'give the path of a Java file')]);
  }
}
