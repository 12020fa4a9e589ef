// The texts of the rows of views: pure text, made from the server's answers.
import type {
  CallHierarchyRow,
  Change,
  Choices,
  EditorAnswers,
  Execution,
  Located,
  MethodName,
  Verdict,
} from 'insitu/protocol';
import { shortHashes, shownText } from './shown-text.ts';

/** A row as a view shows it. */
export type RowText = {
  readonly label: string;
  /** Grey, behind the label. */
  readonly description: string;
  /** Lines of plain text. */
  readonly tooltip: string;
};

/** A name for each row of a view below the row that has the name `parent`: it does not depend on numbers, and differs from all others. */
export function rowIds(names: readonly (readonly unknown[])[], parent: string): string[] {
  const seen = new Map<string, number>();
  return names.map(parts => {
    const name = JSON.stringify(parts);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return `${parent}/${name}${before === 0 ? '' : `#${before}`}`;
  });
}

export function methodName({ className, name, descriptor }: MethodName): readonly unknown[] {
  return [className, name, descriptor];
}

/** Where a method stands: `Shop.java:41`, or that there is no source. */
export function placeText({ location, certain }: Located): string {
  if (location === null) return 'no source in this workspace';
  const file = decodeURIComponent(location.uri.split('/').at(-1) ?? '');
  return `${certain ? '' : '~ '}${file}:${location.range.start.line + 1}`;
}

/** How hot methods are ordered. */
export type HotOrder = 'own' | 'total' | 'self' | 'change';

/**
 * Labels without parameter lists, where these are not needed to tell methods of one list apart.
 * @returns label → short label
 */
export function shortLabels(labels: readonly string[]): ReadonlyMap<string, string> {
  const bare = (label: string): string => label.replace(/\([^()]*\)$/, '');
  const counts = Map.groupBy(new Set(labels), bare);
  return new Map(labels.map(label => [label, counts.get(bare(label))?.length === 1 ? bare(label) : label]));
}

/** @param label without what the list need not say. */
export function hotMethodText(
  {
    method,
    total,
    self,
    own,
    change,
  }: Pick<EditorAnswers['top']['rows'][number], 'method' | 'total' | 'self' | 'own' | 'change'>,
  order: HotOrder = 'own',
  label = method.label,
): RowText {
  const moved = change === null ? '' : ` ${change.text}`;
  const ofItsTime = total.weight > 0 ? percentText(self.weight / total.weight) : '0%';
  const first = { own, self, total, change: total }[order];
  const isOfTotal = order === 'own' || order === 'self';
  return {
    // The share first: side bars are narrow.
    label: `${first.text}${isOfTotal ? '' : moved}  ${label}`,
    description: isOfTotal ? `of ${total.text}` : self.count === 0 ? '' : `self ${self.text}`,
    tooltip: [
      shownText(`${method.className}.${method.name}`),
      `${total.text} of everything: ${total.count} of ${total.of} samples${intervalText(total.interval)}`,
      `own ${own.text} of everything: ${own.count} samples, with the libraries that it calls`,
      `self ${self.text} of everything: ${self.count} samples, ${ofItsTime} of its own time`,
      ...(change === null ? [] : [changeLine(change)]),
      shownText(method.label),
      placeText(method),
    ].join('\n'),
  };
}

/** `+9 against the baseline, not tested: too few JVMs`; what one side alone has needs no test. */
function changeLine({ text, verdict, baseline, current }: Change): string {
  const isOneSided = baseline === 0 || current === 0;
  return `${text} against the baseline${isOneSided ? '' : verdictText(verdict)}`;
}

/** The verdict of a test, where the arrow does not tell it. */
function verdictText(verdict: Verdict): string {
  if (verdict === 'notTested') return ', not tested: too few JVMs';
  return verdict === 'cannotTell' ? ', the test cannot tell' : `, ${verdict}`;
}

