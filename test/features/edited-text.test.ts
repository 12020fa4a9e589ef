// Hints and hovers of a text that was edited since it was profiled: the edited text with the expected hints behind `⟵`.
import { expect, test } from 'vitest';
import { hintsOf } from '../../server/features/hints/hints.ts';
import { hoverOf } from '../../server/features/hover/hover.ts';
import { openedText } from '../../server/mapping/recorded/profiled-text.ts';
import { type DocumentView, documentView } from '../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../server/workspace/document/kept-mapping.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

const PROFILED = `class Shop {
  void run() {
    queue.take();
    store(1);
  }
  void rest() {
    helper.go();
  }
}`;

const PICTURE = `
Shop.run | 20@4
  LockedQueue.take :3 | 50@9
Shop.rest | 0@7
  Helper.go :7 | 30@9`;

function view(text: string, profiled: string | null = PROFILED): DocumentView {
  const state = { kind: 'ready', data: loadedFromText(PICTURE), problems: [] } as const;
  return documentView({ text, mapping: new KeptMapping(openedText(profiled)), state });
}

/** Checks that the text without its parts behind ` ⟵` has just these parts as hints. */
function check(marked: string, profiled: string | null = PROFILED): void {
  const text = marked.replaceAll(/ *⟵.*$/gm, '');
  const hints = new Map(hintsOf(view(text, profiled)).map(hint => [hint.line, hint.text]));
  const seen = text.split('\n').map((line, i) => (hints.has(i + 1) ? `${line} ⟵ ${hints.get(i + 1)}` : line));
  expect(seen.join('\n')).toBe(marked);
}

test('lines above move all hints', () => {
  check(`// one
// two
class Shop {
  void run() { ⟵ 70% · self 20%
    queue.take(); ⟵ 71% → LockedQueue
    store(1); ⟵ 29% here
  }
  void rest() { ⟵ 30%
    helper.go(); ⟵ 100% → Helper
  }
}`);
});

test('a changed method is marked and keeps the calls that are certain', () => {
  check(`class Shop {
  void run() { ⟵ ~70% · changed
    log();
    queue.take(); ⟵ 71% → LockedQueue
    store(2);
  }
  void rest() { ⟵ ~30% · changed
    helper.go(1);
  }
}`);
});

test('methods are followed through order, layout and names; new ones have no hint', () => {
  check(`class Store {
  void fresh() { other.stop(); }

  void pause() { ⟵ 30%
    helper
      .go(); ⟵ 100% → Helper
  }
  void run() { queue.take(); // first ⟵ 70% · self 20% +1
    store(1); ⟵ 29% here
  }
}`);
});

const GROUPED = `class Shop {
  void run() {
    int collect = 1;
    collectGroup(collect);
    other.collectGroup(2);
  }
  void collectGroup(int level) {
    helper.go(level);
  }
}`;
const GROUPED_PICTURE = `
Shop.run | 0@4
  Shop.collectGroup :4 | 70@8
  Other.collectGroup :5 | 30@9`;

test('a method that was renamed with its calls keeps its hints, and those of its callers have the new name', () => {
  const seen = (text: string): string[] => {
    const state = { kind: 'ready', data: loadedFromText(GROUPED_PICTURE), problems: [] } as const;
    const edited = documentView({ text, mapping: new KeptMapping(openedText(GROUPED)), state });
    return hintsOf(edited).flatMap(hint => (hint.text.includes('→') ? [`${hint.line} ${hint.text}`] : []));
  };
  expect(seen(GROUPED)).toEqual(['4 70% → collectGroup()', '5 30% → Other']);
  const called = GROUPED.replace(' collectGroup(collect)', ' gather(collect)');
  expect(seen(called.replace('void collectGroup', 'void gather'))).toEqual(['4 ~70% → gather()', '5 30% → Other']);
  // Only the call has another name: another method may be meant.
  expect(seen(called)).toEqual(['5 30% → Other']);
});

test('where the profiled text is not known, lines decide', () => {
  check(
    `// one
// two
class Shop {
  void run() { ⟵ ~70% · self 20%
    queue.take();
    store(1);
  }
  void rest() { ⟵ ~30%
    helper.go();
  }
}`,
    null,
  );
});

test('what was profiled cannot be the text on disk: its lines do not fit', () => {
  const other = PROFILED.replace('    queue.take();\n', '');
  const [hint] = hintsOf(view(`// one\n${other}`, other)).filter(({ text }) => text.includes('70%'));
  expect(hint).toMatchObject({ text: '70% · self 20%', line: 3 });
  const shifted = `// one\n// two\n// three\n${PROFILED}`;
  expect(hintsOf(view(`${shifted}\n`, shifted)).map(({ text, line }) => `${line} ${text}`)).toEqual([
    '5 ~70% · self 20%',
    '9 ~30%',
  ]);
});

test('the hover says what became of the code, with lines of the text on screen', () => {
  const hover = (text: string, name: string) => hoverOf(view(text), text.indexOf(name))?.markdown;
  const above = `// one\n${PROFILED}`;
  expect(hover(above, 'run')).toContain('`LockedQueue.take` · from line 4\n');
  expect(hover(above, 'run')).not.toContain('~');
  expect(hover(above, 'take')).toContain('71 % of run = 50 % of all · 50 of 70 samples ·');
  const changed = PROFILED.replace('queue.take();', 'take(queue);');
  expect(hover(changed, 'run')).toContain('\n\n~ changed since it was recorded\n\n');
  expect(hover(changed, 'run')).toContain('`LockedQueue.take` · from recorded line 3\n');
  expect(hover(changed, 'take')).toContain('not seen running below this call');
  expect(hover(PROFILED.replace('run', 'go'), 'go')).toContain('renamed since it was recorded, its code is the same');
  const added = PROFILED.replace('void rest', 'void fresh() { x.y(); }\n  void rest');
  expect(hover(added, 'fresh')).toContain('`fresh` · is new since it was recorded');
});
