// The texts of one method in two versions, side by side: each as it was recorded.

import { recordedText } from '../features/facts/recorded-text.ts';
import type { DocumentView } from '../workspace/document/document-view.ts';
import { alignLines } from './align-lines.ts';
import { nothingCompared } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskSources, SourceSide, Sources } from './view-messages.ts';
import { versionText } from './view-state.ts';

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
  return { missing: `it did not run in ${versionText(viewed)}`, remedy: '' };
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
