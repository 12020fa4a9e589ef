// The user's choices of what to look at, over the settings; they hold for one project's folder until the server ends.
import { basename } from 'node:path';
import type { Missing } from '../../analysis/load-merged.ts';
import type { Span } from '../../analysis/wish.ts';
import { printableName } from '../../base/printable.ts';
import type { Problem } from '../../base/problem.ts';
import { describeLook, type Look } from '../../model/look.ts';
import type { Configuration } from '../settings/configuration.ts';

/** The baseline of shares: another version, another time of the same versions, or a recording or snapshot on disk. */
export type BaselineChoice = { readonly version: string } | Required<Span> | { readonly files: readonly string[] };

/** Absent keys are left to the settings; the definitions of tasks and aspects always are. */
export type Choice = Look & {
  /** null: none, also against the settings. */
  readonly baseline?: BaselineChoice | null;
};

/** Nothing was chosen. */
export const NO_CHOICE: Choice = {};

/** Names where a choice holds: files of one configuration root, store and project have one in common. */
export function choiceKey({ store, project, root }: Configuration): string {
  return JSON.stringify([store, project, root]);
}

/**
 * The choice without what is not there any more, and a problem that says so; null when nothing of it was chosen, so that it is
 * the settings that ask for what is missing.
 */
export function withoutMissing(
  choice: Choice,
  missing: readonly Missing[],
): { readonly choice: Choice; readonly problem: Problem } | null {
  const gone: string[] = [];
  let left = choice;
  if (missing.includes('program') && left.program !== undefined) {
    const { program, ...rest } = left;
    gone.push(`program ${program}`);
    left = rest;
  }
  if (missing.includes('version') && left.version !== undefined) {
    const { version, ...rest } = left;
    gone.push(`version ${version}`);
    left = rest;
  }
  if (missing.includes('instances') && left.instances !== undefined) {
    const { instances, ...rest } = left;
    gone.push(`instance ${instances.join(' or ')}`);
    left = rest;
  }
  return gone.length === 0 ? null : { choice: left, problem: goneProblem(gone.join(' and ')) };
}

/** The choice without its baseline, which could not be read. */
export function withoutBaseline(choice: Choice): { readonly choice: Choice; readonly problem: Problem } | null {
  const { baseline, ...rest } = choice;
  if (baseline === undefined || baseline === null) return null;
  const what = 'files' in baseline ? baseline.files.map(printableName).join(', ') : describeBaseline(baseline);
  return { choice: rest, problem: goneProblem(`baseline ${what}`) };
}

function goneProblem(what: string): Problem {
  return {
    severity: 'warning',
    message: `${what} was chosen and is not there any more; what the settings say is shown`,
    remedy: 'insitu.selectExecution lists what there is',
  };
}

/** `version 1.0`, `from … to …`, or the names of the files. */
export function describeBaseline(baseline: BaselineChoice): string {
  if ('version' in baseline) return `version ${printableName(baseline.version)}`;
  return 'files' in baseline
    ? baseline.files.map(file => printableName(basename(file))).join(', ')
    : describeLook(baseline);
}
