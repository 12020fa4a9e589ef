// Rule: comments and documents name the subject of a sentence by its noun, so that one reading is enough.
import { extension, isScript, lineAt, type Rule, type TidyFile } from './files.ts';
import { syntaxOf } from './syntax.ts';

/** Between two words of a comment also stand the marks of a new line of the comment. */
const GAP = /[\s*/#;-]+/.source;
/** Pronouns and clauses in place of a noun. */
const NAMELESS = new RegExp(`\\b(?:those${GAP}(?:that|who|which)|what${GAP}stands|who${GAP}asks|whoever)\\b`, 'gi');

const BLOCKS_AND_LINES = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const HASHES = /#.*/g;
/** Comments of languages other than JavaScript and TypeScript, by file extension. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  java: BLOCKS_AND_LINES,
  kt: BLOCKS_AND_LINES,
  css: BLOCKS_AND_LINES,
  lua: /--.*/g,
  el: /;.*/g,
  sh: HASHES,
  py: HASHES,
  yml: HASHES,
  toml: HASHES,
};
/** Code in Markdown: fenced blocks, and spans in a line. */
const CODE = /^```[\s\S]*?^```|`[^`\n]+`/gm;

export const nounRule: Rule = files =>
  files.flatMap(file => {
    const { path, text } = file;
    return Array.from(proseIn(file).matchAll(NAMELESS), ({ 0: found, index }) => ({
      path,
      line: lineAt(text, index),
      message: `says "${found.replaceAll(new RegExp(GAP, 'g'), ' ')}": name the noun, such as "the rows that" (House rules in CONTRIBUTING.md)`,
    }));
  });

/** The text with a zero in place of each character that is not prose, so that offsets stay. Empty for other files. */
function proseIn(file: TidyFile): string {
  const { path, text } = file;
  if (extension(path) === 'md') return text.replaceAll(CODE, blank);
  let [prose, at] = ['', 0];
  for (const [start, end] of commentsIn(file)) {
    prose += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return prose;
}

/** Spaces stay, so that a sentence may go on in the comment of the next line. */
function blank(code: string): string {
  return code.replaceAll(/\S/g, '0');
}

function commentsIn(file: TidyFile): (readonly [start: number, end: number])[] {
  if (isScript(file)) return syntaxOf(file).comments.map(({ start, end }) => [start, end]);
  const found = file.text.matchAll(COMMENTS[extension(file.path)] ?? /$^/g);
  return Array.from(found, ({ 0: comment, index }) => [index, index + comment.length]);
}
