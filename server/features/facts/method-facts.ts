// The numbers of one declaration: as they were gathered before, else asked for here.
import { answer } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { MethodFacts, MethodsAndLines } from '../../analysis/method-facts.ts';

/** Numbers do not depend on the text, so that a keystroke asks for none. */
export function factsOf(data: LoadedData, set: MethodsAndLines): MethodFacts {
  const known = data.answers.numbersOf(set);
  if (known !== undefined) return known;
  const [found] = answer(data, 'numbers', { sets: [set] });
  data.answers.keepNumbers(set, found!);
  return found!;
}
