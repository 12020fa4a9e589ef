// Edits of Java files that cost nothing: comments, layout, other names, code that moves into a method or out of one, methods that move.
import type { Declaration, Outline } from '../../../grammar/outline.ts';
import { outlineOf } from '../../../grammar/parse.ts';
import { statementsOf } from '../../../grammar/statements.ts';

export const HARMLESS_KINDS = ['comment', 'reformat', 'rename', 'extract', 'inline', 'move'] as const;
type HarmlessKind = (typeof HARMLESS_KINDS)[number];

export type HarmlessEdit = { readonly kind: HarmlessKind; readonly before: string; readonly after: string };

/** Edits of one text, as many as each kind finds there, up to `most` each. */
export function harmlessEdits(text: string, most: number): HarmlessEdit[] {
  const outline = outlineOf(text, 'Edited.java');
  const methods = outline.declarations.filter(
    ({ kind, body, parent }) => kind === 'method' && body !== null && outline.declarations[parent]?.kind === 'class',
  );
  const made = (kind: HarmlessKind, edit: (method: Declaration, at: number) => string | null): HarmlessEdit[] =>
    methods
      .flatMap((method, at) => {
        const after = edit(method, at);
        return after === null || after === text ? [] : [{ kind, before: text, after }];
      })
      .slice(0, most);
  const extracted = made('extract', method => extractedFrom(text, outline, method));
  return [
    ...made('comment', ({ body }) =>
      spliced(text, body!.start + 1, body!.start + 1, ' // What follows is the same. {'),
    ),
    ...made('reformat', ({ body }) =>
      spliced(text, body!.start, body!.end, reformatted(text.slice(body!.start, body!.end))),
    ),
    ...made('rename', method => renamedIn(text, outline, method)),
    ...extracted,
    ...extracted.map(({ before, after }): HarmlessEdit => ({ kind: 'inline', before: after, after: before })),
    ...made('move', (method, at) => movedBefore(text, method, methods[at + 2])),
  ];
}

function spliced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** Other spaces and breaks between words, outside of texts and comments. */
function reformatted(code: string): string {
  return code.replaceAll(
    /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\/\*[\s\S]*?\*\/|\/\/[^\n]*|[;{](?=\s)|\n[ \t]*/g,
    word => {
      if (/^[;{]$/.test(word)) return `${word}\n`;
      return word.startsWith('\n') ? '\n\t  ' : word;
    },
  );
}

/** The first variable of the method with another name. */
function renamedIn(text: string, { locals }: Outline, { span, body }: Declaration): string | null {
  const local = locals.find(({ nameSpan }) => nameSpan.start >= body!.start && nameSpan.end <= body!.end);
  if (local === undefined || text.includes(`${local.name}Renamed`)) return null;
  const code = text.slice(span.start, span.end);
  // Fields, methods and named arguments of the same name stay.
  const renamed = code.replaceAll(
    new RegExp(`"(?:\\\\.|[^"\\\\\\n])*"|(?<![\\w$.])${local.name}(?![\\w$(]|\\s*\\()`, 'g'),
    word => (word.startsWith('"') ? word : `${word}Renamed`),
  );
  return spliced(text, span.start, span.end, renamed);
}

/** The method with its first loop or branch in a method of its own, if that needs no result and leaves through no jump. */
function extractedFrom(text: string, outline: Outline, method: Declaration): string | null {
  const { span } = method;
  for (const statement of statementsOf(text, outline, method)) {
    const { form, span: whole } = statement;
    if (!['for', 'forEach', 'while', 'if', 'try'].includes(form)) continue;
    const code = text.slice(whole.start, whole.end);
    if (
      /(?<![\w$])(?:return|break|continue|throw|yield)(?![\w$])|->/.test(code) ||
      !/^\s*$/.test(lineBefore(text, whole.start))
    )
      continue;
    const outside = namesOutside(outline, method, whole.start).filter(name =>
      new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(code),
    );
    const isWritten = (name: string) =>
      new RegExp(`(?<![\\w$.])${name}\\s*(?:[-+*/%&|^]?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)\\s*${name}`).test(code);
    if (outside.some(isWritten)) continue;
    const isStatic = method.modifiers.includes('static') ? 'static ' : '';
    const added = `\n    private ${isStatic}void extractedPart(${outside.map(name => `Object ${name}`).join(', ')}) {\n        ${code}\n    }\n`;
    const call = `extractedPart(${outside.join(', ')});`;
    return spliced(spliced(text, span.end, span.end, `\n${added}`), whole.start, whole.end, call);
  }
  return null;
}

function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}

/** Parameters, and variables that are declared before an offset. */
function namesOutside({ locals }: Outline, { parameters, body }: Declaration, offset: number): string[] {
  const declared = locals.filter(({ nameSpan }) => nameSpan.start >= body!.start && nameSpan.end <= offset);
  return [...new Set([...parameters, ...declared].map(({ name }) => name))];
}

/** The lines of a method before those of another one. */
function movedBefore(text: string, { span }: Declaration, other: Declaration | undefined): string | null {
  if (other === undefined || other.span.start < span.end) return null;
  const code = text.slice(other.span.start, other.span.end);
  return spliced(spliced(text, other.span.start, other.span.end, ''), span.start, span.start, `${code}\n\n    `);
}
