// `insitu top`: the hottest methods, classes, packages, threads or instances.

import { Command, Option } from '@commander-js/extra-typings';
import type { InferOutput } from 'valibot';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { present } from '../../base/present.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { type Output, type Piece, styled } from '../../base/terminal.ts';
import { groups } from '../../features/answers/parts.ts';
import { top as topMethods } from '../../features/answers/top.ts';
import { shareOf } from '../../features/answers/vocabulary.ts';
import { lossesText } from '../../features/text/data-text.ts';
import { groupDigits, plural, reaches, samplesText, shareInHint } from '../../features/text/format-share.ts';
import { nanosText, perSecondText } from '../../features/text/times-text.ts';
import { withoutClass, withoutFrames } from '../../features/top.ts';
import type { GroupKind } from '../../features/top-groups.ts';
import { isPlatformClass, isWithin } from '../../mapping/platform-classes.ts';
import type { Share, Times } from '../../model/terms.ts';
import { againstText, chosenData } from '../answered.ts';
import { misused } from '../failure.ts';
import { describeData } from '../load-chosen.ts';
import { type OptionsOf, wholeNumber } from '../option-values.ts';
import { type Column, colouredChange, formatColumns, printDim, printJson, reportProblems } from '../output.ts';
import { withAnswerOptions } from '../selection-options.ts';
import { weightColumns } from '../weight-columns.ts';
import { depthOption, minOption, printTree } from './tree.ts';

const GROUP_KINDS = ['class', 'package', 'thread', 'instance'] as const satisfies readonly GroupKind[];

/** Each sample belongs to one of them: all of its time is its own. */
const OWN_SAMPLES: readonly string[] = ['thread', 'instance'] satisfies readonly GroupKind[];

type Options = OptionsOf<typeof topCommand>;

export function topCommand(output: Output) {
  const command = new Command('top')
    .description('list the hottest methods, classes, packages, threads or instances')
    .argument('[recording]', 'a recording or snapshot that is read as it is, in place of the store')
    .option('--limit <number>', 'how many (default: 20; with --tree 60)', wholeNumber)
    .addOption(
      new Option(
        '--sort <order>',
        'by what own code costs with the libraries that it calls (own, default), by self time, by time with all that is called (total), or by the change against --baseline',
      ).choices(['own', 'self', 'total', 'change']),
    )
    .option('--self', 'the same as --sort self')
    .addOption(new Option('--by <what>', 'what a row is').choices(['method', ...GROUP_KINDS]).default('method'))
    .option('--package <name>', 'only of this package and those below it')
    .option(
      '--platform',
      "also the Java platform's methods (java.*, jdk.*, …); the order is then self, unless --sort is given",
    )
    .option('--no-platform', 'without them; default in the orders total and change')
    .option('--baseline <version>', 'version to compare with')
    .option('--tree', 'draw the tree of calls in place of a list, as insitu tree does')
    .addOption(depthOption())
    .addOption(minOption());
  const examples = [
    'insitu top --program orders --limit 10 --sort total --threads "http-*"',
    'insitu top app.jfr --by package',
    'insitu top --tree --depth 5 --min 2%',
  ];
  return withAnswerOptions(command, ...examples).action(async (recording, options) => {
    if (recording !== undefined && options.recording !== undefined)
      throw misused('two recordings are named', 'name one of them');
    await printTop(output, { ...options, ...present({ recording }) });
  });
}

/** Rows of a list, and of a tree, where none are asked for. */
const USUAL_ROWS = 20;
const USUAL_TREE_ROWS = 60;

async function printTop(output: Output, options: Options): Promise<void> {
  if (options.tree === true) return printTopTree(output, options);
  const { limit = USUAL_ROWS, baseline, by: kind } = options;
  const sort = options.sort ?? (options.self === true || options.platform === true ? 'self' : 'own');
  const platform = options.platform ?? sort === 'self';
  if (options.self === true && sort !== 'self')
    throw misused(`--self and --sort ${sort} contradict each other`, 'leave one of them out');
  if (sort === 'change' && baseline === undefined)
    throw misused('--sort change needs a version to compare with', 'name it: --baseline 1.4.1');
  if (OWN_SAMPLES.includes(kind) && options.package !== undefined)
    throw misused(
      `${kind === 'thread' ? 'a thread' : 'an instance'} is in no package`,
      'choose its methods with --focus prefix:com.acme',
    );
  const { data, answered } = await chosenData(output, options);
  const given = { limit, sort, platform, baseline, package: options.package };
  const isOfMethods = kind === 'method';
  const found = isOfMethods ? await answered(topMethods, given) : await answered(groups, { ...given, by: kind });
  if (options.json === true) return printJson(output, found);
  printDim(output, describeData(data), isOfMethods ? lossesText(data) : '', againstText(found.origin));
  const by = sort === 'change' ? 'total' : sort;
  if (by === 'own' && !OWN_SAMPLES.includes(kind)) printDim(output, `own code: ${printableLine(data.own.text)}`);
  const shape = { data, by, kind, columns: output.columns } as const;
  const [rows, vanished] = [found.rows.map(listedRow), found.vanished.map(listedRow)];
  const all = [...rows, ...restOf(data, found, { ...options, sort })];
  const isCalledHere = by === 'own' && data.values.own.outside.count > 0;
  if (rows.length === 0 && !isCalledHere) reportProblems(output, [nothingHere(data, by, options)]);
  if (all.length > 0) output.out(...tableOf(all, shape));
  printDim(output, leftOutText(found));
  if (vanished.length === 0) return;
  output.out('\n');
  printDim(output, `hot in ${printableLine(found.origin.baseline ?? '')}, not seen any more`);
  output.out(...tableOf(vanished, { ...shape, suffix: ' then' }));
}

