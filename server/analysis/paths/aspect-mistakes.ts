// Mistakes in the definitions of aspects that no data are needed to see.
import { type MemberSyntax, parseMembers, type SyntaxMistake } from '../../../grammar/path-syntax.ts';
import { printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';

/** Names that are read as something else than a method. */
const SPECIAL = /^(?:let|in|where|and|or|not|thread:.*)$|[\s()[\]|;,="*]|\.\.|^$/;

const HOW_SETS_ARE_WRITTEN =
  'an aspect is written a.B | *Queue.put(..): names, classes and patterns with "|" between them';

/** The parts of a definition, or its first mistake. */
export function aspectMembers(
  value: string,
): { readonly value: readonly MemberSyntax[] } | { readonly mistake: SyntaxMistake } {
  const parsed = parseMembers(value);
  return 'mistake' in parsed ? { mistake: { ...parsed.mistake, remedy: HOW_SETS_ARE_WRITTEN } } : parsed;
}

/** Whether a query can name an aspect that is called so. */
export function isAspectName(name: string): boolean {
  return !SPECIAL.test(name);
}

/** Null for a name that queries can have. */
export function aspectNameMistake(name: string): Required<Pick<Problem, 'message' | 'remedy'>> | null {
  if (isAspectName(name)) return null;
  return {
    message: `queries cannot name an aspect "${printableName(name)}"`,
    remedy: 'take a name without blanks, * and punctuation that is no word of queries (and, or, not, where, let, in)',
  };
}
