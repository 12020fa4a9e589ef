// Count: words that make prose hard to read, in documents, comments and messages.
import { extension, lineAt, type TidyFile, type Violation } from '../files.ts';
import { literalText, syntaxOf } from '../syntax.ts';
import { type Counted, eachPlace } from './count.ts';

/** Persons without a name; clauses that stand for a subject: where a sentence begins that is no question, or behind a colon or semicolon. */
const HARD = /\b([Ww]hom?ever|[Ss]omebody|[Nn]obody|[Aa]nybody)\b|(?:\b(What)|[:;] (what))[\s*]+is\b(?![^.;:]*\?)/g;

/** Everything in Markdown; comments and texts of what is shipped. Tests speak to those who write them. */
export function countHardWords(files: readonly TidyFile[]): Counted {
  return eachPlace(files.flatMap(file => proseOf(file).flatMap(prose => hardWords(file, prose))));
}

type Prose = { readonly text: string; readonly start: number };

function proseOf(file: TidyFile): Prose[] {
  if (extension(file.path) === 'md') return [{ text: file.text, start: 0 }];
  if (!/^(server|grammar|clients)\/.*\.([mc]?ts|[mc]?js)$/.test(file.path)) return [];
  const { places, comments } = syntaxOf(file);
  const texts = places.flatMap(({ node }) => {
    const text = node.type === 'TemplateElement' ? file.text.slice(node.start, node.end) : literalText(node);
    return text === undefined || node.type === 'TemplateLiteral' ? [] : [{ text, start: node.start }];
  });
  return [...comments.map(({ value, start }) => ({ text: value, start: start + 2 })), ...texts];
}

function hardWords({ path, text }: TidyFile, prose: Prose): Violation[] {
  return [...prose.text.matchAll(HARD)].map(({ 0: found, index }) => ({
    path,
    line: lineAt(text, prose.start + index),
    message: `says "${found.replace(/^[:;] /, '').replace(/[\s*]+/, ' ')}"`,
  }));
}
