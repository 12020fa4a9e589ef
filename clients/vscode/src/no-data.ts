// The texts and offers where nothing was recorded yet, and the names here of commands that the server names.
import type { SourceStatus, Status } from 'insitu/protocol';

export const NO_DATA = 'there are no recordings of this project yet';

/** The ways to get data, by their buttons. */
export const WAYS = [
  ['Import a recording', 'insitu.importRecording'],
  ['Record a JVM', 'insitu.record'],
] as const;

/** Whether no data could be shown whatever is chosen: nothing was recorded, or it cannot be read. */
export function hasNoData(status: Status | null): boolean {
  const isEmpty = ({ state, part }: SourceStatus): boolean => state === 'none' && part === '';
  return status !== null && status.sources.length > 0 && status.sources.every(isEmpty);
}

/** Why there are no data, beside the ways to get some. */
export function noDataText(status: Status): string {
  const problems = status.sources.flatMap(({ problems }) => problems);
  const others = problems.filter(problem => !problem.startsWith(NO_DATA)).map(withTitles);
  return [others.length === problems.length && problems.length > 0 ? [] : [NO_DATA], others].flat().join('; ');
}

/** Titles of the commands that the server's sentences name, as the palette has them. */
export const TITLES: Readonly<Record<string, string>> = {
  importRecording: 'Import a recording …',
  record: 'Record a JVM …',
  selectExecution: 'Show another version …',
  selectMetric: 'Show another metric …',
  selectThreads: 'Only some threads …',
  selectWindows: 'Only some time …',
  clearFocus: 'Clear the focus',
  refresh: 'Read everything again',
  status: 'Status and actions',
  jvms: 'Record a JVM …',
  compareWith: 'Compare with …',
};

/** `insitu.refresh` as “insitu: Read everything again”. */
export function withTitles(text: string): string {
  return text.replace(/\binsitu\.(\w+)/g, (whole, name: string) =>
    Object.hasOwn(TITLES, name) ? `“insitu: ${TITLES[name]}”` : whole,
  );
}
