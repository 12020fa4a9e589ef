// Tests the code lenses of a document: which there are, what they say, and on which declaration.
import { expect, test } from 'vitest';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import { defaultSettings, type PartialSettings } from '../../server/base/config.ts';
import { lensesOf, lensNeeds } from '../../server/features/lenses.ts';
import { documentNeeds } from '../../server/features/needs.ts';
import { openedText } from '../../server/mapping/recorded/profiled-text.ts';
import { type DocumentView, documentView } from '../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../server/workspace/document/kept-mapping.ts';
import { gathered } from '../support/profiles/gathered.ts';
import { comparedByName, loadedFromText } from '../support/profiles/loaded.ts';

const TEXT = `class Shop {
  void run() {
    queue.take();
    queue.take(() -> helper.go());
  }
  void rare() {}
  static { init(); }
}`;

const PICTURE = `
Main.main | 0@1
  Shop.run :5 | 40@4
    LockedQueue.take :3 | 60@9
Worker.work | 0@1
  Shop.run :8 | 0@4
    LockedQueue.take :4 | 20@9
    Stack.take :4 | 5@9
      Shop.lambda$run$0 :9 | 20@4
Shop.<clinit> | 0@7
  Shop.init :7 | 50@8
Shop.rare | 5@6`;

function view(
  data: LoadedData,
  settings: PartialSettings = {},
  text = TEXT,
  baseline: LoadedData | null = null,
): DocumentView {
  const state = { kind: 'ready', data, problems: [] } as const;
  const mapping = new KeptMapping(openedText(TEXT));
  return documentView({
    text,
    mapping,
    state,
    baseline: baseline && comparedByName(data, baseline),
    settings: { ...defaultSettings(), ...settings },
  });
}

/** `name: title (question)` of each. */
function lenses(document: DocumentView, isGathered = true): string[] {
  gathered(documentNeeds(document));
  if (isGathered) gathered(lensNeeds(document));
  return lensesOf(document).map(({ name, length, title, asks }) => {
    const text = document.text.split('\n')[name.line]!.slice(name.character, name.character + length);
    return `${text}: ${title} (${asks})`;
  });
}

test('each method that ran has its share, and how many call it, are called and run it', () => {
  expect(lenses(view(loadedFromText(PICTURE)))).toEqual([
    'run: 73% of cpu · 145 of 200 (why)',
    'run: 2 callers (callers)',
    'run: 2 callees (callees)',
    'run: 1 thread (threads)',
    'static: 25% of cpu · 50 of 200 (why)',
    'static: 1 callee (callees)',
    'static: 1 thread (threads)',
  ]);
});

test('lenses whose numbers are not known yet are left out', () => {
  const first = lenses(view(loadedFromText(PICTURE)), false);
  expect(first).toContain('run: 2 callees (callees)');
  expect(first.join()).not.toContain('thread');
});

test('callers of a focus are those outside of it', () => {
  const data = loadedFromText(PICTURE, {}, {}, { focus: ['Shop.run'] });
  expect(lenses(view(data)).slice(0, 2)).toEqual(['run: 100% of cpu · 145 of 145 (why)', 'run: 2 callers (callers)']);
});

test('changed code, a baseline and ASCII show', () => {
  const before = loadedFromText('Shop.run | 300@4\nOther.go | 700@1');
  const changed = TEXT.replace('queue.take(() ->', 'queue.give(() ->');
  const document = view(loadedFromText(PICTURE), { 'hints.format': 'ascii' }, changed, before);
  const [share, ...rest] = lenses(document);
  expect(share).toBe('run: ~73% of cpu - 145 of 200 (why)');
  expect(rest).toContain('run: +43 (moved)');
});
