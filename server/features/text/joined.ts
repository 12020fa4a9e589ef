// Puts together what is to be said of one thing, of which some may be nothing.

/** The texts that are not empty, one after another. */
export function joined(texts: readonly string[], separator = ' · '): string {
  return texts.filter(text => text !== '').join(separator);
}
