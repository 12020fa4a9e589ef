// Tests waits in own code: by method and class of threads, with who holds the lock; threads without own code stand aside.

import { expect, test } from 'vitest';
import { waitsOf } from '../../../server/capabilities/typed/door.ts';
import { indexTree } from '../../../server/cct/tree-index.ts';
import { analyse } from '../../../server/metrics/analysis.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { methodRows, methodText, profileOfText } from '../../support/profiles/profiles.ts';

function waitsIn(picture: string, threads: readonly string[]) {
  const profile = profileOfText(picture, { metrics: [TYPED], threads });
  const rows = methodRows(profile);
  const isOwn = new Uint8Array(profile.methods.length);
  for (const [name, row] of rows) if (name.startsWith('acme.')) isOwn[row] = 1;
  const {
    rows: found,
    classes,
    types,
    aside,
    ofThreads,
  } = waitsOf(analyse(profile, indexTree(profile), { metric: 0 }), isOwn);
  const text = (row: number) => methodText(profile, row).replace(/\(.*/, '');
  return {
    rows: found.map(
      ({ type, method, weight, threads: by, holder }) =>
        `${type} ${weight} ${text(method)} by ${by.name} ${by.weight}${holder === null ? '' : ` for ${holder.name}${holder.method === null ? '' : ` in ${text(holder.method)}`} ${holder.weight}`}`,
    ),
    classes: classes.map(({ threads: by, type, weight, whole }) => `${by} ${type} ${weight} of ${whole}`),
    types: [...types].map(([type, { weight }]) => `${type} ${weight}`),
    aside: [aside.weight, ...aside.ofThreads],
    ofThreads: [...ofThreads],
  };
}

test('waits are told by method and by class of threads, with their holders', () => {
  const found = waitsIn(
    `
acme.Shop.run
  acme.Queue.put
    java.Lock.enter
      :MONITOR | 1@0=1
        worker-# | 4@0=4 2@0/1=2
        acme.Journal.run
          acme.Journal.flush
            java.File.force | 3@0/1=3
  acme.Queue.take
    java.Object.wait
      :WAIT | 6@0=6
  :RUN | 20@0=20 5@0/2=5
java.Thread.run
  :PARK | 9@0/2=9
:RUN | 7@0/3=7`,
    ['reader-1', 'reader-2', 'pool-1', 'GC'],
  );
  expect(found).toEqual({
    rows: [':MONITOR 10 acme.Queue.put by reader-# 10 for worker-# 6', ':WAIT 6 acme.Queue.take by reader-# 6'],
    classes: ['reader-# :MONITOR 10 of 36', 'reader-# :WAIT 6 of 36'],
    types: [':MONITOR 10', ':WAIT 6', ':RUN 25'],
    aside: [16, ['pool-#', 9], ['GC', 7]],
    ofThreads: [
      ['reader-#', 36],
      ['pool-#', 5],
    ],
  });
});

test('a holder with a stack is named by its innermost own method', () => {
  const { rows } = waitsIn(
    `
acme.Shop.run
  :LOCK
    java.Thread.run
      acme.Journal.run
        acme.Journal.flush
          java.File.force | 3@0=3`,
    ['a'],
  );
  expect(rows).toEqual([':LOCK 3 acme.Shop.run by a 3 for flush in acme.Journal.flush 3']);
});
