// Texts made from the server's answers: the page that explains a number, and a method as it is pasted elsewhere.
import type {
  CallHierarchy,
  EditorAnswers,
  EditorMethod,
  Located,
  Share,
  SourceStatus,
  TagsOfVersions,
} from 'insitu/protocol';
import { metricName } from './chips.ts';
import { withTitles } from './no-data.ts';
import { placeText } from './rows.ts';
import { shortHashes, shownText } from './shown-text.ts';

const MOST_ROWS = 8;

/** Each null where the server has no answer. */
export type Inside = {
  readonly callees: EditorAnswers['callees'] | null;
  readonly callers: EditorAnswers['callers'] | null;
  readonly path: EditorAnswers['heaviestPath'] | null;
};

type Row = { readonly share: string; readonly count: number | null; readonly method: string; readonly place: string };

/** A page in HTML; places are links that run `insitu.goTo`. @param tags of versions that it may name */
export function whyPage(
  why: EditorAnswers['why'],
  { callees, callers, path }: Inside,
  tags: TagsOfVersions = {},
): string {
  const { verdict, subject, explanation, remedy, nearest, calledBy } = why;
  const own = path?.rows[0];
  const ownPart = own === undefined || own.ofAll.weight === 0 ? 0 : own.self.weight / own.ofAll.weight;
  const inside = (callees?.rows ?? []).map(({ method, ofItsTime, lines }) => ({
    part: ofItsTime.share,
    row: { ...rowOf(method, ofItsTime), place: lines.filter(line => line > 0).join(', ') },
  }));
  if (own !== undefined && own.self.count !== 0) {
    const row = { share: percent(ownPart), count: own.self.count, method: 'in its own code', place: '' };
    inside.push({ part: ownPart, row });
  }
  const hottest = inside.sort((a, b) => b.part - a.part).map(({ row }) => row);
  const paragraphs = [
    shortHashes(withTitles(explanation), tags),
    shortHashes(withTitles(remedy), tags),
    nearest.length === 0 ? '' : `Similar names: ${nearest.join(', ')}`,
  ];
  return [
    `<h2>${inHtml(subject)}: ${inHtml(verdict)}</h2>`,
    ...paragraphs.filter(text => text !== '').map(text => `<p>${inHtml(text)}</p>`),
    ...table('Hot inside', ['of its time', 'samples', 'method', 'line'], hottest),
    ...table(
      'Who calls it',
      ['of its time', 'samples', 'method', 'where'],
      (callers?.rows ?? []).map(({ method, ofItsTime }) => rowOf(method, ofItsTime)),
    ),
    ...table(
      'The heaviest way into it',
      ['of its time', 'samples', 'method', 'where'],
      calledBy.map(({ method, ofItsTime }) => rowOf(method, ofItsTime)),
    ),
    ...table(
      'The heaviest path from here',
      ['of all', 'samples', 'method', 'where'],
      (path?.rows ?? []).map(({ method, ofAll }) => rowOf(method, ofAll)),
      Number.POSITIVE_INFINITY,
    ),
    ...why.objects.flatMap(objectsTable),
  ].join('\n');
}

function rowOf(method: EditorMethod, { text, count: samples }: Share): Row {
  return { share: inHtml(text), count: samples, method: inHtml(method.label), place: placeLink(method) };
}

function table(title: string, head: readonly string[], rows: readonly Row[], most = MOST_ROWS): string[] {
  if (rows.length === 0) return [];
  const lines = rows
    .slice(0, most)
    .map(
      ({ share, count: samples, method, place }) => `<tr><td>${share}<td>${count(samples)}<td>${method}<td>${place}`,
    );
  const more = rows.length > most ? `<p>and ${rows.length - most} more</p>` : '';
  return [`<h3>${title}</h3>`, `<table><tr><th>${head.join('<th>')}`, ...lines, `</table>${more}`];
}

/** Classes of what the method allocates, throws or waits for. */
function objectsTable({ title, amount, rows, leftOut }: EditorAnswers['why']['objects'][number]): string[] {
  const lines = rows.map(({ share, text }) => `<tr><td>${inHtml(share)}<td>${inHtml(text)}`);
  const more = leftOut > 0 ? `<p>and ${leftOut} more</p>` : '';
  return [`<h3>${inHtml(`${title} · ${amount}`)}</h3>`, '<table><tr><th>share<th>class', ...lines, `</table>${more}`];
}

function placeLink(method: Located): string {
  const { location } = method;
  if (location === null) return '';
  const address = `command:insitu.goTo?${encodeURIComponent(JSON.stringify([location]))}`;
  return `<a href="${inHtml(address)}">${inHtml(placeText(method))}</a>`;
}

function inHtml(text: string): string {
  return shownText(text).replaceAll(/[&<>"']/g, each => `&#${each.charCodeAt(0)};`);
}

/** A name as a code span, which nothing in it can end. */
function inMarkdown(text: string): string {
  return `\`${shownText(text).replaceAll('`', "'")}\``;
}

/** A method with its share and the heaviest stack that it is in, to be pasted into an issue or a chat. */
export function methodMarkdown(
  path: EditorAnswers['heaviestPath'],
  callers: CallHierarchy | null,
  source: SourceStatus | null,
  link: string | null,
): string {
  const [first] = path.rows;
  if (first === undefined) return '';
  const { ofAll: total, self, method } = first;
  const own = total.weight > 0 ? self.weight / total.weight : 0;
  const above: string[] = [];
  for (let row = callers?.rows[0]?.rows?.[0]; row?.share; row = row.rows?.[0]) above.unshift(row.label);
  const stack = [
    ...above.map(label => `          ${label}`),
    ...path.rows.map(({ method: { label }, ofAll: share }) => `${share.text.padStart(8)}  ${label}`),
  ];
  const about = source === null ? '' : aboutText(source);
  const metric = source?.metric == null ? 'all' : inMarkdown(metricName(source.metric));
  return [
    `**${inMarkdown(`${method.className}.${method.name}`)}**: ${total.text} of ${metric} (${count(total.count)} of ${count(total.of)} samples), ${percent(own)} of that in its own code${about === '' ? '' : ` · ${inMarkdown(about)}`}`,
    `\`\`\`\n${stack.map(line => shownText(line).replaceAll('`', "'")).join('\n')}\n\`\`\``,
    ...(link === null ? [] : [`[Show in the editor](${link})`]),
  ].join('\n\n');
}

function aboutText({ program, project, versions, tags }: SourceStatus): string {
  return shortHashes(`${program ?? project} ${versions.join(', ')}`, tags);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share >= 0.1 ? 0 : share >= 0.01 ? 1 : 2)}%`;
}

/** `?` where the recording does not tell. */
function count(samples: number | null): string {
  return samples?.toLocaleString('en-US') ?? '?';
}
