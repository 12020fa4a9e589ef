// Says why a folder of chunk files that the user named is not read.

import { type Stats, statSync } from 'node:fs';
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';

/** null where it can be followed. A user other than root reads only what belongs to the same user. */
export function folderFlaw(folder: string, own = process.geteuid?.() ?? -1): Problem | null {
  let about: Stats | undefined;
  try {
    about = statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    const message = `the folder cannot be reached: ${messageOf(error)}`;
    return { severity: 'error', message, file: folder, remedy: 'run insitu as the user of the JVM or as root' };
  }
  if (about === undefined || !about.isDirectory()) {
    const remedy = 'start its JVM, or name the folder that jcmd <pid> JFR.configure prints';
    return { severity: 'warning', message: 'there is no such folder of chunk files', file: folder, remedy };
  }
  if (own === 0 || about.uid === own) return null;
  const remedy = `run insitu as user ${about.uid} or as root`;
  return { severity: 'error', message: "the recordings there belong to another user's account", file: folder, remedy };
}
