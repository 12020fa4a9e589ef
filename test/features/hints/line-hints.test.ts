// Tests which lines have a hint of their own time: Java text with the expected hints behind `⟵`, beside a picture of the profile.
import { expect, test } from 'vitest';
import { defaultSettings, type PartialSettings } from '../../../server/base/config.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { openedText, type ProfiledText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentView } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

type About = { readonly settings?: PartialSettings; readonly profiled?: string; readonly from?: ProfiledText['from'] };

/** Checks that the text without its parts behind ` ⟵` has just these parts as hints. */
function check(marked: string, picture: string, about: About = {}): void {
  const text = marked.replaceAll(/ *⟵.*$/gm, '');
  const profiled: ProfiledText = { ...openedText(about.profiled ?? text), from: about.from ?? 'opened' };
  const state = { kind: 'ready', data: loadedFromText(picture), problems: [] } as const;
  const settings = { ...defaultSettings(), ...about.settings };
  const document = documentView({ text, state, settings, mapping: new KeptMapping(profiled) });
  const hints = new Map(hintsOf(document).map(hint => [hint.line, hint.text]));
  const seen = text.split('\n').map((line, i) => (hints.has(i + 1) ? `${line} ⟵ ${hints.get(i + 1)}` : line));
  expect(seen.join('\n')).toBe(marked);
}

const PICTURE = `
Shop.run | 30@3 20@5 3@6 17@7
  Helper.go :4 | 30@9
  Helper.stop :5 | 1@9`;

const HINTED = `class Shop {
  void run() { ⟵ 100% · self 69%
    int x = a * b; ⟵ 30% here
    helper.go(); ⟵ 30% → Helper
    y = helper.stop() + x; ⟵ 20% here
    z = 1;
    z = x * y; ⟵ 17% here
  }
}`;

test('a hot line has its part of the method', () => {
  check(HINTED, PICTURE);
});

test('a line that is hot itself says so beside its calls: the larger part stands', () => {
  const picture = 'Shop.run | 107@3 20@4\n  Arrays.clone :3 | 6@9\n  Helper.go :4 | 40@9';
  check(
    `class Shop {
  void run() { ⟵ 100% · self 73%
    children = children.clone(); ⟵ 62% here
    helper.go(); ⟵ 23% → Helper
  }
}`,
    picture,
  );
});

test('thresholds and the switch hold', () => {
  const without = (line: RegExp) => HINTED.replaceAll(line, '');
  check(without(/ ⟵ (?:17|20)% here/g), PICTURE, { settings: { 'hints.lines.threshold': 0.2 } });
  check(without(/ ⟵ \d+% here/g), PICTURE, { settings: { 'hints.lines.enabled': false } });
  check(without(/ ⟵ 17% here/g), PICTURE, { settings: { 'hints.minimumSamples': 18 } });
  check(HINTED.replace('z = 1;', 'z = 1; ⟵ 3.0% here'), PICTURE, { settings: { 'hints.minimumSamples': 1 } });
});

test('in a method of one line the self share says it, unless method hints are switched off', () => {
  const picture = 'Shop.one | 50@2\nShop.run | 0@3\n  Helper.go :3 | 50@9';
  const text = (one: string, run: string) => `class Shop {
  int one() { return a * b; }${one}
  void run() { helper.go(); }${run}
}`;
  check(text(' ⟵ 50% · self 50%', ' ⟵ 50% +1'), picture);
  check(text(' ⟵ 100% here', ' ⟵ 100% → Helper'), picture, { settings: { 'hints.methods.enabled': false } });
});

test('recursion counts no sample twice, and lines of lambdas are the lambdas’ own', () => {
  check(
    `class Shop {
  void run() { ⟵ 100% · self 80%
    x = y; ⟵ 40% here
    list.forEach(e -> { ⟵ 40% → run()
      x = e; ⟵ 100% here
    });
    run(); ⟵ 60% → run()
    y = x; ⟵ 40% here
  }
}`.replace('⟵ 40% → run()\n      x', '⟵ 20% · self 20% +1\n      x'),
    `
Shop.run | 20@3
  Shop.run :7 | 20@3 20@8
  Shop.run :7 | 20@8
  java.util.List.forEach :4 | 0@9
    Shop.lambda$run$0 :77 | 20@5`,
  );
});

test('initialisers take shares of all initialisers of the class together', () => {
  check(
    `class Shop {
  static final int[] A = {1, 2}; ⟵ 30% here
  static { ⟵ 70% · self 50%
    x = 1; ⟵ 50% here
    Cart.make(); ⟵ 20% → Cart
  }
}`,
    `
Shop.<clinit> | 30@2 50@4
  Cart.make :5 | 20@9`,
  );
});

test('after an edit a line keeps its hint as long as its words stand together on one line of their own', () => {
  const profiled = HINTED.replaceAll(/ *⟵.*$/gm, '');
  const edited = (z: string) => `// above
class Shop {
  void run() { ⟵ ~100% · changed

    int x = a * b; // comment ⟵ 30% here
    helper.go(); ⟵ 30% → Helper
    y = helper.stop() + x + 1;
    z = 1;
    ${z}
  }
}`;
  check(edited('z = x * y; ⟵ 17% here'), PICTURE, { profiled });
  check(edited('z = x\n      * y;'), PICTURE, { profiled });
  check(edited('z = x / y;'), PICTURE, { profiled });
});

test('a line that another seen line joined has none', () => {
  const profiled = HINTED.replaceAll(/ *⟵.*$/gm, '');
  check(
    `class Shop {
  void run() { ⟵ 100% · self 69%
    int x = a * b; ⟵ 30% here
    helper.go(); ⟵ 30% → Helper
    y = helper.stop() + x; ⟵ 20% here
    z = 1; z = x * y;
  }
}`,
    PICTURE,
    { profiled },
  );
});

test('lines alone prove nothing: without a call found in the file only the recorded text is believed', () => {
  const text = 'class Shop {\n  void run() { ⟵ 100% · self 100%\n    x = y * z; ⟵ 100% here\n  }\n}';
  check(text, 'Shop.run | 50@3', { from: 'commit' });
  check(text.replace(' ⟵ 100% here', ''), 'Shop.run | 50@3', { from: 'opened' });
});

test('where lines do not fit there is none', () => {
  check(
    `class Shop {
  void run() { ⟵ ~93% · self 93%
    x = y;
  }
  void go() {
    helper.go();
  }
}`,
    'Shop.run | 50@3 20@6\nShop.go | 0@6\n  Helper.go :6 | 5@1',
  );
});
