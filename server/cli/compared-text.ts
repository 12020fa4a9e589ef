// The output of `insitu compare` for people: in a terminal, and as Markdown for a pull request.
import { printableName } from '../base/printable.ts';
import type { Output } from '../base/terminal.ts';
import { ALPHA, type Scaling, tooFewText } from '../capabilities/compare/door.ts';
import {
  type ChangedMethod,
  type ComparedTrees,
  causeName,
  digits,
  percent,
  points,
  type Report,
  type ReportSource,
  type ResponsibleContext,
} from '../features/compare/door.ts';
import { contextPaths } from '../features/text/context-paths.ts';
import { groupDigits } from '../features/text/format-share.ts';
import { type ListedMethod, listedText } from '../features/text/listed-method.ts';
import { code, codeInCell, escapeInline, tableRow, tableRule } from '../features/text/markdown.ts';
import { nameInClass } from '../features/text/runtime-names.ts';
import type { CommitInWords } from '../mapping/git/git-repository.ts';
import type { Verdict } from '../model/verdict.ts';
import { type Column, printDim, printTable } from './output.ts';
import { type PlaceOf, placeOfReport } from './report-place.ts';

export const SCALE_TEXT: Readonly<Record<Scaling, string>> = {
  share: 'shares of everything on each side: when one grows, others shrink',
  perSecond: 'amounts per second, 100 % is everything before',
  absolute: 'absolute amounts of one JVM, 100 % is everything before',
  anchored: 'anchored on code that did not change, 100 % is everything before',
};

function scaleText({ scaling, scalingReason }: ComparedTrees): string {
  return scalingReason === '' ? SCALE_TEXT[scaling] : `${SCALE_TEXT[scaling]} (${scalingReason})`;
}

const VERDICT_TEXT: Readonly<Record<Verdict, string>> = {
  notTested: '',
  cannotTell: 'cannot tell',
  same: 'same',
  slower: 'slower',
  faster: 'faster',
};

/** The evidence for the verdicts: JVMs, values and contexts that were tested. */
function evidenceText({ jvms, tested }: ComparedTrees): string {
  if (tested.methods === 0) return tooFewText([jvms.before, jvms.now], ALPHA);
  const counts = `${groupDigits(tested.methods)} values of methods and ${groupDigits(tested.contexts)} contexts tested`;
  return `${jvms.before} JVMs before, ${jvms.now} now: ${counts}`;
}

/** Empty where neither side has samples of it. */
function recorderText({ recorder: { before, now } }: ComparedTrees): string {
  return before + now > 0 ? `the recorder itself: ${percent(before)} → ${percent(now)}` : '';
}

/** @param head two lines that name both sides. */
export function printCompared(
  output: Output,
  found: ComparedTrees,
  head: readonly string[],
  isPathShown: boolean,
): void {
  const { methods, path, reports } = found;
  const print = <Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]) => {
    if (rows.length === 0) return;
    output.out(`\n${title}\n`);
    printTable(output, rows, columns);
  };
  printDim(output, ...head, scaleText(found), evidenceText(found), recorderText(found));
  if (found.scaling !== 'share') output.out(`everything: ${points(found.whole - 1)}\n`);
  for (const report of reports) output.out('\n', ...reportLines(report).map(line => `${line}\n`));
  if (reports.length === 0 && found.tested.methods > 0) output.out(`\n${found.sentence}\n`);
  print(methodTitle(found), methods, METHOD_COLUMNS);
  print(contextTitle(found), contextRows(found), CONTEXT_COLUMNS);
  if (!isPathShown) return;
  if (path.length === 0) output.out('\ndelta hot path: none, it begins at a finding\n');
  const steps = path.map((context, depth) => ({ ...context, indent: ' '.repeat(Math.min(depth, 20)) }));
  print('delta hot path from the first finding on: amounts at or below each context', steps, [
    ...amountColumns('before', 'now'),
    { title: 'H', text: ({ height }) => points(height) },
    { title: '', text: ({ state }) => state, isWord: true },
    { title: 'context', text: ({ indent, ...context }) => `${indent}${listedText(context)}` },
  ]);
}

/** So many methods of a report are named, and so many callers of its context. */
const MOST_METHODS = 4;
const MOST_CALLERS = 3;

/** `slower: TextIndex.postings, changed in 1a2b3c4: +8.3 (4.1% → 12%)`, what was tested, and where it is. */
function reportLines(report: Report): string[] {
  const [first, ...others] = report.methods as [Report['methods'][0], ...Report['methods'][number][]];
  const more = others.slice(0, MOST_METHODS).map(method => `${shortName(method)} ${points(method.change)}`);
  const left = others.length > MOST_METHODS ? `, and ${others.length - MOST_METHODS} more` : '';
  return [
    report.sentence,
    `  tested: ${shortName(first)} ${points(first.change)} (${percent(first.before)} → ${percent(first.now)}, ±${digits(first.margin)}, p ${probability(first.p)})`,
    ...(report.context === null || report.context.above.length === 0 ? [] : [`  ${wayText(report.context)}`]),
    ...sourceLines(report.source, report.commit),
    ...(more.length === 0 ? [] : [`  with it ${more.join(', ')}${left}`]),
  ];
}

