// Turns lenses into the protocol's type.
import type { CodeLens } from 'vscode-languageserver/node';
import type { Lens } from '../../features/lenses.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { asciiJson, JsonText } from './json-text.ts';
import { positionAt } from './to-lsp.ts';

/**
 * Complete, so that nothing is left to be resolved. Lenses of one name begin a character after each other, because some clients
 * sort them by that alone.
 */
export function codeLenses(lenses: readonly Lens[], document: DocumentView): JsonText<CodeLens[]> {
  const { outline } = document;
  const uri = asciiJson(document.uri);
  let turn = 0;
  const texts = lenses.map(({ span, title, asks }, i) => {
    turn = lenses[i - 1]?.span.start === span.start ? turn + 1 : 0;
    const { line, character } = positionAt(outline, span.start);
    const end = positionAt(outline, span.end);
    const start = placeText(line, Math.min(character + turn, end.character));
    const asked = `{"textDocument":{"uri":${uri}},"position":${placeText(line, character)}}`;
    const command = `{"title":${asciiJson(title)},"command":"insitu.${asks}","arguments":[${asked}]}`;
    return `{"range":{"start":${start},"end":${placeText(end.line, end.character)}},"command":${command}}`;
  });
  return new JsonText(texts);
}

function placeText(line: number, character: number): string {
  return `{"line":${line},"character":${character}}`;
}
