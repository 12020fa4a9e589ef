// The claims of several files on the class of a declaration: one of the files ran, and the numbers may not be those of this file.
import { printableName } from '../../base/printable.ts';
import type { ClassClaims } from '../../workspace/document/class-claims.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';

/** The claims on the top-level class around a declaration; null where one file declares it. */
export function claimsOn(document: DocumentView, declaration: number): ClassClaims | null {
  const { declarations } = document.outline;
  let top = declarations[declaration];
  while (top !== undefined && top.parent >= 0) top = declarations[top.parent];
  return top === undefined || top.binaryName === '' ? null : document.claims(top.binaryName);
}

/** The claims on all top-level classes of a document. */
export function allClaims(document: DocumentView): ClassClaims[] {
  const top = document.outline.declarations.filter(({ parent, binaryName }) => parent < 0 && binaryName !== '');
  return top.flatMap(({ binaryName }) => document.claims(binaryName) ?? []);
}

/** Whether the code that ran may be that of another file. */
export function ranElsewhere(document: DocumentView, declaration: number): boolean {
  const claims = claimsOn(document, declaration);
  return claims !== null && claims.ran !== 0;
}

/** `2 files declare com.acme.Work: a/…/Work.java, b/…/Work.java; the recorded lines fit a/…/Work.java alone`. */
export function claimsText({ className, files, ran }: ClassClaims): string {
  const which =
    ran === null
      ? 'the recorded lines do not tell which of them ran'
      : `the recorded lines fit ${printableName(files[ran]!)} alone`;
  return `${files.length} files declare ${printableName(className)}: ${files.map(printableName).join(', ')}; ${which}`;
}
