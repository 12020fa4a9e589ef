// Undoes xz (LZMA2 in .xz files), which Node.js does not know: part by part, with its checks, from a source of any size.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import { crc64 } from './crc64.ts';
import { Lzma } from './lzma.ts';

/** What is wrong with the compressed bytes. */
class XzFlaw extends Error {}

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const HEADER_BYTES = 12;
const FOOTER_BYTES = 12;
const LZMA2 = 0x21;
/** The window of `xz -9`; nothing that asks for more is read. */
const MOST_WINDOW = 64 << 20;
/** Blocks and streams of one file: each has parts of its own to begin with. */
const MOST_BLOCKS = 100_000;

function isHeader(start: Uint8Array): boolean {
  return MAGIC.every((byte, i) => start[i] === byte);
}

/** The content in parts of at most 2 MiB. Throws XzFlaw, also where the check of what was handed over is wrong. */
export function* xzParts(source: ByteSource): Generator<Uint8Array, void, void> {
  const input = new Input(source);
  let blocks = 0;
  let lzma: Lzma | null = null;
  while (!input.isAtEnd) {
    const checkBytes = readHeader(input);
    for (let size = input.byte(); size !== 0; size = input.byte()) {
      if (++blocks > MOST_BLOCKS) throw new XzFlaw('it has too many parts');
      const window = readBlockHeader(input, size);
      // Memory for a window takes longer to come by than most blocks to read.
      if (lzma?.window !== window) lzma = new Lzma(window);
      lzma.forget();
      yield* readBlock(input, lzma, checkBytes);
    }
    skipIndex(input);
    input.bytes(FOOTER_BYTES);
    // Streams are padded by groups of four zeros.
    while (!input.isAtEnd && input.peek() === 0) input.bytes(4);
  }
}

/** Kinds of checks by the number in the header, and their bytes. */
const CHECK_BYTES: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 4],
  [4, 8],
  [10, 32],
]);

function readHeader(input: Input): number {
  const header = input.bytes(HEADER_BYTES);
  if (!isHeader(header)) throw new XzFlaw('a stream does not begin as one');
  const view = new DataView(header.buffer, header.byteOffset);
  if (crc32(header.subarray(6, 8)) !== view.getUint32(8, true)) throw new XzFlaw('its header is damaged');
  const bytes = CHECK_BYTES.get(header[7]!);
  if (header[6] !== 0 || bytes === undefined) throw new XzFlaw('it has a check of an unknown kind');
  return bytes;
}

function* readBlock(input: Input, lzma: Lzma, checkBytes: number): Generator<Uint8Array, void, void> {
  const before = input.position;
  const check = new Check(checkBytes);
  for (let control = input.byte(); control !== 0; control = input.byte()) {
    const part = readChunk(input, lzma, control);
    check.add(part);
    yield part;
  }
  input.bytes((4 - ((input.position - before) % 4)) % 4);
  if (!check.fits(input.bytes(checkBytes))) throw new XzFlaw('its check is wrong: the file was damaged');
}

/** Bytes of the window that the only filter, LZMA2, needs. */
function readBlockHeader(input: Input, size: number): number {
  const rest = input.bytes((size + 1) * 4 - 1);
  const body = rest.subarray(0, -4);
  const view = new DataView(rest.buffer, rest.byteOffset + body.length);
  if (crc32(Buffer.concat([Uint8Array.of(size), body])) !== view.getUint32(0, true))
    throw new XzFlaw('the header of a part is damaged');
  const fields = new Numbers(body);
  const flags = fields.byte();
  if ((flags & 3) !== 0) throw new XzFlaw('it was made with filters beside LZMA2');
  if ((flags & 0x40) !== 0) fields.next();
  if ((flags & 0x80) !== 0) fields.next();
  if (fields.next() !== LZMA2 || fields.next() !== 1) throw new XzFlaw('it was not made with LZMA2');
  const bits = fields.byte();
  if (bits > 40) throw new XzFlaw('its window has no size');
  const window = bits === 40 ? 2 ** 32 - 1 : (2 | (bits & 1)) * 2 ** (Math.floor(bits / 2) + 11);
  if (window > MOST_WINDOW) throw new XzFlaw(`it needs a window of ${window} bytes, more than ${MOST_WINDOW}`);
  return window;
}

