// Matches names against patterns with `*`, in time that grows with the name and not with the number of stars.

/**
 * Whether a whole text fits a pattern, in which each `*` stands for any characters, none included.
 * Takes the first place at which each part between stars is found: a later place can never fit more. Nothing is tried twice.
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split(/\*+/);
  const last = others.pop();
  if (last === undefined) return text => text === first;
  return text => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let from = first.length;
    for (const part of others) {
      const at = text.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return from <= end;
  };
}
