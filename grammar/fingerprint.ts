// A hash of what a method does, the same for texts that differ only in layout, comments and names of locals.
import { createHash } from 'node:crypto';
import { codeTokens } from './lexer.ts';
import type { DeclarationKind } from './outline.ts';

/** Fingerprint of a declaration's text, modifiers and annotations included; empty for types. */
export function fingerprintOf(text: string, kind: DeclarationKind): string {
  if (kind === 'class' || kind === 'interface' || kind === 'enum' || kind === 'record' || kind === 'annotation')
    return '';
  const words = codeTokens(text).map(token => token.image);
  return createHash('sha1').update(words.join(' ')).digest('base64url');
}
