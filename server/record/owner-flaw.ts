// Checks the owner of recordings before a recorder reads them.
import { statSync } from 'node:fs';
import type { Problem } from '../base/problem.ts';

/**
 * A user other than root reads only what belongs to the same user, and root only what is the JVM's own: a JVM may call any folder
 * its repository.
 */
export function ownerFlaw(repository: string, user: number, own = process.geteuid?.() ?? -1): Problem | null {
  try {
    const { uid } = statSync(repository);
    if (own === 0 ? user === 0 || uid === user : uid === own) return null;
    return {
      severity: 'error',
      message: "its recordings belong to another user's account",
      file: repository,
      remedy: own === 0 ? 'start the JVM with a repository of its own user' : `run insitu as user ${uid} or as root`,
    };
  } catch {
    return {
      severity: 'error',
      message: 'the repository of the JVM cannot be reached',
      file: repository,
      remedy: 'let the recorder see the file system of the container: share its process namespace',
    };
  }
}
