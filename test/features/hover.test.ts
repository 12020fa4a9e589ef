// Tests what hover says: over Java text with the cursor at `|`, beside a picture of the profile.
import { describe, expect, test } from 'vitest';
import { hoverOf } from '../../server/features/hover.ts';
import type { Provenance } from '../../server/store/load.ts';
import { documentView, documentWithData } from '../../server/workspace/document-view.ts';
import { loadedFromText } from '../support/loaded.ts';
import type { ProfileOptions } from '../support/profiles.ts';

type Options = { readonly profile?: ProfileOptions; readonly provenance?: Partial<Provenance> };

/** Hover at the first `|` of the text must be just `expected`; null for none. */
function check(marked: string, picture: string, expected: string | null, options: Options = {}): void {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const data = loadedFromText(picture, options.profile, options.provenance);
  expect(hoverOf(documentWithData(text, data), offset)?.markdown ?? null).toBe(expected);
}

const PICTURE = `
Main.main
  Shop.run :7 | 10@3 10@5/1
    LockedQueue.take :3 | 50@9
    CardPayment.pay :4 | 20@9
    CashPayment.pay :4 | 10@9
Other.idle | 100@1`;

const TEXT = `class Shop {
  void ru|n() {
    queue.take();
    payment.pay();
  }
}`;

const DATA = `*shop 1.0 · 1 instance · 200 samples of cpu*  
*2026-11-20 16:00:00 to 16:00:30 UTC · 3 windows · JDK Flight Recorder*  
*generated methods told by name only*`;

describe('on the name of a method', () => {
  test('has its shares, what stands around it, and where the numbers come from', () => {
    check(
      TEXT,
      PICTURE,
      `**insitu** \`Shop.run\`

50 % of cpu · 100 of 200 samples · 95 % interval 43–57 %  
self: 20 % of its own time = 10 % of all · 20 samples

*Callers*
- 100 % · 100 · \`Main.main\`

*Callees*
- 50 % · 50 · \`LockedQueue.take\` line 3
- 20 % · 20 · \`CardPayment.pay\` line 4
- 10 % · 10 · \`CashPayment.pay\` line 4

*Threads*
- 90 % · 90 · \`main\` (group \`main\`)
- 10 % · 10 · \`pool-#\` (group \`main\`)

*Lines*
- 60 % · 60 · line 3
- 30 % · 30 · line 4
- 10 % · 10 · line 5

${DATA}`,
    );
  });

  test('with few samples says so and nothing else', () => {
    check(
      'class Shop { void ru|n() {} }',
      'Shop.run | 7@1\nMain.main | 93@1',
      '**insitu** `Shop.run` · few samples (7)\n\n*shop 1.0 · 1 instance · 100 samples of cpu*',
    );
  });

  test('that was not seen says among how many samples', () => {
    check(
      'class Shop { void ru|n() {} }',
      'Main.main | 93@1',
      '**insitu** `run` · was not seen in 93 samples of cpu\n\n*shop 1.0 · 1 instance · 93 samples of cpu*',
    );
  });

  test('without a body says where to look', () => {
    check(
      'interface Payment { void pa|y(); }',
      'Main.main | 93@1',
      '**insitu** `pay` · has no code of its own; hover a call of it to see what ran\n\n*shop 1.0 · 1 instance · 93 samples of cpu*',
    );
  });

  test('says what the numbers leave out', () => {
    check(
      'class Shop { void ru|n() {} }',
      'Shop.run | 90@1\n[truncated]\n  Shop.run | 10@1',
      `**insitu** \`Shop.run\`

100 % of cpu · 90 of 90 samples · 95 % interval 96–100 %  
self: 100 % of its own time = 100 % of all · 90 samples

*Threads*
- 100 % · 90 · \`main\` (group \`main\`)

*Lines*
- 100 % · 90 · line 1

*shop 1.0, 1.1 · 2 instances · 100 samples of cpu*  
*2026-11-20 23:59:50 to 2026-11-21 00:00:05 UTC · 3 windows · JDK Flight Recorder*  
*12 samples lost by the recorder · incomplete stacks, in no share: 10 % · lines are approximate (recorded without -XX:+DebugNonSafepoints) · generated methods told by name only*`,
      {
        profile: { losses: { truncatedStacks: 10, withoutStack: 0, lostSamples: 12 } },
        provenance: {
          executions: [
            { project: 'acme', program: 'shop', version: '1.0', instance: 'i-1' },
            { project: 'acme', program: 'shop', version: '1.1', instance: 'i-2' },
          ],
          debugNonSafepoints: false,
          startMillis: Date.UTC(2026, 10, 20, 23, 59, 50),
          endMillis: Date.UTC(2026, 10, 21, 0, 0, 5),
        },
      },
    );
  });
});