/** A tree has one order, and all methods of a stack. */
async function printTopTree(output: Output, options: Options): Promise<void> {
  const { limit = USUAL_TREE_ROWS, sort, self, by, baseline, package: within } = options;
  const others = { '--sort': sort, '--self': self, '--baseline': baseline, '--package': within };
  const [given] = Object.entries(others).find(([, value]) => value !== undefined) ?? (by === 'method' ? [] : ['--by']);
  if (given !== undefined) throw misused(`--tree and ${given} contradict each other`, 'leave one of them out');
  return printTree(output, undefined, { ...options, limit });
}

type Methods = InferOutput<typeof topMethods.result>;
type Groups = InferOutput<typeof groups.result>;
type MethodRow = Methods['rows'][number];
type GroupRow = Groups['rows'][number];

/** The rows that a list leaves out, and the option that lists them. */
function leftOutText(found: Methods | Groups): string {
  if (!('platform' in found)) return '';
  const parts = [
    ...(found.platform === null ? [] : [`${found.platform.text} ran in the Java platform's own methods`]),
    ...(found.unknown === null ? [] : [`${found.unknown.text} in frames without a class`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}, which --platform lists`;
}

/** Below methods by own time: what is in none of the rows above, so that all rows together are 100 %. */
function restOf(data: LoadedData, found: Methods | Groups, { sort, package: within }: Options): readonly ListedRow[] {
  if (!('platform' in found) || within !== undefined || sort !== 'own') return [];
  const { withoutOwn, withoutOwnThreads, fromOutside, leftOut, rows } = found;
  const { whole, onPath } = data.analysis;
  const shown = [...rows.map(({ own }) => own), withoutOwn, fromOutside];
  const sumOf = (part: 'weight' | 'count') => shown.reduce((sum, share) => sum + (share?.[part] ?? 0), 0);
  const all = onPath ?? whole;
  const others = { weight: all.weight - sumOf('weight'), count: all.count - sumOf('count') };
  const rest: readonly (readonly [string, Share | null])[] = [
    [plural(leftOut, 'more method'), leftOut === 0 ? null : shareOf(data, others)],
    ['called from outside the focus', fromOutside],
    [`without own code: ${withoutOwnThreads.map(printableName).join(', ')}`, withoutOwn],
  ];
  return rest.flatMap(([name, own]) => (own === null ? [] : [restRow(`(${name})`, own)]));
}

function restRow(name: string, own: Share): ListedRow {
  const nothing = { ...own, count: 0, weight: 0 };
  return { own, total: nothing, self: nothing, change: null, times: null, name, isPlatform: true };
}

/** A row of the table, of whatever kind. */
type ListedRow = ReturnType<typeof listedRow>;

function listedRow(row: MethodRow | GroupRow) {
  const { total, self, own, change } = row;
  if ('name' in row) return { total, self, own, change, times: null, name: row.name, isPlatform: false };
  const { key, className } = row.method;
  return { total, self, own, change, times: row.times, name: key, isPlatform: isPlatformClass(className) };
}

type TableOptions = {
  readonly data: LoadedData;
  readonly by: 'own' | 'total' | 'self';
  readonly kind: GroupKind | 'method';
  readonly columns: number | undefined;
  /** Behind the title of the first column. */
  readonly suffix?: string;
};

const timesColumn = (title: string, text: (times: Times) => string): Column<ListedRow> => ({
  title,
  text: ({ times }) => (times === null ? '-' : text(times)),
});

const nanosOrNone = (nanos: number | null) => (nanos === null ? '-' : nanosText(nanos));

/** Response times: each is of a whole call, with all that it called. */
const TIME_COLUMNS: readonly Column<ListedRow>[] = [
  timesColumn('mean', ({ mean }) => nanosText(mean)),
  timesColumn('p50', ({ p50 }) => nanosOrNone(p50)),
  timesColumn('p95', ({ p95 }) => nanosOrNone(p95)),
  timesColumn('calls/s', perSecondText),
];

/** The first column is what the rows are sorted by, as a share of everything; so is self time in any column. */
function columnsOf(
  rows: readonly ListedRow[],
  { data, by, kind, suffix = '' }: TableOptions,
): readonly Column<ListedRow>[] {
  const timed = rows.some(({ times }) => times !== null);
  const isOfMethods = kind === 'method';
  const titles = { own: 'own', total: data.metric.id, self: 'self' };
  const share = (of: 'own' | 'total' | 'self') => (row: ListedRow) => (row[of].count === 0 ? '-' : row[of].text);
  const column = (of: 'own' | 'total' | 'self'): Column<ListedRow> => ({ title: titles[of], text: share(of) });
  const first = OWN_SAMPLES.includes(kind) ? 'total' : by;
  const change =
    rows[0]!.change === null ? [] : [{ title: 'change', text: (row: ListedRow) => row.change?.text ?? '' }];
  const others: readonly Column<ListedRow>[] = OWN_SAMPLES.includes(kind)
    ? change
    : {
        // A change is one of total time.
        own: isOfMethods ? [column('total'), ...change, column('self')] : [...change, column('total'), column('self')],
        self: [...change, isOfMethods ? { title: 'of its time', text: ownShare } : column('total')],
        total: [...change, column('self')],
      }[by];
  return [
    { title: titles[first] + suffix, text: isOfMethods ? row => row[first].text : share(first) },
    ...others,
    ...weightColumns(data.metric, (row: ListedRow) => row[first])
      // Where the times of calls are known, the mean of what was measured piece by piece says nothing.
      .filter(({ title }) => !(timed && title === 'mean')),
    ...(timed ? TIME_COLUMNS : []),
    { title: 'samples', text: row => groupDigits(row[first].count) },
    { title: kind, text: ({ name }) => (name === '' ? `(${kind === 'thread' ? 'unnamed' : `no ${kind}`})` : name) },
  ];
}

function ownShare({ total, self }: ListedRow): string {
  return self.count === 0
    ? '-'
    : shareInHint({ part: self.weight, whole: total.weight, samples: self.count ?? Number.NaN });
}

function tableOf(rows: readonly ListedRow[], options: TableOptions): Piece[] {
  const columns = columnsOf(rows, options);
  const [first = '', ...lines] = formatColumns(columns, rows, options.columns).split('\n');
  return [first, ...lines.flatMap((line, i) => ['\n', ...withColour(line, rows[i])])];
}

/** The platform's own are dim. Cells are plain while columns are aligned; the change comes before any name that could hold the same text. */
function withColour(line: string, row: ListedRow | undefined): Piece[] {
  const change = row?.change ?? null;
  const plain = (text: string) => (row?.isPlatform === true ? styled('dim', text) : text);
  if (change === null) return [plain(line)];
  const at = line.indexOf(change.text);
  return [plain(line.slice(0, at)), colouredChange(change), plain(line.slice(at + change.text.length))];
}

/** Why a list has no rows. */
function nothingHere(data: LoadedData, by: TableOptions['by'], options: Options): Problem {
  if (data.analysis.whole.count === 0) return { severity: 'info', message: `no sample of ${data.metric.id} is in it` };
  if (options.package === undefined) {
    const { share, examples } = withoutClass(data);
    if (reaches(share.part, share.whole, 0.5)) {
      const names = examples.map(name => printableName(name)).join(', ');
      const message = `most samples are in frames without a class, names of native code or such that were not understood: ${names}`;
      return { severity: 'warning', message, remedy: '--platform lists them' };
    }
    const { count } = data.analysis.whole;
    const bare = withoutFrames(data);
    if (bare > count / 2)
      return { severity: 'info', message: `${groupDigits(bare)} of ${samplesText(count)} have no frames` };
    if (by === 'own')
      return { severity: 'info', message: `no own code ran: it is ${data.own.text}`, remedy: OTHERS_LISTED };
    const others = [
      share.samples === 0 ? '' : ' and frames without a class',
      bare === 0 ? '' : `, ${samplesText(bare)} have no frames`,
    ];
    return {
      severity: 'info',
      message: `only the Java platform${others[0]} ran${others[1]}`,
      remedy: '--platform lists its methods',
    };
  }
  if (by === 'own' && data.profile.methods.strings.some(name => isWithin(name, options.package!)))
    return { severity: 'info', message: `package "${options.package}" is no own code`, remedy: OTHERS_LISTED };
  const message = `no method of package "${options.package}" ran`;
  return { severity: 'info', message, remedy: 'insitu top --by package lists the packages that did' };
}

const OTHERS_LISTED = '--sort self lists all that ran; "code.own" in insitu.json names packages of own code';
