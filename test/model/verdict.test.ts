// The list of verdicts: files and messages hold the places and the words, so that neither may change by chance.
import { expect, test } from 'vitest';
import { isDirected, VERDICTS } from '../../server/model/verdict.ts';

test('the places of verdicts in the list are what pictures say', () => {
  expect(VERDICTS).toEqual(['notTested', 'cannotTell', 'same', 'slower', 'faster']);
});

test('slower and faster alone have a direction', () => {
  expect(VERDICTS.filter(isDirected)).toEqual(['slower', 'faster']);
});
