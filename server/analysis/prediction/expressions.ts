// Expressions in a form that is equal where they mean the same: however they are laid out, and whatever their variables are called.
import type { Local, Span } from '../../../grammar/outline.ts';
import type { MethodCode, Word } from './method-code.ts';

/** The meanings of names in one version of a file. */
export type FileNames = {
  /** The expressions that constants of the file are initialised with, by the constants' names. */
  readonly constants: Readonly<Record<string, string>>;
  /** Names of the later version, by their names in the version at hand. */
  readonly renamed: Readonly<Record<string, string>>;
};

/** Numbers for long expressions, the same for the same ones. */
export type Numbered = Map<string, number>;

/** A longer expression is told by its number. */
const LONGEST = 300;
const LONGEST_READ = 5_000;
/** Brackets around the text in place of a variable or a constant: the value has them, the comparison has none. */
const [OPEN, CLOSE] = ['\u27e8', '\u27e9'];
const ASSIGNMENTS: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=']);
const STEPS: ReadonlySet<string> = new Set(['++', '--']);
const NAME = /^[A-Za-z_$\u0080-\uffff]/;
/** Brackets of values do not part words. */
const WORD = /^\u27e8*[\w$\u0080-\u27e7]/;
const ENDS_AS_WORD = /[\w$\u0080-\u27e7]\u27e9*$/;

/** Expressions of one method. A variable stands for what it is assigned: its value in a comparison, and its bound in a loop. */
export class Expressions {
  readonly #code: MethodCode;
  readonly #names: FileNames;
  readonly #given: readonly string[];
  readonly #numbers: Numbered;
  readonly #locals: ReadonlyMap<string, readonly Local[]>;
  /** null while it is worked out. */
  readonly #variables = new Map<Local, string | null>();
  readonly #parameters = new Map<number, string>();
  readonly #constants = new Map<string, string | null>();

  /** @param given expressions of the arguments; the parameters stand for themselves where they are fewer */
  constructor(code: MethodCode, names: FileNames, given: readonly string[], numbers: Numbered) {
    this.#code = code;
    this.#names = names;
    this.#given = given;
    this.#numbers = numbers;
    this.#locals = Map.groupBy(code.locals, ({ name }) => name);
  }

  /** The form that is compared; of a very long expression the text. */
  keyOf(span: Span): string {
    if (span.end - span.start > LONGEST_READ) return this.#short(this.#code.text.slice(span.start, span.end));
    return this.#short(this.#formOf(span).replaceAll(OPEN, '').replaceAll(CLOSE, ''));
  }

  /** The form that an argument has for the parameter of a method. */
  argumentOf(span: Span): string {
    return this.#short(`${OPEN}${this.#formOf(span)}${CLOSE}`);
  }

  /** The form with the values of constants and variables in brackets. */
  valueOf(span: Span): string {
    return this.#formOf(span).replaceAll(OPEN, '(').replaceAll(CLOSE, ')');
  }

  /** The variable of a name at an offset, and where it is assigned after its declaration; null for a name of something else. */
  variableAt(
    name: string,
    offset: number,
  ): { readonly initial: Span | null; readonly assigned: readonly Span[] } | null {
    const local = this.#localAt(name, offset);
    if (local === null) return null;
    const { initial, assigned } = this.#writesOf(local);
    return { initial, assigned };
  }

  wordsIn({ start, end }: Span): readonly Word[] {
    return this.#code.words.slice(this.#firstFrom(start), this.#firstFrom(end));
  }

