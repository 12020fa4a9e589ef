// The message of an error, for messages that go on with a reason.

/** The message of an error; of anything else that was thrown its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
