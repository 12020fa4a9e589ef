// Reads the lines of thread dumps that say which locks a thread holds or waits for.
import type { DumpedLock } from './dumped-thread.ts';

/** `-  locked java.lang.Object@1b2c3d`, as ThreadInfo writes it, and the same in its other words. */
const WITH_HASH = /^(blocked|waiting|parking|locked)\b.*? ([\w.$/+[\];]+)@([0-9a-f]+)$/;
/** A synchronizer alone in its list: `java.util.concurrent.ThreadPoolExecutor$Worker@5e8c92f4`. */
const ALONE = /^([\w.$/+]+)@([0-9a-f]+)$/;

/**
 * The lock in a line behind its dash: `locked <0x…> (a X)`, `waiting to lock <…>`, `parking to wait for  <…>`, `<0x…> (a X)`,
 * `locked X@1b2c3d`; null for others. `frame` is the place of the frame above the line.
 */
export function parseLock(text: string, frame: number): DumpedLock | null {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  if (open < 0 || close < 0) return hashedLock(text, frame);
  const what = text.slice(0, open).trim().toLowerCase();
  const inside = text.slice(open + 1, close);
  const end = text.lastIndexOf(')');
  const from = text.startsWith(' (a ', close + 1) ? close + 5 : -1;
  const named = from > 0 && end > from ? text.slice(from, end) : undefined;
  const synchronizer = named !== undefined && (what === '' || frame < 0);
  if (synchronizer) return { kind: 'held', of: 'synchronizer', id: idOf(inside), className: named, frame: -1 };
  if (!/^(?:locked|waiting|parking|eliminated|blocked)/.test(what)) return null;
  // `<java.lang.Thread@6367fa7a>` holds class and hash; the other notation has the address there and the class behind it.
  const at = named === undefined ? inside.lastIndexOf('@') : -1;
  const className = named ?? (at > 0 ? inside.slice(0, at) : '');
  return lockOf(what, at > 0 ? inside.slice(at + 1) : idOf(inside), className, frame);
}

function hashedLock(text: string, frame: number): DumpedLock | null {
  const alone = ALONE.exec(text);
  if (alone !== null) return { kind: 'held', of: 'synchronizer', id: alone[2]!, className: alone[1]!, frame: -1 };
  const found = WITH_HASH.exec(text);
  return found === null ? null : lockOf(found[1]!, found[3]!, found[2]!, frame);
}

function lockOf(what: string, id: string, className: string, frame: number): DumpedLock {
  const held = what.startsWith('locked') || what.startsWith('eliminated');
  const of = what.startsWith('parking') ? 'synchronizer' : 'monitor';
  return { kind: held ? 'held' : 'awaited', of, id, className, frame };
}

/** An address or a hash; `no object reference available` is none. */
function idOf(inside: string): string {
  return /^(?:0x)?[0-9a-fA-F]+$/.test(inside) ? inside : '';
}