function wayText({ above }: NonNullable<Report['context']>): string {
  const callers = above.toReversed().map(shortName);
  const named =
    callers.length <= MOST_CALLERS ? callers : [...callers.slice(0, MOST_CALLERS - 1), '…', callers.at(-1)!];
  return `called by ${named.join(' ← ')}`;
}

function sourceLines(source: ReportSource | null, commit: CommitInWords | null): string[] {
  if (source === null) return [];
  const by = commit === null ? '' : ` (${printableName(commit.author)}: ${printableName(commit.subject)})`;
  return [`  ${printableName(source.path)}:${source.line}${by}`];
}

function shortName({ className, method }: ListedMethod): string {
  return printableName(nameInClass(className, method));
}

const METHOD_COLUMNS: readonly Column<ChangedMethod>[] = [
  { title: 'change', text: ({ change }) => points(change) },
  ...amountColumns('self before', 'self now'),
  { title: '', text: ({ presence, verdict }) => joined(presence === 'both' ? '' : presence, verdict), isWord: true },
  { title: 'method', text: listedText },
];

type ContextRow = ResponsibleContext & { readonly path: string };

const CONTEXT_COLUMNS: readonly Column<ContextRow>[] = [
  { title: 'change', text: ({ change }) => points(change) },
  ...amountColumns('before', 'now'),
  { title: '', text: ({ state, verdict }) => joined(state, verdict), isWord: true },
  { title: 'context ← what calls it', text: ({ path }) => path },
];

type Amounts = { readonly before: number; readonly now: number };

function amountColumns(before: string, now: string): readonly Column<Amounts>[] {
  return [
    { title: before, text: row => percent(row.before) },
    { title: now, text: row => percent(row.now) },
  ];
}

function contextRows({ contexts }: ComparedTrees): ContextRow[] {
  const paths = contextPaths(contexts);
  return contexts.map((context, i) => ({ ...context, path: paths[i]! }));
}

function methodTitle({ methods, differingMethods }: ComparedTrees): string {
  return `methods: ${methods.length} of ${groupDigits(differingMethods)} whose self time differs`;
}

function contextTitle({ contexts, differing }: ComparedTrees): string {
  return `contexts: ${contexts.length} of ${groupDigits(differing)} that are responsible`;
}

/** The state of a context on one side alone, and the verdict of the test. */
function joined(state: string, verdict: Verdict): string {
  return [state, VERDICT_TEXT[verdict]].filter(text => text !== '').join(', ');
}

/** A block for a pull request: the verdict in one sentence, and a row for each finding. Empty without a finding. */
export function markdownOf(
  found: ComparedTrees,
  [before, after]: readonly [string, string],
  placeOf: PlaceOf,
  isPathShown: boolean,
): string {
  const { reports, jvms, scaling, path } = found;
  if (reports.length === 0) return '';
  const lines = [
    `${code(after)} against ${code(before)} (${jvms.before} + ${jvms.now} JVMs; ${SCALE_TEXT[scaling]}): ${escapeInline(found.sentence)}`,
    ...markdownTable(reports, [
      { title: 'what', text: whatText, isWord: true },
      { title: 'change', text: ({ change }) => points(change) },
      ...amountColumns('before', 'now'),
      { title: 'method', text: report => codeInCell(causeName(report)), isWord: true },
      { title: 'place', text: report => placeText(placeOfReport(report, placeOf)), isWord: true },
      { title: 'commit', text: ({ commit }) => commitText(commit), isWord: true },
    ]),
    ...markdownTable(isPathShown ? path : [], [
      { title: 'H', text: ({ height }) => points(height) },
      ...amountColumns('before', 'now'),
      { title: 'state', text: ({ state }) => state, isWord: true },
      { title: 'delta hot path', text: context => codeInCell(listedText(context)), isWord: true },
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** `slower`, `faster`; of a call that is on one side alone `new` or `gone`, and what it did to everything. */
function whatText({ verdict, cause }: Report): string {
  return cause === 'added' ? `new, ${verdict}` : cause === 'removed' ? `gone, ${verdict}` : verdict;
}

function placeText(place: ReturnType<PlaceOf>): string {
  return place === null ? '' : codeInCell(`${place.path}:${place.line}`);
}

/** Services for code make a link of the short name. */
function commitText(commit: CommitInWords | null): string {
  return commit === null ? '' : `${commit.hash.slice(0, 7)} ${escapeInline(commit.subject)}`;
}

/** Empty without rows. Cells are Markdown. */
function markdownTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  if (rows.length === 0) return [];
  return [
    '',
    tableRow(columns.map(column => column.title)),
    tableRule(columns.map(({ isWord }) => isWord !== true)),
    ...rows.map(row => tableRow(columns.map(({ text }) => text(row)))),
  ];
}

/** A chance in percent, which is never 0. */
function probability(p: number): string {
  return p < 0.0005 ? '< 0.1 %' : `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;
}
