// The fields of a line of a Kieker log: parted by semicolons, which a backslash makes part of a value.

/** A field, in which `\;` and `\\` are escapes: before any other character a backslash stands for itself, as in logs of versions that escape nothing. */
const FIELD = /(?:\\[;\\]|[^;])*/y;

/** The first fields of a line, at most `most`. */
export function fieldsOf(line: string, most: number): string[] {
  if (!line.includes('\\')) return line.split(';', most);
  const fields: string[] = [];
  for (let at = 0; at <= line.length && fields.length < most; at = FIELD.lastIndex + 1) {
    FIELD.lastIndex = at;
    const [text] = FIELD.exec(line)!;
    fields.push(text.replace(/\\([;\\])/g, '$1'));
    FIELD.lastIndex = at + text.length;
  }
  return fields;
}
