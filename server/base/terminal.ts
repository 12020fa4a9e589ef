// Where text for people leaves this process: whatever stands in it, only our own styles, line breaks and tabs reach the terminal as such.
import { format, styleText } from 'node:util';
import { printable, printableLine, printableLines } from './printable.ts';

type Style = Parameters<typeof styleText>[0];

/** A text that stands out where colours are shown; of one line. */
export type Styled = { readonly style: Style; readonly text: string };

/** Text as it comes, or with a style of ours: a text cannot bring its own. */
export type Piece = string | Styled;

/** Where commands write: results on standard output, everything else on standard error. */
export type Output = {
  readonly out: (...pieces: readonly Piece[]) => void;
  readonly err: (text: string) => void;
  /** Writes text in a format of other programs to standard output, as it is unless that is a terminal. */
  readonly data: (text: string) => void;
  /** Writes bytes as they are to standard output; absent where that shows text only. */
  readonly bytes?: (bytes: Uint8Array) => void;
  /** The command goes on with a part of its work, and ends with status 1. */
  readonly failed?: () => void;
  /** Draws over what was drawn before, on standard error; absent where that is no terminal. */
  readonly drawn?: NodeJS.WritableStream;
  /** Characters in a line of standard output; absent where that is no terminal, and lines may be of any length. */
  readonly columns?: number;
};

/** The streams of an output and their abilities; tests give their own. */
type Streams = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly bytes?: (bytes: Uint8Array) => void;
  readonly drawn?: NodeJS.WritableStream;
  readonly columns?: number;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Standard output shows colours. */
  readonly colour: boolean;
};

export function styled(style: Style, text: string): Styled {
  return { style, text };
}

/** The output for some pieces. */
function terminalText(pieces: readonly Piece[], colour: boolean): string {
  const texts = pieces.map(piece => {
    if (typeof piece === 'string') return printableLines(piece);
    const safe = printable(piece.text);
    return colour ? styleText(piece.style, safe, { validateStream: false }) : safe;
  });
  return texts.join('');
}

export function outputTo({ out, err, bytes, drawn, columns, isTerminal, colour }: Streams): Output {
  return {
    out: (...pieces) => out(terminalText(pieces, colour)),
    err: text => err(terminalText([text], false)),
    data: text => out(isTerminal ? terminalText([text], false) : text),
    ...(isTerminal || bytes === undefined ? {} : { bytes }),
    ...(drawn === undefined ? {} : { drawn }),
    ...(isTerminal && columns !== undefined ? { columns } : {}),
  };
}

/** Writes to this process's streams; NO_COLOR and pipes turn colours off. */
export function processOutput(): Output {
  const { stdout, stderr, env } = process;
  const isTerminal = stdout.isTTY === true;
  return outputTo({
    out: text => void stdout.write(text),
    err: text => void stderr.write(text),
    bytes: bytes => void stdout.write(bytes),
    ...(stderr.isTTY === true ? { drawn: stderr } : {}),
    // A terminal that does not tell its width says 0.
    ...(stdout.columns > 0 ? { columns: stdout.columns } : {}),
    isTerminal,
    colour: isTerminal ? !env.NO_COLOR : Boolean(env.FORCE_COLOR),
  });
}

/** A reader that has seen enough (`insitu top | head -1`) closes the pipe: that is no failure. A full disk is one. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    processOutput().err(`error: standard output: what was found cannot be written: ${printableLine(error.message)}\n`);
    process.exit(1);
  });
}

/** The reader of the output may be gone: this process goes on all the same. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.removeAllListeners('error').on('error', () => undefined);
}

/** Sends the prints of libraries to standard error, made safe: standard output is for messages. */
export function printOnErrorsOnly(): void {
  const print = (...parts: readonly unknown[]) => processOutput().err(`${format(...parts)}\n`);
  Object.assign(console, { log: print, info: print, debug: print, warn: print, error: print });
}