describe('on a call', () => {
  test('has its part of the method and of all, and the classes behind an interface', () => {
    check(
      TEXT.replace('ru|n', 'run').replace('.pay', '.p|ay'),
      PICTURE,
      `**insitu** \`pay\`

30 % of run · 30 of 100 samples · 95 % interval 22–40 % = 15 % of all

*What ran*
- 20 % · 20 · \`CardPayment.pay\`
- 10 % · 10 · \`CashPayment.pay\`

${DATA}`,
    );
  });

  test('that was not seen says so', () => {
    check(
      TEXT.replace('ru|n', 'run').replace('payment.pay();', 'payment.pay(); l|og();'),
      PICTURE,
      '**insitu** `log` · not seen running below this call in 100 samples of run\n\n*shop 1.0 · 1 instance · 200 samples of cpu*',
    );
  });

  test('in a method that was not seen is left alone', () => {
    check('class Shop { void run() { g|o(); } }', 'Main.main | 93@1', null);
  });

  test('of a line with several hints tells all of them', () => {
    check(
      'class Shop { void run() {\n  a.fir|st(b.second());\n} }',
      'Shop.run | 0@2\n  A.first :2 | 60@9\n  B.second :2 | 40@9',
      `**insitu** \`first\`

60 % of run · 60 of 100 samples · 95 % interval 50–69 % = 60 % of all

*What ran*
- 60 % · 60 · \`A.first\`

*On this line*
- A.first: 60 % · 60 of 100 samples of run
- B.second: 40 % · 40 of 100 samples of run

${DATA.replace('200 samples', '100 samples')}`,
    );
  });
});

test('on anything else there is nothing', () => {
  check('class Shop { in|t x; }', PICTURE, null);
  check('|', PICTURE, null);
});

test('a lambda says what it is written in', () => {
  const text = 'class Shop { void run() {\n  use(|x -> {\n    work();\n  });\n} }';
  const data = loadedFromText('Shop.run | 50@2\nShop.lambda$run$0 | 40@3\nMain.main | 10@1');
  const markdown = hoverOf(documentWithData(text.replace('|', ''), data), text.indexOf('|'))?.markdown;
  expect(markdown).toContain('**insitu** `lambda in Shop.run`');
  expect(markdown).toContain('written in `run`: 50 % of all · 50 samples');
});

describe('without data', () => {
  const problem = { severity: 'error', message: 'no snapshots', file: '/store', remedy: 'import one' } as const;
  const at = (state: Parameters<typeof documentView>[0]['state'], marked: string) => {
    const text = marked.replace('|', '');
    return hoverOf(documentView(state === undefined ? { text } : { text, state }), marked.indexOf('|'))?.markdown;
  };

  test('a method says why', () => {
    const none = { kind: 'none', data: null, problems: [problem] } as const;
    expect(at(none, 'class A { void ru|n() {} }')).toBe('**insitu** · /store: no snapshots (import one)');
    const loading = { kind: 'loading', data: null, problems: [] } as const;
    expect(at(loading, 'class A { void ru|n() {} }')).toBe('**insitu** · reading the snapshots …');
  });

  test('calls and types are left alone', () => {
    const none = { kind: 'none', data: null, problems: [problem] } as const;
    expect(at(none, 'class A { void run() { g|o(); } }')).toBeUndefined();
    expect(at(none, 'class |A { }')).toBeUndefined();
  });
});
