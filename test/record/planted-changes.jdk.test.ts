// Tests a comparison of real JVMs: planted changes are found with context and commit, and changes without effect are not reported.
import { afterAll, expect, test } from 'vitest';
import { needs } from '../support/engines/needs.ts';
import { idleChanges, PlantedForks, plantedChanges } from '../support/recordings/planted.ts';

const ORDERS = 15_000;
const ROUNDS = 4;
/** Some twenty runs of the sample. */
const LONGEST_MILLIS = 420_000;

needs('jdk17', 'four forks before and four now', jdk => {
  const forks = new PlantedForks(jdk, ORDERS);
  afterAll(() => forks.remove());

  test(
    'of two planted changes and two without effect',
    async () => {
      const planted = plantedChanges(await forks.turns()).filter(({ points }) => points === 20);
      const changes = [planted[0]!, planted[1]!, ...idleChanges.filter(({ name }) => /moved|wrapper/.test(name))];
      await forks.record(changes, ROUNDS, 1);
      const outcomes = forks.outcomes(changes);
      const told = outcomes.map(({ change, verdict }) => `${change.name}: ${verdict}`);
      expect(told, JSON.stringify(outcomes.map(({ reports }) => reports))).toEqual([
        `${changes[0]!.name}: found`,
        `${changes[1]!.name}: found`,
        `${changes[2]!.name}: nothing`,
        `${changes[3]!.name}: nothing`,
      ]);
    },
    LONGEST_MILLIS,
  );
});
