// Takes a command line apart into words as a shell would, without being one: nothing is expanded, nothing else is run.

/** Words of the line. Quotes of both kinds group; a backslash keeps the next quote, backslash or space, on Windows nothing, for paths are full of them. */
export function commandWords(line: string, platform: NodeJS.Platform = process.platform): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    const next = line[at + 1] ?? '';
    if (character === '\\' && platform !== 'win32' && quote !== "'" && /["'\\\s]/.test(next)) {
      word = (word ?? '') + next;
      at++;
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  if (word !== null) words.push(word);
  return words;
}
