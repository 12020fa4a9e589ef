// Text in XML and HTML, between tags or in quotes: the text shows as it is, ends no tag and no quote, and turns no direction of writing.
import { printable, printableLine } from './printable.ts';

const MARKS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that XML does not allow at all; `printable` has made others visible. */
const NOT_XML = /[\p{Cs}\ufffe\uffff]/gu;

/** The whole text as one line of markup. */
export function markupText(text: string): string {
  return printable(text.replace(NOT_XML, '\ufffd')).replace(/[&<>"']/g, mark => MARKS[mark]!);
}

/** A sentence or line for people: of a long one the beginning and the end. */
export function markupLine(text: string): string {
  return markupText(printableLine(text));
}
