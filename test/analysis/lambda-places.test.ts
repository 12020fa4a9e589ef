// Tests that lambdas are followed by the lines of their bodies where compilers number them by different rules, and by name elsewhere.
import { describe, expect, test } from 'vitest';
import { lambdasByPlace } from '../../server/analysis/lambda-places.ts';
import { Pairing } from '../../server/analysis/pairing.ts';
import { methodName } from '../../server/cct/method-names.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

/** One counter a class, inner lambdas first; `run` has two lambdas, the first one at line 12. */
const PER_CLASS = `Shop.run | 5@10
  Shop.lambda$run$1 :11 | 30@12
  Shop.lambda$run$2 :14 | 20@15
Shop.other | 5@30
  Shop.lambda$other$0 :30 | 9@31`;
/** The same code with one counter a method. */
const PER_OWNER = `Shop.run | 4@10
  Shop.lambda$run$0 :11 | 40@12
  Shop.lambda$run$1 :14 | 10@15
Shop.other | 5@30
  Shop.lambda$other$0 :30 | 9@31`;

function pairs(now: string, then: string): Record<string, string> {
  const [shown, baseline] = [loadedFromText(now), loadedFromText(then)];
  const pairing = Pairing.pending(shown, baseline).with();
  const became = pairing.becameRows();
  const found: Record<string, string> = {};
  for (let row = 0; row < shown.profile.methods.length; row++) {
    const { name } = methodName(shown.profile.methods, row);
    if (!name.startsWith('lambda$')) continue;
    const before = pairing.rowsOf([row]);
    found[name] = before.map(then => methodName(baseline.profile.methods, then).name).join();
    for (const each of before) expect(became[each]).toBe(row);
  }
  return found;
}

describe('lambdas that were numbered by another rule', () => {
  test('are the lambdas on their lines, in either direction', () => {
    expect(pairs(PER_OWNER, PER_CLASS)).toEqual({
      lambda$run$0: 'lambda$run$1',
      lambda$run$1: 'lambda$run$2',
      lambda$other$0: 'lambda$other$0',
    });
    expect(pairs(PER_CLASS, PER_OWNER)).toEqual({
      lambda$run$1: 'lambda$run$0',
      lambda$run$2: 'lambda$run$1',
      lambda$other$0: 'lambda$other$0',
    });
  });

  test('where the lines have moved, are found where one is alone on both sides', () => {
    const moved = PER_OWNER.replace(/([:@])(\d\d)/g, (_, sign, line) => `${sign}${Number(line) + 3}`);
    expect(pairs(moved, PER_CLASS)).toEqual({ lambda$run$0: '', lambda$run$1: '', lambda$other$0: 'lambda$other$0' });
  });
});

test('lambdas that were numbered by one rule, or by rules that nothing tells, are left to their names', () => {
  const [shown, baseline] = [loadedFromText(PER_CLASS), loadedFromText(PER_CLASS.replaceAll('@12', '@15'))];
  expect([...lambdasByPlace(shown.classes, baseline.classes)]).toEqual([]);
  const one = loadedFromText('Shop.run | 1@1\n  Shop.lambda$run$7 :2 | 3@2');
  expect([...lambdasByPlace(one.classes, baseline.classes)]).toEqual([]);
});
