// `insitu annotate`: a Java file in the terminal with its hints at the ends of the lines.

import { resolve } from 'node:path';
import { Command } from 'commander';
import { outlineOf } from '../../../grammar/parse.ts';
import { printableName } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { commitText } from '../../features/facts/code-state.ts';
import type { Change } from '../../features/facts/compare.ts';
import { hintChanges } from '../../features/hints/hint-changes.ts';
import { type Hint, hintsOf } from '../../features/hints/hints.ts';
import { ownsCode } from '../../features/hints/method-hints.ts';
import { isType } from '../../mapping/outline-index.ts';
import { annotatedRows, rowsAround } from '../annotated-rows.ts';
import { documentOnDisk } from '../document-on-disk.ts';
import { failed } from '../failure.ts';
import { describeData, loadBaseline, loadForCommand } from '../load-chosen.ts';
import { reportProblems } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configureFor, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { readSource } from './outline.ts';

type Options = StoreOptions &
  SelectionOptions & { readonly around?: true; readonly baseline?: string; readonly json?: true };

export function annotateCommand(output: Output): Command {
  const command = new Command('annotate')
    .description('print a Java file with its hints')
    .argument('<File.java>', 'the file')
    .option('--around', 'only the lines with hints and a few around each, cut to the width of the terminal')
    .option('--baseline <version>', 'version to compare with')
    .option('--json', 'print the hints alone, as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  insitu annotate src/main/java/com/acme/Shop.java\n  insitu annotate src/main/java/com/acme/Shop.java --around',
    );
  return withSelectionOptions(withStoreOptions(command)).action((file: string, options: Options) =>
    annotate(output, file, options),
  );
}

async function annotate(output: Output, file: string, options: Options): Promise<void> {
  const text = readSource(file);
  refuseOther(file, text);
  const path = resolve(file);
  const configuration = configureFor(output, options, path);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings, path));
  const { baseline: version } = options;
  const document = await documentOnDisk(path, text, data, configuration);
  const profiled = document.mapped?.profiled;
  // Fingerprints tell what has changed without the commit.
  if (profiled?.from === 'opened' && profiled.problem !== null) reportProblems(output, [profiled.problem]);
  const recorded = { path, recorded: profiled?.path ?? null };
  const baseline = version === undefined ? null : await loadBaseline(output, configuration, data, version, recorded);
  const hints = hintsOf(document);
  const changes = baseline === null ? new Map<Hint, Change>() : hintChanges(document, hints, baseline);
  if (options.json === true) {
    output.out(
      `${JSON.stringify(
        hints.map(hint => {
          const { line, kind, text, heat, state, explanations } = hint;
          return {
            line,
            kind,
            text,
            heat,
            state,
            explanations,
            ...(changes.has(hint) && { change: changes.get(hint) }),
          };
        }),
        null,
        2,
      )}\n`,
    );
    return;
  }
  const about = [printableName(file), describeData(data), commitText(profiled?.commit ?? null)];
  output.out(styled('dim', about.filter(text => text !== '').join(' · ')), '\n');
  if (baseline !== null) output.out(styled('dim', `against ${describeData(baseline.data)}`), '\n');
  const rows =
    options.around === true
      ? rowsAround(annotatedRows(text, hints, changes, output.columns), hints)
      : annotatedRows(text, hints, changes);
  for (const row of rows) output.out(...row, '\n');
  if (hints.length === 0)
    reportProblems(output, [
      {
        severity: 'info',
        file,
        message: 'nothing in this file reached the thresholds',
        remedy: 'insitu top lists what did',
      },
    ]);
}

/** By its name, or where nothing in it reads as a type or method: a list without hints would look like code that never ran. */
function refuseOther(file: string, text: string): void {
  const { declarations, problems } = outlineOf(text, file);
  const isJava =
    declarations.some(declaration => isType(declaration) || ownsCode(declaration)) || problems.length === 0;
  if (/\.java$/i.test(file) && isJava) return;
  throw failed('this is no Java file', { file, remedy: 'give the path of a Java file' });
}
