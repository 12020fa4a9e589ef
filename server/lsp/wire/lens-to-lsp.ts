// Turns lenses into the protocol's type.
import type { CodeLens } from 'vscode-languageserver/node';
import type { Lens } from '../../features/lenses.ts';

/**
 * A lens that is complete, so that nothing is left to be resolved. Lenses of one name begin a character after each other, because some
 * clients sort them by that alone.
 */
export function codeLens({ name, length, turn, title, asks }: Lens, uri: string): CodeLens {
  const { line, character } = name;
  const end = character + length;
  return {
    range: { start: { line, character: Math.min(character + turn, end) }, end: { line, character: end } },
    command: { title, command: `insitu.${asks}`, arguments: [{ textDocument: { uri }, position: name }] },
  };
}
