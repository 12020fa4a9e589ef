// The state of each declaration since it was recorded: the one answer that hints, hovers, lenses, diagnostics and messages give.

import { factsOf } from '../../analysis/ask.ts';
import { localParts } from '../../base/moment-text.ts';
import { printableName } from '../../base/printable.ts';
import { formatProblem, type Problem } from '../../base/problem.ts';
import { methodName } from '../../cct/method-names.ts';
import type { MethodTable } from '../../cct/profile.ts';
import { plainClassName } from '../../mapping/class-names.ts';
import { parameterCount } from '../../mapping/parameters.ts';
import { methodKey, UNKNOWN_COUNT } from '../../mapping/recorded/changed-methods.ts';
import type { RecordedCommit } from '../../mapping/recorded/profiled-text.ts';
import type { DeclarationState } from '../../mapping/stale/text-comparison.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import { methodLabel } from '../text/runtime-names.ts';
import { entryOf } from './entry-of.ts';
import { movedFrom, writtenState } from './recorded-place.ts';

/**
 * `affected`: has not changed, but something that it was measured to call has. `unknown`: it is not known whether it has
 * changed; never said of code that is known to have changed.
 */
export type CodeState = {
  readonly name: DeclarationState | 'affected' | 'unknown';
  /** The commit that was recorded; null where it is not known. */
  readonly commit: RecordedCommit | null;
  /** Path in that commit of the file from which it moved to this one; null where it did not. */
  readonly movedFrom: string | null;
  /** For `affected`: what it calls and what has changed, for people. */
  readonly changedCallees: readonly string[];
  /** For `unknown`: why, and what to do; null where the server has not looked yet. */
  readonly problem: Problem | null;
};

/** The state of row `declaration` of the document's outline. Looks up, and compares what the last text was not compared for. */
export function stateOf(document: DocumentView, declaration: number): CodeState {
  const { mapped } = document;
  if (mapped === null) return { name: 'unknown', commit: null, movedFrom: null, changedCallees: [], problem: null };
  const { profiled } = mapped;
  const written = writtenState(document, declaration);
  const common = { commit: profiled.commit, movedFrom: movedFrom(document, declaration), changedCallees: [] };
  if (profiled.from === 'opened') {
    // Later edits are known; whether the rest is the recorded code is not.
    const isEdited =
      written === 'changed' || written === 'new' || (written !== 'unchanged' && profiled.problem === null);
    return isEdited
      ? { ...common, name: written, problem: null }
      : { ...common, name: 'unknown', problem: profiled.problem };
  }
  if (written === 'changed' || written === 'new') return { ...common, name: written, problem: null };
  const changedCallees = changedCalleesOf(document, declaration);
  return { ...common, name: changedCallees.length > 0 ? 'affected' : written, changedCallees, problem: null };
}

/** The recorded callees of a declaration that have changed since, in this file or another. */
function changedCalleesOf(document: DocumentView, declaration: number): readonly string[] {
  const { mapped } = document;
  const entry = entryOf(document, declaration);
  if (mapped === null || entry === null) return [];
  const { changedElsewhere } = mapped.profiled;
  if (mapped.comparison === null && changedElsewhere.size === 0) return [];
  const { methods } = mapped.data.profile;
  const changed = new Set<string>();
  for (const { targets } of factsOf(mapped.data, entry).calls)
    for (const target of targets) {
      const row = mapped.map.declarationOfMethod.get(target);
      if (row === declaration) continue;
      const isChanged =
        row === undefined ? changedElsewhere.has(keyOf(methods, target)) : writtenState(document, row) === 'changed';
      if (isChanged) changed.add(methodLabel(methods, target));
    }
  return [...changed];
}

function keyOf(methods: MethodTable, row: number): string {
  const { className, name, descriptor } = methodName(methods, row);
  return methodKey(plainClassName(className), name, parameterCount(descriptor) ?? UNKNOWN_COUNT);
}

/** `commit abc1234, 2026-11-02`; empty where no commit is known. */
export function commitText(commit: RecordedCommit | null): string {
  if (commit === null) return '';
  const date = commit.dateMillis === null ? null : (localParts(commit.dateMillis)?.date ?? null);
  return `commit ${commit.hash.slice(0, 7)}${date === null ? '' : `, ${date}`}`;
}

/** A state in words, as plain text; empty where there is nothing to say. */
export function stateText(state: CodeState): string {
  const commit = commitText(state.commit);
  const since = `since it was recorded${commit === '' ? '' : ` (${commit})`}`;
  switch (state.name) {
    case 'changed':
      return `changed ${since}`;
    case 'new':
      return `new ${since}`;
    case 'renamed':
      return `renamed ${since}, its code is the same`;
    case 'moved':
      return state.movedFrom === null
        ? ''
        : `moved here ${since} from ${printableName(state.movedFrom)}, its code is the same`;
    case 'affected': {
      return `has not changed ${since}, but what it calls has: ${state.changedCallees.join(', ')}`;
    }
    case 'unknown':
      return state.problem === null ? '' : `state of the code unknown: ${formatProblem(withoutFile(state.problem))}`;
    case 'unchanged':
      return '';
  }
}

/** The hover stands on the file. */
function withoutFile({ file: _file, ...problem }: Problem): Problem {
  return problem;
}
