// Does things as a user who is not root: permissions stop nothing that root does.

/** Root can become another user for a test; other users are not root already. */
export const IS_ROOT = process.geteuid?.() === 0;
export const NOBODY = IS_ROOT ? 65_534 : process.geteuid!();

/** Does it as a user that is not root, in a group of that user: the system asks for both. */
export async function asNobody<T>(work: () => Promise<T>, group = NOBODY): Promise<T> {
  if (!IS_ROOT) return work();
  process.setegid!(group);
  process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}
