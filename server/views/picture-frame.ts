// Writes a picture as bytes: a header in JSON and columns, as `FrameHeader` says.
import type { PictureColumns } from '../analysis/picture-columns.ts';
import type { FrameHeader } from './view-messages.ts';

type Column = Float64Array | Int32Array | Uint8Array | Int8Array;

/** Beside the boxes: their shares in the baseline, and the verdicts by their number in `VERDICTS`. */
export type BaselineColumns = { readonly share: Float64Array; readonly verdict: Uint8Array };

/** @param columns of which `method` is a row of the header's methods. */
export function frameBytes(
  header: FrameHeader,
  { cuts, ...boxes }: PictureColumns,
  baseline: BaselineColumns | null,
): Uint8Array {
  const { id, start, end, weight, count, self, parent, method, row, flags } = boxes;
  const columns: Column[] = [
    ...[id, start, end, weight, count, self, parent, method, row, flags],
    ...[cuts.start, cuts.end, cuts.weight, cuts.count, cuts.parent, cuts.parts, cuts.hits],
    ...(baseline === null ? [] : [baseline.share, baseline.verdict]),
  ];
  const json = Buffer.from(JSON.stringify(header));
  const columnsAt = aligned(4 + json.length);
  const bytes = new Uint8Array(columns.reduce((at, { byteLength }) => aligned(at) + byteLength, columnsAt));
  new DataView(bytes.buffer).setUint32(0, columnsAt - 4, true);
  bytes.fill(0x20, 4, columnsAt);
  bytes.set(json, 4);
  let at = columnsAt;
  for (const { buffer, byteOffset, byteLength } of columns) {
    at = aligned(at);
    // Every machine that Node.js runs on is little-endian.
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
