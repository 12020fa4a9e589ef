// Colours of time types: seen on light and dark paper, and told apart.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TIME_TYPES } from '../../server/model/time-types.ts';

/** Relative luminance, as the Web Content Accessibility Guidelines define it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('each type has words and a colour of its own that is seen on both papers of the page', () => {
  const styles = readFileSync(join(import.meta.dirname, '../../clients/web/styles/controls.css'), 'utf8');
  // Dark paper stands in the styles twice: where a person or the system chooses it.
  const papers = [...new Set([...styles.matchAll(/--background: (#[0-9a-f]{6});/g)].map(([, colour]) => colour!))];
  expect(papers).toHaveLength(2);
  const types = Object.values(TIME_TYPES);
  for (const { colour } of types)
    for (const paper of papers) expect(contrast(colour, paper), `${colour} on ${paper}`).toBeGreaterThan(3);
  expect(new Set(types.map(({ colour }) => colour)).size).toBe(types.length);
  expect(new Set(types.map(({ words }) => words)).size).toBe(types.length);
});
