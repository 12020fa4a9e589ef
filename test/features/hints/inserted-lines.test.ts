// Lines put above the code of every sample file, with nobody to tell what text ran: no hint may stand at code that is not its own.
import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { loadedFrom } from '../../support/profiles/loaded.ts';

const FILES = globSync('samples/shop/v1/src/**/*.java').sort();

let data: LoadedData;
beforeAll(async () => {
  const { profile } = await ingestFile('samples/recordings/shop-v1-jdk17-a.jfr', { names: 'normalised' });
  if (profile === null) throw new Error('the sample recording cannot be read');
  data = loadedFrom(profile);
});

/** Hints of calls and lines by line and text; texts differ where a neighbour on the line falls away. */
function hintsInside(text: string): string[] {
  const hints = hintsOf(documentWithData(text, data)).filter(({ kind }) => kind === 'call' || kind === 'line');
  return hints.map(hint => `${hint.line} ${hint.text.replace(/ \+\d+$/, '')}`);
}

const moved = (hint: string, lines: number) => hint.replace(/^\d+/, line => String(Number(line) + lines));

test.each([1, 2, 3, 5, 10])('%i lines above', lines => {
  const wrong: string[] = [];
  for (const file of FILES) {
    const text = readFileSync(file, 'utf8');
    const right = new Set(hintsInside(text).map(hint => moved(hint, lines)));
    const shown = hintsInside('// put above\n'.repeat(lines) + text);
    wrong.push(...shown.filter(hint => !right.has(hint)).map(hint => `${file}:${hint}`));
  }
  expect(wrong).toEqual([]);
});

test('without an edit all of them are there', () => {
  const count = FILES.reduce((sum, file) => sum + hintsInside(readFileSync(file, 'utf8')).length, 0);
  expect(count).toBeGreaterThan(100);
});
