// The charset that an .editorconfig sets for a file (EditorConfig 0.17): sections with patterns, the last that fits counts.

type Section = { readonly patterns: readonly Pattern[]; readonly charset: string };

export type EditorConfig = {
  /** Whether configurations of folders above do not count. */
  readonly isRoot: boolean;
  readonly sections: readonly Section[];
};

/** A pattern has at most so many alternatives in braces; one with more fits nothing. */
const MOST_ALTERNATIVES = 1_000;

export function parseEditorConfig(text: string): EditorConfig {
  const sections: Section[] = [];
  let patterns: readonly Pattern[] | null = null;
  let isRoot = false;
  for (const line of text.split(/[\r\n]+/).map(each => each.trim())) {
    if (/^[#;]/.test(line)) continue;
    const header = /^\[(.+)\]/.exec(line)?.[1];
    if (header !== undefined) patterns = patternsOf(header);
    const [, key = '', value = ''] = /^([^=[\s]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (patterns === null && key.toLowerCase() === 'root') isRoot = value.toLowerCase() === 'true';
    if (patterns !== null && key.toLowerCase() === 'charset') sections.push({ patterns, charset: value });
  }
  return { isRoot, sections };
}

/** The charset of a file; null where the configuration sets none, or takes it back. @param path from the folder of the configuration, with slashes. */
export function charsetFor({ sections }: EditorConfig, path: string): string | null {
  const charset = sections.findLast(({ patterns }) => patterns.some(pattern => fits(pattern, path)))?.charset;
  return charset === undefined || charset === '' || charset.toLowerCase() === 'unset' ? null : charset;
}

/** Part of a pattern: stands for one character, or for any number of them. */
type Part = { readonly isRepeated: boolean; readonly has: (character: string) => boolean };
type Pattern = readonly Part[];

const ANY: Part = { isRepeated: true, has: () => true };
const IN_FOLDER: Part = { isRepeated: true, has: character => character !== '/' };
const ONE: Part = { isRepeated: false, has: character => character !== '/' };

/** A pattern with a slash counts from the folder of the configuration, others fit names in any folder below. */
function patternsOf(glob: string): readonly Pattern[] {
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  const alternatives = expanded(anchored);
  // Two stars between slashes are any folders, none included.
  const pending = alternatives.flatMap(each => (each.startsWith('**/') ? [each, each.slice(3)] : [each]));
  return pending.flatMap(each => (each.includes('/**/') ? [each, each.replace('/**/', '/')] : [each])).map(partsOf);
}

/** Whether the pattern takes all of the path; all ways are followed at once, so that the time is bounded by the product of both. */
function fits(pattern: Pattern, path: string): boolean {
  let places = reached(pattern, [0]);
  for (const character of path) {
    const next: number[] = [];
    for (const at of places) {
      const part = pattern[at];
      if (part?.has(character) === true) next.push(part.isRepeated ? at : at + 1);
    }
    places = reached(pattern, next);
    if (places.length === 0) return false;
  }
  return places.includes(pattern.length);
}

/** Places in a pattern, with the places behind parts that may be left out. */
function reached(pattern: Pattern, places: readonly number[]): number[] {
  const all = new Set<number>();
  for (const start of places) {
    let at = start;
    while (!all.has(at)) {
      all.add(at);
      if (pattern[at]?.isRepeated !== true) break;
      at++;
    }
  }
  return [...all];
}

function partsOf(glob: string): Pattern {
  const parts: Part[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at]!;
    const close = character === '[' ? glob.indexOf(']', at + 2) : -1;
    if (close >= 0 && !glob.slice(at, close).includes('/')) {
      parts.push(setOf(glob.slice(at + 1, close)));
      at = close;
    } else if (character === '*' && glob[at + 1] === '*') {
      parts.push(ANY);
      at++;
    } else if (character === '*') parts.push(IN_FOLDER);
    else if (character === '?') parts.push(ONE);
    else {
      const literal = character === '\\' ? (glob[++at] ?? character) : character;
      parts.push({ isRepeated: false, has: each => each === literal });
    }
  }
  return parts;
}

function setOf(content: string): Part {
  const isNegated = content.startsWith('!');
  const characters = isNegated ? content.slice(1) : content;
  const has = (each: string) => {
    for (let at = 0; at < characters.length; at++) {
      const [from, to] = characters[at + 1] === '-' && at + 2 < characters.length ? [at, at + 2] : [at, at];
      if (characters[from]! <= each && each <= characters[to]!) return true;
      at = to;
    }
    return false;
  };
  return { isRepeated: false, has: each => each !== '/' && has(each) !== isNegated };
}

/** The pattern with each choice in braces; braces without a comma or a range mean themselves. */
function expanded(glob: string): string[] {
  const done: string[] = [];
  const pending = [glob];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const choice = firstChoice(next);
    if (choice === null) done.push(next);
    else for (const each of choice.alternatives) pending.push(choice.before + each + choice.behind);
    if (done.length + pending.length > MOST_ALTERNATIVES) return [];
  }
  return done;
}

type Choice = { readonly before: string; readonly alternatives: readonly string[]; readonly behind: string };

/** The first choice in braces that has no other one in it. */
function firstChoice(glob: string): Choice | null {
  for (const { index, 0: all, 1: content = '' } of glob.matchAll(/(?<!\\)\{([^{}]*)\}/g)) {
    const alternatives = content.includes(',') ? content.split(',') : numbersIn(content);
    if (alternatives.length > 0)
      return { before: glob.slice(0, index), alternatives, behind: glob.slice(index + all.length) };
  }
  return null;
}

function numbersIn(content: string): string[] {
  const [, first, last] = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(content) ?? [];
  if (first === undefined || last === undefined) return [];
  const [low, high] = [Math.min(Number(first), Number(last)), Math.max(Number(first), Number(last))];
  return Array.from({ length: Math.min(high - low + 1, MOST_ALTERNATIVES + 1) }, (_, i) => String(low + i));
}
