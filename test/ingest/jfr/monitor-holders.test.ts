// Tests who had a monitor while threads waited: against a look at every instant, against simulated locks, and in scenes with a known truth.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MonitorHolders, type MonitorWait } from '../../../server/ingest/jfr/monitor-holders.ts';
import { runs } from '../../support/runs.ts';

const ADDRESS = 7;

const wait = (thread: number, from: number, until: number, owner: number): MonitorWait => ({
  ...{ address: ADDRESS, thread, from, until, owner },
  name: `t${thread}`,
  ownerName: owner === 0 ? null : `t${owner}`,
});

type Back = { readonly thread: number; readonly from: number; readonly until: number };

function holdersOf(waits: readonly MonitorWait[], backs: readonly Back[] = []): MonitorHolders {
  const holders = new MonitorHolders();
  for (const each of waits) {
    const { address, thread, from, until, name } = each;
    if (from < until) holders.add(each);
    else holders.addNotified(address, thread, name, until);
  }
  for (const { thread, from, until } of backs) holders.addGivenBack(ADDRESS, thread, from, until);
  return holders;
}

/** `t1 40, t2 1`: who had the monitor in a wait, in the order of names. */
const told = (holders: MonitorHolders, { from, until }: Pick<MonitorWait, 'from' | 'until'>) =>
  holders
    .of(ADDRESS, from, until)
    .filter(([, ticks]) => ticks > 0)
    .map(([name, ticks]) => `${name ?? '?'} ${ticks}`)
    .sort()
    .join(', ');

/** The holder of the monitor at one instant, which no event shares, by the words of the rule. */
function nameAt(instant: number, waits: readonly MonitorWait[], backs: readonly Back[]): string | null {
  const entries = waits.toSorted((a, b) => a.until - b.until);
  const next = entries.find(({ until }) => until > instant);
  const before = entries.findLast(({ until }) => until < instant);
  if (next === undefined || next.owner === 0) return null;
  const isAway = (thread: number) =>
    [...waits, ...backs].some(each => each.thread === thread && each.from < instant && instant < each.until);
  const isBetween = (moment: number) => before !== undefined && moment >= before.until && moment < instant;
  const isGone =
    before === undefined ||
    waits.some(each => each !== before && each.thread === before.thread && isBetween(each.from)) ||
    backs.some(({ from }) => isBetween(from));
  const names = [...(isGone ? [] : [`t${before.thread}`]), ...(isAway(next.owner as number) ? [] : [`t${next.owner}`])];
  return names.length === 0 ? null : [...new Set(names)].join(', then ');
}

/** Waits and times in `Object.wait` of a few threads, one after the other in each thread: any moments, any owners. */
const anyEvents = fc
  .array(
    fc.record({
      thread: fc.integer({ min: 1, max: 4 }),
      pause: fc.integer({ min: 1, max: 5 }),
      length: fc.integer({ min: 1, max: 9 }),
      owner: fc.integer({ min: 0, max: 5 }),
      kind: fc.constantFrom('wait', 'wait', 'back', 'notified'),
    }),
    { maxLength: 14 },
  )
  .map(drawn => {
    const clock = new Map<number, number>();
    const [waits, backs]: [MonitorWait[], Back[]] = [[], []];
    const ends = new Set<number>();
    for (const { thread, pause, length, owner, kind } of drawn) {
      const from = (clock.get(thread) ?? 0) + pause;
      let until = from + length;
      // No two threads enter at once.
      if (kind !== 'back') while (ends.has(until)) until++;
      ends.add(until);
      clock.set(thread, until);
      if (kind === 'back') backs.push({ thread, from, until });
      else if (kind === 'notified') waits.push(wait(thread, until, until, thread));
      else waits.push(wait(thread, from, until, owner));
    }
    return { waits, backs };
  });

