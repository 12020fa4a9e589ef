// Knows the methods by which the Java platform starts threads and tasks of its pools: a path from a thread begins below them.
import { isThreadStart } from '../../base/thread-starts.ts';
import { METHOD_FLAG, type MethodTable, PARTIAL_METHOD } from '../../cct/profile.ts';

/** One byte a method row: 1 where the platform starts threads by it. What is not Java above the first Java frame starts a thread too. */
export function threadStarts({ length, strings, className, name, flags }: MethodTable): Uint8Array {
  const starts = new Uint8Array(length);
  for (let row = PARTIAL_METHOD + 1; row < length; row++) {
    const owner = strings[className[row]!]!;
    const isStart = (flags[row]! & METHOD_FLAG.foreign) !== 0 || isThreadStart(owner, strings[name[row]!]!);
    if (isStart) starts[row] = 1;
  }
  return starts;
}