/** A method whose share moved against the baseline. */
export function movedText(
  { method, change }: Pick<EditorAnswers['moved']['rows'][number], 'method' | 'change'>,
  label = method.label,
): RowText {
  const moved =
    change.baseline === 0
      ? percentText(change.current)
      : `${percentText(change.baseline)} → ${change.current === 0 ? 'nothing' : percentText(change.current)}`;
  return {
    label: `${change.text}  ${label}`,
    description: moved,
    tooltip: [`${change.text} against the baseline: ${moved}`, shownText(method.label), placeText(method)].join('\n'),
  };
}

/** A share as hints write it. */
function percentText(share: number): string {
  const percent = 100 * share;
  if (percent < 0.01) return '< 0.01%';
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 1 ? percent.toFixed(1) : percent.toFixed(2)}%`;
}

function intervalText(interval: readonly [low: number, high: number] | null): string {
  if (interval === null) return '';
  const [low, high] = interval.map(share => (share * 100).toFixed(1)) as [string, string];
  // Zero is what no interval of a sample ends at.
  if (Number(high) === 0) return ' (less than 0.1 %, sampling error only)';
  return Number(low) === 0
    ? ` (less than ${high} %, sampling error only)`
    : ` (${low} to ${high} %, sampling error only)`;
}

export function callRowText(row: CallHierarchyRow): RowText {
  const { label, share, written, detail } = row;
  return {
    label: share === null ? label : `${share.text}  ${label}`,
    description: share === null ? (written ? 'not seen running here' : detail) : '',
    tooltip: [label, detail, placeText(row)].filter(text => text !== '').join('\n'),
  };
}

export function taskText({ name, definition, share }: EditorAnswers['tasks']['rows'][number]): RowText {
  return {
    label: `${share.text}  ${name}`,
    description: '',
    tooltip: `${shownText(definition)}\n${share.text} of everything: ${share.count} of ${share.of} samples`,
  };
}

/** Executions of one program and version. */
export type ExecutionGroup = Pick<Execution, 'program' | 'version'> & {
  /** Of the version, for people. */
  readonly versionName: string;
  readonly shown: boolean;
  readonly instances: Choices['executions'];
};

/** In the order of the answer. */
export function executionGroups({ executions, tags }: Choices): ExecutionGroup[] {
  const groups = Map.groupBy(executions, ({ program, version }) => JSON.stringify([program, version]));
  return [...groups.values()].map(instances => ({
    program: instances[0]?.program ?? '',
    version: instances[0]?.version ?? '',
    versionName: shortHashes(instances[0]?.version ?? '', tags),
    shown: instances.some(({ shown }) => shown),
    instances,
  }));
}

export function executionGroupText({ program, version, versionName, shown, instances }: ExecutionGroup): RowText {
  const count = instances.length === 1 ? '1 instance' : `${instances.length} instances`;
  const from = Math.min(...instances.map(({ from }) => Date.parse(from)));
  const to = Math.max(...instances.map(({ to }) => Date.parse(to)));
  return {
    label: `${program} ${versionName}`,
    description: `${shown ? 'shown · ' : ''}${count}`,
    tooltip: `${shownText(version)}\n${count}, ${spanText(from, to)}`,
  };
}

export function instanceText({ instance, shown, from, to, snapshots }: Choices['executions'][number]): RowText {
  const count = snapshots === 1 ? '1 snapshot' : `${snapshots} snapshots`;
  return {
    label: instance,
    description: `${shown ? 'shown · ' : ''}${momentText(from)}`,
    tooltip: `${count}, ${spanText(from, to)}`,
  };
}

/** In local time, to the second. @param moment as ISO 8601 has it, or milliseconds since 1970 */
export function momentText(moment: string | number): string {
  const at = new Date(moment);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function spanText(from: string | number, to: string | number): string {
  const [begin, end] = [momentText(from), momentText(to)];
  const sameDay = begin.slice(0, 10) === end.slice(0, 10);
  return `${begin} – ${sameDay ? end.slice(11) : end}`;
}
