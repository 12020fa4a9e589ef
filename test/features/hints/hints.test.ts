// Tests which hint stands on which line: Java text with the expected hints behind `⟵`, beside a picture of the profile.
import { describe, expect, test } from 'vitest';
import { defaultSettings, type PartialSettings } from '../../../server/base/config.ts';
import { hintOptions } from '../../../server/features/hints/hint-options.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

/**
 * Checks that the text without its parts from ` ⟵` on has just these parts as hints.
 * @param picture the profile, see profileOfText.
 */
function check(marked: string, picture: string, settings: PartialSettings = {}): void {
  const text = marked.replaceAll(/ *⟵.*$/gm, '');
  const document = documentWithData(text, loadedFromText(picture), { ...defaultSettings(), ...settings });
  const hints = new Map(hintsOf(document).map(hint => [hint.line, hint.text]));
  const seen = text.split('\n').map((line, i) => (hints.has(i + 1) ? `${line} ⟵ ${hints.get(i + 1)}` : line));
  expect(seen.join('\n')).toBe(marked.replaceAll(/ *⟵/g, ' ⟵'));
}

describe('a method', () => {
  test('shows its share and its self share, both of all samples', () => {
    check(
      `class Shop {
         void run() { ⟵ 62% · self 2.5%
           int x = 1;
         }
       }`,
      `
Main.main | 76@1
  Shop.run :2 | 5@3
    java.util.List.size :3 | 119@9`,
    );
  });

  test('leaves out a self share below 0.1 % of all samples', () => {
    check(
      `class Shop {
         void run() { ⟵ 100%
           helper.go(); ⟵ 100% → Helper
         }
       }`,
      `
Shop.run | 1@3
  Helper.go :3 | 1999@9`,
    );
    // Half of its own time, and yet next to nothing.
    check(
      'class Shop {\n  void run() { ⟵ 0.18%\n    a.b();\n  }\n}',
      'Main.main | 9982@1\n  Shop.run :2 | 9@3\n    Helper.go :3 | 9@9',
    );
  });

  test('counts once however often it recurs', () => {
    check(
      `class Tree {
         int depth() { ⟵ 100% · self 100%
           return child.depth(); ⟵ 100% here +1
         }
       }`,
      `
Tree.depth | 10@3
  Tree.depth :3 | 5@3
    Tree.depth :3 | 5@3`,
    );
  });

  test('with fewer than ten samples shows nothing', () => {
    check('class Shop {\n  void run() {\n  }\n}', 'Shop.run | 9@3\nMain.main | 91@3');
    check('class Shop {\n  void run() { ⟵ 10% · self 10%\n  }\n}', 'Shop.run | 10@3\nMain.main | 90@3');
  });

  test('below the threshold shows nothing', () => {
    const picture = 'Shop.run | 10@3\nMain.main | 9991@3';
    check('class Shop {\n  void run() {\n  }\n}', picture);
    check('class Shop {\n  void run() { ⟵ 10 samples\n  }\n}', picture, {
      'hints.methods.threshold': 0,
      'hints.maximumLength': 40,
    });
  });

  test('whose observed lines are elsewhere by now is marked, and its calls are left out', () => {
    check(
      `class Shop {
         void run() { ⟵ ~100% · self 50%
           helper.go();
         }
       }`,
      `
Shop.run | 10@7
  Helper.go :3 | 10@9`,
    );
  });

  test('with an unknown line is not marked', () => {
    check('class Shop {\n  void run() { ⟵ 100% · self 100%\n  }\n}', 'Shop.run | 10@0');
  });

  test('returning at its closing brace, or calling super() on its own line, is not marked', () => {
    check(
      `class Shop {
         Shop() { ⟵ 100% · self 50%
           int x;
         }
       }`,
      `
Shop.<init> | 10@4
  java.lang.Object.<init> :2 | 10@9`,
      { 'hints.calls.enabled': false },
    );
  });
});

