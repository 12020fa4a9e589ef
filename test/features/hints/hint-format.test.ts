// Tests the forms of hints: words, ASCII, the word-sized graphic and templates, with limits that hold for every text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultSettings, type PartialSettings } from '../../../server/base/config.ts';
import type { ComparedShare } from '../../../server/capabilities/compare/words.ts';
import { callText, fitted, hintFormat, methodText, shownIn } from '../../../server/features/hints/hint-format.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { documentView } from '../../../server/workspace/document/document-view.ts';
import { comparedByName, loadedFromText } from '../../support/profiles/loaded.ts';

type HintFormat = ReturnType<typeof hintFormat>;

const UP: ComparedShare = {
  ...{ baseline: 0.53, current: 0.62, angle: -15, red: 0, green: 0, blue: 0 },
  ...{ verdict: 'slower', presence: 'both', jvms: null },
};
const DOWN: ComparedShare = { ...UP, baseline: 0.71, angle: 60 };

type MethodWords = Parameters<typeof methodText>[0];

const WORDS: MethodWords = {
  total: { part: 62, whole: 100, samples: 62 },
  self: { part: 3, whole: 100, samples: 3 },
  isDoubtful: false,
  state: 'unchanged',
  change: null,
  graphic: {
    callers: { count: 4, largest: [0.5, 0.3, 0.05] },
    callees: { count: 5, largest: [0.2, 0.1, 0.1] },
    threads: { count: 3, groups: [0.5, 0.45, 0.04].map((share, i) => ({ group: `t${i}`, share })) },
  },
};

const written = (words: Partial<MethodWords>, setting: string) => {
  const format = hintFormat(setting);
  return shownIn(methodText({ ...WORDS, ...words }, format), format);
};

test.each<[Partial<MethodWords>, string, string]>([
  [{}, 'default', '62% · self 3.0%'],
  [{ self: { part: 0, whole: 100, samples: 0 } }, 'default', '62%'],
  [{ self: { part: 100, whole: 100_000, samples: 100 } }, 'default', '62% · self 0.10%'],
  [{ self: { part: 99, whole: 100_000, samples: 99 } }, 'default', '62%'],
  [{ self: { part: 99, whole: 100_000, samples: 99 } }, 'verbose', '◂◂ 62% ▸▸▸ ▪▪'],
  [{ change: UP }, 'default', '62% ↗ +9'],
  [{ change: UP, state: 'changed', isDoubtful: true }, 'default', '~62% · changed'],
  [{ isDoubtful: true }, 'default', '~62% · self 3.0%'],
  [{}, 'ascii', '62% - self 3.0%'],
  [{ change: UP }, 'ascii', '62% ^ +9'],
  [{ change: DOWN }, 'ascii', '62% v -9'],
  [{ change: { ...UP, current: 0.53 } }, 'ascii', '62% +-0'],
  [{ change: { ...UP, verdict: 'notTested' } }, 'ascii', '62% +9'],
  [{ state: 'changed' }, 'ascii', '62% - changed'],
  [{}, 'verbose', '◂◂ 62% ▁ self 3.0% ▸▸▸ ▪▪'],
  [{ self: { part: 62, whole: 100, samples: 62 } }, 'verbose', '◂◂ 62% █ self 62% ▸▸▸ ▪▪'],
  [{ self: { part: 31, whole: 100, samples: 31 }, graphic: null }, 'verbose', '62% ▄ self 31%'],
  [{ change: UP, state: 'changed', isDoubtful: true }, 'verbose', '◂◂ ~62% changed ↗ +9 ▁ self 3.0% ▸▸▸ ▪▪'],
  [{}, `\${share} by \${callers}, to \${callees}, on \${threads}`, '62% by 4, to 5, on 3'],
  [{}, `  \${count}  \${samples} \${state} \${change} `, '62 62 samples'],
  [{ state: 'moved', change: UP }, `\${state} \${change}`, 'moved ↗ +9'],
  [{ isDoubtful: true }, `\${self} \${toString} \${}`, `~3.0% \${toString} \${}`],
  [{ isDoubtful: true }, `\${change}`, ''],
  [{}, 'verbos', '62% · self 3.0%'],
])('%j as %s is %s', (words, setting, text) => {
  expect(written(words, setting)).toBe(text);
});

test('a call says how it moved in the verbose form only', () => {
  const share = { part: 41, whole: 100, samples: 41 };
  const text = (kind: 'default' | 'ascii' | 'verbose') => shownIn(callText(share, UP, { kind }), { kind });
  expect([text('default'), text('ascii'), text('verbose')]).toEqual(['41% → ', '41% -> ', '41% ↗ +9 → ']);
});

