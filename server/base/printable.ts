// Makes text from outside safe to show: names, paths and source lines must steer neither a terminal nor the direction of writing.

const UNPRINTABLE = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Control and direction characters become visible, as `\u202e`. Tabs stay; line breaks are control characters here. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for a text of several lines: its line breaks stay. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}