describe('a call', () => {
  const CALLS = `
Shop.run | 10@3
  LockedQueue.take :3 | 41@9
  CardPayment.pay :4 | 10@9
  CashPayment.pay :4 | 15@9
  Shop.tidy :5 | 22@8
  Rare.go :6 | 2@1`;

  test('shows its share of the method and what really ran', () => {
    check(
      `class Shop { void run() { ⟵ 100% · self 10%

         queue.take(); ⟵ 41% → LockedQueue
         payment.pay(); ⟵ 25% → CashPayment +1
         tidy(); ⟵ 22% → tidy()
         rare.go();
       } }`,
      CALLS,
    );
  });

  test('is not shown where its line calls something else by now', () => {
    check(
      `class Shop { void run() { ⟵ 100% · self 10%

         queue.take(); ⟵ 75% → LockedQueue
         payment.pay();

       } }`,
      `
Shop.run | 10@3
  LockedQueue.take :3 | 75@9
  Shop.tidy :4 | 15@8`,
    );
  });

  test('is not believed where most of the method calls something else by now', () => {
    check(
      `class Shop { void run() { ⟵ 100% · self 10%

         payment.pay();
         queue.take();
         tidy();

       } }`,
      CALLS,
    );
  });

  test('of a constructor shows the class; several on a line are one hint', () => {
    check(
      `class Shop { void run() { ⟵ 100% · self 20%

         new Cart(new Item()); ⟵ 50% → Cart +1
       } }`,
      `
Shop.run | 20@3
  a.Cart.<init> :3 | 50@9
  a.Item.<init> :3 | 30@9`,
    );
  });

  test('of an anonymous class shows the outer name with its number', () => {
    check(
      `class Shop { void run() { ⟵ 100%

         use(new Runnable() { public void run() {} }); ⟵ 100% → Shop$1
       } }`,
      `
Shop.run | 0@3
  Shop$1.<init> :3 | 50@9`,
    );
  });

  describe('of a long name', () => {
    const PICTURE = `
Shop.run | 0@3
  VeryLongClassNameIndeedTruly.first :3 | 60@9
  B.second :3 | 40@9`;
    const textOf = (call: string) => `class Shop { void run() { ⟵ 100%

${call}
       } }`;

    test('ends in an ellipsis, within 32 characters with the rest of the line', () => {
      check(textOf('         a.first(b.second()); ⟵ 60% → VeryLongClassNameIndee… +1'), PICTURE);
    });

    test('has 32 characters up to column 120, a tab being four, and 24 beyond', () => {
      const call = (length: number) =>
        `a.first(b.second());${' '.repeat(length - 23)}/**/`.slice(0, length - 1).padEnd(length, '/');
      const full = '60% → VeryLongClassNameIndee… +1';
      const short = '60% → VeryLongClassN… +1';
      check(textOf(`${call(88)} ⟵ ${full}`), PICTURE);
      check(textOf(`${call(89)} ⟵ ${short}`), PICTURE);
      check(textOf(`\t\t${call(80)} ⟵ ${full}`), PICTURE);
      check(textOf(`\t\t${call(81)} ⟵ ${short}`), PICTURE);
    });

    test('has the characters that are set, on every line', () => {
      const wide = `${' '.repeat(90)}a.first(b.second());`;
      check(textOf(`${wide} ⟵ 60% → VeryLongClass… +1`), PICTURE, { 'hints.maximumLength': 23 });
      check(textOf(`a.first(b.second()); ⟵ 60% → VeryLongClass… +1`), PICTURE, { 'hints.maximumLength': 23 });
      check(textOf(`${wide} ⟵ 60% → VeryLongClassNameIndeedTruly +1`), PICTURE, { 'hints.maximumLength': 40 });
    });
  });

  test('of several classes names the heaviest, then counts the others', () => {
    const text = (hint: string) => `class Shop { void run() { ⟵ 100%

         type.compare(a, b); ⟵ ${hint}
       } }`;
    check(
      text('100% → LongDataType +2'),
      `
Shop.run | 0@3
  a.IntDataType.compare :3 | 20@9
  a.LongDataType.compare :3 | 60@9
  Shop.compare :3 | 20@9`,
    );
    check(
      text('100% → Shop +1'),
      `
Shop.run | 0@3
  a.IntDataType.compare :3 | 20@9
  Shop.compare :3 | 60@9`,
    );
    check(
      text('100% → Alpha +1'),
      `
Shop.run | 0@3
  b.Beta.compare :3 | 50@9
  a.Alpha.compare :3 | 50@9`,
    );
  });

  test('of several lambdas names the heaviest, then counts the others', () => {
    check(
      `class Shop { void run() { ⟵ 100%

         queue.take().run(); ⟵ 100% → lambda in sell +1
       } }`,
      `
Shop.run | 0@3
  a.Q.lambda$buy$0 :3 | 40@9
  a.Q.lambda$sell$1 :3 | 60@9`,
    );
  });

  test('counts other classes and other calls of the line together', () => {
    check(
      `class Shop { void run() { ⟵ 100%

         a.first(b.second()); ⟵ 60% → Alpha +2
       } }`,
      `
Shop.run | 0@3
  Alpha.first :3 | 40@9
  Beta.first :3 | 20@9
  B.second :3 | 40@9`,
    );
  });

  test('of several methods taken as one names the heaviest of both', () => {
    check(
      `class Shop {
         int a = f.make();
         Shop() {} ⟵ 43%
         Shop(int x) {} ⟵ 57%
       }`.replace('f.make();', 'f.make(); ⟵ 100% → Beta +1'),
      `
Shop.<init>() | 0@3
  Alpha.make :2 | 30@9
Shop.<init>(I) | 0@4
  Beta.make :2 | 40@9`,
    );
  });

  test('without syntax of its own is shown on its line', () => {
    check(
      `class Shop { void run() { ⟵ 100%

         for (Item item : items) { ⟵ 100% → Itr
         }
       } }`,
      `
Shop.run | 0@3
  java.util.ArrayList$Itr.next :3 | 60@9`,
    );
  });
});

