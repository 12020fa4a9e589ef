// Ends windows that an earlier recorder left open and that no recorder can go on with.
import type { Problem } from '../base/problem.ts';
import { mergeProfiles } from '../cct/merge.ts';
import type { Profile } from '../cct/profile.ts';
import { limitSingleThreads } from '../cct/thread-groups.ts';
import { decodeSnapshot, foreignIn } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { namedSections } from '../snapshot/sections.ts';
import type { SnapshotHeader } from '../snapshot/snapshot.ts';
import { type Redaction, redactProfile } from './redact.ts';
import { readSpooled, type Spool, type Spooled, type SpoolNote } from './spool.ts';
import { dumpedProfile } from './thread-dumps.ts';

/** Windows that were closed, and what is wrong with others. */
type EndedWindows = { readonly closed: readonly Spooled[]; readonly problems: readonly Problem[] };

type EndOptions = {
  readonly isOver: (note: SpoolNote) => boolean;
  /** Whether no recorder will go on reading behind them: then nothing of an empty window is kept either. */
  readonly isForGood: boolean;
  readonly redaction: Redaction;
};

/** Makes closed windows of the open ones that are over, thread dumps included. */
export async function endOpenWindows(spool: Spool, options: EndOptions): Promise<EndedWindows> {
  const closed: Spooled[] = [];
  const problems: Problem[] = [];
  for (const spooled of spool.list()) {
    if (!spooled.isOpen || !options.isOver(spooled.note)) continue;
    const { sequence } = spooled.note;
    const foreign = foreignIn(readSpooled(spooled.path)?.snapshot);
    if (foreign.length > 0) {
      problems.push(leftAlone(spooled, foreign));
      continue;
    }
    const saved = savedIn(spooled, problems);
    const dumps = await dumpedProfile(spool.dumpsOf(sequence), saved?.header.processors ?? null);
    const more = dumps === null ? [] : [redactProfile(dumps, options.redaction)];
    const profile = limitSingleThreads(mergeProfiles([...(saved === null ? [] : [saved.profile]), ...more]));
    if (profile.metrics.length > 0) {
      const header = saved?.header ?? headerOf(spooled.note, profile);
      const told = { severity: 'info', message: 'the recorder ended before this window did' } as const;
      const ended = { header: { ...header, problems: [...header.problems, told] }, profile };
      closed.push(spool.saveClosed(spooled.note, encodeSnapshot(ended)));
      if (!options.isForGood) keepPosition(spool);
    } else if (options.isForGood) spool.remove(spooled);
    spool.removeDumpsBefore(sequence + 1);
  }
  if (options.isForGood) spool.removeDumpsBefore(Number.POSITIVE_INFINITY);
  return { closed, problems };
}

function leftAlone({ path }: Spooled, foreign: readonly string[]): Problem {
  const message = `this window stays in the spool: this version of insitu does not know ${namedSections(foreign)}`;
  return { severity: 'warning', message, file: path, remedy: 'start a newer recorder' };
}

/** Writes where reading goes on behind the last window, so that this one may leave the spool. */
export function keepPosition(spool: Spool): void {
  const last = spool.list().at(-1);
  if (last === undefined || last.isOpen) return;
  spool.saveOpen({ ...last.note, sequence: last.note.sequence + 1 }, new Uint8Array(0));
}

type Saved = { readonly header: SnapshotHeader; readonly profile: Profile };

/** The data of the open window when it was saved; null where there are none. */
function savedIn({ path }: Spooled, problems: Problem[]): Saved | null {
  const read = readSpooled(path);
  if (read === null || read.snapshot.length === 0) return null;
  const { value, problems: found } = decodeSnapshot(read.snapshot, path);
  problems.push(...found);
  if (value === null) return null;
  const { provisional: _, ...header } = value.header;
  return { header, profile: value.profile };
}

function headerOf({ execution, startMillis }: SpoolNote, { windows }: Profile): SnapshotHeader {
  return {
    execution,
    startMillis,
    endMillis: Math.max(startMillis + 1, windows.at(-1)?.endMillis ?? 0),
    recorder: 'thread dumps',
    debugNonSafepoints: null,
    problems: [],
    replaces: [],
  };
}
