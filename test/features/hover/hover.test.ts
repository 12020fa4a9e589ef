// Tests what hover says: over Java text with the cursor at `|`, beside a picture of the profile.
import { describe, expect, test, vi } from 'vitest';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { GrowingTimes } from '../../../server/cct/times.ts';
import { hoverNeeds, hoverOf } from '../../../server/features/hover/hover.ts';
import { documentNeeds } from '../../../server/features/needs.ts';
import type { Provenance } from '../../../server/store/load-snapshots.ts';
import { documentView, documentWithData } from '../../../server/workspace/document/document-view.ts';
import { gathered } from '../../support/profiles/gathered.ts';
import { loadedFrom, loadedFromText } from '../../support/profiles/loaded.ts';
import {
  ALLOCATION,
  methodRows,
  type ProfileOptions,
  profileOfStacks,
  profileOfText,
} from '../../support/profiles/profiles.ts';

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
*2026-11-20 16:00:00 to 16:00:30 +00:00 · 3 windows of 10 s · JDK Flight Recorder*  
*generated methods told by name only*`;

describe('on the name of a method whose calls were timed', () => {
  const timed = (picture: string): LoadedData => {
    const profile = profileOfText(picture);
    const times = new GrowingTimes();
    const [main, run] = ['Main.main', 'Shop.run'].map(name => methodRows(profile).get(name)!) as [number, number];
    for (const nanos of [1e6, 2e6, 9e6]) times.addCall(run, main, 1, nanos);
    times.addCall(run, 0, 2, 4e6);
    return loadedFrom({ ...profile, times: times.finish()! });
  };
  const TIMES = `*Response time* · mean 4 ms · 50 % within 2.01 ms · 95 % within 3.98 ms · 1 ms to 9 ms · 4 calls · 0.2 a second
- mean 4 ms · 3 calls · from \`Main.main\`
- mean 4 ms · 1 call · from nothing that was recorded`;

  test('says how long they took', () => {
    const offset = TEXT.indexOf('|');
    const { markdown = '' } = hoverOf(documentWithData(TEXT.replace('|', ''), timed(PICTURE)), offset) ?? {};
    expect(markdown).toContain(`20 % of its own time\n\n${TIMES}\n\n*Callers*`);
  });

  test('says so however few samples there are', () => {
    const offset = TEXT.indexOf('|');
    const data = timed('Main.main\n  Shop.run :7 | 3@3\nOther.idle | 100@1');
    const { markdown = '' } = hoverOf(documentWithData(TEXT.replace('|', ''), data), offset) ?? {};
    expect(markdown).toContain(`few samples (3)\n\n${TIMES}`);
  });
});

