// The error that decoding raises inside the JFR reader; it is caught where reading can go on and becomes a Problem.

/** Bytes that cannot be what the format says, with their offset inside the chunk. Never leaves the reader. */
export class FormatError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
