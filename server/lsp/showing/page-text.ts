// Lists for people: as a Markdown page with links into the sources, and as a few lines of plain text for clients that open no pages.
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printableName } from '../../base/printable.ts';
import { escapeInline, escapeMarkdown, tableRow, tableRule } from '../../features/text/markdown.ts';
import type { Located } from '../protocol.ts';

export type PageRow = {
  /** Numbers and words before the name; as many as `Page.head` has less the name and the place. */
  readonly cells: readonly string[];
  /** The subject of the row. */
  readonly name: string;
  /** Where it stands; null where that is not known. */
  readonly place: Located | null;
};

/** A list with a heading. All texts are plain: names come from recordings and are escaped here. */
export type Page = {
  /** Name of its file without ending. */
  readonly file: string;
  readonly title: string;
  /** The data behind the numbers, and other remarks; one paragraph each. */
  readonly intro: readonly string[];
  /** The data behind an answer: before the intro of a page; behind the rows of a message, of which some editors show little. */
  readonly data?: string;
  /** Titles of the columns; those of `cells`, then that of the name. Empty where there is no list. */
  readonly head: readonly string[];
  readonly rows: readonly PageRow[];
  /** The text in place of a list without rows. */
  readonly whenEmpty: string;
};

/** Rows that a message can show. */
const MOST_MESSAGE_ROWS = 12;

export function pageMarkdown({ title, data = '', intro, head, rows, whenEmpty }: Page): string {
  const hasPlaces = rows.some(({ place }) => place !== null && place.location !== null);
  const columns = hasPlaces ? [...head, 'where'] : head;
  const table = [
    tableRow(columns),
    tableRule(columns.map((_, column) => column < head.length - 1)),
    ...rows.map(({ cells, name, place }) =>
      tableRow([
        ...[...cells, name].map(text => escapeInline(printableName(text))),
        ...(hasPlaces ? [placeLink(place)] : []),
      ]),
    ),
  ];
  const list = rows.length > 0 ? table.join('\n') : escapeMarkdown(whenEmpty);
  return [`# ${escapeMarkdown(title)}`, ...[data, ...intro].map(escapeMarkdown), list]
    .filter(part => part !== '')
    .map(part => `${part}\n`)
    .join('\n');
}

/** The same as lines for a message window. */
export function pageMessage({ title, data = '', intro, head, rows, whenEmpty }: Page): string[] {
  const shown = rows.slice(0, MOST_MESSAGE_ROWS).map(({ cells, name, place }) => {
    const where = placeText(place);
    return [...cells, name, where]
      .filter(text => text !== '')
      .map(printableName)
      .join(' · ');
  });
  const more = rows.length - shown.length;
  const lines =
    rows.length === 0 ? [whenEmpty] : [head.join(' · '), ...shown, ...(more > 0 ? [`and ${more} more`] : [])];
  return [`insitu: ${title}`, ...intro, ...lines, data].filter(text => text !== '');
}

function placeLink(place: PageRow['place']): string {
  if (place === null || place.location === null) return '';
  const { uri, range } = place.location;
  const text = escapeInline(placeText(place));
  // Inside of <…> an address ends at the next > or line break only.
  const address = uri.replaceAll(/[<>\s\\|`]/g, mark => encodeURIComponent(mark));
  return /^file:/i.test(uri) ? `[${text}](<${address}#L${range.start.line + 1}>)` : text;
}

/** `Shop.java:12`, `~Shop.java:12` where that is not certain. */
function placeText(place: PageRow['place']): string {
  if (place === null || place.location === null) return '';
  const { uri, range } = place.location;
  return `${place.certain ? '' : '~'}${fileName(uri)}:${range.start.line + 1}`;
}

function fileName(uri: string): string {
  try {
    return basename(fileURLToPath(uri));
  } catch {
    return uri.slice(uri.lastIndexOf('/') + 1);
  }
}
