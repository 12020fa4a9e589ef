// Tests what anchors a scale: unchanged code that no changed code leads to and that leads to none, whose parts agree.
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import { Pairing } from '../../../server/analysis/pairing.ts';
import { noPause } from '../../../server/base/pause.ts';
import { mergeProfiles } from '../../../server/cct/merge.ts';
import { codeOf, jvmsOf } from '../../support/profiles/jvms.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';
import { profileOfText } from '../../support/profiles/profiles.ts';

const BEFORE = `
Main.main | 100@1
  Parse.all :5 | 1000@9
    Text.find :9 | 3000@20
  Print.all :6 | 1500@30
  Index.all :7 | 1600@40
  Check.all :8 | 1700@50`;

/** `times` multiplies every number: JVMs that ran for longer. */
function compared(now: string, changed: readonly string[], times = 1, scaling: 'auto' | 'absolute' = 'auto') {
  const longer = now.replace(/\b(\d+)@/g, (_all, amount) => `${Math.round(Number(amount) * times)}@`);
  const [baseline, data] = [jvmsOf(8, 1, BEFORE), jvmsOf(8, 2, longer)];
  const became = Pairing.pending(data, baseline).with().becameRows();
  const wish = { became, scaling, work: null, code: codeOf(data, changed), most: 20 };
  const { scale, why, wholes, reports } = answer(data, 'responsible', wish, noPause, baseline);
  const changes = reports.map(({ methods: [first] }) => Math.round(100 * (first!.now - first!.before)));
  return { scaling: scale.scaling, why, whole: wholes[1] / wholes[0], changes };
}

test('of fixed work samples count as the processor time that each JVM took', () => {
  // A busy machine took half as many samples again of the same work.
  const busy = BEFORE.replace(/\b(\d+)@/g, (_all, amount) => `${1.5 * Number(amount)}@`);
  const told = (nanos: number | undefined) => {
    const [baseline, data] = [jvmsOf(8, 1, BEFORE, 0.01, nanos), jvmsOf(8, 2, busy, 0.01, nanos)];
    const became = Pairing.pending(data, baseline).with().becameRows();
    const wish = { became, scaling: 'absolute', work: null, code: null, most: 20 } as const;
    const { why, wholes, reports } = answer(data, 'responsible', wish, noPause, baseline);
    return [why, (wholes[1] / wholes[0]).toFixed(1), reports.length > 0];
  };
  expect(told(3e9)).toEqual(['by the processor time that each JVM took', '1.0', false]);
  expect(told(undefined)).toEqual(['by samples: a busy machine changes how many the same work has', '1.5', true]);
});

describe('the scale of two sides', () => {
  test('unchanged code that changed code calls less often is no anchor: anchored equals absolute', () => {
    const now = BEFORE.replace('3000@20', '1000@20');
    const [anchored, absolute] = [compared(now, ['Parse.all']), compared(now, ['Parse.all'], 1, 'absolute')];
    expect([anchored.scaling, absolute.scaling]).toEqual(['anchored', 'absolute']);
    expect(anchored.whole).toBeCloseTo(absolute.whole, 1);
    expect(anchored.changes).toEqual(absolute.changes);
  });

  test('of fixed work, unchanged code that became slower too is told', () => {
    const now = BEFORE.replace('1000@9', '2000@9');
    const samples = 'by samples: a busy machine changes how many the same work has';
    expect(compared(now, ['Parse.all'], 1, 'absolute').why).toBe(samples);
    expect(compared(now, ['Parse.all'], 1.2, 'absolute').why).toMatch(
      /; unchanged code too became 1\.(19|20|21) × slower: machine, JVM or data$/,
    );
    expect(compared(now, ['Parse.all'], 0.8, 'absolute').why).toContain(' × faster: ');
  });

  test('unchanged code that calls changed code is no anchor: the compiler may count the one for the other', () => {
    const calling = (own: number) => BEFORE.replace('1500@30', `${own}@30\n    Line.one :30 | 200@31`);
    const told = (own: number, changed: string) => {
      const [baseline, data] = [jvmsOf(8, 1, calling(1500)), jvmsOf(8, 2, calling(own))];
      const became = Pairing.pending(data, baseline).with().becameRows();
      const wish = { became, scaling: 'absolute', work: null, code: codeOf(data, [changed]), most: 20 } as const;
      return answer(data, 'responsible', wish, noPause, baseline).why;
    };
    expect(told(6000, 'Line.one')).not.toContain('unchanged code');
    expect(told(6000, 'Check.all')).toContain('unchanged code too became');
  });

  test('JVMs that ran three times as long are compared as those of the same work', () => {
    const { scaling, whole, changes } = compared(BEFORE.replace('1000@9', '2000@9'), ['Parse.all'], 3);
    expect(scaling).toBe('anchored');
    expect(whole).toBeCloseTo(1 + 1000 / 8900, 1);
    expect(changes).toEqual([11]);
  });

  test('unchanged parts that do not agree anchor nothing', () => {
    const { scaling, why } = compared(BEFORE.replace('1500@30', '3000@30'), ['Parse.all']);
    expect([scaling, why]).toEqual(['share', 'unchanged code grew by different parts on both sides']);
  });

  test('a changed method that calls everything leaves nothing', () => {
    const { scaling, why } = compared(BEFORE, ['Main.main']);
    expect([scaling, why]).toEqual([
      'share',
      'code that did not change, and that no changed code leads to, has 0 % of a side',
    ]);
  });

  test('each entry is measured by its own anchors, since the mix of requests changes', () => {
    const entry = (name: string, factor: number, extra = 0) =>
      ['Parse', 'Print', 'Index', 'Check']
        .map((part, at) => `  ${name}${part}.all :${at} | ${(1000 + 100 * at) * factor + (at === 0 ? extra : 0)}@9`)
        .join('\n');
    const picture = (first: number, second: number, extra = 0) =>
      `A.serve | 100@1\n${entry('A', first, extra)}\nB.serve | 100@1\n${entry('B', second)}`;
    const [baseline, data] = [jvmsOf(8, 1, picture(1, 1)), jvmsOf(8, 2, picture(3, 1, 3000))];
    const became = Pairing.pending(data, baseline).with().becameRows();
    const wish = { became, scaling: 'auto', work: null, code: codeOf(data, ['AParse.all']), most: 20 } as const;
    const { scale, reports } = answer(data, 'responsible', wish, noPause, baseline);
    expect(scale.scaling).toBe('anchored');
    // Three times as many requests of A; each of them got slower by 1,000 of 9,400 samples.
    expect(reports.map(({ methods: [first] }) => Math.round(100 * (first!.now - first!.before)))).toEqual([11]);
  });

  test('a JVM without any anchor is left out', () => {
    const [baseline, good] = [jvmsOf(6, 1, BEFORE), jvmsOf(6, 2, BEFORE)];
    const idle = profileOfText('java.Idle.run | 5@1', { startMillis: 9_900_000 });
    const merged = mergeProfiles([good.profile, idle]);
    const windows = merged.windows.map(each => ({ ...each, jvm: each.jvm ?? 'idle' }));
    const data = loadedFrom({ ...merged, windows });
    const became = Pairing.pending(data, baseline).with().becameRows();
    const wish = { became, scaling: 'auto', work: null, code: codeOf(data, ['Parse.all']), most: 20 } as const;
    const { scale, wholes, jvms, tested } = answer(data, 'responsible', wish, noPause, baseline);
    expect([scale.scaling, jvms, tested.methods > 0]).toEqual(['anchored', [6, 6], true]);
    expect(wholes.every(Number.isFinite)).toBe(true);
  });
});
