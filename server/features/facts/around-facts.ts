// What stands around a declaration's methods, as it was gathered before.
import { answer, NotGathered } from '../../analysis/ask.ts';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import type { SurroundingFact, Surroundings } from '../../analysis/surroundings-answer.ts';
import type { MappedDeclaration } from '../../mapping/document-map.ts';

/** One thing around the methods of a declaration, on all its lines. What was not gathered is as for `factsOf`. */
export function aroundFact<Fact extends SurroundingFact>(
  data: LoadedData,
  { methods }: Pick<MappedDeclaration, 'methods'>,
  fact: Fact,
): Surroundings[Fact] {
  const known: Surroundings[Fact] | undefined = data.answers.surroundingsOf(methods)[fact];
  if (known !== undefined) return known;
  if (!data.answers.mayWalk) throw new NotGathered({ data, around: { sets: [methods], facts: [fact] } });
  const [found = {}] = answer(data, 'surroundings', { sets: [methods], facts: [fact] });
  data.answers.keepSurroundings(methods, found);
  return found[fact]!;
}
