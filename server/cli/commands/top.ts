// `insitu top`: the hottest methods, classes, packages, threads or instances.

import { Command, Option } from 'commander';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { type Output, type Piece, styled } from '../../base/terminal.ts';
import { type Baseline, type Change, changeText } from '../../features/facts/compare.ts';
import { lossesOf, lossesText } from '../../features/text/data-text.ts';
import { groupDigits, reaches, type Share, shareInHint } from '../../features/text/format-share.ts';
import { listedText } from '../../features/text/listed-method.ts';
import { nanosText, perSecondText } from '../../features/text/times-text.ts';
import {
  type GoneRow,
  goneOf,
  leftOutOf,
  type TopOptions,
  type TopRow,
  topOf,
  withoutClass,
} from '../../features/top.ts';
import { type GroupKind, type GroupRow, topGroups } from '../../features/top-groups.ts';
import type { ResponseTimes } from '../../metrics/response-times.ts';
import { colouredChange } from '../draw-change.ts';
import { misused } from '../failure.ts';
import { aboutData, describeData, loadBaseline, loadForCommand } from '../load-chosen.ts';
import { formatTable, reportProblems } from '../output.ts';
import { askedBy, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { weightColumns } from '../weight-columns.ts';
import { wholeNumber } from '../whole-number.ts';
import { depthOption, minOption, printTree } from './tree.ts';

const PLURALS = { class: 'classes', package: 'packages', thread: 'threads', instance: 'instances' } as const;

/** Each sample belongs to one of them: all of its time is its own. */
const OWN_SAMPLES: readonly string[] = ['thread', 'instance'] satisfies readonly GroupKind[];

const GROUP_KINDS = Object.keys(PLURALS);

type Options = StoreOptions &
  SelectionOptions & {
    readonly limit?: number;
    readonly tree?: true;
    readonly depth?: number;
    readonly min: number;
    readonly sort?: 'total' | 'self' | 'change';
    readonly self?: true;
    readonly by: GroupKind | 'method';
    readonly package?: string;
    readonly baseline?: string;
    readonly platform?: boolean;
    readonly json?: true;
  };

export function topCommand(output: Output): Command {
  const command = new Command('top')
    .description('list the hottest methods, classes, packages, threads or instances')
    .argument('[recording]', 'a recording or snapshot that is read as it is, in place of the store')
    .option('--limit <number>', 'how many (default: 20; with --tree 60)', wholeNumber)
    .addOption(
      new Option(
        '--sort <order>',
        'by self time (default), by time (total), or by the change against --baseline',
      ).choices(['total', 'self', 'change']),
    )
    .option('--self', 'the same as --sort self')
    .addOption(new Option('--by <what>', 'what a row is').choices(['method', ...GROUP_KINDS]).default('method'))
    .option('--package <name>', 'only of this package and those below it')
    .option('--platform', "also the Java platform's own methods (java.*, jdk.*, …); default by self time")
    .option('--no-platform', 'without them; default in the other orders')
    .option('--baseline <version>', 'version to compare with')
    .option('--tree', 'draw the tree of calls in place of a list, as insitu tree does')
    .addOption(depthOption())
    .addOption(minOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  insitu top --program orders --limit 10 --sort total --threads "http-*"\n  insitu top app.jfr --by package\n  insitu top --tree --depth 5 --min 2%',
    );
  return withSelectionOptions(withStoreOptions(command)).action((recording: string | undefined, options: Options) => {
    if (recording !== undefined && options.recording !== undefined)
      throw misused('two recordings are named', 'name one of them');
    return printTop(output, { ...options, ...(recording !== undefined && { recording }) });
  });
}

/** Rows of a list, and of a tree, where none are asked for. */
const USUAL_ROWS = 20;
const USUAL_TREE_ROWS = 60;

async function printTop(output: Output, options: Options): Promise<void> {
  if (options.tree === true) return printTopTree(output, options);
  const { limit = USUAL_ROWS } = options;
  const { sort = 'self', baseline: version, by: kind } = options;
  if (options.self === true && sort !== 'self')
    throw misused(`--self and --sort ${sort} contradict each other`, 'leave one of them out');
  if (sort === 'change' && version === undefined)
    throw misused('--sort change needs a version to compare with', 'name it: --baseline 1.4.1');
  if (OWN_SAMPLES.includes(kind) && options.package !== undefined)
    throw misused(
      `${kind === 'thread' ? 'a thread' : 'an instance'} is in no package`,
      'choose its methods with --focus prefix:com.acme',
    );
  const configuration = configure(output, options);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings));
  const baseline = version === undefined ? null : await loadBaseline(output, configuration, data, version);
  if (kind !== 'method') return printGroups(output, data, { ...options, limit, kind, sort }, baseline);
  const by = sort === 'self' ? 'self' : 'total';
  const { platform = sort === 'self' } = options;
  const wanted: TopOptions = {
    limit,
    by,
    platform,
    sortedByChange: sort === 'change',
    ...(options.package !== undefined && { within: options.package }),
    ...(baseline && { baseline }),
  };
  const rows = topOf(data, wanted);
  const gone = goneOf(data, wanted);
  if (options.json === true) {
    const leftOut = leftOutOf(data, wanted);
    const found = {
      ...aboutData(data),
      losses: lossesOf(data),
      methods: rows,
      leftOut,
      ...(baseline && { gone }),
    };
    output.out(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  output.out(styled('dim', describeData(data)), '\n');
  const losses = lossesText(data);
  if (losses !== '') output.out(styled('dim', losses), '\n');
  if (baseline !== null) output.out(styled('dim', `against ${describeData(baseline.data)}`), '\n');
  if (rows.length === 0) reportProblems(output, [nothingHere(data, options)]);
  else output.out(...tableOf(rows, { data, by, columns: output.columns }));
  const leftOut = leftOutOf(data, wanted);
  if (leftOut !== null)
    output.out(
      styled('dim', `${shareInHint(leftOut)} ran in the Java platform's own methods, which --platform lists`),
      '\n',
    );
  if (gone.length === 0 || baseline === null) return;
  output.out('\n', styled('dim', `hot in ${describeData(baseline.data)}, not seen any more`), '\n');
  output.out(...tableOf(gone, { data: baseline.data, by, columns: output.columns, suffix: ' then' }));
}

/** A tree has one order, and all methods of a stack. */
async function printTopTree(output: Output, options: Options): Promise<void> {
  const { limit = USUAL_TREE_ROWS, sort, self, by, baseline, package: within } = options;
  const others = { '--sort': sort, '--self': self, '--baseline': baseline, '--package': within };
  const [given] = Object.entries(others).find(([, value]) => value !== undefined) ?? (by === 'method' ? [] : ['--by']);
  if (given !== undefined) throw misused(`--tree and ${given} contradict each other`, 'leave one of them out');
  return printTree(output, undefined, { ...options, limit });
}

type Compared = { readonly isPlatform?: boolean; readonly change?: Change };

type TableOptions = {
  readonly data: LoadedData;
  readonly by: 'total' | 'self';
  readonly columns: number | undefined;
  /** Behind the title of the first column. */
  readonly suffix?: string;
};

function timesIn(row: TopRow | GoneRow): ResponseTimes | undefined {
  return 'times' in row ? row.times : undefined;
}

type TimeColumn = { readonly title: string; readonly text: (times: ResponseTimes | undefined) => string };

const nanosColumn = (title: string, of: (times: ResponseTimes) => number | null): TimeColumn => ({
  title,
  text: times => {
    const nanos = times === undefined ? null : of(times);
    return nanos === null ? '-' : nanosText(nanos);
  },
});

/** Response times: each is of a whole call, with all that it called. */
const TIME_COLUMNS: readonly TimeColumn[] = [
  nanosColumn('mean', ({ mean }) => mean),
  nanosColumn('p50', ({ p50 }) => p50),
  nanosColumn('p95', ({ p95 }) => p95),
  { title: 'calls/s', text: times => (times === undefined ? '-' : perSecondText(times)) },
];

/** The first column is what the rows are sorted by, as a share of everything; so is self time in any column. */
function tableOf(rows: readonly (TopRow | GoneRow)[], { data, by, columns, suffix = '' }: TableOptions): Piece[] {
  const compared = rows[0]!.change !== undefined;
  const timed = rows.some(row => timesIn(row) !== undefined);
  // Where the times of calls are known, the mean of what was measured piece by piece says nothing.
  const weighted = weightColumns(data.metric).filter(({ title }) => !(timed && title === 'mean'));
  const head = [
    (by === 'total' ? data.metric.id : 'self') + suffix,
    ...(compared ? ['change'] : []),
    ...(by === 'total' ? ['self'] : ['of its time']),
    ...weighted.map(({ title }) => title),
    ...(timed ? TIME_COLUMNS.map(({ title }) => title) : []),
    'samples',
    'method',
  ];
  const cells = rows.map(row => {
    const { total, self, selfOfMethod, change } = row;
    const first = by === 'total' ? total : self;
    const second = by === 'total' ? self : selfOfMethod;
    return [
      shareInHint(first),
      ...(change === undefined ? [] : [changeText(change)]),
      self.samples === 0 ? '-' : shareInHint(second),
      ...weighted.map(({ text }) => text(first)),
      ...(timed ? TIME_COLUMNS.map(({ text }) => text(timesIn(row))) : []),
      groupDigits(first.samples),
      listedText(row),
    ];
  });
  const numbers = head.map((_, column) => column).slice(0, -1);
  return colouredTable(formatTable(head, cells, numbers, columns), rows);
}

function colouredTable(table: string, rows: readonly Compared[]): Piece[] {
  const [first = '', ...lines] = table.split('\n');
  return [first, ...lines.flatMap((line, i) => ['\n', ...withColour(line, rows[i])])];
}

/** The platform's own are dim. Cells are plain while columns are aligned; the change comes before any name that could hold the same text. */
function withColour(line: string, row: Compared | undefined): Piece[] {
  const change = row?.change;
  const plain = (text: string) => (row?.isPlatform === true ? styled('dim', text) : text);
  if (change === undefined) return [plain(line)];
  const text = changeText(change);
  const at = line.indexOf(text);
  return [plain(line.slice(0, at)), colouredChange(change, text), plain(line.slice(at + text.length))];
}

type GroupWish = Options & {
  readonly limit: number;
  readonly kind: GroupKind;
  readonly sort: 'total' | 'self' | 'change';
};

/** Classes, packages, threads or instances. */
function printGroups(output: Output, data: LoadedData, wish: GroupWish, baseline: Baseline | null): void {
  const { kind, sort, limit } = wish;
  const within = wish.package;
  const by = sort === 'self' ? 'self' : 'total';
  const { rows, gone } = topGroups(data, {
    kind,
    by,
    limit,
    platform: wish.platform ?? sort === 'self',
    sortedByChange: sort === 'change',
    // A group that was chosen unfolds.
    single: wish.threads !== undefined,
    ...(within !== undefined && { within }),
    ...(baseline && { baseline }),
  });
  if (wish.json === true) {
    const found = { ...aboutData(data), [PLURALS[kind]]: rows, ...(baseline && { gone }) };
    output.out(`${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  output.out(styled('dim', describeData(data)), '\n');
  if (baseline !== null) output.out(styled('dim', `against ${describeData(baseline.data)}`), '\n');
  if (rows.length === 0) reportProblems(output, [nothingHere(data, wish)]);
  else output.out(...groupTable(rows, kind, { data, by, columns: output.columns }));
  if (gone.length === 0 || baseline === null) return;
  output.out('\n', styled('dim', `hot in ${describeData(baseline.data)}, not seen any more`), '\n');
  output.out(...groupTable(gone, kind, { data: baseline.data, by, columns: output.columns, suffix: ' then' }));
}

function groupTable(
  rows: readonly GroupRow[],
  kind: GroupKind,
  { data, by, columns, suffix = '' }: TableOptions,
): Piece[] {
  const compared = rows[0]!.change !== undefined;
  const weighted = weightColumns(data.metric);
  const shares = OWN_SAMPLES.includes(kind) ? (['total'] as const) : (['total', 'self'] as const);
  const [first, ...others] = by === 'self' ? shares.toReversed() : shares;
  const titles = { total: data.metric.id, self: 'self' };
  const head = [
    titles[first!] + suffix,
    ...(compared ? ['change'] : []),
    ...others.map(each => titles[each]),
    ...weighted.map(({ title }) => title),
    'samples',
    kind,
  ];
  const shareText = (share: Share) => (share.samples === 0 ? '-' : shareInHint(share));
  const cells = rows.map(row => [
    shareText(row[first!]),
    ...(row.change === undefined ? [] : [changeText(row.change)]),
    ...others.map(each => shareText(row[each])),
    ...weighted.map(({ text }) => text(row[first!])),
    groupDigits(row[first!].samples),
    row.name === '' ? `(${kind === 'thread' ? 'unnamed' : `no ${kind}`})` : row.name,
  ]);
  const numbers = head.map((_, column) => column).slice(0, -1);
  return colouredTable(formatTable(head, cells, numbers, columns), rows);
}

function nothingHere(data: LoadedData, options: Options): Problem {
  if (data.analysis.whole.count === 0) return { severity: 'info', message: `no sample of ${data.metric.id} is in it` };
  if (options.package === undefined) {
    const { share, examples } = withoutClass(data);
    if (reaches(share.part, share.whole, 0.5)) {
      const names = examples.map(name => printableName(name)).join(', ');
      const message = `most samples are in frames without a class, names of native code or such that were not understood: ${names}`;
      return { severity: 'warning', message, remedy: '--platform lists them' };
    }
    const message = share.samples === 0 ? 'only the Java platform ran' : 'only the Java platform and native code ran';
    return { severity: 'info', message, remedy: '--platform lists its methods' };
  }
  const message = `no method of package "${options.package}" ran`;
  return { severity: 'info', message, remedy: 'insitu top --by package lists those that did' };
}
