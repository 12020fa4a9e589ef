// Heat in VS Code: steps of each scale, colours that can be read and told apart, and their names in package.json.
import { describe, expect, test } from 'vitest';
import { changeColour, contributedColours, heatColour, PAPER } from '../../../clients/vscode/src/colours.ts';
import { HEAT_LEVELS, heatLevel } from '../../../clients/vscode/src/heat.ts';
import { manifest } from './manifest.ts';

/** Contrast ratio of WCAG 2.2, written down from its definition once more. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const parts = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
    const linear = parts.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
  };
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe('steps', () => {
  test.each([
    ['root', [0.039, 0.041, 0.161, 0.361, 0.641], [1, 2, 3, 4, 5]],
    ['linear', [0.19, 0.21, 0.41, 0.61, 0.81], [1, 2, 3, 4, 5]],
    ['log', [0.001, 0.005, 0.02, 0.1, 0.5], [1, 2, 3, 4, 5]],
  ] as const)('of the scale %s', (scale, shares, levels) => {
    expect(shares.map(share => heatLevel(share, scale))).toEqual(levels);
  });

  test('by quantile depend on the hints of the file', () => {
    const all = [0.01, 0.02, 0.03, 0.04, 0.05];
    expect(all.map(share => heatLevel(share, 'quantile', all))).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([Number.NaN, -1, 0, 1, 7])('stay between 1 and 5 for a share of %d', share => {
    for (const scale of ['root', 'linear', 'log', 'quantile'] as const)
      expect(HEAT_LEVELS).toContain(heatLevel(share, scale, [share]));
  });
});

describe.each(['dark', 'light'] as const)('on a %s page', background => {
  test('every step can be read, and hotter ones stand out more', () => {
    const contrasts = HEAT_LEVELS.map(level => contrast(heatColour(level, false, background), PAPER[background]));
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    expect([...contrasts].sort((a, b) => a - b)).toEqual(contrasts);
  });

  test('changed code has paler colours, which can still be seen', () => {
    for (const level of HEAT_LEVELS) {
      const [fresh, stale] = [false, true].map(each =>
        contrast(heatColour(level, each, background), PAPER[background]),
      );
      expect(stale).toBeLessThan(fresh!);
      expect(stale).toBeGreaterThan(2.5);
    }
  });

  test('changes can be read in every colour that the server gives, and what is not tested has none', () => {
    for (let angle = 0; angle <= 255; angle += 15)
      for (const colour of [
        { red: angle, green: 0, blue: 255 - angle },
        { red: 0, green: angle, blue: 255 - angle },
      ]) {
        expect(
          contrast(changeColour({ colour, verdict: 'slower' }, background), PAPER[background]),
        ).toBeGreaterThanOrEqual(4.4);
        for (const verdict of ['notTested', 'cannotTell', 'same'] as const)
          expect(changeColour({ colour, verdict }, background)).toBe(heatColour(1, false, background));
      }
  });
});

test('themes can change each of them: package.json names them as they are', () => {
  expect(manifest.contributes.colors).toEqual(contributedColours());
});
