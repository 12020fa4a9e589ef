// Types statements into a sample file, a character at a time: no hint of another method may vanish, jump or change on the way.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { openedText } from '../../../server/mapping/recorded/profiled-text.ts';
import { documentView } from '../../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../../server/workspace/document/kept-mapping.ts';
import { KeptOutline } from '../../../server/workspace/document/kept-outline.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';

const FILE = 'samples/shop/v1/src/main/java/com/acme/shop/load/Thumbnail.java';
const TYPED = [
  'if (a > b) { list.stream().map(x -> x + 1).forEach(System.out::println); }',
  'String s = "a { b"; // note {',
  'for (int i = 0; i < 9; i++) { /* } */ sum += at(i, 1); }',
  'var t = new Thumbnail(3) { @Override int at(int x, int y) { return 1; } };',
];

let data: LoadedData;
beforeAll(async () => {
  const { profile } = await ingestFile('samples/recordings/shop-v1-jdk17-a.jfr', { names: 'normalised' });
  if (profile === null) throw new Error('the sample recording cannot be read');
  data = loadedFrom(profile);
});

/** Hints by the method of the file in which they stand: before, inside or behind the lines typed into. */
function typing(text: string, at: number, typed: string) {
  const [outline, mapping] = [new KeptOutline(), new KeptMapping(openedText(text))];
  const state = { kind: 'ready', data, problems: [] } as const;
  return Array.from({ length: typed.length + 1 }, (_, length) => {
    const edited = text.slice(0, at) + typed.slice(0, length) + text.slice(at);
    const document = documentView({ text: edited, outline, mapping, state });
    return { typed: typed.slice(0, length), hints: hintsOf(document).map(({ line, text: said }) => `${line} ${said}`) };
  });
}

test.each(TYPED)('%s', typed => {
  const text = readFileSync(FILE, 'utf8');
  // The body of `encode`: hints above and below it belong to others.
  const at = text.indexOf('{', text.indexOf('String encode()')) + 1;
  const line = text.slice(0, at).split('\n').length;
  const end = line + text.slice(at).split('\n').indexOf('    }');
  const elsewhere = (hints: readonly string[]) =>
    hints.filter(hint => Number.parseInt(hint, 10) < line || Number.parseInt(hint, 10) > end);
  const steps = typing(text, at, typed);
  const before = elsewhere(steps[0]!.hints);
  expect(before.length).toBeGreaterThan(10);
  const moved = steps.filter(step => elsewhere(step.hints).join() !== before.join());
  expect(moved.map(step => ({ typed: step.typed, hints: elsewhere(step.hints) }))).toEqual([]);
});
