// Opens a file in a folder where another user may put anything: this process may be allowed to read what that user is not.
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/**
 * The descriptor of the file, for reading; the caller closes it. Raises where it is a link, no plain file, or another user's.
 * @param user null where the owner does not matter
 */
export function openPlain(path: string, user: number | null): number {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const about = fstatSync(descriptor);
  if (about.isFile() && (user === null || about.uid === user)) return descriptor;
  closeSync(descriptor);
  throw new Error("it is no plain file of the JVM's user");
}
