// Tests that the parts that hints and lenses take over from earlier ones never show: after any edits they equal a fresh document's.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Baseline } from '../../server/analysis/baseline.ts';
import type { LoadedData } from '../../server/analysis/loaded-data.ts';
import { defaultSettings, type Settings } from '../../server/base/config.ts';
import { finalHints } from '../../server/features/hints/final-hints.ts';
import { type DocumentHints, hintsFrom, type LineRange } from '../../server/features/hints/hints.ts';
import { lensesOf } from '../../server/features/lenses.ts';
import { ingestFile } from '../../server/ingest/read.ts';
import { inlayHint } from '../../server/lsp/wire/hint-to-lsp.ts';
import { codeLens } from '../../server/lsp/wire/lens-to-lsp.ts';
import { openedText } from '../../server/mapping/recorded/profiled-text.ts';
import { type DocumentParts, documentView } from '../../server/workspace/document/document-view.ts';
import { KeptMapping } from '../../server/workspace/document/kept-mapping.ts';
import { KeptOutline } from '../../server/workspace/document/kept-outline.ts';
import { comparedByName, loadedFrom } from '../support/profiles/loaded.ts';
import { runs } from '../support/runs.ts';

const FILES = ['load/Thumbnail', 'load/LoadDriver', 'pricing/RuleBook', 'load/Recommender', 'report/Reports'].map(
  name => readFileSync(`samples/shop/v1/src/main/java/com/acme/shop/${name}.java`, 'utf8'),
);

let data: LoadedData;
let compared: Baseline;
beforeAll(async () => {
  const { profile } = await ingestFile('samples/recordings/shop-v1-jdk17-a.jfr', { names: 'normalised' });
  if (profile === null) throw new Error('the sample recording cannot be read');
  data = loadedFrom(profile);
  compared = comparedByName(data, loadedFrom(profile));
});

const PIECES = [
  ' ',
  '\n',
  '\n',
  '\n\n',
  'x',
  '}',
  '{',
  '// note\n',
  'void added() { run(); }\n',
  'a.b(c -> c.d());',
  '"',
];

const edits = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 999 }).map(number => number / 999),
    removed: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 120 })),
    typed: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('\n', ' ') }, fc.constantFrom(...PIECES)),
    /** At the start of its line, where an empty line changes no code. */
    atLine: fc.integer({ min: 0, max: 4 }).map(number => number > 0),
    /** Takes the latest edit back. */
    isUndone: fc.integer({ min: 0, max: 3 }).map(number => number === 0),
    compares: fc.integer({ min: 0, max: 9 }).map(number => number === 0),
    format: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom('ascii', 'verbose')),
    /** First line of a screen; null where all lines are asked for. */
    screen: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 150 })),
  }),
  { minLength: 3, maxLength: 8 },
);

/** The header of the class is removed, so that only some of its methods, found by their code, are left of the profiled text. */
const HEADER_REMOVED = [
  { at: 0.08008, removed: 31, typed: ' ' },
  { at: 0, removed: 0, typed: '\n' },
  { at: 0.37838, removed: 0, typed: '\n' },
].map(edit => ({ ...edit, atLine: false, isUndone: false, compares: true, format: null, screen: null }));

const EXTRAS = { commands: true, graphics: false };

/** All that a client gets. */
function answered(found: DocumentHints): string {
  const { document } = found;
  const hints = finalHints(found, EXTRAS, null).map(hint => inlayHint(hint, document.uri));
  const lenses = lensesOf(document).map(lens => codeLens(lens, ''));
  return JSON.stringify([hints, lenses], null, 1);
}

test.each([true, false])('with the profiled text known: %s', isKnown => {
  let most = 0;
  fc.assert(
    fc.property(fc.constantFrom(...FILES), edits, (profiled, all) => {
      const known = openedText(isKnown ? profiled : null);
      const [outline, mapping] = [new KeptOutline(), new KeptMapping(known)];
      let [text, before] = [profiled, profiled];
      let last = null as DocumentHints | null;
      for (const { at, atLine, removed, typed, isUndone, compares, format, screen } of all) {
        const place = Math.floor(at * text.length);
        const start = atLine ? text.lastIndexOf('\n', place) + 1 : place;
        const edited = text.slice(0, start) + typed + text.slice(start + removed);
        [text, before] = isUndone ? [before, text] : [edited, text];
        const settings: Settings = { ...defaultSettings(), 'hints.format': format };
        const view: DocumentParts = {
          text,
          settings,
          baseline: compares ? compared : null,
          state: { kind: 'ready', data, problems: [] },
        };
        const range: LineRange | null = screen === null ? null : { first: screen, last: screen + 40 };
        last = hintsFrom(last, documentView({ ...view, outline, mapping }, last?.document), range);
        const kept = answered(last);
        const first = documentView({ ...view, mapping: new KeptMapping(known) });
        const fresh = answered(hintsFrom(null, first, range));
        most = Math.max(most, fresh.length);
        expect(kept).toBe(fresh);
      }
    }),
    { numRuns: runs(30), examples: [[FILES[2]!, HEADER_REMOVED]] },
  );
  expect(most).toBeGreaterThan(5_000);
});
