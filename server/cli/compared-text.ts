// What `insitu compare` prints for people: in a terminal, and as Markdown for a pull request.
import { printableName } from '../base/printable.ts';
import { type Output, styled } from '../base/terminal.ts';
import type {
  ChangedMethod,
  ComparedTrees,
  Report,
  ReportSource,
  ResponsibleContext,
} from '../features/answers/compare-trees.ts';
import { contextPaths } from '../features/text/context-paths.ts';
import { groupDigits } from '../features/text/format-share.ts';
import { type ListedMethod, listedText } from '../features/text/listed-method.ts';
import { code } from '../features/text/markdown.ts';
import { nameInClass } from '../features/text/runtime-names.ts';
import type { CommitInWords } from '../mapping/git/git-repository.ts';
import type { Scaling } from '../metrics/compared/scaling.ts';
import { tooFewText } from '../metrics/evidence/judge.ts';
import { ALPHA } from '../metrics/evidence/permutation-test.ts';
import type { Verdict } from '../metrics/verdict.ts';
import { formatTable } from './output.ts';

export const SCALE_TEXT: Readonly<Record<Scaling, string>> = {
  share: 'shares of everything on each side: when one grows, others shrink',
  perSecond: 'amounts per second, 100 % is everything before',
  absolute: 'absolute amounts of one JVM, 100 % is everything before',
  anchored: 'anchored on methods whose code did not change, 100 % is everything before',
};

const VERDICT_TEXT: Readonly<Record<Verdict, string>> = {
  notTested: '',
  cannotTell: 'cannot tell',
  same: 'same',
  slower: 'slower',
  faster: 'faster',
};

/** What stands behind the verdicts. */
function evidenceText({ jvms, tested }: ComparedTrees): string {
  if (tested.methods === 0) return tooFewText([jvms.before, jvms.now], ALPHA);
  const counts = `${groupDigits(tested.methods)} values of methods and ${groupDigits(tested.contexts)} contexts tested`;
  return `${jvms.before} JVMs before, ${jvms.now} now: ${counts}`;
}

/** @param head two lines that name both sides. */
export function printCompared(
  output: Output,
  found: ComparedTrees,
  head: readonly string[],
  isPathShown: boolean,
): void {
  const { methods, contexts, path, reports } = found;
  const print = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) => {
    if (rows.length === 0) return;
    output.out(`\n${title}\n`, formatTable(head, rows, [0, 1, 2], output.columns));
  };
  for (const line of [...head, SCALE_TEXT[found.scaling], evidenceText(found)]) output.out(styled('dim', line), '\n');
  if (found.scaling !== 'share') output.out(`everything: ${points(found.whole - 1)}\n`);
  for (const report of reports) output.out('\n', ...reportLines(report).map(line => `${line}\n`));
  if (reports.length === 0 && found.tested.methods > 0) output.out('\nno method got slower or faster beyond doubt\n');
  const methodRows = methods.map(method => [...methodNumbers(method), listedText(method)]);
  print(methodTitle(found), [...METHOD_HEAD, '', 'method'], methodRows);
  const paths = contextPaths(contexts);
  const contextRows = contexts.map((context, i) => [...contextNumbers(context), paths[i]!]);
  print(contextTitle(found), [...CONTEXT_HEAD, '', 'context ← what calls it'], contextRows);
  if (!isPathShown) return;
  const steps = path.map((context, depth) => [
    percent(context.before),
    percent(context.now),
    points(context.height),
    context.state,
    `${' '.repeat(Math.min(depth, 20))}${listedText(context)}`,
  ]);
  print('delta hot path: amounts at or below each context', ['before', 'now', 'H', '', 'context'], steps);
}

/** So many methods of a report are named, and so many callers of its context. */
const MOST_METHODS = 4;
const MOST_CALLERS = 3;

/** `slower: TextIndex.postings +8.3 (4.1% → 12%, p 0.8 %)`, and what explains it. */
function reportLines(report: Report): string[] {
  const [first, ...others] = report.methods as [Report['methods'][0], ...Report['methods'][number][]];
  const more = others.slice(0, MOST_METHODS).map(method => `${shortName(method)} ${points(method.change)}`);
  const left = others.length > MOST_METHODS ? `, and ${others.length - MOST_METHODS} more` : '';
  return [
    `${report.verdict}: ${shortName(first)} ${points(first.change)} (${percent(first.before)} → ${percent(first.now)}, ±${digits(first.margin)}, p ${probability(first.p)})`,
    ...(report.context === null ? [] : [`  by ${contextText(report.context)}`]),
    ...sourceLines(report.source, report.commit),
    ...(more.length === 0 ? [] : [`  with it ${more.join(', ')}${left}`]),
  ];
}