describe('a lambda', () => {
  test('is a method of its own, and stands behind the arrow where it is called', () => {
    check(
      `class Shop {
         void run() { ⟵ 100%
           Runnable task = () -> { ⟵ 100%
             work(); ⟵ 100% → work()
           };
           task.run(); ⟵ 100% → lambda in run
         }
         void work() {} ⟵ 100% · self 100%
       }`,
      `
Shop.run | 0@3
  Shop.lambda$run$0 :6 | 0@1
    Shop.work :4 | 20@8`,
    );
  });
});

test('a local class is called by its name, an anonymous one by that of its file', () => {
  check(
    `class Shop {
         void run() { ⟵ 100%
           best.offer(); ⟵ 50% → Best
           other.offer(); ⟵ 50% → Shop$2
         }
       }`,
    `
Shop.run
  Shop$1Best.offer :3 | 20@9
  Shop$2.offer :4 | 20@9`,
  );
});

describe('an initialiser', () => {
  test('shows its lines only, and fields show what they call', () => {
    check(
      `class Shop {
         static final Cart CART = new Cart(); ⟵ 50% → Cart
         static { ⟵ 50% · self 50%
           int x = 1;
         }
       }`,
      `
Shop.<clinit> | 20@4
  Cart.<init> :2 | 20@9`,
    );
  });
});

test('hints end before line breaks of every kind, count UTF-16 units, and keep to the asked lines', () => {
  const text = 'class Shop {\r\n\tvoid run() { // 😀\r\n\t\thelper.go();\t\r\n\t}\r\n}';
  const document = documentWithData(text, loadedFromText('Shop.run | 10@3\n  Helper.go :3 | 10@9'));
  const shown = hintsOf(document).map(({ line, character }) => text.split('\r\n')[line - 1]!.slice(0, character));
  expect(shown).toEqual(['\tvoid run() { // 😀', '\t\thelper.go();\t']);
  expect(hintsOf(document, { first: 3, last: 9 }).map(({ text }) => text)).toEqual(['50% → Helper']);
});

test('hints on any lines are the ones that all hints have there', () => {
  const text = `class Shop { void run() { helper.go(); }
  void sell() {
    helper.go(); new Runnable() { public void run() {
      helper.go(); } }; }
}`;
  const picture = `
Shop.run | 10@1
  Helper.go :1 | 10@9
Shop.sell | 10@3
  Helper.go :3 | 10@9
Shop$1.run | 10@4
  Helper.go :4 | 10@9`;
  const data = loadedFromText(picture);
  const all = hintsOf(documentWithData(text, data));
  expect(all.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  for (let first = 1; first <= 7; first++)
    for (let last = first - 1; last <= 7; last++)
      expect(hintsOf(documentWithData(text, data), { first, last })).toEqual(
        all.filter(({ line }) => first <= line && line <= last),
      );
});

test('without data there are no hints', () => {
  const settings = hintOptions(defaultSettings());
  const data = loadedFromText('Other.run | 10@3');
  expect(hintsOf(documentWithData('class Shop { void run() {} }', data), null, settings)).toEqual([]);
});

test('heat is the share of everything, also where the number is a share of the method', () => {
  const data = loadedFromText('Shop.run | 0@3\n  A.first :3 | 98@9\nMain.main | 4802@1');
  const hints = hintsOf(documentWithData('class Shop {\n void run() {\n a.first();\n }\n}', data));
  const seen = hints.map(({ line, text, heat }) => [line, text.replace(/ ·.*/, ''), heat]);
  expect(seen).toEqual([
    [2, '2.0%', 0.02],
    [3, '100% → A', 0.02],
  ]);
});

test('heat is the share, and every candidate of a line is explained', () => {
  const data = loadedFromText('Shop.run | 0@3\n  A.first :1 | 60@9\n  B.second :1 | 40@9\nMain.main | 100@1');
  const [hint] = hintsOf(documentWithData('class Shop { void run() { a.first(b.second()); } }', data));
  expect(hint).toMatchObject({ kind: 'method', text: '50% +2', heat: 0.5, line: 1, stale: false });
  expect(hint?.explanations).toEqual([
    'run: 50 % · 100 of 200 samples of cpu; never itself running',
    '60 % of this method · 60 of 100 samples: A.first',
    '40 % of this method · 40 of 100 samples: B.second',
  ]);
});
