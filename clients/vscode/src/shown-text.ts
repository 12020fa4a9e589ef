// Makes names from outside safe to show: what turns the direction of writing becomes visible, and of what is long the two ends stay.
import type { TagsOfVersions } from 'insitu/protocol';

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

/** Hashes of commits by their tags, the others by their first seven digits. @param tags by hash */
export function shortHashes(text: string, tags: TagsOfVersions = {}): string {
  return text.replace(/\b[0-9a-f]{7,40}\b/g, word => {
    const isHash = /^(?=\d*[a-f]).{12}/.test(word);
    return tags[word] ?? (isHash ? word.slice(0, 7) : word);
  });
}

/** Names of classes without their packages. */
export function withoutPackages(text: string): string {
  return text.replace(/\b(?:[a-z_][\w]*\.)+(?=[A-Z])/g, '');
}
