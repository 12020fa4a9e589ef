// Tests the question for the hottest methods: which methods are listed, and what the platform's methods ran that are not.
import { expect, test } from 'vitest';
import { answer, lookAt } from '../../../server/analysis/ask.ts';
import { datasetOf, provenanceOf } from '../../support/profiles/loaded.ts';
import { ALLOCATION, methodText, profileOfText } from '../../support/profiles/profiles.ts';

const PICTURE = `
com.acme.Shop.run | 2@1=200
  java.util.HashMap.get :4 | 5@9=50
    java.lang.String.hashCode :9 | 7@9=7000
  com.acme.cart.Cart.add :5 | 3@3=30`;

function hottest(wish: { limit?: number; by?: 'total' | 'self'; platform?: boolean; within?: string }) {
  const dataset = datasetOf(profileOfText(PICTURE, { metrics: [ALLOCATION] }), provenanceOf());
  const data = lookAt({ dataset, selection: {} });
  const { rows, leftOut, whole } = answer(data, 'hottest', { limit: 9, by: 'total', platform: false, ...wish });
  return { names: rows.map(({ method }) => methodText(data.profile, method)), leftOut, whole };
}

test('without the platform its own samples are left out, each once', () => {
  expect(hottest({})).toEqual({
    names: ['com.acme.Shop.run', 'com.acme.cart.Cart.add'],
    leftOut: { weight: 7050, count: 12 },
    whole: { weight: 7280, count: 17 },
  });
  expect(hottest({ limit: 1, by: 'self' })).toMatchObject({
    names: ['com.acme.Shop.run'],
    leftOut: { weight: 7050, count: 12 },
  });
});

test('with the platform, and within a package, nothing is left out', () => {
  const none = { weight: 0, count: 0 };
  expect(hottest({ platform: true, by: 'self' })).toMatchObject({
    names: ['java.lang.String.hashCode', 'com.acme.Shop.run', 'java.util.HashMap.get', 'com.acme.cart.Cart.add'],
    leftOut: none,
  });
  expect(hottest({ within: 'com.acme.cart' })).toMatchObject({ names: ['com.acme.cart.Cart.add'], leftOut: none });
});
