// Writes a picture or tracks as bytes: a header in JSON and columns, as `FrameHeader` says.
import { BASELINE_COLUMNS, BOX_COLUMNS, type ColumnKind, CUT_COLUMNS } from '../analysis/frame-columns.ts';
import type { BaselineColumns, PictureColumns } from '../analysis/picture-columns.ts';
import type { FrameHeader } from './view-messages.ts';

type Column = Float64Array | Int32Array | Uint8Array;

/** @param columns of which `method` is a row of the header's methods. */
export function frameBytes(
  header: FrameHeader,
  { cuts, ...boxes }: PictureColumns,
  baseline: BaselineColumns | null,
): Uint8Array {
  return packedBytes(header, [
    ...inOrder(BOX_COLUMNS, boxes),
    ...inOrder(CUT_COLUMNS, cuts),
    ...(baseline === null ? [] : inOrder(BASELINE_COLUMNS, baseline)),
  ]);
}

export function packedBytes(header: object, columns: readonly Column[]): Uint8Array {
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

export function inOrder<Name extends string>(
  table: Readonly<Record<Name, ColumnKind>>,
  columns: Readonly<Record<Name, Column>>,
): Column[] {
  return (Object.keys(table) as Name[]).map(name => columns[name]);
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
