// Edits that cost nothing get no prediction, in the files of the samples; the benchmark makes two hundred of them in those of a library.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { HARMLESS_KINDS, harmlessEdits } from '../../support/recordings/harmless-edits.ts';
import { toldOfHarmless } from '../../support/recordings/harmless-predictions.ts';

const SAMPLES = fileURLToPath(new URL('../../../samples', import.meta.url));
const files = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.java'));
const edits = files.flatMap(path => {
  const text = readFileSync(join(SAMPLES, path), 'utf8');
  return harmlessEdits(text, 2).map(edit => ({ path, edit }));
});

test.each(HARMLESS_KINDS)('%s', async kind => {
  const own = edits.filter(({ edit }) => edit.kind === kind).slice(0, 6);
  expect(own.length).toBeGreaterThan(2);
  for (const { path, edit } of own) expect(await toldOfHarmless(edit, path)).toEqual([]);
});
