// `insitu annotate --around`: the lines with hints and a few around them, in terminals of several widths.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insitu, insituIn } from '../../support/insitu/command-line.ts';

const SHOP = 'samples/shop/v1/src/main/java/com/acme/shop/Shop.java';

let folder = '';
let place: readonly string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'insitu-around-'));
  place = ['--store', join(folder, 'store'), '--project', 'shop'];
  const recordings = ['a', 'b'].map(name => `samples/recordings/shop-v1-jdk17-${name}.jfr`);
  await insitu('import', ...recordings, ...place, '--program', 'shop', '--version', 'v1');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function hintedLines(): Promise<number[]> {
  const { out } = await insitu('annotate', SHOP, '--json', ...place);
  return JSON.parse(out).rows.map(({ line }: { line: number }) => line);
}

function rowsOf(out: string): string[] {
  return out.trimEnd().split('\n').slice(1);
}

test('has every hint, three lines before and behind it, and a mark where lines are left out', async () => {
  const hinted = await hintedLines();
  const all = rowsOf((await insitu('annotate', SHOP, ...place)).out);
  const near = all.map((_, i) => hinted.some(line => Math.abs(line - (i + 1)) <= 3));
  const wanted = all.flatMap((row, i) => (near[i] ? [row] : i === 0 || near[i - 1] ? ['    ⋮'] : []));
  expect(rowsOf((await insitu('annotate', '--around', SHOP, ...place)).out)).toEqual(wanted);
  expect(wanted.filter(row => row === '    ⋮').length).toBeGreaterThan(2);
});

test.each([60, 80, 120])('fits a terminal of %i characters: source is cut, hints are whole', async columns => {
  const wide = rowsOf((await insitu('annotate', '--around', SHOP, ...place)).out);
  const rows = rowsOf((await insituIn(columns, 'annotate', '--around', SHOP, ...place)).out);
  expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(columns);
  expect(rows).toHaveLength(wide.length);
  const hints = JSON.parse((await insitu('annotate', SHOP, '--json', ...place)).out).rows;
  for (const { line, hint } of hints) {
    const row = rows.find(each => each.startsWith(`${String(line).padStart(3)} │`));
    expect(row).toMatch(/ {2}\S/);
    expect(row?.endsWith(`  ${hint}`)).toBe(true);
  }
  if (columns < 120) expect(rows.some(row => row.includes('…'))).toBe(true);
});

test('with a baseline the change is whole too', async () => {
  await insitu('import', 'samples/recordings/shop-v2-jdk17.jfr', ...place, '--program', 'shop', '--version', 'v2');
  const versions = ['--version', 'v1', '--baseline', 'v2'];
  const wide = rowsOf((await insitu('annotate', '--around', SHOP, ...versions, ...place)).out);
  const { out } = await insituIn(70, 'annotate', '--around', SHOP, ...versions, ...place);
  const rows = rowsOf(out);
  const changes = (lines: readonly string[]) => lines.map(line => /[+−][\d.]+$/.exec(line)?.[0] ?? '');
  expect(changes(rows)).toEqual(changes(wide));
  expect(changes(rows).filter(each => each !== '').length).toBeGreaterThan(2);
  expect(
    Math.max(
      ...out
        .split('\n')
        .slice(2)
        .map(row => row.length),
    ),
  ).toBeLessThanOrEqual(70);
});

test('a file without hints prints none of its lines', async () => {
  const file = join(folder, 'Nothing.java');
  writeFileSync(file, readFileSync(SHOP, 'utf8').replaceAll('Shop', 'Nothing'));
  const { out, err } = await insitu('annotate', file, '--around', '--version', 'v1', ...place);
  expect(rowsOf(out)).toEqual([]);
  expect(err).toContain('nothing in this file reached the thresholds');
});
