// `insitu top`: the hottest methods.

import { Command } from 'commander';
import { type Output, type Piece, styled } from '../../base/terminal.ts';
import { changeText } from '../../features/facts/compare.ts';
import { lossesText } from '../../features/text/data-text.ts';
import { groupDigits, shareInHint } from '../../features/text/format-share.ts';
import { parametersOf } from '../../features/text/parameters.ts';
import { type GoneRow, goneOf, type TopRow, topOf } from '../../features/top.ts';
import { colouredChange } from '../change.ts';
import { describeData, loadBaseline, loadForCommand } from '../load.ts';
import { formatTable } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { wholeNumber } from '../whole-number.ts';

type Options = StoreOptions &
  SelectionOptions & {
    readonly limit: number;
    readonly baseline?: string;
    readonly self?: true;
    readonly platform?: true;
    readonly json?: true;
  };

export function topCommand(output: Output): Command {
  const command = new Command('top')
    .description('list the hottest methods')
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .option('--self', 'by self time (default: by method time)')
    .option('--platform', "also the Java platform's own methods (java.*, jdk.*, …)")
    .option('--baseline <version>', 'version to compare with')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  insitu top --program orders --limit 10 --self --threads "http-*"');
  return withSelectionOptions(withStoreOptions(command)).action((options: Options) => printTop(output, options));
}

async function printTop(output: Output, options: Options): Promise<void> {
  const configuration = configure(output, options);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const { baseline: version } = options;
  const baseline = version === undefined ? null : await loadBaseline(output, configuration, data, version);
  const by = options.self === true ? 'self' : 'total';
  const platform = options.platform === true;
  const wanted = { limit: options.limit, by, platform, ...(baseline && { baseline }) } as const;
  const rows = topOf(data, wanted);
  const gone = goneOf(data, wanted);
  if (options.json === true) {
    const { whole, incomplete } = data.analysis;
    const { losses } = data.profile;
    const found = { metric: data.metric.id, whole, incomplete, losses, methods: rows, ...(baseline && { gone }) };
    output.out(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  output.out(styled('dim', describeData(data)), '\n');
  const losses = lossesText(data);
  if (losses !== '') output.out(styled('dim', losses), '\n');
  if (baseline !== null) output.out(styled('dim', `against ${describeData(baseline.data)}`), '\n');
  const changes = baseline === null ? [] : ['change'];
  const head =
    by === 'total'
      ? ['time', ...changes, 'self', 'samples', 'method']
      : ['self', ...changes, 'of its time', 'samples', 'method'];
  const numbers = baseline === null ? [0, 1, 2] : [0, 2, 3];
  const cells = rows.map(row => cellsOf(row, by));
  output.out(...colouredTable(formatTable(head, cells, numbers), rows));
  if (gone.length === 0 || baseline === null) return;
  output.out('\n', styled('dim', `hot in ${describeData(baseline.data)}, not seen any more`), '\n');
  const goneHead = [by === 'total' ? 'time then' : 'self then', ...head.slice(1)];
  const goneCells = gone.map(row => cellsOf(row, by));
  output.out(...colouredTable(formatTable(goneHead, goneCells, numbers), gone));
}

function colouredTable(table: string, rows: readonly (TopRow | GoneRow)[]): Piece[] {
  const [first = '', ...lines] = table.split('\n');
  return [first, ...lines.flatMap((line, i) => ['\n', ...withColour(line, rows[i])])];
}

/** The first column is what the rows are sorted by, as a share of everything. */
function cellsOf(
  { total, self, change, className, method, descriptor }: TopRow | GoneRow,
  by: 'total' | 'self',
): string[] {
  const ofAll = by === 'total' ? total : { ...self, whole: total.whole };
  return [
    shareInHint(ofAll),
    ...(change === undefined ? [] : [changeText(change)]),
    self.samples === 0 ? '-' : shareInHint(self),
    groupDigits(ofAll.samples),
    `${className}.${method}${parametersOf(descriptor)}`,
  ];
}

/** Cells are plain while columns are aligned; the change comes before any name that could hold the same text. */
function withColour(line: string, row: TopRow | GoneRow | undefined): Piece[] {
  const change = row?.change;
  if (change === undefined) return [line];
  const text = changeText(change);
  const at = line.indexOf(text);
  return [line.slice(0, at), colouredChange(change), line.slice(at + text.length)];
}
