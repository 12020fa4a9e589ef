// Makes text from outside safe to show: names, paths and source lines must steer neither a terminal nor the direction of writing, nor fill a screen.

/** Control and format characters, and variation selectors that could carry a text: all but the first of a run, and selectors of planes that no font has. */
const UNPRINTABLE = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;

/** Characters of a name, a path or a value in texts for people. */
const MOST_OF_NAME = 300;
/** The most characters of a sentence or a line, which may hold several names. */
const MOST_OF_LINE = 1_000;

/**
 * Characters that steer the text or are not seen become visible, as `\u202e`, which JSON reads back as what it was. Tabs stay; line
 * breaks are control characters here.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, character =>
    Array.from(character.split(''), unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** The same for a text of several lines: its line breaks stay. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}

/** A name, a path or a value within a text for people: printable, and of a long one the beginning and the end. */
export function printableName(text: string): string {
  return shortened(text, MOST_OF_NAME);
}

/** `Shop.search, Ring.take and 3 more`: of a long list the first names. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A name that is suggested, as a shell takes it: in quotes where characters of it mean something there (`Shop$Cart.add(int)`). */
export function suggested(name: string): string {
  const text = printableName(name);
  return /^[\w./:#@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A name within so many characters, where fewer fit. */
export function printableWithin(text: string, most: number): string {
  return shortened(text, Math.min(most, MOST_OF_NAME));
}

/** The same for a whole sentence or line of such a text. */
export function printableLine(text: string): string {
  return shortened(text, MOST_OF_LINE);
}

/** The middle is left out: a path ends in the file's name, a sentence in what it says of a name. */
function shortened(text: string, most: number): string {
  // Of what is far too long only the ends are looked at.
  const ends = text.length <= 2 * most ? text : text.slice(0, most) + text.slice(-most);
  const safe = printable(ends);
  if (safe.length <= most) return safe;
  const begin = safe.slice(0, most >> 1).replace(/[\ud800-\udbff]$/, '');
  const end = safe.slice(1 - (most >> 1)).replace(/^[\udc00-\udfff]/, '');
  return `${begin}…${end}`;
}

/** The texts that are not empty, one after another. */
export function joined(texts: readonly string[], separator = ' · '): string {
  return texts.filter(text => text !== '').join(separator);
}
