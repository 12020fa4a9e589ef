// Pairs of recordings of one program under the same load: no face says slower, faster or significant.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeData, type LoadedData } from '../../../server/analysis/loaded-data.ts';
import { loadData } from '../../../server/analysis/select-data.ts';
import { defaultSettings } from '../../../server/base/config.ts';
import type { Cells, Profile } from '../../../server/cct/profile.ts';
import { pruneTables } from '../../../server/cct/prune.ts';
import { takeCells } from '../../../server/cct/take-cells.ts';
import { regressionDiagnostics } from '../../../server/features/diagnostics/regression-diagnostics.ts';
import { hintsOf } from '../../../server/features/hints/hints.ts';
import { hoverOf } from '../../../server/features/hover/hover.ts';
import { lensesOf } from '../../../server/features/lenses.ts';
import { ingestFile } from '../../../server/ingest/read.ts';
import { documentWithData } from '../../../server/workspace/document/document-view.ts';
import { insitu } from '../../support/insitu/command-line.ts';
import { putProfile } from '../../support/insitu/lsp-store.ts';
import { comparedByName } from '../../support/profiles/loaded.ts';
import { sampled } from '../../support/runs.ts';

const RECORDINGS = ['a', 'b', 'jdk25'] as const;
const FILES = { a: 'shop-v1-jdk17-a', b: 'shop-v1-jdk17-b', jdk25: 'shop-v1-jdk25' } as const;

/** Ten seconds of a JVM against ten of another one: the recording, and which of its windows. */
const PAIRS = [
  ['a0', 'b0'],
  ['a1', 'b1'],
  ['a2', 'b2'],
  ['a3', 'b3'],
  ['a4', 'jdk25 0'],
  ['a5', 'jdk25 1'],
  ['b0', 'jdk25 2'],
  ['b1', 'jdk25 3'],
  ['b2', 'a5'],
  ['jdk25 0', 'a0'],
] as const;

const SAID = /\b(?:slower|faster|significant\w*)\b|[↗↘↑↓▲▼]/;
const SOURCE = 'samples/shop/v1/src/main/java/com/acme/shop/Shop.java';

let store: string;
const windowsOf = new Map<string, Profile>();

function windowOf(profile: Profile, window: number): Profile {
  const cells = profile.cells.map((all): Cells => {
    const taken = takeCells(all, row => all.window[row] === window);
    return { ...taken, window: taken.window.map(() => 0) };
  });
  return pruneTables({ ...profile, cells, windows: [profile.windows[window]!] });
}

beforeAll(async () => {
  store = mkdtempSync(join(tmpdir(), 'insitu-pairs-'));
  for (const name of RECORDINGS) {
    const { profile } = await ingestFile(`samples/recordings/${FILES[name]}.jfr`, { names: 'normalised' });
    for (const [window] of profile!.windows.entries()) {
      const version = `${name}${name === 'jdk25' ? ' ' : ''}${window}`;
      const part = windowOf(profile!, window);
      windowsOf.set(version, part);
      await putProfile(store, part, { version, instance: name });
    }
  }
});

afterAll(() => rmSync(store, { recursive: true }));

function run(...args: string[]) {
  return insitu(...args, '--store', store, '--project', 'acme', '--program', 'shop', '--metric', 'cpu');
}

/** Everything that JSON says, but the names of its keys and what comes from the program. */
function verdictsOf(json: string): Set<string> {
  const found = new Set<string>();
  JSON.parse(json, (key, value) => {
    if (key === 'verdict') found.add(value);
    return value;
  });
  return found;
}

async function loaded(version: string): Promise<LoadedData> {
  const wish = { store, project: 'acme', program: 'shop', version, root: '' };
  const { value, problems } = await loadData(wish, { metric: 'cpu' });
  if (value === null) throw new Error(JSON.stringify(problems));
  return completeData(value);
}

describe.each(sampled(PAIRS))('%s against %s', (before, now) => {
  test('compared in the terminal', async () => {
    const { out, status } = await run('compare', before, now, '--hot-path');
    expect([status, SAID.exec(out)]).toEqual([0, null]);
    expect(out).toMatch(/not tested/);
    expect(out.split('\n').length).toBeGreaterThan(20);
    const quiet = await run('compare', before, now, '--format', 'markdown');
    expect([quiet.status, quiet.out]).toEqual([0, '']);
    expect(quiet.err).toMatch(/not tested/);
    const json = await run('compare', before, now, '--format', 'json');
    expect(verdictsOf(json.out)).toEqual(new Set(['notTested']));
    expect((await run('compare', before, now, '--fail-on', 'slower > 1%')).status).toBe(3);
  });

  test('listed and annotated', async () => {
    for (const sort of ['self', 'total', 'change']) {
      const { out } = await run('top', '--version', now, '--baseline', before, '--sort', sort);
      expect(SAID.exec(out)).toBeNull();
    }
    const options = ['--version', now, '--baseline', before];
    expect(SAID.exec((await run('annotate', SOURCE, ...options)).out)).toBeNull();
    for (const json of [await run('top', ...options, '--json'), await run('annotate', SOURCE, ...options, '--json')])
      expect(verdictsOf(json.out)).toEqual(new Set(['notTested']));
  });

  test('in hints, lenses, hovers and diagnostics', async () => {
    const [data, baseline] = [await loaded(now), await loaded(before)];
    const text = readFileSync(SOURCE, 'utf8');
    const settings = { ...defaultSettings(), 'diagnostics.regressions': 0.0001, 'hints.format': 'verbose' } as const;
    const document = documentWithData(text, data, settings, SOURCE, { baseline: comparedByName(data, baseline) });
    const hints = hintsOf(document);
    expect(hints.length).toBeGreaterThan(5);
    const said = [
      ...hints.map(hint => JSON.stringify(hint)),
      ...lensesOf(document).map(lens => JSON.stringify(lens)),
      ...document.outline.declarations.map(({ nameSpan }) => hoverOf(document, nameSpan.start)?.markdown ?? ''),
    ].join('\n');
    expect(said).toContain('not tested');
    expect(SAID.exec(said)).toBeNull();
    expect(regressionDiagnostics(document)).toEqual([]);
  });
});
