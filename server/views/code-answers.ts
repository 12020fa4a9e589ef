// Answers to the page about the code of methods: recorded texts, changes between two versions, and changes since.
import { setTimeout as passed } from 'node:timers/promises';
import { stateOf } from '../features/facts/code-state.ts';
import { recordedText } from '../features/facts/recorded-text.ts';
import { classNameOf } from '../features/text/runtime-names.ts';
import { plainClassName, topLevelClass } from '../mapping/class-names.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { alignLines } from './align-lines.ts';
import { nothingCompared } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type {
  AskSources,
  AskStates,
  Changes,
  MethodKey,
  MethodState,
  SourceSide,
  Sources,
  States,
} from './view-messages.ts';
import { versionText } from './view-state.ts';

/** After so long the page is told to ask again. */
const LONGEST_CHANGES_MILLIS = 3_000;
/** After so long the answer has the states that are known by then; the page asks for the others again. */
const LONGEST_STATES_MILLIS = 1_000;

/** The texts of one method in two versions, side by side: each as it was recorded. */
export async function sourcesAnswer(host: ViewHost, viewed: Viewed, { of }: AskSources): Promise<Sources> {
  const { baseline } = viewed;
  if (baseline === null) throw nothingCompared();
  const earlier = { data: baseline.data, tags: viewed.tags };
  const [row, then] = rowsOf(viewed, baseline, of);
  const [now, before] = [
    row < 0 ? null : sideOf(await host.documentOf(viewed, row), viewed, row),
    then < 0 ? null : sideOf(await host.documentBefore(viewed, baseline, then), earlier, then),
  ];
  const sides = { before: before ?? gone(earlier), now: now ?? gone(viewed) };
  const [first, second] = [linesOf(sides.before), linesOf(sides.now)];
  return { of, ...sides, pairs: alignLines(first, second) };
}

/** Of a method of either version: its row now, and its row in the baseline; −1 where it did not run. */
function rowsOf(
  { data }: Viewed,
  { data: before, pairing }: NonNullable<Viewed['baseline']>,
  key: AskSources['of'],
): readonly [now: number, then: number] {
  const row = data.answers.keysOf(data.profile.methods).rowOf(key);
  if (row >= 0) return [row, pairing.rowsOf([row])[0] ?? -1];
  const then = before.answers.keysOf(before.profile.methods).rowOf(key);
  return [then < 0 ? -1 : pairing.becameRows()[then]!, then];
}

function gone(viewed: Pick<Viewed, 'data' | 'tags'>): SourceSide {
  return { missing: `it is on no stack of ${versionText(viewed)}`, remedy: '' };
}

function sideOf(document: DocumentView | null, viewed: Pick<Viewed, 'data' | 'tags'>, row: number): SourceSide {
  if (document === null)
    return { missing: 'no source of this method is in the workspace', remedy: 'open the folder that has its sources' };
  const found = recordedText(document, row);
  if ('missing' in found) return found;
  const { profiled } = document.mapped!;
  // The text on disk would stand on both sides as if nothing had changed.
  if (profiled.from === 'opened')
    return {
      missing: `the text that ran is not known${profiled.problem === null ? '' : `: ${profiled.problem.message}`}`,
      remedy: profiled.problem?.remedy ?? 'record with the commit as version, in a git repository',
    };
  return {
    file: found.file,
    version: profiled.commit?.hash.slice(0, 7) ?? versionText(viewed),
    firstLine: found.firstLine,
    lines: found.text,
  };
}

function linesOf(side: SourceSide): readonly string[] {
  return 'missing' in side ? [] : side.lines;
}

/** Methods whose source differs between both versions, by the texts that git has of their commits. */
export async function changesAnswer(host: ViewHost, viewed: Viewed, signal: AbortSignal): Promise<Changes> {
  if (viewed.baseline === null) throw nothingCompared();
  const late = passed(LONGEST_CHANGES_MILLIS, 'late' as const, { signal, ref: false });
  const found = await Promise.race([host.methodSources(viewed, viewed.baseline), late]);
  if (found === 'late') return { pending: true };
  const { data } = viewed;
  const keys = data.answers.keysOf(data.profile.methods);
  const methods = Array.from(
    found?.ofMethod ?? [],
    ([row, { change }]) => [keys.keyOf(row), change !== 'same'] as const,
  );
  return { methods };
}

/** What became of the code of methods since it was recorded, class by class: a file is read and compared once for all of its methods. */
export async function statesAnswer(
  host: ViewHost,
  viewed: Viewed,
  { of }: AskStates,
  signal: AbortSignal,
): Promise<States> {
  const { answers, profile } = viewed.data;
  const keys = answers.keysOf(profile.methods);
  const byFile = Map.groupBy(of, key => {
    const row = keys.rowOf(key);
    return row < 0 ? '' : topLevelClass(plainClassName(classNameOf(profile.methods, row)));
  });
  const end = performance.now() + LONGEST_STATES_MILLIS;
  const states: [MethodKey, MethodState][] = [];
  for (const [name, some] of byFile) {
    if (signal.aborted || (states.length > 0 && performance.now() > end)) break;
    const document = name === '' ? null : await host.documentOf(viewed, keys.rowOf(some[0]!));
    for (const key of some) states.push([key, methodState(document, keys.rowOf(key))]);
  }
  return { states };
}

function methodState(document: DocumentView | null, row: number): MethodState {
  if (document === null) return 'missing';
  const { mapped } = document;
  if (mapped === null) return 'unknown';
  const onScreen = mapped.map.declarationOfMethod.get(row);
  // Its recorded text has it, and the one on screen does not.
  if (onScreen === undefined) return mapped.recorded.declarationOfMethod.has(row) ? 'changed' : 'missing';
  const { name } = stateOf(document, onScreen);
  if (name === 'unknown') return 'unknown';
  return name === 'changed' || name === 'new' ? 'changed' : 'unchanged';
}
