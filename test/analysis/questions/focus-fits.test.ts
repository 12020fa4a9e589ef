// Tests that a focus is accepted exactly where data can be looked at with it.
import { expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import { selectData } from '../../../server/analysis/select-data.ts';
import { datasetOf, loadedFrom, provenanceOf } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';

test.each([
  ['a.Shop.run', true],
  ['a.Shop.run(int)', true],
  ['a.Shop.run;a.Shop.pay', true],
  ['regex:pay$', true],
  // Each of them ran, and never so.
  ['a.Main.main;a.Shop.pay', false],
  ['a.Shop.gone', false],
])('%s: %s', (spec, fits) => {
  const profile = profileOfText('a.Shop.run(I)V | 100@4\n  a.Shop.pay(J)V :4 | 50@9\na.Main.main()V | 10@1');
  expect(answer(loadedFrom(profile), 'focusFits', { specs: [spec], saved: [], aspects: [] }).value).toBe(fits);
  const { value } = selectData({ ...datasetOf(profile, provenanceOf()), used: [], problems: [] }, { focus: [spec] });
  expect(value !== null).toBe(fits);
});