test('what no test confirms has its number and no arrow: that of a call is the only one', () => {
  const share = { part: 41, whole: 100, samples: 41 };
  const texts = (change: typeof UP) =>
    (['ascii', 'verbose'] as const).map(kind => shownIn(callText(share, change, { kind: 'verbose' }), { kind }));
  expect(texts({ ...UP, verdict: 'notTested' })).toEqual(['41% +9 -> ', '41% +9 → ']);
  expect(texts({ ...UP, current: UP.baseline, angle: 0 })).toEqual(['41% +-0 -> ', '41% ±0 → ']);
});

test('names are shortened before the text, and nothing steers a terminal', () => {
  const ascii: HintFormat = { kind: 'ascii' };
  const words: HintFormat = { kind: 'default' };
  expect(fitted('41% → ', 'LockedQueueOfEverything', 24, words)).toBe('41% → LockedQueueOfEver…');
  expect(fitted('41% -> ', 'LockedQueueOfEverything', 24, ascii)).toBe('41% -> LockedQueueOfE...');
  expect(fitted('12,345 samples → ', 'Q', 8, words)).toBe('12,345…');
  expect(shownIn('Käufer😀 → a\u202eb\n', ascii)).toBe('K?ufer? -> a\\u202eb\\u000a');
  expect(shownIn('Käufer😀 → a\u202eb\n', words)).toBe('Käufer😀 → a\\u202eb\\u000a');
});

const format: fc.Arbitrary<HintFormat> = fc.oneof(
  fc.constantFrom('default' as const, 'ascii' as const, 'verbose' as const).map(kind => ({ kind })),
  fc.string({ unit: 'binary' }).map(template => ({ kind: 'template' as const, template })),
);

describe('for every text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });

  test('the limit holds, and no surrogate pair is cut', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 4, max: 80 }), format, (before, name, room, form) => {
        const whole = fitted(before, name, room, form);
        expect(whole.length).toBeLessThanOrEqual(room);
        if ((before + name).isWellFormed()) expect(whole.isWellFormed()).toBe(true);
        if (before.length + name.length <= room) expect(whole).toBe(before + name);
      }),
    );
  });

  test('ASCII has printable ASCII only; templates never throw', () => {
    fc.assert(
      fc.property(text, format, (any, form) => {
        expect(shownIn(any, { kind: 'ascii' })).toMatch(/^[ -~]*$/);
        expect(shownIn(methodText(WORDS, form), form)).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
      }),
    );
  });
});

describe('hints of a document', () => {
  const TEXT = `class Shop {
  void run() {
    queue.take();
    x = y;
  }
}`;
  const data = loadedFromText(`
Main.main | 0@1
  Shop.run :5 | 40@4
    LockedQueue.take :3 | 40@9
Other.go | 20@1`);
  const before = loadedFromText(`
Shop.run | 400@4
  LockedQueue.take :3 | 100@9
Other.go | 500@1`);
  const hints = (settings: PartialSettings, baseline = data) => {
    const state = { kind: 'ready', data, problems: [] } as const;
    const compared = comparedByName(state.data, baseline);
    return hintsOf(
      documentView({ text: TEXT, state, baseline: compared, settings: { ...defaultSettings(), ...settings } }),
    );
  };

  test('carry what moved against a baseline', () => {
    const [method, call, line] = hints({}, before);
    expect(method).toMatchObject({ text: '80% +30', change: { baseline: 0.5, current: 0.8, verdict: 'notTested' } });
    expect(call).toMatchObject({ text: '50% → LockedQueue', change: { baseline: 0.2, current: 0.5 } });
    expect(line).toMatchObject({ text: '50% here', change: null });
    expect(hints({ 'hints.format': 'verbose' }, before).map(({ text }) => text)).toEqual([
      '◂ 80% +30 ▄ self 40% ▸ ▪',
      '50% +30 → LockedQueue',
      '50% here',
    ]);
  });

  test('stand at the same lines in every form', () => {
    const places = (setting: string) => hints({ 'hints.format': setting }).map(({ line, kind }) => `${line} ${kind}`);
    for (const setting of ['ascii', 'verbose', `\${share}`]) expect(places(setting)).toEqual(places('default'));
    expect(hints({ 'hints.format': `\${threads} threads` }).map(({ text }) => text)).toEqual([
      '1 threads',
      '50% → LockedQueue',
      '50% here',
    ]);
  });

  test('keep the limit with what else is on the line', () => {
    for (const hint of hints({ 'hints.format': 'ascii', 'hints.maximumLength': 12 }))
      expect(hint.text.length).toBeLessThanOrEqual(12);
  });
});
