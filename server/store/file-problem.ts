// Turns errors of the file system into problems that say what happened and what to do.
import { messageOf } from '../base/message-of.ts';
import type { Problem } from '../base/problem.ts';
import { errorCode } from '../base/regular-file.ts';

const REASONS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOENT: ['it does not exist', 'check the path'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'give the path of a folder'],
  EACCES: ['permission is denied', 'give this user the right to read and write there, or choose another store'],
  EPERM: ['permission is denied', 'give this user the right to read and write there, or choose another store'],
  EROFS: ['the file system is read-only', 'choose a store that can be written to'],
  ENOSPC: ['the disk is full', 'make room or choose another store'],
  EDQUOT: ['the disk quota is used up', 'make room or choose another store'],
  ENAMETOOLONG: ['its path is too long', 'choose a store with a shorter path or shorter names'],
  EISDIR: ['it is a folder', 'remove it from the store'],
  ELOOP: ['it is a link that leads back to itself', 'replace it by the folder or file that is meant'],
  EIO: ['the disk or the network does not answer', 'check them, or choose another store'],
  link: ['a symbolic link in a store is not followed', 'move what it leads to here, or choose that as the store'],
  dangling: ['it is a link that leads nowhere', 'make the folder that it leads to, or choose another store'],
  'no file': ['it is a pipe or a device, not a file', 'remove it from the store'],
  EMFILE: ['too many files are open', 'try again'],
};

/** A folder in a store is a link, and what lies behind it none of the store's; or the store is one, and nothing lies there. */
export class StoreLink extends Error {
  readonly code: 'link' | 'dangling';
  readonly path: string;

  constructor(code: StoreLink['code'], path: string) {
    super(`${path} is a symbolic link`);
    this.code = code;
    this.path = path;
  }
}

/** A problem of severity error: `what` failed for `file` because of `error`; a link on the way is named in place of the file. */
export function fileProblem(what: string, file: string, error: unknown): Problem {
  const [reason, remedy] = REASONS[errorCode(error)] ?? [messageOf(error)];
  return {
    severity: 'error',
    message: `${what}: ${reason}`,
    file: error instanceof StoreLink ? error.path : file,
    ...(remedy === undefined ? {} : { remedy }),
  };
}
