// Writes names into a given width: the package goes first, then the class, which neighbours often have in common, then the middle of the method.
import type { MethodInfo } from 'insitu/views';

/** More characters fit on no screen; names may have 65,536. */
const MOST_CHARACTERS = 400;
/** Fewer say nothing. */
const LEAST_CHARACTERS = 3;
const MOST_IN_CELL = 100;
const ELLIPSIS = '…';

/** Control characters and characters that turn the direction of text would let a name pretend to be another one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name from outside as it may be shown. */
export function shownName(name: string): string {
  return shownWhole(name.length > MOST_CHARACTERS ? cutMiddle(name, MOST_CHARACTERS) : name);
}

/** A text whose invisible characters are shown, and of which nothing is left out. */
export function shownWhole(text: string): string {
  return text.replace(INVISIBLE, found => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function packageOf({ className }: Pick<MethodInfo, 'className'>): string {
  const outer = className.split('/')[0] ?? '';
  return outer.slice(0, Math.max(0, outer.lastIndexOf('.')));
}

/** `Class.method`, or the name alone where there is no class. */
export function shortName(method: Pick<MethodInfo, 'className' | 'name'>): string {
  const start = packageOf(method).length;
  const simple = method.className.slice(start === 0 ? 0 : start + 1);
  return shownName(simple === '' ? method.name : `${simple}.${method.name}`);
}

/** As `shortName`, for cells of tables: longer names are in their titles. */
export function cellName(method: Pick<MethodInfo, 'className' | 'name'>): string {
  const name = shortName(method);
  return name.length > MOST_IN_CELL ? cutMiddle(name, MOST_IN_CELL) : name;
}

/** `package.Class.method`. */
export function fullName({ className, name }: Pick<MethodInfo, 'className' | 'name'>): string {
  return shownName(className === '' ? name : `${className}.${name}`);
}

/** With what tells overloads apart. */
export function nameWithParameters(method: MethodInfo): string {
  return method.parameters === null ? fullName(method) : `${fullName(method)}(${shownName(method.parameters)})`;
}

function cutMiddle(text: string, characters: number): string {
  const kept = characters - 1;
  const head = Math.ceil(kept / 2);
  return `${text.slice(0, head)}${ELLIPSIS}${text.slice(text.length - (kept - head))}`;
}

/** A sign of one or two characters that says what became of a method. */
const SIGN = /^\S{1,2} /;

/**
 * The first of `texts` that fits into `width`; else the last one without its class, `…getFromSnapshot`; else that method with its middle
 * cut. A sign in front stays. Empty where that says nothing.
 */
export function fitted(texts: readonly string[], width: number, widthOf: (text: string) => number): string {
  for (const text of texts) if (widthOf(text) <= width) return text;
  const last = texts.at(-1) ?? '';
  const [sign = ''] = SIGN.exec(last) ?? [];
  const whole = last.slice(sign.length);
  const method = whole.slice(whole.lastIndexOf('.') + 1) || whole;
  if (method !== whole && widthOf(sign + ELLIPSIS + method) <= width) return sign + ELLIPSIS + method;
  let [low, high] = [0, method.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (widthOf(sign + cutMiddle(method, middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return low < LEAST_CHARACTERS + 1 ? '' : sign + cutMiddle(method, low);
}
