// Patterns of names: `*` stands for any text without dots, `**` for any text. They come from outside, so that none may take long.

/** Regular expressions with more than this could go back and forth in a name for too long. */
const MOST_WILDCARDS = 2;

/** Tests whether a name, or an end of it that begins behind a dot, is like the pattern. */
export function namePattern(text: string): (name: string) => boolean {
  const tokens = text.match(/\*+|[^*]/gs) ?? [];
  if (tokens.filter(isWildcard).length > MOST_WILDCARDS) return sideBySide(tokens);
  const source = tokens.map(token =>
    isWildcard(token) ? (token.length > 1 ? '.*' : '[^.]*') : token.replace(/[\\^$.|?+()[\]{}]/, '\\$&'),
  );
  const expression = new RegExp(`(?:^|\\.)${source.join('')}$`, 's');
  return name => expression.test(name);
}

function isWildcard(token: string): boolean {
  return token.startsWith('*');
}

/**
 * Keeps all places of the pattern that the name read so far can lead to, so that it takes the product of both lengths at most.
 */
function sideBySide(tokens: readonly string[]): (name: string) => boolean {
  let places = new Uint8Array(tokens.length + 1);
  let next = new Uint8Array(tokens.length + 1);
  return name => {
    places.fill(0);
    for (let i = 0; i <= name.length; i++) {
      if (i === 0 || name[i - 1] === '.') places[0] = 1;
      for (let at = 0; at < tokens.length; at++) if (places[at] === 1 && isWildcard(tokens[at]!)) places[at + 1] = 1;
      if (i === name.length) break;
      next.fill(0);
      for (let at = 0; at < tokens.length; at++) {
        if (places[at] === 0) continue;
        const token = tokens[at]!;
        if (!isWildcard(token)) {
          if (token === name[i]) next[at + 1] = 1;
        } else if (token.length > 1 || name[i] !== '.') next[at] = 1;
      }
      [places, next] = [next, places];
    }
    return places[tokens.length] === 1;
  };
}
