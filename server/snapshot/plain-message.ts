// Looks over a packed header before it is unpacked, so that no hostile one can take memory or depth.
import { FormatFlaw } from './format.ts';

const DEEPEST = 12;

/**
 * Accepts MessagePack of nil, booleans, numbers, strings, arrays and maps, nested at most 12 deep, that ends where the bytes end.
 * Extensions, binary data, and containers that claim more elements than bytes are left are refused with FormatFlaw.
 */
export function checkPlainMessage(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** Elements still to come in each open container. */
  const open: number[] = [1];
  let at = 0;
  const refuse = (message: string): never => {
    throw new FormatFlaw(`header, byte ${at}`, message);
  };
  while (open.length > 0) {
    const left = open.pop()!;
    if (left === 0) continue;
    open.push(left - 1);
    if (at >= bytes.length) refuse('ends too early');
    const { head, skip, elements } = tokenAt(view, at) ?? refuse(`has the unexpected type ${bytes[at]}`);
    if (at + head + skip > bytes.length) refuse('ends too early');
    at += head + skip;
    if (elements === 0) continue;
    if (elements > bytes.length - at) refuse(`claims ${elements} elements`);
    if (open.length >= DEEPEST) refuse('is nested too deep');
    open.push(elements);
  }
  if (at !== bytes.length) refuse(`has ${bytes.length - at} bytes too many`);
}

type Token = { readonly head: number; readonly skip: number; readonly elements: number };

/** Sizes by first byte of tokens without a length field: nil, booleans, floats, integers. */
const FIXED = new Map([
  [0xc0, 0],
  [0xc2, 0],
  [0xc3, 0],
  [0xca, 4],
  [0xcb, 8],
  [0xcc, 1],
  [0xcd, 2],
  [0xce, 4],
  [0xcf, 8],
  [0xd0, 1],
  [0xd1, 2],
  [0xd2, 4],
  [0xd3, 8],
]);

/** Bytes of the length field by first byte, and how many elements or bytes one unit of it means. */
const LENGTHS = new Map<number, { size: 1 | 2 | 4; kind: 'text' | 'array' | 'map' }>([
  [0xd9, { size: 1, kind: 'text' }],
  [0xda, { size: 2, kind: 'text' }],
  [0xdb, { size: 4, kind: 'text' }],
  [0xdc, { size: 2, kind: 'array' }],
  [0xdd, { size: 4, kind: 'array' }],
  [0xde, { size: 2, kind: 'map' }],
  [0xdf, { size: 4, kind: 'map' }],
]);

function tokenAt(view: DataView, at: number): Token | null {
  const type = view.getUint8(at);
  if (type < 0x80 || type >= 0xe0) return { head: 1, skip: 0, elements: 0 };
  if (type < 0x90) return { head: 1, skip: 0, elements: (type & 0x0f) * 2 };
  if (type < 0xa0) return { head: 1, skip: 0, elements: type & 0x0f };
  if (type < 0xc0) return { head: 1, skip: type & 0x1f, elements: 0 };
  const fixed = FIXED.get(type);
  if (fixed !== undefined) return { head: 1 + fixed, skip: 0, elements: 0 };
  const field = LENGTHS.get(type);
  if (field === undefined) return null;
  const { size, kind } = field;
  if (at + 1 + size > view.byteLength) return { head: 1 + size, skip: 0, elements: 0 };
  const length = size === 1 ? view.getUint8(at + 1) : size === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (kind === 'text') return { head: 1 + size, skip: length, elements: 0 };
  return { head: 1 + size, skip: 0, elements: kind === 'map' ? length * 2 : length };
}
