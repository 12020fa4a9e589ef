// Which sections of a snapshot this version knows: it reads, merges, splits and compares each of them.
import type { Section } from './format.ts';
import { SOURCES } from './source-section.ts';
import { TIMES } from './times-section.ts';

const REQUIRED: ReadonlySet<string> = new Set(['strings', 'methods', 'threads', 'calls', 'steps', 'ranks']);
const OPTIONAL: ReadonlySet<string> = new Set([SOURCES, TIMES]);

/**
 * Whether whatever reads, merges, splits, compacts or compares snapshots handles the section. A section gets its name here only
 * together with all of that: a snapshot with any other section is left as it is, so that nothing of it is lost.
 */
export function isKnownSection(name: string): boolean {
  return REQUIRED.has(name) || OPTIONAL.has(name) || /^cells\.\d+$/.test(name);
}

/** Whether a reader that does not know the section must refuse the file. Version 1 does not say so in the file. */
export function isRequiredSection(name: string): boolean {
  return !OPTIONAL.has(name);
}

/** Names of optional sections that this version does not know. */
export function foreignAmong(sections: readonly Section[]): readonly string[] {
  return sections.filter(({ name, required }) => !required && !isKnownSection(name)).map(({ name }) => name);
}

/** "the section "x"" or "the sections "x", "y"", for messages. */
export function namedSections(names: readonly string[]): string {
  return `the section${names.length === 1 ? '' : 's'} ${names.map(name => `"${name}"`).join(', ')}`;
}
