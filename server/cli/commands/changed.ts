// `insitu compare --changed A..B`: the methods that commits changed, by their share in production, before anything new is measured.
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableName } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { type CommittedChange, changedByCommits } from '../../workspace/code/method-sources.ts';
import { sourceOf } from '../../workspace/data/source.ts';
import { percent } from '../compared-text.ts';
import { CommandFailure, misused } from '../failure.ts';
import { aboutData, describeData, loadForCommand } from '../load-chosen.ts';
import { formatTable } from '../output.ts';
import { askedBy, type SelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions } from '../store-options.ts';

type Options = StoreOptions & SelectionOptions & { readonly format: string; readonly limit: number };

type Row = Omit<CommittedChange, 'methods'> & { readonly total: number; readonly self: number };

export async function printChanged(output: Output, range: string, options: Options): Promise<void> {
  const [, before, now] = /^(.+?)\.\.(.+)$/.exec(range) ?? [];
  if (before === undefined || now === undefined)
    throw misused(`"${printableName(range)}" names no two commits`, 'write --changed A..B, such as v1..HEAD');
  if (options.format !== 'text' && options.format !== 'json')
    throw misused(`--changed has no form ${options.format}`, 'use --format text or json');
  const configuration = configure(output, options);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const repositories = new OpenRepositories();
  try {
    const source = sourceOf(configuration, null);
    const { value, problems } = await changedByCommits(repositories, source, [before, now], data);
    if (value === null) throw new CommandFailure(1, problems);
    print(output, value, data, options);
  } finally {
    repositories.close();
  }
}

function print(output: Output, changes: readonly CommittedChange[], data: LoadedData, options: Options): void {
  const { values, analysis } = data;
  const share = (of: 'total' | 'self', methods: readonly number[]) =>
    analysis.whole.weight > 0
      ? methods.reduce((sum, row) => sum + values[of].weight[row]!, 0) / analysis.whole.weight
      : 0;
  const rows = changes
    .map(
      ({ methods, ...change }): Row => ({
        ...change,
        // Overloads that the data do not tell apart may call each other.
        total: Math.min(1, share('total', methods)),
        self: share('self', methods),
      }),
    )
    .sort((a, b) => b.total - a.total || b.self - a.self || (a.name < b.name ? -1 : 1));
  if (options.format === 'json') {
    output.out(
      `${JSON.stringify({ ...aboutData(data), methods: rows.slice(0, options.limit), of: rows.length }, null, 2)}\n`,
    );
    return;
  }
  output.out(styled('dim', describeData(data)), '\n');
  const ran = rows.filter(({ total }) => total > 0).length;
  output.out(`${rows.length} methods changed, of which ${ran} ran\n`);
  if (rows.length === 0) return;
  const table = rows
    .slice(0, options.limit)
    .map(({ total, self, change, name, path, line }) => [
      percent(total),
      percent(self),
      change,
      printableName(name),
      `${printableName(path)}:${line}`,
    ]);
  output.out(formatTable(['total', 'self', '', 'method', 'place'], table, [0, 1], output.columns));
}
