// Frames that are no methods: people neither search for them nor name them.
import { objectClassOf } from './object-classes.ts';
import { pauseOf } from './pauses.ts';

/** Whether a frame stands for objects or for pauses. */
export function isNoMethod(frameClass: string, method: string): boolean {
  return objectClassOf(frameClass, method) !== null || pauseOf(frameClass, method) !== null;
}
