// `insitu annotate`: a Java file in the terminal with its hints at the ends of the lines.

import { resolve } from 'node:path';
import { Command } from 'commander';
import { outlineOf } from '../../../grammar/parse.ts';
import { printable, printableName } from '../../base/printable.ts';
import { type Output, type Piece, type Styled, styled } from '../../base/terminal.ts';
import { commitText } from '../../features/facts/code-state.ts';
import type { Change } from '../../features/facts/compare.ts';
import { hintChanges } from '../../features/hints/hint-changes.ts';
import { type Hint, hintsOf } from '../../features/hints/hints.ts';
import { ownsCode } from '../../features/hints/method-hints.ts';
import { isType } from '../../mapping/outline-index.ts';
import { documentOnDisk } from '../document-on-disk.ts';
import { colouredChange } from '../draw-change.ts';
import { failed } from '../failure.ts';
import { describeData, loadBaseline, loadForCommand } from '../load-chosen.ts';
import { reportProblems } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configureFor, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { readSource } from './outline.ts';

type Options = StoreOptions & SelectionOptions & { readonly baseline?: string; readonly json?: true };

/** Hints stand in one column behind most lines, further right behind longer ones. */
const HINT_COLUMN = 88;

/** From cold to hot; a hint's heat falls into one of five equal steps of its square root, as small shares are the many. */
const HEAT_STYLES = ['gray', 'cyan', 'yellow', ['yellow', 'bold'], ['red', 'bold']] as const;

export function annotateCommand(output: Output): Command {
  const command = new Command('annotate')
    .description('print a Java file with its hints')
    .argument('<File.java>', 'the file')
    .option('--baseline <version>', 'version to compare with')
    .option('--json', 'print the hints alone, as JSON')
    .addHelpText('after', '\nExample:\n  insitu annotate src/main/java/com/acme/Shop.java');
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
  for (const row of annotatedRows(text, hints, changes)) output.out(...row, '\n');
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

function annotatedRows(
  text: string,
  hints: readonly Hint[],
  changes: ReadonlyMap<Hint, Change>,
): readonly (readonly Piece[])[] {
  const byLine = new Map(hints.map(hint => [hint.line, hint]));
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const width = String(lines.length).length;
  return lines.map((source, index) => {
    const number = styled('dim', `${String(index + 1).padStart(width)} │`);
    const shown = printable(source.replaceAll('\t', '    '));
    const hint = byLine.get(index + 1);
    const before = ` ${shown}`.trimEnd();
    if (hint === undefined) return [number, before];
    const change = changes.get(hint);
    const room = ' '.repeat(Math.max(2, HINT_COLUMN - shown.length));
    return [number, ` ${shown}${room}`, heated(hint), ...(change === undefined ? [] : [' ', colouredChange(change)])];
  });
}

function heated({ heat, text }: Hint): Styled {
  const step = Math.min(HEAT_STYLES.length - 1, Math.floor(Math.sqrt(heat) * HEAT_STYLES.length));
  return styled([...[HEAT_STYLES[step] ?? 'gray'].flat()], text);
}
