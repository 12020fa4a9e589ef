// Turns lenses into the protocol's type.
import type { CodeLens } from 'vscode-languageserver/node';
import type { Lens } from '../../features/lenses.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { asciiJson, JsonText, placeText, positionText } from './json-text.ts';
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
    const position = positionAt(outline, span.start);
    const end = positionAt(outline, span.end);
    const start = { ...position, character: Math.min(position.character + turn, end.character) };
    const command = `{"title":${asciiJson(title)},"command":"insitu.${asks}","arguments":[${placeText(uri, position)}]}`;
    return `{"range":{"start":${positionText(start)},"end":${positionText(end)}},"command":${command}}`;
  });
  return new JsonText(texts);
}
