// Tests what threads do in the time of methods, as amounts by type and in words.
import { expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import { methodsNamed } from '../../../server/analysis/named-methods.ts';
import { typesText } from '../../../server/capabilities/typed/door.ts';
import { dumps, GO, RUN, type Thread, typed } from '../../support/recordings/typed-dumps.ts';

test('the time of a method’s threads is told apart by type, without the holders of locks', async () => {
  const go = (state: string, lock?: string): Thread => ({ state, stack: GO, ...(lock && { lock }) });
  const holder: Thread = { state: 'RUNNABLE', stack: ['app.Date.getField', ...GO], lock: 'locked <0x0a> (a app.Lock)' };
  const blocked = go('BLOCKED (on object monitor)', 'waiting to lock <0x0a> (a app.Lock)');
  const waiting: Thread = { state: 'WAITING (parking)', stack: ['jdk.internal.misc.Unsafe.park', ...RUN] };
  const data = await typed(dumps([holder, blocked, blocked, waiting], [holder, blocked, waiting, waiting]), {
    processors: 8,
    priorities: 'ignored',
  });
  const typesOf = (name: string) => {
    const [named] = methodsNamed(data.profile.methods, name);
    const [found] = answer(data, 'surroundings', { sets: [named!.rows], facts: ['timeTypes'] });
    return found!.timeTypes!.map(({ type, count }) => `${type} ${count}`);
  };
  // Three threads wait behind the holder, whose stack has the method too.
  expect(typesOf('app.TransactionManager.go')).toEqual([':MONITOR 3', ':RUN 2']);
  expect(typesOf('app.CompanyRunnable.run')).toEqual([':MONITOR 3', ':WAIT 3', ':RUN 2']);
  expect(typesOf('app.Date.getField')).toEqual([':RUN 2']);
  expect(
    typesText(
      data.profile,
      answer(data, 'surroundings', {
        sets: [methodsNamed(data.profile.methods, 'go')[0]!.rows],
        facts: ['timeTypes'],
      })[0]!.timeTypes!,
    ),
  ).toBe('60 % waiting for a monitor, 40 % running (estimated)');
});
