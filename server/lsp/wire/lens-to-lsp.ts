// Turns lenses into the protocol's type.
import type { CodeLens } from 'vscode-languageserver/node';
import type { Lens } from '../../features/lenses.ts';
import { asciiJson, type JsonText, ListWriter, placeText, positionText } from './json-text.ts';

/**
 * Makes lists of lenses, which are complete, so that nothing is left to be resolved. Lenses of one name begin a character after each
 * other, because some clients sort them by that alone.
 */
export class LensWriter {
  readonly #lists = new ListWriter<Lens>(isSame);

  write(lenses: readonly Lens[], uri: string): JsonText<CodeLens[]> {
    const address = asciiJson(uri);
    return this.#lists.write(address, lenses, lens => lensText(lens, address));
  }
}

function isSame(one: Lens, other: Lens): boolean {
  return (
    one.name.line === other.name.line &&
    one.name.character === other.name.character &&
    one.length === other.length &&
    one.turn === other.turn &&
    one.title === other.title &&
    one.asks === other.asks
  );
}

function lensText({ name, length, turn, title, asks }: Lens, uri: string): string {
  const { line, character } = name;
  const end = character + length;
  const range = `{"start":${positionText({ line, character: Math.min(character + turn, end) })},"end":${positionText({ line, character: end })}}`;
  const command = `{"title":${asciiJson(title)},"command":"insitu.${asks}","arguments":[${placeText(uri, name)}]}`;
  return `{"range":${range},"command":${command}}`;
}