test('whatever events tell, each instant of each wait is told by the rule', () => {
  fc.assert(
    fc.property(anyEvents, ({ waits, backs }) => {
      const holders = holdersOf(waits, backs);
      for (const { from, until } of waits) {
        const sums = new Map<string | null, number>();
        for (let at = from; at < until; at++) {
          const name = nameAt(at + 0.5, waits, backs);
          sums.set(name, (sums.get(name) ?? 0) + 1);
        }
        const found = holders.of(ADDRESS, from, until).filter(([, ticks]) => ticks > 0);
        expect(new Map(found)).toEqual(sums);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('whatever broken events tell, the parts of a wait add up to it', () => {
  const span = fc.tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: -9, max: 30 }),
    fc.integer({ min: -3, max: 20 }),
  );
  fc.assert(
    fc.property(fc.array(span), fc.array(span), fc.array(span), (entered, given, notified) => {
      const holders = new MonitorHolders();
      for (const [thread, from, length] of entered) holders.add(wait(thread, from, from + length, 1 + (thread % 4)));
      for (const [thread, from, length] of given) holders.addGivenBack(ADDRESS, thread, from, from + length);
      for (const [thread, from] of notified) holders.addNotified(ADDRESS, thread, `t${thread}`, from);
      for (const [, from, length] of entered.filter(([, , ticks]) => ticks > 0)) {
        const parts = holders.of(ADDRESS, from, from + length);
        expect(parts.every(([, ticks]) => ticks >= 0)).toBe(true);
        expect(parts.reduce((sum, [, ticks]) => sum + ticks, 0)).toBe(length);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('of a lock whose every entry is told, each wait is divided among its holders', () => {
  const turn = fc.record({ thread: fc.integer({ min: 1, max: 6 }), held: fc.integer({ min: 1, max: 50 }) });
  fc.assert(
    fc.property(fc.array(turn, { minLength: 3, maxLength: 40 }), turns => {
      // Threads queue: each begins to wait as early as it can, when the turn before its last one is over.
      const line = turns.filter(({ thread }, at) => at === 0 || thread !== turns[at - 1]!.thread);
      const starts = line.map((_, at) => line.slice(0, at).reduce((sum, { held }) => sum + held, 0));
      const waits = line.flatMap(({ thread }, at) => {
        const last = line.findLastIndex((each, other) => other < at && each.thread === thread);
        const from = last < 0 ? 0 : starts[last + 1]!;
        return at === 0 ? [] : [wait(thread, from, starts[at]!, line[at - 1]!.thread)];
      });
      const holders = holdersOf(waits);
      for (const { from, until } of waits) {
        const truth = new Map<string, number>();
        for (const [at, { thread, held }] of line.entries()) {
          const part = Math.min(until, starts[at]! + held) - Math.max(from, starts[at]!);
          if (part > 0) truth.set(`t${thread}`, (truth.get(`t${thread}`) ?? 0) + part);
        }
        const found = new Map<string, number>();
        for (const [name, ticks] of holders.of(ADDRESS, from, until)) if (ticks > 0) found.set(name!, ticks);
        expect(found).toEqual(truth);
      }
    }),
    { numRuns: runs(100) },
  );
});

describe('scenes', () => {
  test('a convoy: a wait belongs to all that had the monitor in it, not to the last one alone', () => {
    const waits = [wait(2, 0, 40, 1), wait(3, 0, 50, 2), wait(4, 0, 60, 3)];
    const holders = holdersOf(waits);
    expect(waits.map(each => told(holders, each))).toEqual(['t1 40', 't1 40, t2 10', 't1 40, t2 10, t3 10']);
  });

  test('a thread that enters and holds, before another one barges in: both are named, and neither alone', () => {
    // t2 enters at 10 and holds 40; t9, which no event names, has it for the last tick before t3 enters.
    const waits = [wait(2, 0, 10, 1), wait(3, 5, 51, 9)];
    expect(told(holdersOf(waits), waits[1]!)).toBe('t1 5, t2, then t9 41');
  });

  test('a holder that never waits is named, while earlier holders wait again', () => {
    const round = [wait(2, 0, 40, 1), wait(3, 1, 41, 2)];
    const again = [wait(2, 100, 140, 1), wait(3, 101, 141, 2)];
    const holders = holdersOf([...round, ...again]);
    // Until t3 waits again, it may still have the monitor.
    expect(told(holders, again[0]!)).toBe('t1 39, t3, then t1 1');
  });

  test('a thread in Object.wait has given the monitor back, and so has the one before it', () => {
    const waits = [wait(2, 0, 10, 1), wait(3, 12, 60, 9)];
    // t9 waits from 20 to 50: it had the monitor before, so that t2 has not got it any more.
    expect(told(holdersOf(waits, [{ thread: 9, from: 20, until: 50 }]), waits[1]!)).toBe('? 30, t2, then t9 8, t9 10');
  });

  test('who notifies a thread has the monitor until then', () => {
    // t4 gives the monitor back at 5 and wakes at 60, as t9 has notified it; then it enters again, which no event tells.
    const waits = [wait(2, 0, 4, 1), wait(3, 12, 90, 4), wait(9, 60, 60, 9)];
    const holders = holdersOf(waits, [{ thread: 4, from: 5, until: 60 }]);
    expect(told(holders, waits[1]!)).toBe('t9 48, t9, then t4 30');
  });

  test('an event that does not tell the owner before names nobody', () => {
    const waits = [wait(2, 0, 10, 1), wait(3, 5, 51, 0)];
    expect(told(holdersOf(waits), waits[1]!)).toBe('? 41, t1 5');
  });

  test('other monitors do not matter', () => {
    const holders = holdersOf([wait(2, 0, 40, 1)]);
    holders.add({ ...wait(5, 0, 20, 4), address: 8 });
    expect(told(holders, wait(2, 0, 40, 1))).toBe('t1 40');
    expect(holders.of(9, 0, 40)).toEqual([[null, 40]]);
  });
});

describe('what is kept', () => {
  test('waits that began in the period before are split at its entries', () => {
    const holders = holdersOf([wait(2, 0, 40, 1)]);
    holders.endPeriod();
    holders.add(wait(3, 10, 60, 2));
    expect(told(holders, wait(3, 10, 60, 2))).toBe('t1 30, t2 20');
  });

  test('of waits that began earlier the time before is not recorded', () => {
    const holders = holdersOf([wait(2, 0, 40, 1)]);
    holders.endPeriod();
    holders.add(wait(3, 10, 60, 2));
    holders.endPeriod();
    holders.add(wait(4, 10, 90, 3));
    expect(told(holders, wait(4, 10, 90, 3))).toBe('? 30, t2 20, t3 30');
  });

  test('another JVM has other monitors at the same addresses', () => {
    const holders = new MonitorHolders();
    holders.goOn('a');
    holders.add(wait(2, 0, 10, 1));
    holders.goOn('b');
    holders.add(wait(3, 5, 51, 9));
    expect(told(holders, wait(3, 5, 51, 9))).toBe('t9 46');
  });

  test('more events than are kept name nobody, and two periods take no more room than they need', () => {
    const holders = new MonitorHolders(2);
    holders.add(wait(2, 0, 10, 1));
    holders.add(wait(2, 20, 30, 1));
    holders.add(wait(2, 40, 50, 1));
    expect(told(holders, wait(2, 40, 50, 1))).toBe('? 10');
    holders.endPeriod();
    holders.endPeriod();
    holders.add(wait(2, 60, 70, 1));
    expect(told(holders, wait(2, 60, 70, 1))).toBe('t1 10');
  });

  test('fifty thousand waits of a thousand threads are divided in little time', () => {
    const holders = new MonitorHolders();
    const waits = Array.from({ length: 50_000 }, (_, at) =>
      wait(1 + (at % 1000), at - 999, at, 1 + ((at + 999) % 1000)),
    );
    const before = process.cpuUsage();
    for (const each of waits)
      holders.add({ ...each, name: `t${(each.thread as number) % 7}`, ownerName: `t${(each.owner as number) % 7}` });
    for (const { from, until } of waits) holders.of(ADDRESS, from, until);
    // A walk through all owners of each wait takes a minute.
    expect(process.cpuUsage(before).user).toBeLessThan(10e6);
  });
});
