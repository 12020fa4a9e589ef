// Frames of call paths for exports: from a cell of a profile to the methods and lines of its stack.
import { EMPTY_STACK_LINE } from '../../cct/builder.ts';
import { PARTIAL_METHOD, type Profile, ROOT_METHOD } from '../../cct/profile.ts';
import type { FrameDetail } from './collapsed.ts';

/** Stands for the frames that a stack cut off at the root end lacks, and for the stack of a sample without one. */
const TRUNCATED_FRAME = '[truncated]';
const NO_STACK_FRAME = '[no stack]';

/** `visit(method row, line)` for each frame, innermost first; the rows PARTIAL_METHOD and ROOT_METHOD stand for what is missing. */
export function eachFrame(
  { tree }: Profile,
  node: number,
  line: number,
  visit: (method: number, line: number) => void,
): void {
  if (tree.method[node] === ROOT_METHOD) {
    if (line !== EMPTY_STACK_LINE) visit(ROOT_METHOD, 0);
    return;
  }
  let executing = line;
  for (let at = node; at > 0; at = tree.parent[at]!) {
    const method = tree.method[at]!;
    visit(method, method === PARTIAL_METHOD ? 0 : executing);
    executing = tree.callLine[at]!;
  }
}

/** The name of a method row; with `full`, its descriptor behind it. */
export function methodName({ methods }: Profile, row: number, detail: FrameDetail): string {
  if (row === ROOT_METHOD) return NO_STACK_FRAME;
  if (row === PARTIAL_METHOD) return TRUNCATED_FRAME;
  const { strings, className, name, descriptor } = methods;
  const owner = strings[className[row]!]!;
  const signature = detail === 'full' && descriptor[row]! >= 0 ? strings[descriptor[row]!]! : '';
  return `${owner === '' ? '' : `${owner}.`}${strings[name[row]!]!}${signature}`;
}

/** Numbers for pairs of integers, in the order in which they first come. */
export class PairNumbers {
  readonly #rows = new Map<number, Map<number, number>>();
  readonly pairs: [number, number][] = [];

  of(first: number, second: number): number {
    let row = this.#rows.get(first);
    if (row === undefined) {
      row = new Map();
      this.#rows.set(first, row);
    }
    let number = row.get(second);
    if (number === undefined) {
      number = this.pairs.push([first, second]) - 1;
      row.set(second, number);
    }
    return number;
  }
}
