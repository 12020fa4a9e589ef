// `insitu annotate`: a Java file in the terminal with its hints at the ends of the lines.
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { type Hint, hintsOf } from '../../features/hints.ts';
import { documentWithData } from '../../workspace/document-view.ts';
import { describeData, loadForCommand } from '../load.ts';
import { type Output, styled } from '../output.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { readSource } from './outline.ts';

type Options = StoreOptions & { readonly metric?: string; readonly json?: true };

/** Hints stand in one column behind most lines, further right behind longer ones. */
const HINT_COLUMN = 88;

/** From cold to hot; a hint's heat falls into one of five equal steps of its square root, as small shares are the many. */
const HEAT_STYLES = ['gray', 'cyan', 'yellow', ['yellow', 'bold'], ['red', 'bold']] as const;

export function annotateCommand(output: Output): Command {
  const command = new Command('annotate')
    .description('print a Java file with its hints')
    .argument('<File.java>', 'the file')
    .option('--metric <id>', 'metric (default: cpu-time where recorded, else cpu)')
    .option('--json', 'print the hints alone, as JSON')
    .addHelpText('after', '\nExample:\n  insitu annotate src/main/java/com/acme/Shop.java');
  return withStoreOptions(command).action((file: string, options: Options) => annotate(output, file, options));
}

async function annotate(output: Output, file: string, options: Options): Promise<void> {
  const text = readSource(file);
  const path = resolve(file);
  const configuration = configure(output, options, dirname(path));
  const data = await loadForCommand(output, configuration, path, options.metric ?? null);
  const hints = hintsOf(documentWithData(text, data, configuration.settings));
  if (options.json === true) {
    output.out(
      `${JSON.stringify(
        hints.map(({ line, kind, text, heat, explanations }) => ({ line, kind, text, heat, explanations })),
        null,
        2,
      )}\n`,
    );
    return;
  }
  output.out(`${styled(output, 'dim', `${file} · ${describeData(data)}`)}\n`);
  output.out(annotatedText(output, text, hints));
  if (hints.length === 0)
    output.err(`info: ${file}: nothing in this file reached the thresholds (insitu top lists what did)\n`);
}

function annotatedText(output: Output, text: string, hints: readonly Hint[]): string {
  const byLine = new Map(hints.map(hint => [hint.line, hint]));
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const width = String(lines.length).length;
  const rows = lines.map((source, index) => {
    const number = styled(output, 'dim', `${String(index + 1).padStart(width)} │`);
    const shown = source.replaceAll('\t', '    ');
    const hint = byLine.get(index + 1);
    const tail =
      hint === undefined ? '' : `${' '.repeat(Math.max(2, HINT_COLUMN - shown.length))}${heated(output, hint)}`;
    return `${number} ${shown}${tail}`.trimEnd();
  });
  return `${rows.join('\n')}\n`;
}

function heated(output: Output, { heat, text }: Hint): string {
  const step = Math.min(HEAT_STYLES.length - 1, Math.floor(Math.sqrt(heat) * HEAT_STYLES.length));
  return styled(output, [...[HEAT_STYLES[step] ?? 'gray'].flat()], text);
}