  #short(form: string): string {
    if (form.length <= LONGEST) return form;
    const number = this.#numbers.get(form) ?? this.#numbers.size;
    this.#numbers.set(form, number);
    return `~${number}`;
  }

  /** Index of the first word at or behind an offset. */
  #firstFrom(offset: number): number {
    const { words } = this.#code;
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle]!.start < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #formOf({ start, end }: Span): string {
    const { words } = this.#code;
    const last = this.#firstFrom(end);
    const pieces: string[] = [];
    let isWord = false;
    for (let at = this.#firstFrom(start); at < last; at++) {
      const { image } = words[at]!;
      if (image === 'final' || (image === 'this' && words[at + 1]?.image === '.')) {
        if (image === 'this') at++;
        continue;
      }
      const piece = NAME.test(image) ? this.#nameAt(at) : numberOf(image);
      if (isWord && WORD.test(piece)) pieces.push(' ');
      pieces.push(piece);
      isWord = ENDS_AS_WORD.test(piece);
    }
    return pieces.join('');
  }

  #nameAt(at: number): string {
    const { words } = this.#code;
    const { image, start } = words[at]!;
    const before = words[at - 1]?.image;
    const name = this.#names.renamed[image] ?? image;
    const isOwn = before === '.' && words[at - 2]?.image === 'this';
    if ((before === '.' && !isOwn) || before === '::' || words[at + 1]?.image === '(') return name;
    const local = isOwn ? null : this.#localAt(image, start);
    if (local !== null) return this.#variable(local);
    const parameter = isOwn ? -1 : this.#code.parameters.indexOf(image);
    if (parameter >= 0) return this.#parameter(parameter);
    return this.#constant(image) ?? name;
  }

  #parameter(at: number): string {
    const given = this.#given[at] ?? `#${at}`;
    const known = this.#parameters.get(at);
    if (known !== undefined) return known;
    this.#parameters.set(at, '@');
    const assigned = this.#assignmentsOf(this.#code.parameters[at]!, 0, Number.POSITIVE_INFINITY);
    const forms = assigned.map(each => this.#formOf(each));
    const form = forms.length === 0 ? given : this.#short(`var(${[given, ...forms].join(';')})`);
    this.#parameters.set(at, form);
    return form;
  }

  #localAt(name: string, offset: number): Local | null {
    const all = this.#locals.get(name);
    return all?.findLast(({ nameSpan }) => nameSpan.start <= offset) ?? null;
  }

  #variable(local: Local): string {
    const known = this.#variables.get(local);
    if (known !== undefined) return known ?? '@';
    this.#variables.set(local, null);
    const { initial, isEach, assigned } = this.#writesOf(local);
    const first = initial === null ? `$${local.type?.name ?? ''}` : this.#formOf(initial);
    const changes = assigned.map(each => this.#formOf(each));
    const value = isEach ? `each(${first})` : first;
    const form = changes.length > 0 ? `var(${[value, ...changes].join(';')})` : `${OPEN}${value}${CLOSE}`;
    const short = this.#short(form);
    this.#variables.set(local, short);
    return short;
  }

  #constant(name: string): string | null {
    const known = this.#constants.get(name);
    if (known !== undefined) return known;
    const text = Object.hasOwn(this.#names.constants, name) ? this.#names.constants[name]! : null;
    this.#constants.set(name, null);
    const form = text === null ? null : `${OPEN}${this.#withoutConstants(text)}${CLOSE}`;
    this.#constants.set(name, form);
    return form;
  }

  /** The text of a constant with the constants in it. */
  #withoutConstants(text: string): string {
    return text
      .replaceAll(/"(?:\\.|[^"\\])*"|(?<![.\w$])[A-Za-z_$][\w$]*(?!\s*[\w$(])|\s+/g, word => {
        if (word.startsWith('"')) return word;
        return /^\s/.test(word) ? '' : (this.#constant(word) ?? word);
      })
      .replaceAll(/\d[\d_]*[lL]?/g, numberOf);
  }

  /** The initial expression of a variable, and the places where it is written later. */
  #writesOf(local: Local): { readonly initial: Span | null; readonly isEach: boolean; readonly assigned: Span[] } {
    const { words } = this.#code;
    const at = this.#firstFrom(local.nameSpan.start);
    let next = at + 1;
    while (words[next]?.image === '[' || words[next]?.image === ']') next++;
    const sign = words[next]?.image;
    const hasValue = sign === '=' || sign === ':';
    const initial = hasValue ? this.#spanFrom(next + 1) : null;
    const others = this.#locals.get(local.name)!;
    const until = others[others.indexOf(local) + 1]?.nameSpan.start ?? Number.POSITIVE_INFINITY;
    const from = words[next]?.start ?? local.nameSpan.end;
    return { initial, isEach: sign === ':', assigned: this.#assignmentsOf(local.name, from, until) };
  }

  /** Spans from the sign of each assignment to its end, for a step the sign alone. */
  #assignmentsOf(name: string, from: number, until: number): Span[] {
    const { words } = this.#code;
    const found: Span[] = [];
    const last = until === Number.POSITIVE_INFINITY ? words.length : this.#firstFrom(until);
    for (let at = this.#firstFrom(from); at < last; at++) {
      if (words[at]!.image !== name || words[at - 1]?.image === '.') continue;
      const step = [words[at + 1], words[at - 1]].find(word => word !== undefined && STEPS.has(word.image));
      const sign = words[at + 1];
      if (step !== undefined) found.push({ start: step.start, end: step.start + step.image.length });
      else if (sign !== undefined && ASSIGNMENTS.has(sign.image) && sign.start > from)
        found.push({ start: sign.start, end: this.#spanFrom(at + 2).end });
    }
    return found;
  }

  /** From a word to the end of the expression that begins there. */
  #spanFrom(first: number): Span {
    const { words, text } = this.#code;
    let depth = 0;
    for (let at = first; at < words.length; at++) {
      const { image, start } = words[at]!;
      if (/^[([{]$/.test(image)) depth++;
      else if (/^[)\]}]$/.test(image)) depth--;
      if (depth < 0 || (depth === 0 && (image === ';' || image === ',')))
        return { start: words[first]!.start, end: start };
    }
    return { start: words[first]?.start ?? text.length, end: text.length };
  }
}

/** Literals of one number are equal. */
function numberOf(image: string): string {
  return /^\d[\d_]*[lL]?$/.test(image) ? image.replaceAll(/[_lL]/g, '') : image;
}

/** The value of whole numbers with `+`, `-`, `*` and brackets; null for other expressions. */
export function wholeNumber(form: string): number | null {
  if (form.length > LONGEST || !/^[\d+\-*() ]+$/.test(form)) return null;
  let at = 0;
  const text = form.replaceAll(' ', '');
  const sum = (): number => {
    let value = product();
    while (text[at] === '+' || text[at] === '-') value += text[at++] === '+' ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = unit();
    while (text[at] === '*') {
      at++;
      value *= unit();
    }
    return value;
  };
  const unit = (): number => {
    if (text[at] === '-') {
      at++;
      return -unit();
    }
    if (text[at] === '(') {
      at++;
      const value = sum();
      return text[at++] === ')' ? value : Number.NaN;
    }
    const digits = /^\d+/.exec(text.slice(at))?.[0] ?? '';
    at += digits.length;
    return digits === '' ? Number.NaN : Number(digits);
  };
  const value = sum();
  return at === text.length && Number.isSafeInteger(value) ? value : null;
}
