// `insitu outline`: what the grammar sees in one Java file, as JSON.
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { statementsOf } from '../../../grammar/statements.ts';
import { readRegular, refusal } from '../../base/regular-file.ts';
import type { Output } from '../../base/terminal.ts';
import { erasureCandidates } from '../../mapping/erasure.ts';
import { indexOutline } from '../../mapping/outline-index.ts';
import { textOfBytes } from '../../mapping/source-text/java-text.ts';
import { FILE_BYTES_MAX } from '../../mapping/source-walk.ts';
import { TextComparer } from '../../mapping/stale/compare-texts.ts';
import { CommandFailure } from '../failure.ts';
import { printJson } from '../output.ts';

export function outlineCommand(output: Output) {
  return new Command('outline')
    .description('print the declarations, lambdas, call sites and statements of a Java file as JSON')
    .argument('<File.java>', 'the file to read')
    .option('--against <File.java>', 'say what became of each statement since this version of the file')
    .option('--json', 'print JSON (the only form there is)', true)
    .addHelpText(
      'after',
      '\nExample:\n  insitu outline src/main/java/com/acme/Shop.java --json | jq .declarations[].name',
    )
    .action((file: string, { against }: { against?: string }) => {
      const text = readSource(file);
      const outline = outlineOf(text, file);
      const { lineStarts, ...tables } = outline;
      const declarations = withErasures(outline);
      const statements = statementsIn(text, outline, against === undefined ? null : readSource(against));
      printJson(output, { ...tables, declarations, statements, lineCount: lineStarts.length });
    });
}

/** Loops, branches, calls and lambdas of each declaration that has any; with an older text also what became of them. */
function statementsIn(text: string, outline: Outline, older: string | null): object[] {
  const comparer = older === null ? null : new TextComparer(older, outlineOf(older, outline.file));
  const comparison = comparer?.compare(text, outline) ?? null;
  return outline.declarations.flatMap(declaration => {
    if (declaration.kind === 'lambda') return [];
    const compared = comparison?.statementsOf(declaration.row) ?? null;
    const current = compared?.current ?? statementsOf(text, outline, declaration);
    const removed = compared?.removed ?? [];
    const rows = rowsOf(current).map(({ statement, ...row }) => {
      const state = compared?.statements.get(statement)?.state ?? 'unchanged';
      return { declaration: declaration.row, ...row, ...(older === null ? {} : { state }) };
    });
    const gone = removed.map(statement => ({ declaration: declaration.row, ...plain(statement), state: 'removed' }));
    return [...rows, ...gone];
  });
}

/** Statements in source order, each before its inner statements, with the index of the statement around it in the declaration. */
function rowsOf(statements: readonly Statement[]): { parent: number; statement: Statement }[] {
  const rows: { parent: number; statement: Statement }[] = [];
  const pending = statements.map(statement => ({ parent: -1, statement })).reverse();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const parent = rows.push({ ...next, ...plain(next.statement) }) - 1;
    const inside = next.statement.parts.flatMap(part => part.statements);
    for (const statement of inside.reverse()) pending.push({ parent, statement });
  }
  return rows;
}

function plain({ form, span, call, parts }: Statement): object {
  const name = call === null ? {} : { name: call.name, line: call.line };
  return { form, ...name, span, parts: parts.map(part => ({ role: part.role, span: part.span })) };
}

/** The declarations, with the types that each parameter may have at run time, best first. */
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
    return textOfBytes(resolve(file), readRegular(file, FILE_BYTES_MAX));
  } catch (error) {
    throw new CommandFailure(1, [refusal(file, error, 'give the path of a Java file')]);
  }
}
