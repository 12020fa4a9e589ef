// What somebody chose to look at, over what the settings say; it holds for one project's folder until the server ends.
import type { Problem } from '../../base/problem.ts';
import type { Configuration } from '../settings/configuration.ts';
import { describePart, type Part, spanText } from './part.ts';

/** What shares are compared with: another version, another time of the same versions, or a recording or snapshot on disk. */
export type BaselineChoice =
  | { readonly version: string }
  | { readonly fromMillis: number; readonly toMillis: number }
  | { readonly file: string };

/** What is absent is left to the settings. */
export type Choice = {
  readonly program?: string;
  readonly version?: string;
  readonly metric?: string;
  /** Of `part`, the definitions of tasks come from the settings. */
  readonly part: Part;
  /** null: none, whatever the settings say. */
  readonly baseline?: BaselineChoice | null;
};

/** Nothing was chosen. */
export const NO_CHOICE: Choice = { part: {} };

/** What was asked for and is not in the store. */
export type Missing = 'program' | 'version' | 'instances';

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
  const { instances, ...restOfPart } = choice.part;
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
  if (missing.includes('instances') && instances !== undefined) {
    gone.push(`instance ${instances.join(' or ')}`);
    left = { ...left, part: restOfPart };
  }
  return gone.length === 0 ? null : { choice: left, problem: goneProblem(gone.join(' and ')) };
}

/** The choice without its baseline, which could not be read. */
export function withoutBaseline(choice: Choice): { readonly choice: Choice; readonly problem: Problem } | null {
  const { baseline, ...rest } = choice;
  if (baseline === undefined || baseline === null) return null;
  return { choice: rest, problem: goneProblem(`baseline ${describeBaseline(baseline)}`) };
}

function goneProblem(what: string): Problem {
  return {
    severity: 'warning',
    message: `${what} was chosen and is not there any more; what the settings say is shown`,
    remedy: 'choose again; insitu executions lists what the store holds',
  };
}

/** `version 1.0`, `from … to …`, or the path of the file. */
export function describeBaseline(baseline: BaselineChoice): string {
  if ('version' in baseline) return `version ${baseline.version}`;
  return 'file' in baseline ? baseline.file : spanText(baseline);
}

/** `version 1.0 · cpu · focus Shop.search · compared with version 0.9`; empty where nothing was chosen. */
export function describeChoice({ program, version, metric, part, baseline }: Choice): string {
  return [
    ...(program === undefined ? [] : [`program ${program}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
    ...(metric === undefined ? [] : [metric]),
    ...[describePart(part)].filter(text => text !== ''),
    ...(baseline === undefined || baseline === null ? [] : [`compared with ${describeBaseline(baseline)}`]),
  ].join(' · ');
}
