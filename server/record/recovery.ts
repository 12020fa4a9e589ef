// Ends windows that an earlier recorder left open and that nobody can go on with.
import type { Problem } from '../base/problem.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { readSpooled, type Spool, type SpoolNote } from './spool.ts';
import type { Uploader } from './uploader.ts';

/**
 * Makes closed windows of the open ones that `isOver` names.
 * @param forget whether nobody will go on reading behind them: then nothing of an empty window is kept either
 */
export function endOpenWindows(
  spool: Spool,
  uploader: Uploader,
  isOver: (note: SpoolNote) => boolean,
  forget = false,
): readonly Problem[] {
  const problems: Problem[] = [];
  for (const spooled of spool.list()) {
    if (!spooled.isOpen || !isOver(spooled.note)) continue;
    const read = readSpooled(spooled.path);
    if (read === null || read.snapshot.length === 0) {
      if (forget) spool.remove(spooled);
      continue;
    }
    const { value, problems: found } = decodeSnapshot(read.snapshot, spooled.path);
    problems.push(...found);
    if (value === null) {
      spool.remove(spooled);
      continue;
    }
    const { provisional: _, ...header } = value.header;
    const message = 'the recorder ended before this window did';
    const told = { ...header, problems: [...header.problems, { severity: 'info', message } as const] };
    const closed = spool.saveClosed(read.note, encodeSnapshot({ header: told, profile: value.profile }));
    if (!forget) {
      spool.saveOpen({ ...read.note, sequence: read.note.sequence + 1 }, new Uint8Array(0));
      uploader.add(spool, closed);
    }
  }
  return problems;
}