function contextText({ state, above, ...method }: NonNullable<Report['context']>): string {
  const callers = above.toReversed().map(shortName);
  const named =
    callers.length <= MOST_CALLERS ? callers : [...callers.slice(0, MOST_CALLERS - 1), '…', callers.at(-1)!];
  const isNew = state === 'kept' ? '' : ` (${state})`;
  return [`${shortName(method)}${isNew}`, ...named].join(' ← ');
}

function sourceLines(source: ReportSource | null, commit: CommitInWords | null): string[] {
  if (source === null) return [];
  const place = `${printableName(source.path)}:${source.line}`;
  const whose = source.caller === null ? 'its code' : `the code of ${shortName(source.caller)}`;
  if (source.change === 'same') return [`  ${whose} did not change: ${place}`];
  const by =
    commit === null
      ? ''
      : ` by ${commit.hash.slice(0, 7)} (${printableName(commit.author)}: ${printableName(commit.subject)})`;
  return [`  ${whose} ${source.change === 'new' ? 'is new' : 'changed'}${by}: ${place}`];
}

function shortName({ className, method }: ListedMethod): string {
  return printableName(nameInClass(className, method));
}

const METHOD_HEAD = ['change', 'self before', 'self now'];
const CONTEXT_HEAD = ['change', 'before', 'now'];

function methodTitle({ methods, differingMethods }: ComparedTrees): string {
  return `methods: ${methods.length} of ${groupDigits(differingMethods)} whose self time differs`;
}

function contextTitle({ contexts, differing }: ComparedTrees): string {
  return `contexts: ${contexts.length} of ${groupDigits(differing)} that are responsible`;
}

function methodNumbers({ change, before, now, presence, verdict }: ChangedMethod): string[] {
  return [points(change), percent(before), percent(now), joined(presence === 'both' ? '' : presence, verdict)];
}

function contextNumbers({ change, before, now, state, verdict }: ResponsibleContext): string[] {
  return [points(change), percent(before), percent(now), joined(state, verdict)];
}

/** What stands on one side alone, and what the test tells. */
function joined(state: string, verdict: Verdict): string {
  return [state, VERDICT_TEXT[verdict]].filter(text => text !== '').join(', ');
}

/** One block; its first line names both sides. */
export function markdownOf(
  found: ComparedTrees,
  [before, after]: readonly [string, string],
  isPathShown: boolean,
): string {
  const { methods, contexts, differingMethods, differing, reports } = found;
  const paths = contextPaths(contexts);
  const whole = found.scaling === 'share' ? '' : ` Everything: ${points(found.whole - 1)}.`;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]) =>
    rows.length === 0
      ? []
      : ['', `**${title}**`, '', line(head), line(head.map((_, at) => (at < 3 ? '---:' : '---'))), ...rows.map(line)];
  const reported = reports.flatMap(report => {
    const [head, ...rest] = reportLines(report).map(text => code(text.trim()));
    return [`- ${head}`, ...rest.map(text => `  ${text}  `)];
  });
  return `${[
    `### ${code(after)} against ${code(before)}`,
    '',
    `${groupDigits(differingMethods)} methods and ${groupDigits(differing)} contexts differ by 0.1 % of everything or more.${whole} Numbers are ${SCALE_TEXT[found.scaling]}. ${evidenceText(found)}.`,
    ...(reported.length === 0 ? [] : ['', ...reported]),
    ...table(
      'Methods by self time',
      [...METHOD_HEAD, 'presence', 'method'],
      methods.map(method => [...methodNumbers(method), code(listedText(method))]),
    ),
    ...table(
      'Contexts',
      [...CONTEXT_HEAD, 'state', 'context ← what calls it'],
      contexts.map((context, i) => [...contextNumbers(context), code(paths[i]!)]),
    ),
    ...table(
      'Delta hot path',
      ['H', 'before', 'now', 'state', 'context'],
      isPathShown
        ? found.path.map(({ height, before: then, now, state, ...context }) => [
            points(height),
            percent(then),
            percent(now),
            state,
            code(listedText(context)),
          ])
        : [],
    ),
  ].join('\n')}\n`;
}

/** `+9.4`: points of a hundred. */
export function points(part: number): string {
  const text = digits(Math.abs(part));
  return Number(text) === 0 ? '±0' : `${part < 0 ? '−' : '+'}${text}`;
}

export function percent(part: number): string {
  return part === 0 ? '-' : `${digits(part)}%`;
}

function digits(part: number): string {
  const size = Math.abs(100 * part);
  return (100 * part).toFixed(size >= 10 ? 0 : size >= 1 ? 1 : 2);
}

function probability(p: number): string {
  return `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;
}
