// Texts in Markdown made from the server's answers: the page that explains a number, and a method as it is pasted elsewhere.
import type { Around, CallTree, HottestPath, MethodMessage, SourceStatus, WhyMessage } from 'insitu/protocol';
import { metricName } from './chips.ts';
import { placeText } from './rows.ts';
import { markdownText, shortHashes, shownText } from './shown-text.ts';

const MOST_ROWS = 8;

/** Each null where the server has no answer. */
export type Inside = {
  readonly callees: Around | null;
  readonly callers: Around | null;
  readonly path: HottestPath | null;
};

export function whyPage(why: WhyMessage, { callees, callers, path }: Inside): string {
  const { verdict, subject, explanation, remedy, nearest } = why;
  const own = path?.rows[0];
  const hasOwn = own !== undefined && own.self.count > 0 && own.total.weight > 0;
  const inside = [
    ...(hasOwn
      ? [
          {
            weight: own.self.weight,
            cells: [percent(own.self.weight / own.total.weight), count(own.self.count), 'in its own code', ''],
          },
        ]
      : []),
    ...(callees?.rows ?? []).map(({ method, share, line }) => ({
      weight: share.weight,
      cells: [markdownText(share.text), count(share.count), markdownText(method.label), line > 0 ? `${line}` : ''],
    })),
  ].sort((a, b) => b.weight - a.weight);
  return [
    `## ${markdownText(subject)}: ${markdownText(verdict)}`,
    markdownText(explanation),
    markdownText(remedy),
    nearest.length === 0 ? '' : `Similar names: ${nearest.map(markdownText).join(', ')}`,
    ...table(
      'What is hot inside',
      'of its time',
      ['method', 'line'],
      inside.map(({ cells }) => cells),
    ),
    ...table(
      'Who calls it',
      'of its time',
      ['method', 'where'],
      (callers?.rows ?? []).map(({ method, share }) => [
        markdownText(share.text),
        count(share.count),
        markdownText(method.label),
        placeLink(method),
      ]),
    ),
    ...table(
      'The heaviest path from here',
      'of all',
      ['method', 'where'],
      (path?.rows ?? []).map(({ method, total: share }) => [
        markdownText(share.text),
        count(share.count),
        markdownText(method.label),
        placeLink(method),
      ]),
      Number.POSITIVE_INFINITY,
    ),
  ]
    .filter(text => text !== '')
    .join('\n\n');
}

function table(
  title: string,
  share: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  most = MOST_ROWS,
): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const more = rows.length > most ? `and ${rows.length - most} more` : '';
  const lines = [line([share, 'samples', ...head]), line(['---:', '---:', ...head.map(() => '---')])];
  return [`### ${title}`, [...lines, ...rows.slice(0, most).map(line)].join('\n'), more];
}

function placeLink(method: Pick<MethodMessage, 'location' | 'certain'>): string {
  const { location } = method;
  if (location === null) return '';
  const address = `${location.uri}#L${location.range.start.line + 1}`.replace(
    /[()<>\s]/g,
    each => `%${each.charCodeAt(0).toString(16)}`,
  );
  return `[${markdownText(placeText(method))}](${address})`;
}

/** A method with its share and the heaviest stack that it is in, to be pasted into an issue or a chat. */
export function methodMarkdown(
  path: HottestPath,
  callers: CallTree | null,
  source: SourceStatus | null,
  link: string | null,
): string {
  const [first] = path.rows;
  if (first === undefined) return '';
  const { total, self, method } = first;
  const own = total.weight > 0 ? self.weight / total.weight : 0;
  const above: string[] = [];
  for (let row = callers?.rows[0]?.rows?.[0]; row?.share; row = row.rows?.[0]) above.unshift(row.label);
  const stack = [
    ...above.map(label => `          ${label}`),
    ...path.rows.map(({ method: { label }, total: share }) => `${share.text.padStart(8)}  ${label}`),
  ];
  const about = source === null ? '' : shortHashes(`${source.program ?? source.project} ${source.versions.join(', ')}`);
  const metric = source?.metric == null ? 'all' : metricName(source.metric);
  return [
    `**\`${shownText(`${method.className}.${method.name}`).replaceAll('`', "'")}\`**: ${total.text} of ${metric} (${count(total.count)} of ${count(total.of)} samples), ${percent(own)} of that in its own code${about === '' ? '' : ` · ${about}`}`,
    `\`\`\`\n${stack.join('\n')}\n\`\`\``,
    ...(link === null ? [] : [`[Show in the editor](${link})`]),
  ].join('\n\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share >= 0.1 ? 0 : share >= 0.01 ? 1 : 2)}%`;
}

function count(samples: number): string {
  return samples.toLocaleString('en-US');
}
