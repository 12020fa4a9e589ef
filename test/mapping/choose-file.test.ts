// Of files that claim one class with nothing else to tell them apart, the one in the source root at hand is taken.
import { expect, test } from 'vitest';
import { outlineOf } from '../../grammar/parse.ts';
import { type Claim, chooseFile } from '../../server/mapping/choose-file.ts';
import type { Frame } from '../../server/mapping/frame.ts';
import { indexOutline } from '../../server/mapping/outline-index.ts';

const text = 'package p;\nclass A {\n  void run() {\n  }\n}\n';
const frame: Frame = { className: 'p.A', name: 'run', descriptor: '()V', lines: [3], flags: 0 };

function claim(path: string, content = text): Claim {
  const file = { path, size: 0, modifiedMs: 0, packageName: 'p', types: ['p.A'] };
  return { file, index: indexOutline(outlineOf(content)), text: content };
}

const claims = [claim('/w/main/p/A.java'), claim('/w/main2/p/A.java'), claim('C:\\w\\branch\\p\\A.java')];

test.each([
  ['/w/main2/p/q/B.java', '/w/main2/p/A.java'],
  ['/w/main/p/B.java', '/w/main/p/A.java'],
  ['C:\\w\\branch\\q\\B.java', 'C:\\w\\branch\\p\\A.java'],
  ['/elsewhere/B.java', '/w/main/p/A.java'],
])('near %s it is %s', (near, path) => {
  for (const order of [claims, claims.toReversed()]) expect(chooseFile(order, [frame], near)?.file.path).toBe(path);
});

test('what was seen to run weighs more than what is near', () => {
  const other = claim('/w/main/p/A.java', text.replace('\n  void', '\n\n\n\n  void'));
  const near = '/w/main/p/B.java';
  expect(chooseFile([other, claim('/w/far/p/A.java')], [frame], near)?.file.path).toBe('/w/far/p/A.java');
});
