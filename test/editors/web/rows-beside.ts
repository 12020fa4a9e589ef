// Reads the table beside a picture, which lists the picture's parts in their order.
import type { Page } from 'playwright-core';

/** `level` counts from 0 at the root; `total` is the text of the column. */
export type PartRow = { readonly name: string; readonly level: number; readonly total: string };

/** In one step, so that no frame comes in between. */
export async function partRows(page: Page): Promise<PartRow[]> {
  const read = await page
    .locator('.beside tbody tr')
    .evaluateAll(found =>
      found.map(row => [
        row.querySelector('button')?.getAttribute('aria-label') ?? '',
        row.querySelector('td')?.textContent ?? '',
      ]),
    );
  return read.map(([label = '', total = '']) => {
    const [, name = '', level = ''] = /^(.*), level (\d+)$/.exec(label) ?? [];
    return { name, level: Number(level), total };
  });
}

/** The names of each caller's callees from left to right, by the way to the caller. */
export function siblings(rows: readonly PartRow[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const way: string[] = [];
  for (const { name, level } of rows) {
    way.length = level;
    const caller = way.join(' > ');
    found.set(caller, [...(found.get(caller) ?? []), name]);
    way.push(name);
  }
  return found;
}

/** Pairs of siblings that stand the other way round in the later rows. */
export function swapped(before: readonly PartRow[], after: readonly PartRow[]): string[] {
  const later = siblings(after);
  return [...siblings(before)].flatMap(([caller, names]) => {
    const now = later.get(caller) ?? [];
    const places = names.filter(name => now.includes(name)).map(name => now.indexOf(name));
    return places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0))
      ? [`${caller}: ${names.join(', ')} → ${now.join(', ')}`]
      : [];
  });
}
