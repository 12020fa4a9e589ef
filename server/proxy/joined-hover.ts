// One hover of two: what the Java server says of a name, and below it what ran there.
import type { Hover, MarkedString, MarkupContent } from 'vscode-languageserver/node';

/** Both one below the other, in the form that the Java server's has. */
export function mergedHover(java: Hover, own: Hover): Hover {
  const range = java.range ?? own.range;
  return { ...java, contents: mergedContents(java.contents, own.contents), ...(range !== undefined && { range }) };
}

function mergedContents(java: Hover['contents'], own: Hover['contents']): Hover['contents'] {
  if (isMarkup(own) && own.kind === 'plaintext' && isMarkup(java) && java.kind === 'plaintext')
    return { kind: 'plaintext', value: `${java.value}\n\n${own.value}` };
  if (!isMarkup(java)) return [...listOf(java), ...listOf(own)];
  return { kind: 'markdown', value: `${markdownOf(java)}\n\n---\n\n${listOf(own).map(markedText).join('\n\n')}` };
}

function isMarkup(contents: Hover['contents']): contents is MarkupContent {
  return typeof contents === 'object' && 'kind' in contents;
}

function listOf(contents: Hover['contents']): MarkedString[] {
  if (Array.isArray(contents)) return contents;
  return [isMarkup(contents) ? markdownOf(contents) : contents];
}

/** Plain text keeps its lines, and says nothing of its own as Markdown. */
function markdownOf({ kind, value }: MarkupContent): string {
  return kind === 'markdown' ? value : fenced('', value);
}

function markedText(marked: MarkedString): string {
  return typeof marked === 'string' ? marked : fenced(marked.language, marked.value);
}

function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
