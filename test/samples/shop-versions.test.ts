// The second version of the sample shop holds only files that differ from the first, and is whole where both are laid over each other.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleFolder } from '../oracle/oracle.ts';

const [first, second] = ['samples/shop/v1', 'samples/shop/v2'] as const;
const filesIn = (folder: string) =>
  globSync('**/*', { cwd: folder })
    .filter(path => statSync(join(folder, path)).isFile())
    .sort();
const text = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

test('no file of the second version is as it was in the first', () => {
  const same = filesIn(second).filter(
    path => existsSync(join(first, path)) && text(first, path) === text(second, path),
  );
  expect(same).toEqual([]);
});

test('the whole second version is the first with the files of the second over it', () => {
  const changed = new Set(filesIn(second));
  expect(changed.size).toBeGreaterThan(0);
  const whole = sampleFolder('v2');
  expect(filesIn(whole)).toEqual([...new Set([...filesIn(first), ...changed])].sort());
  for (const path of filesIn(whole)) expect(text(whole, path)).toBe(text(changed.has(path) ? second : first, path));
});
