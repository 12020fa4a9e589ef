// Keeps the memory for new objects as small as it begins: a recorder makes little that lasts, day after day.
import { setFlagsFromString } from 'node:v8';

/**
 * V8 doubles this memory, from 2 MiB up to 128 MiB, each time as much has outlived a collection as it holds, however long that took, and
 * gives it back only to processes that do next to nothing. What a recorder frees besides are columns outside of V8's heap, which are
 * freed sooner when the small objects that hold them are collected often. To be called before there are other threads.
 */
export function keepYoungSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
