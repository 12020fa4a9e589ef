// What became of each declaration since it was recorded: the one answer that hints, hovers, lenses, diagnostics and messages give.
import { formatProblem, type Problem } from '../base/problem.ts';
import { utcParts } from '../base/utc-text.ts';
import type { DeclarationState } from '../mapping/stale/compare-texts.ts';
import type { DocumentView } from '../workspace/document-view.ts';
import type { RecordedCommit } from '../workspace/profiled-text.ts';
import { entryOf } from './hover-target.ts';
import { factsOf } from './method-facts.ts';
import { movedFrom, writtenState } from './recorded-place.ts';

/**
 * `affected`: is what it was, but something that it was measured to call has changed. `unknown`: nobody knows whether it is what it
 * was; never said of code that is known to have changed.
 */
export type CodeState = {
  readonly name: DeclarationState | 'affected' | 'unknown';
  /** The commit that was recorded; null where it is not known. */
  readonly commit: RecordedCommit | null;
  /** Path in that commit of the file from which it moved to this one; null where it did not. */
  readonly movedFrom: string | null;
  /** For `affected`: rows of the changed declarations. */
  readonly changedCallees: readonly number[];
  /** For `unknown`: why, and what to do; null where nobody has looked. */
  readonly problem: Problem | null;
};

/** What was worked out lives as long as the mapping that it follows from. */
const knownStates = new WeakMap<NonNullable<DocumentView['mapped']>, Map<number, CodeState>>();

/** The state of row `declaration` of the document's outline. Looks up, and compares what the last text was not compared for. */
export function stateOf(document: DocumentView, declaration: number): CodeState {
  const { mapped } = document;
  if (mapped === null) return { name: 'unknown', commit: null, movedFrom: null, changedCallees: [], problem: null };
  const known = knownStates.get(mapped) ?? new Map<number, CodeState>();
  knownStates.set(mapped, known);
  const state = known.get(declaration) ?? workOut(document, mapped, declaration);
  known.set(declaration, state);
  return state;
}

function workOut(document: DocumentView, mapped: NonNullable<DocumentView['mapped']>, declaration: number): CodeState {
  const { profiled } = mapped;
  const written = writtenState(document, declaration);
  const common = { commit: profiled.commit, movedFrom: movedFrom(document, declaration), changedCallees: [] };
  if (profiled.from === 'opened') {
    // What was edited since is known; that the rest is what ran is not.
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

/** Declarations of the same file that changed and that this one was measured to call. */
function changedCalleesOf(document: DocumentView, declaration: number): readonly number[] {
  const { mapped } = document;
  const entry = entryOf(document, declaration);
  if (mapped === null || mapped.comparison === null || entry === null) return [];
  const rows = new Set<number>();
  for (const { targets } of factsOf(mapped.data, entry).calls)
    for (const target of targets) {
      const row = mapped.map.declarationOfMethod.get(target);
      if (row !== undefined && row !== declaration) rows.add(row);
    }
  return [...rows].filter(row => writtenState(document, row) === 'changed');
}

/** `commit abc1234, 2026-11-02`; empty where no commit is known. */
export function commitText(commit: RecordedCommit | null): string {
  if (commit === null) return '';
  const date = commit.dateMillis === null ? null : (utcParts(commit.dateMillis)?.date ?? null);
  return `commit ${commit.hash.slice(0, 7)}${date === null ? '' : `, ${date}`}`;
}

/** A state in words, as plain text; empty where there is nothing to say. */
export function stateText(document: DocumentView, state: CodeState): string {
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
      return state.movedFrom === null ? '' : `moved here ${since} from ${state.movedFrom}, its code is the same`;
    case 'affected': {
      const names = state.changedCallees.map(row => document.outline.declarations[row]?.name || 'a lambda');
      return `has not changed ${since}, but what it calls has: ${[...new Set(names)].join(', ')}`;
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
