// How often a loop runs where its text alone tells: a `for` that counts between whole numbers, or the elements of a list in the text.
import type { Span } from '../../../grammar/outline.ts';
import type { Statement } from '../../../grammar/statement.ts';
import { type Expressions, wholeNumber } from './expressions.ts';
import type { Source } from './lambda-runs.ts';

/** Iterations of a loop that nothing ends before. */
export type LoopLength = number;

const STEPS: ReadonlyMap<string, (from: number, to: number, step: number) => number> = new Map([
  ['<', (from, to, step) => Math.ceil((to - from) / step)],
  ['<=', (from, to, step) => Math.floor((to - from) / step) + 1],
  ['>', (from, to, step) => Math.ceil((to - from) / step)],
  ['>=', (from, to, step) => Math.floor((to - from) / step) + 1],
  ['!=', (from, to, step) => (to - from) / step],
]);

/** null where the text does not tell. */
export function lengthOf(statement: Statement, expressions: Expressions): LoopLength | null {
  const spanOf = (role: string) => statement.parts.find(part => part.role === role)?.span ?? null;
  if (statement.form === 'forEach') {
    const iterable = spanOf('iterable');
    return iterable === null ? null : elementsOf(expressions.valueOf(iterable));
  }
  const [condition, update] = [spanOf('condition'), spanOf('update')];
  if (statement.form !== 'for' || condition === null || update === null) return null;
  return countOf(expressions, condition, update);
}

/** Elements of what a stream or a collection has; null where the text does not tell. */
export function lengthOfSource(source: Source, expressions: Expressions): LoopLength | null {
  if (source.kind === 'elements') return elementsOf(expressions.valueOf(source.span));
  if (source.kind === 'arguments') return source.count;
  const [from, to] = source.ends.map(span => wholeNumber(expressions.valueOf(span)));
  return from == null || to == null ? null : Math.max(0, to - from + (source.isClosed ? 1 : 0));
}

function countOf(expressions: Expressions, condition: Span, update: Span): number | null {
  const [name, sign] = expressions.wordsIn(condition);
  if (name === undefined || sign === undefined) return null;
  const variable = expressions.variableAt(name.image, name.start);
  const [written] = variable?.assigned ?? [];
  // Only the header may step it.
  if (variable?.initial == null || variable.assigned.length !== 1 || !isIn(written!, update)) return null;
  const count = STEPS.get(sign.image);
  const end = { start: sign.start + sign.image.length, end: condition.end };
  const [from, to] = [variable.initial, end].map(span => wholeNumber(expressions.valueOf(span)));
  const step = stepOf(expressions, written!);
  if (count === undefined || from == null || to == null || step === null || step === 0) return null;
  // A step away from the bound goes on until the number overflows.
  if (
    sign.image === '!=' ? (to - from) % step !== 0 || (to - from) / step < 0 : step > 0 !== sign.image.startsWith('<')
  )
    return null;
  return Math.max(0, count(from, to, step));
}

function isIn(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** `++`, `--`, `+= 2`, `-= 2`. */
function stepOf(expressions: Expressions, written: Span): number | null {
  const [sign, ...value] = expressions.wordsIn(written);
  if (sign?.image === '++') return 1;
  if (sign?.image === '--') return -1;
  if (value.length === 0 || (sign?.image !== '+=' && sign?.image !== '-=')) return null;
  const step = wholeNumber(expressions.valueOf({ start: value[0]!.start, end: written.end }));
  return step === null ? null : sign.image === '+=' ? step : -step;
}

/** Characters: longer lists are not counted. */
const LONGEST_LIST = 2_000;
const LISTED = /^\(*(?:java\.util\.)?(?:List\.of|Set\.of|Arrays\.asList|new \w+\[\])?([({].*[)}])$/s;
const PART = /^.*\.subList\((\d+),(\d+)\)$/s;

/** Elements of `List.of("a", "b")`, `new int[] {1, 2}`, `all.subList(0, 3)`; null for other expressions. */
function elementsOf(form: string): number | null {
  if (form.length > LONGEST_LIST) return null;
  const value = withoutBrackets(form);
  const [, from, to] = PART.exec(value) ?? [];
  if (from !== undefined && to !== undefined) return Math.max(0, Number(to) - Number(from));
  const list = LISTED.exec(value)?.[1];
  if (list === undefined) return null;
  const elements = elementsIn(list);
  if (elements === null) return null;
  // One argument may be an array of many elements.
  return elements.length === 1 && list.startsWith('(') && !/^["'\d]/.test(elements[0]!) ? null : elements.length;
}

function withoutBrackets(form: string): string {
  let value = form;
  while (value.startsWith('(') && closes(value, 0) === value.length - 1) value = value.slice(1, -1);
  return value;
}

/** Index of the bracket that closes the one at `open`; −1 without one. */
function closes(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '"') at = closingQuote(text, at);
    else if ('([{'.includes(text[at]!)) depth++;
    else if (')]}'.includes(text[at]!) && --depth === 0) return at;
  }
  return -1;
}

function closingQuote(text: string, quote: number): number {
  let at = quote + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** The elements between a first bracket and the one that ends the text; null where another one closes the first. */
function elementsIn(list: string): string[] | null {
  if (closes(list, 0) !== list.length - 1) return null;
  const elements: string[] = [];
  let [depth, begin] = [0, 1];
  for (let at = 0; at < list.length; at++) {
    const sign = list[at]!;
    if (sign === '"') at = closingQuote(list, at);
    else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if ((depth === 1 && sign === ',') || (depth === 0 && at === list.length - 1)) {
      elements.push(list.slice(begin, at));
      begin = at + 1;
    }
  }
  return elements.filter(each => each !== '');
}
