// An answer as a page for people whose editor knows nothing of insitu.

import type { Answer } from '../../features/answers/answer.ts';
import {
  type Data,
  factLines,
  isData,
  isRows,
  nameLast,
  originText,
  problemLines,
  tableOf,
  writtenOf,
} from '../../features/answers/answer-text.ts';
import type { Located } from '../protocol.ts';
import type { Page, PageRow } from '../showing/page-text.ts';

export function answerPage(
  { name, title, whenEmpty = 'There are no rows.' }: Answer,
  { origin, rows, total, leftOut, subject, subjectText, ...others }: Data,
): Page {
  // Of an answer with several lists, the first one is the table.
  const [list, shown] = Array.isArray(rows)
    ? ['rows', rows.filter(isData)]
    : (Object.entries(others).find((entry): entry is [string, Data[]] => isRows(entry[1])) ?? ['rows', []]);
  const written = writtenOf(name, origin);
  const told = factLines(written, Object.fromEntries(Object.entries(others).filter(([fact]) => fact !== list)));
  const linesOf = (facts: typeof told) => facts.map(([fact, text]) => `${inWords(fact)}: ${text}`);
  const data = [
    ...(isData(origin) ? [originText(origin)] : []),
    ...linesOf(told.filter(([fact]) => BESIDE_ROWS.has(fact))),
  ];
  const { head, cells } = tableOf(written, shown.map(forPeople));
  const about = typeof subjectText === 'string' ? subjectText : subjectOf(subject);
  return {
    file: name,
    title: about === '' ? title : `${title}: ${about}`,
    ...(data.length > 0 && { data: data.join(' · ') }),
    intro: [
      ...(isData(origin) ? problemLines(origin) : []),
      ...linesOf(told.filter(([fact]) => !BESIDE_ROWS.has(fact))),
      ...(Number(leftOut) > 0 ? [`${leftOut} of ${total} rows are left out.`] : []),
    ],
    head: nameLast(head, head).map(inWords),
    rows: cells.map((row, at): PageRow => {
      const read = nameLast(head, row);
      return { cells: read.slice(0, -1), name: read.at(-1) ?? '', place: placeOf(shown[at]!) };
    }),
    whenEmpty,
  };
}

/** Fields about samples that no row has: they are told with the data, not before the rows. */
const BESIDE_ROWS: ReadonlySet<string> = new Set([
  'platform',
  'unknown',
  'withoutOwn',
  'withoutOwnThreads',
  'fromOutside',
]);

function subjectOf(subject: unknown): string {
  if (isData(subject)) return String(subject.label);
  return typeof subject === 'string' ? subject : '';
}

/** Methods by their labels, because places have a column of their own; the samples behind the first share; no marks. */
function forPeople(row: Data): Data {
  const cells = Object.entries(row).filter(([, value]) => typeof value !== 'boolean');
  const first = cells.findIndex(([, value]) => isShare(value));
  return Object.fromEntries(
    cells.flatMap(([name, value], at) => [
      [name, isData(value) && 'label' in value ? value.label : value],
      ...(at === first ? [['samples', isData(value) ? value.count : null]] : []),
    ]),
  );
}

function isShare(value: unknown): boolean {
  return isData(value) && 'share' in value && 'count' in value;
}

/** `ofItsTime` as `of its time`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}

function placeOf({ method }: Data): Located | null {
  return isData(method) ? (method as Located) : null;
}
