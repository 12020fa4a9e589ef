// An answer within the limits of a tool, as data and as Markdown that has all that the data have.

import { type Data, isData, isRows, originTexts, problemLines, writtenOf } from '../features/answers/answer-text.ts';
import { amountWithUnit, type Written } from '../features/answers/number-text.ts';
import { escapeInline, escapeMarkdown, tableRow, tableRule } from '../features/text/markdown.ts';
import { adviceFor } from './advice.ts';
import { answerForAgents, inAgentWords, type Said } from './agent-words.ts';
import { cellText, withoutMethod } from './cell-text.ts';
import { fitAnswer } from './fit-answer.ts';
import type { Tool } from './tool.ts';

/** The wholes that amounts of an answer are parts of. */
const WHOLES: Readonly<Record<string, string>> = { compare: 'Amounts are parts of everything before.' };

/** @param given parameters of the answer */
export function withinLimits(
  tool: Pick<Tool, 'name' | 'title' | 'whenEmpty'>,
  whole: Data,
  given: Data,
  said: Said = inAgentWords,
): { readonly value: Data; readonly text: string } {
  const advice = adviceFor(tool.name, whole, given);
  const told = answerForAgents({ ...whole, ...(advice.length > 0 && { advice }) }, said);
  return fitAnswer(told, value => markdownOf(tool, value));
}

function markdownOf({ name, title, whenEmpty }: Pick<Tool, 'name' | 'title' | 'whenEmpty'>, value: Data): string {
  const { rows, origin, leftOut, total, leftOutOf, advice, ...others } = value;
  const written = writtenOf(name, origin);
  const listed = Object.entries(listsIn(others));
  const parts = [
    `**${title}**`,
    ...(isData(origin) ? originLines(origin) : []),
    factsText(written, others),
    WHOLES[name] ?? '',
    ...(Array.isArray(rows) ? [tableText(written, 'rows', rows.filter(isData), whenEmpty)] : []),
    ...(Number(leftOut) > 0 ? [`${leftOut} of ${total} rows are left out.`] : []),
    ...listed.map(([list, shown]) => `${list}:\n\n${tableText(written, list, shown)}`),
    ...sidesText(others),
    ...(Array.isArray(advice) ? advice.map(text => escapeInline(String(text))) : []),
    ...(isData(leftOutOf) ? [`Left out: ${Object.entries(leftOutOf).map(leftOutText).join(', ')}.`] : []),
  ];
  return parts.filter(part => part !== '').join('\n\n');
}

function leftOutText([list, count]: [string, unknown]): string {
  return `${count} of ${list}`;
}

/** Where the numbers come from. */
function originLines(origin: Data): readonly string[] {
  const { instances, from, to, unit, weight, losses } = origin;
  const lost = isData(losses) ? Object.entries(losses).filter(([, count]) => Number(count) > 0) : [];
  const more = [
    ...(Array.isArray(instances) ? [`instances ${instances.join(', ')}`] : []),
    ...(from === to ? [] : [`${from} to ${to}`]),
    ...(unit === 'samples' ? [] : [`${amountWithUnit(Number(weight), String(unit))} are 100 %`]),
    ...lost.map(([what, count]) => `${what} ${count}`),
  ];
  const lines = [originTexts(origin), more].map(texts => texts.map(escapeMarkdown).join(' · '));
  return [...lines, ...problemLines(origin).map(escapeMarkdown)];
}

/** All that is neither a row nor the origin, one fact a line. */
function factsText(written: Written, facts: Data): string {
  const lines = Object.entries(facts).flatMap(([name, value]) => {
    if (isRows(value)) return [];
    const text = cellText(written, isData(value) ? withoutLists(value) : value, name);
    return text === '' ? [] : [`- ${name}: ${text}`];
  });
  return lines.join('\n');
}

/** Lists of rows, also of objects in the answer, by their paths. */
function listsIn(facts: Data): Readonly<Record<string, readonly Data[]>> {
  const lists = Object.entries(facts).flatMap(([name, value]): [string, readonly Data[]][] => {
    if (isRows(value)) return isPairs(name, facts) ? [] : [[name, value]];
    if (!isData(value)) return [];
    return Object.entries(value).flatMap(([inner, rows]) => (isRows(rows) ? [[`${name}.${inner}`, rows]] : []));
  });
  return Object.fromEntries(lists);
}

function withoutLists(value: Data): Data {
  const isList = ([name, each]: [string, unknown]) => isRows(each) || (isSide(value) && name === 'lines');
  return Object.fromEntries(Object.entries(value).filter(entry => !isList(entry)));
}

function tableText(written: Written, list: string, rows: readonly Data[], whenEmpty = 'No rows.'): string {
  if (rows.length === 0) return escapeInline(whenEmpty);
  // Rows that name another one by its index are numbered.
  const isNumbered = rows.some(({ parent }) => typeof parent === 'number');
  const cells = rows.map((row, at): Cells => {
    return { ...(isNumbered && { '#': String(at) }), ...cellsOf(written, list, row) };
  });
  const names = [...new Set(cells.flatMap(row => Object.keys(row)))];
  const head = names.filter(name => cells.some(row => (row[name] ?? '') !== ''));
  return [
    tableRow(head),
    tableRule(head.map(() => false)),
    ...cells.map(row => tableRow(head.map(name => row[name] ?? ''))),
  ].join('\n');
}

/** Markdown by column. */
type Cells = Readonly<Record<string, string>>;

function cellsOf(written: Written, list: string, row: Data): Cells {
  const { named, others } = withoutMethod(row);
  const inner = list.split('.').at(-1)!;
  const texts = Object.entries(others).map(([name, value]): [string, string] => {
    // The total of a metric has the unit of its row.
    if (name === 'weight' && typeof value === 'number' && typeof row.unit === 'string')
      return [name, amountWithUnit(value, row.unit)];
    return [name, cellText(written, value, name, inner)];
  });
  return Object.fromEntries([...(named === null ? [] : [['method', named] as const]), ...texts]);
}

/** A text of two versions whose lines stand beside each other. */
type Side = { readonly firstLine: number; readonly lines: readonly string[] };

function isSide(value: unknown): value is Data & Side {
  return isData(value) && typeof value.firstLine === 'number' && Array.isArray(value.lines);
}

function isPairs(name: string, { before, now }: Data): boolean {
  return name === 'pairs' && isSide(before) && isSide(now);
}

/** Both versions of a text as one list of lines: `-` is before, `+` is now. */
function sidesText({ before, now, pairs }: Data): readonly string[] {
  if (!isSide(before) || !isSide(now) || !isRows(pairs)) return [];
  const line = (mark: string, side: Side, at: unknown): string[] => {
    const text = typeof at === 'number' ? side.lines[at] : undefined;
    return text === undefined ? [] : [`${mark}${String(side.firstLine + Number(at)).padStart(5)} ${text}`];
  };
  const lines = pairs.flatMap(({ before: then, now: later, same }) =>
    same === true ? line(' ', now, later) : [...line('-', before, then), ...line('+', now, later)],
  );
  const fence = '`'.repeat(Math.max(3, ...lines.flatMap(text => text.match(/`+/g) ?? []).map(run => run.length + 1)));
  return [`${fence}diff\n${lines.join('\n')}\n${fence}`];
}