describe('on the name of a method', () => {
  test('has its shares, its surroundings, and where the numbers come from', () => {
    check(
      TEXT,
      PICTURE,
      `**insitu** \`Shop.run\`

50 % of cpu · 100 of 200 samples · 95 % interval 43–57 % (sampling error only)  
self: 10 % of cpu · 20 samples · 20 % of its own time

*Callers*
- 100 % · 100 · \`Main.main\`

*Callees*
- 50 % · 50 · \`LockedQueue.take\` · from line 3
- 20 % · 20 · \`CardPayment.pay\` · from line 4
- 10 % · 10 · \`CashPayment.pay\` · from line 4

*Threads*
- 90 % · 90 · \`main\` (group \`main\`)
- 10 % · 10 · \`pool-#\` (group \`main\`)

*Thread groups*
- 100 % · 100 · all 2 of \`main\`

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

  test('gives no share of fewer than ten samples anywhere', () => {
    check(
      'class Shop {\n  void ru|n() {\n    take();\n  }\n}',
      `
Main.main | 50@1
  Shop.run :9 | 9@3
    Queue.take :3 | 40@1
    Log.log :3 | 6@1
Tool.main
  Shop.run :8 | 5@3`,
      `**insitu** \`Shop.run\`

55 % of cpu · 60 of 110 samples · 95 % interval 45–64 % (sampling error only)  
self: 13 % of cpu · 14 samples · 23 % of its own time

*Callers*
- 92 % · 55 · \`Main.main\`
- few samples (5) · \`Tool.main\`

*Callees*
- 67 % · 40 · \`Queue.take\` · from line 3
- few samples (6) · \`Log.log\` · from line 3

*Threads*
- 100 % · 60 · \`main\` (group \`main\`)

*Lines*
- 100 % · 60 · line 3

${DATA.replace('200', '110')}`,
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

100 % of cpu · 90 of 90 samples · 95 % interval 96–100 % (sampling error only)  
self: 100 % of cpu · 90 samples · 100 % of its own time

*Threads*
- 100 % · 90 · \`main\` (group \`main\`)

*Lines*
- 100 % · 90 · line 1

*shop 1.0, 1.1 · 2 instances · 90 samples of cpu · 10 more with incomplete stacks (10 %)*  
*2026-11-20 23:59:50 to 2026-11-21 00:00:05 +00:00 · 3 windows of 10 s · JDK Flight Recorder*  
*12 samples lost by the recorder · 10 of 100 cpu stacks were cut off: 0 rejoined, 10 left out · recordings: the last chunk is cut off and 1 more · lines are approximate (recorded without -XX:+DebugNonSafepoints) · generated methods told by name only*`,
      {
        profile: { losses: { truncatedStacks: 10, withoutStack: 0, lostSamples: 12 } },
        provenance: {
          executions: [
            { project: 'acme', program: 'shop', version: '1.0', instance: 'i-1' },
            { project: 'acme', program: 'shop', version: '1.1', instance: 'i-2' },
          ],
          debugNonSafepoints: false,
          recordingProblems: [
            { severity: 'warning', message: 'the last chunk is cut off', file: 'a.jfr' },
            { severity: 'warning', message: 'the last chunk is cut off', file: 'b.jfr' },
            { severity: 'warning', message: 'a chunk is unfinished', file: 'b.jfr' },
          ],
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

30 % of run = 15 % of all · 30 of 100 samples · 95 % interval 22–40 % (sampling error only)

*What ran*
- 20 % · 20 · \`CardPayment.pay\`
- 10 % · 10 · \`CashPayment.pay\`

this path: \`Shop.run CardPayment.pay or Shop.run CashPayment.pay\`

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

60 % of run = 60 % of all · 60 of 100 samples · 95 % interval 50–69 % (sampling error only)

*What ran*
- 60 % · 60 · \`A.first\`

this path: \`Shop.run A.first\`

*On this line*
- 60 % of this method · 60 of 100 samples: A.first
- 40 % of this method · 40 of 100 samples: B.second

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

describe('an interval', () => {
  const TEXT = 'class Shop { void ru|n() {\n  go();\n} }';
  const intervalIn = (marked: string, data: LoadedData) => {
    const found = hoverOf(documentWithData(marked.replace('|', ''), data), marked.indexOf('|'))?.markdown;
    return /95 % interval (.*) \(sampling error only\)/.exec(found ?? '')?.[1];
  };
  const weighted = (picture: string, focus?: string[]) =>
    loadedFrom(profileOfText(picture, { metrics: [ALLOCATION] }), {}, focus === undefined ? {} : { focus });

  test('of a weighted metric leaves out incomplete stacks', () => {
    const complete = 'Shop.run | 50@1=50000\nMain.main | 50@1=50000';
    const incomplete = `${complete}\n[truncated]\n  Other.go | 10000@1=10000000`;
    expect(intervalIn(TEXT, weighted(complete))).toBe('40–60 %');
    expect(intervalIn(TEXT, weighted(incomplete))).toBe('40–60 %');
  });

  test('under a focus is of what lies in it', () => {
    const picture = 'Main.main\n  Shop.run :1 | 50@1=50000\n  Shop.stop :2 | 50@1=50000\nOther.go | 10000@1=10000000';
    expect(intervalIn(TEXT, weighted(picture, ['Main.main']))).toBe('40–60 %');
    expect(intervalIn(TEXT, weighted(picture))).toBe('0.38–0.65 %');
  });

  test('of next to nothing has no lower end', () => {
    const picture = 'Shop.run\n  Cart.go :2 | 10@9=100\n  Cart.stop :3 | 100@9=1000000';
    const onCall = TEXT.replace('ru|n', 'run').replace('go();', 'g|o();\n  stop();');
    expect(intervalIn(onCall, weighted(picture))).toBe('< 3.7 %');
  });
});

describe('names from elsewhere', () => {
  const evil = 'B__init__![x](https://evil/t)';
  const text = 'class My_Class_ { void my_run_() {\n  r.invoke(); m.go();\n} }';

  test('are no pictures, links or marks in a hover', () => {
    const run = { method: 'My_Class_.my_run_', line: 2 };
    const profile = profileOfStacks([
      { frames: [run, { method: 'EVIL.go', line: 9 }], count: 50 },
      { frames: [run, { method: 'C.go', line: 9 }], count: 50 },
    ]);
    const strings = profile.methods.strings.map(each => (each === 'EVIL' ? evil : each));
    const data = loadedFrom(
      { ...profile, methods: { ...profile.methods, strings } },
      { program: '![y](https://e.example)' },
    );
    const markdown = hoverOf(documentWithData(text, data), text.indexOf('my_run_'))?.markdown ?? '';
    expect(markdown).toContain('`B__init__![x](https://evil/t).go`');
    const outside = markdown.replaceAll(/`[^`]*`/g, '');
    expect(outside).toContain(String.raw`\!\[y\](https\://e.example) 1.0`);
    expect(outside).not.toMatch(/(?<!\\)!\[|[^\\]:\/\/|\w_/);
    const call = hoverOf(documentWithData(text, data), text.indexOf('go()'))?.markdown ?? '';
    expect(call).toContain(String.raw`of my\_run\_`);
    expect(call.replaceAll(/`[^`]*`/g, '')).not.toMatch(/(?<!\\)!\[|[^\\]:\/\/|[a-z]_/);
  });

  test('nor in problems', () => {
    const problem = { severity: 'error', message: '[a](https://e.example)', file: '/my_store_' } as const;
    const view = documentView({
      text: 'class A { void run() {} }',
      state: { kind: 'none', data: null, problems: [problem] },
    });
    expect(hoverOf(view, 16)?.markdown).toBe(String.raw`**insitu** · /my\_store\_: \[a\](https\://e.example)`);
  });
});

test('a hover whose needs were answered asks for nothing itself', () => {
  const document = documentWithData(TEXT.replace('|', ''), loadedFromText(PICTURE));
  const offset = TEXT.indexOf('|');
  gathered(documentNeeds(document));
  gathered(hoverNeeds(document, offset));
  const asked = vi.spyOn(document.mapped!.data.answers, 'keepSurroundings');
  expect(hoverOf(document, offset)?.markdown).toContain('*Callers*');
  expect(asked).not.toHaveBeenCalled();
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

describe('on the header of a loop', () => {
  const LOOPS = `class Shop {
  int run(int[] all) {
    int sum = 0;
    for (int i = 0; i < all.length; i++) {
      sum += all[i];
    }
    while (queue.take()) sum++;
    do {
      sum--;
    } while (sum
      > 5);
    return sum;
  }
}`;
  const TIMES = 'Shop.run :7 | 40@4 20@5 15@7 15@11 1@12\n  LockedQueue.take :7 | 9@9';
  const NOTE =
    'This line is the header of a loop: compiled code may report time of the body of the loop here, as its debug information names few lines.';
  const ORIGIN = '*shop 1.0 · 1 instance · 100 samples of cpu*';
  const textOf = (share: string) =>
    `**insitu** ${share} samples: this line itself, without what it calls\n\n${NOTE}\n\n${ORIGIN}`;
  const at = (before: string, behind: string) => LOOPS.replace(before + behind, `${before}|${behind}`);

  test('that is hot says that the time may be of the body', () => {
    check(at('int i ', '= 0'), TIMES, textOf('40 % of this method · 40 of 100'));
    check(at('whi', 'le (queue'), TIMES, textOf('15 % of this method · 15 of 100'));
    check(at('', '> 5)'), TIMES, textOf('15 % of this method · 15 of 100'));
  });

  test('that calls something says so in the hover of the call', () => {
    const marked = at('ta', 'ke()');
    const offset = marked.indexOf('|');
    const view = documentWithData(LOOPS, loadedFromText(TIMES));
    expect(hoverOf(view, offset)?.markdown).toContain(`\n\n${NOTE}\n\n`);
  });

  test('that is not hot, another line, and a metric that is not sampled by time say nothing', () => {
    check(at('', 'while (sum'), TIMES, null);
    check(at('sum', ' += all'), TIMES, null);
    check(at('su', 'm++;'), TIMES, null);
    check(at('int i ', '= 0'), TIMES.replace('40@4', '9@4'), null);
    check(at('int i ', '= 0'), 'Shop.run | 40@4', null, { profile: { metrics: [ALLOCATION] } });
  });

  test('in a comment or a text is none', () => {
    const text = 'class Shop {\n  void run() {\n    String s = "for (;;)" /* wh|ile (true) */;\n  }\n}';
    check(text, 'Shop.run | 40@3', null);
  });
});
