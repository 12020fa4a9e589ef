// Class indexes of profiles and method tables, for tests of mapping.
import type { MethodTable, Profile } from '../../../server/cct/profile.ts';
import {
  type ClassIndex,
  classColumns,
  type MethodLines,
  observedLinesOfCalls,
} from '../../../server/mapping/class-index.ts';
import { transparentMethods } from '../../../server/mapping/generated-hops.ts';
import { indexCallSites } from '../../../server/metrics/call-sites.ts';

export function observedLines(profile: Profile): MethodLines {
  return observedLinesOfCalls(profile, indexCallSites(profile, new Int32Array(profile.methods.length)));
}

export function indexProfile(profile: Profile): ClassIndex {
  return indexMethods(profile.methods, observedLines(profile));
}

/** Without a tree no line is known. */
export function indexMethods(methods: MethodTable, lines: MethodLines | null = null): ClassIndex {
  return { methods, lines, columns: classColumns(methods, transparentMethods(methods)) };
}