/** One chunk of LZMA2: plain bytes, or LZMA, each with what is to be forgotten before. */
function readChunk(input: Input, lzma: Lzma, control: number): Uint8Array {
  if (control < 0x80) {
    if (control > 2) throw new XzFlaw('a chunk is of an unknown kind');
    if (control === 1) lzma.forgetWindow();
    return lzma.copy(input.bytes(input.short() + 1));
  }
  const size = ((control & 0x1f) << 16) + input.short() + 1;
  const packed = input.short() + 1;
  const reset = (control >> 5) & 3;
  if (reset === 3) lzma.forgetWindow();
  if (reset >= 2) lzma.setProperties(input.byte());
  else if (reset === 1) lzma.forgetState();
  const part = lzma.decode(input.bytes(packed), size);
  if (part === null) throw new XzFlaw('its LZMA data are broken');
  return part;
}

/** The list of all parts behind the last of them; its indicator was read. */
function skipIndex(input: Input): void {
  const start = input.position - 1;
  for (let records = input.number(); records > 0; records--) {
    input.number();
    input.number();
  }
  input.bytes((4 - ((input.position - start) % 4)) % 4);
  input.bytes(4);
}

/** Sums up what is handed over, as the stream says. */
class Check {
  readonly #bytes: number;
  #crc32 = 0;
  readonly #crc64 = crc64();
  readonly #sha256 = createHash('sha256');

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  add(part: Uint8Array): void {
    if (this.#bytes === 4) this.#crc32 = crc32(part, this.#crc32);
    else if (this.#bytes === 8) this.#crc64.add(part);
    else if (this.#bytes === 32) this.#sha256.update(part);
  }

  fits(expected: Uint8Array): boolean {
    const found = Buffer.alloc(this.#bytes);
    if (this.#bytes === 4) found.writeUInt32LE(this.#crc32);
    else if (this.#bytes === 8) found.set(this.#crc64.bytes());
    else if (this.#bytes === 32) found.set(this.#sha256.digest());
    return found.equals(expected);
  }
}

/** Whole numbers of seven bits a byte. */
class Numbers {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new XzFlaw('the header of a part ends too early');
    return byte;
  }

  next(): number {
    return numberOf(() => this.byte());
  }
}

function numberOf(byte: () => number): number {
  let value = 0;
  for (let factor = 1; factor <= 2 ** 56; factor *= 128) {
    const next = byte();
    value += (next & 0x7f) * factor;
    if (next < 0x80) return value;
  }
  throw new XzFlaw('a number has too many bytes');
}

const BLOCK_SIZE = 1 << 18;

/** Reads on through a source; XzFlaw where it ends too early. */
class Input {
  readonly #source: ByteSource;
  #block = Buffer.alloc(0);
  #start = 0;
  position = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#source.size;
  }

  peek(): number {
    return this.#view(1)[0]!;
  }

  byte(): number {
    return this.bytes(1)[0]!;
  }

  short(): number {
    const [high, low] = this.bytes(2);
    return (high! << 8) | low!;
  }

  number(): number {
    return numberOf(() => this.byte());
  }

  /** A view, until the next call. */
  bytes(length: number): Uint8Array {
    const view = this.#view(length);
    this.position += length;
    return view;
  }

  #view(length: number): Uint8Array {
    const from = this.position - this.#start;
    if (from + length <= this.#block.length) return this.#block.subarray(from, from + length);
    const block = Buffer.alloc(Math.max(0, Math.min(Math.max(BLOCK_SIZE, length), this.#source.size - this.position)));
    this.#block = block.subarray(0, this.#source.read(this.position, block));
    this.#start = this.position;
    if (this.#block.length < length) throw new XzFlaw('it ends too early');
    return this.#block.subarray(0, length);
  }
}
