// Tests waits in own code: by method and class of threads, with who holds the lock; threads without own code stand aside.

import { expect, test } from 'vitest';
import { waitsOf } from '../../../server/capabilities/typed/door.ts';
import type { Profile } from '../../../server/cct/profile.ts';
import { indexTree, nodesOfMethod } from '../../../server/cct/tree-index.ts';
import { analyse } from '../../../server/metrics/analysis.ts';
import { TYPED } from '../../../server/model/time-types.ts';
import { methodRows, methodText, profileOfText } from '../../support/profiles/profiles.ts';

/** A focus on a method, as a part of a selection. */
function focusOn(profile: Profile, name: string | undefined): { readonly focus?: Int32Array } {
  if (name === undefined) return {};
  return { focus: nodesOfMethod(indexTree(profile), methodRows(profile).get(name)!) };
}

function waitsIn(picture: string, threads: readonly string[], focus?: string) {
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
  } = waitsOf(analyse(profile, indexTree(profile), { metric: 0, ...focusOn(profile, focus) }), isOwn);
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

const UNRECORDED = `
acme.Shop.run
  acme.Wire.read
    :IO | 10@0=10
  acme.Wire.write
    :IO | 4@0=4
java.Pool.take
  :PARK | 6@0=6
:UNRECORDED | 80@0=80 9@0/1=9`;

test('time without a stack is part of the time of threads that run own code, which may be there', () => {
  expect(waitsIn(UNRECORDED, ['reader-1', 'GC'])).toEqual({
    rows: [':IO 10 acme.Wire.read by reader-# 10', ':IO 4 acme.Wire.write by reader-# 4'],
    classes: ['reader-# :IO 14 of 94'],
    types: [':IO 14', ':UNRECORDED 80'],
    aside: [15, ['reader-#', 6], ['GC', 9]],
    ofThreads: [['reader-#', 94]],
  });
});

test('below a focus too', () => {
  expect(waitsIn(UNRECORDED, ['reader-1', 'GC'], 'acme.Wire.read')).toEqual({
    rows: [':IO 10 acme.Wire.read by reader-# 10'],
    classes: ['reader-# :IO 10 of 90'],
    types: [':IO 10', ':UNRECORDED 80'],
    aside: [0],
    ofThreads: [['reader-#', 90]],
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
