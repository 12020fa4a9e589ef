// The cells of one metric as bytes: column after column, each as small differences.
import { findCellFlaw } from '../cct/cell-flaw.ts';
import type { Cells } from '../cct/profile.ts';
import { sharedFloat64, sharedInt32 } from '../cct/shared-columns.ts';
import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { FormatFlaw } from './format.ts';
import { packNumbers, unpackNumbers } from './numbers.ts';

/** Node, thread, line and window of each cell, then count, then weight and squares where the metric has weights. */
export function packCells(cells: Cells): Uint8Array {
  const { length, node, thread, line, window, count, weight, weightSquares } = cells;
  const writer = new ByteWriter(length * 8 + 64);
  for (let i = 0; i < length; i++) writer.varint(node[i]! - (i === 0 ? 0 : node[i - 1]!));
  for (let i = 0; i < length; i++) writer.varint(thread[i]!);
  for (let i = 0; i < length; i++) writer.signed(line[i]! - baseLine(cells, i));
  for (let i = 0; i < length; i++) writer.signed(window[i]! - baseWindow(cells, i));
  packNumbers(writer, count);
  if (weightSquares === null) return writer.finish();
  packNumbers(writer, weight);
  const exceptions: number[] = [];
  for (let i = 0; i < length; i++) if (weightSquares[i] !== expectedSquares(weight[i]!, count[i]!)) exceptions.push(i);
  writer.varint(exceptions.length);
  let before = 0;
  for (const row of exceptions) {
    writer.varint(row - before);
    before = row;
  }
  for (const row of exceptions) writer.float64(weightSquares[row]!);
  return writer.finish();
}

/** Cells of one node and thread stand in order of lines, so that the one before is near. */
function baseLine({ node, thread, line }: Pick<Cells, 'node' | 'thread' | 'line'>, i: number): number {
  return i > 0 && node[i] === node[i - 1] && thread[i] === thread[i - 1] ? line[i - 1]! : 0;
}

/** Cells of one node were mostly seen in the same window. */
function baseWindow({ node, window }: Pick<Cells, 'node' | 'window'>, i: number): number {
  return i > 0 && node[i] === node[i - 1] ? window[i - 1]! : 0;
}

/** The sum of squares where all samples of the cell weigh the same; exact for a single one. */
function expectedSquares(weight: number, count: number): number {
  return count > 0 ? (weight * weight) / count : 0;
}

/** The name and size of a section's cells, as the file tells them. */
type CellShape = {
  readonly name: string;
  readonly cells: number;
  readonly weighted: boolean;
  readonly nodes: number;
  readonly threads: number;
  readonly windows: number;
};

/** Reads what packCells wrote; throws FormatFlaw. */
export function unpackCells(bytes: Uint8Array, shape: CellShape): Cells {
  const reader = new ByteReader(shape.name, bytes);
  const length = shape.cells;
  const node = sharedInt32(length);
  const thread = sharedInt32(length);
  const line = sharedInt32(length);
  const window = sharedInt32(length);
  for (let i = 0, at = 0; i < length; i++) {
    at += reader.varint();
    if (at >= shape.nodes) reader.fail(`node ${at} is outside the tree of ${shape.nodes}`);
    node[i] = at;
  }
  for (let i = 0; i < length; i++) thread[i] = reader.row(shape.threads, 'thread');
  for (let i = 0; i < length; i++) {
    const value = reader.signed() + baseLine({ node, thread, line }, i);
    if (value !== (value | 0)) reader.fail(`line ${value} has more than 32 bits`);
    line[i] = value;
  }
  for (let i = 0; i < length; i++) {
    const value = reader.signed() + baseWindow({ node, window }, i);
    if (!(value >= 0 && value < shape.windows)) reader.fail(`window ${value} is outside the ${shape.windows}`);
    window[i] = value;
  }
  const count = unpackNumbers(reader, length);
  const weight = shape.weighted ? unpackNumbers(reader, length) : count;
  const weightSquares = shape.weighted ? unpackSquares(reader, weight, count) : null;
  reader.end();
  const cells: Cells = { length, node, thread, line, window, count, weight, weightSquares };
  const flaw = findCellFlaw(cells, shape, shape.name);
  if (flaw !== null) throw new FormatFlaw(`column ${flaw.column}, row ${flaw.row}`, flaw.message);
  return cells;
}

function unpackSquares(reader: ByteReader, weight: Float64Array, count: Float64Array): Float64Array {
  const squares = sharedFloat64(weight.length);
  for (let i = 0; i < squares.length; i++) squares[i] = expectedSquares(weight[i]!, count[i]!);
  const exceptions = reader.row(squares.length + 1, 'number of exceptions');
  const rows = new Int32Array(exceptions);
  for (let i = 0, at = 0; i < exceptions; i++) {
    at += reader.varint();
    if (at >= squares.length) reader.fail(`cell ${at} is outside the ${squares.length}`);
    rows[i] = at;
  }
  for (const row of rows) squares[row] = reader.float64();
  return squares;
}
