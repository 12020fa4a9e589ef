// Makes names from outside safe to show: what turns the direction of writing becomes visible, and of what is long the two ends stay.

const UNPRINTABLE = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const MOST_LETTERS = 300;

/** As one line. */
export function shownText(text: string): string {
  const safe = text.replace(UNPRINTABLE, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (safe.length <= MOST_LETTERS) return safe;
  const half = MOST_LETTERS / 2;
  return `${safe.slice(0, half).replace(/[\ud800-\udbff]$/, '')}…${safe.slice(1 - half).replace(/^[\udc00-\udfff]/, '')}`;
}

/** The same where VS Code would draw an icon for `$(name)`: in rows to pick and in the status bar. */
export function shownWithoutIcons(text: string): string {
  return shownText(text).replaceAll('$(', '\\$(');
}

/** Hashes of commits by their first seven digits. */
export function shortHashes(text: string): string {
  return text.replace(/\b(?=\d*[a-f])([0-9a-f]{7})[0-9a-f]{5,33}\b/g, '$1');
}

/** Names of classes without their packages. */
export function withoutPackages(text: string): string {
  return text.replace(/\b(?:[a-z_][\w]*\.)+(?=[A-Z])/g, '');
}
