// Which versions of an engine a test file drives: in the short run most files have the newer one, and a few smoke tests name both themselves.
import { isInFull } from '../runs.ts';

/** Versions of the engine, oldest first. */
export function neovims(): readonly ('nvim010' | 'nvim012')[] {
  return isInFull() ? ['nvim010', 'nvim012'] : ['nvim012'];
}

/** Versions of the engine, oldest first. */
export function jdks(): readonly ('jdk17' | 'jdk25')[] {
  return isInFull() ? ['jdk17', 'jdk25'] : ['jdk25'];
}
