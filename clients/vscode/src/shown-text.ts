// Makes names from outside safe to show: what turns the direction of writing or is not seen becomes visible, and of what is long the two ends stay.
import type { TagsOfVersions } from 'insitu/protocol';

const UNPRINTABLE = /(?!\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u{e0100}-\u{e01ef}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;
const MOST_LETTERS = 300;

/** As one line. */
export function shownText(text: string): string {
  const safe = text.replace(UNPRINTABLE, each =>
    Array.from(each.split(''), unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
  if (safe.length <= MOST_LETTERS) return safe;
  const half = MOST_LETTERS / 2;
  return `${safe.slice(0, half).replace(/[\ud800-\udbff]$/, '')}…${safe.slice(1 - half).replace(/^[\udc00-\udfff]/, '')}`;
}

/** The same where VS Code would draw an icon for `$(name)`: in rows to pick and in the status bar. */
export function shownWithoutIcons(text: string): string {
  return shownText(text).replaceAll('$(', '\\$(');
}

/** A text for notices, in which VS Code would make a link of `[text](address)`. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
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
