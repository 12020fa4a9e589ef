// A saved picture is whole, whatever names are in it.
import { expect, test } from 'vitest';
import { svgDocument } from '../../../clients/web/src/svg-pen.ts';
import { HOSTILE_NAMES } from '../../support/terminals/hostile-text.ts';
import { expectWellFormed } from '../../support/terminals/well-formed.ts';

const ELEMENTS = new Set('svg title defs pattern line rect g text path'.split(' '));

test.each(HOSTILE_NAMES.map(name => [JSON.stringify(name.slice(0, 30)), name] as const))('with %s', (_, name) => {
  const document = svgDocument({ width: 100, height: 50 }, '#fff', name, () => 1);
  const label = { text: name, x: 1, y: 2, align: 'center', turn: 1, colour: '#000' } as const;
  document.moveTo(10);
  document.pen.hatch({ kind: 'rectangle', x: 0, y: 0, width: 5, height: 5 }, '#123456');
  document.pen.write(label);
  const text = document.text();
  expectWellFormed(text, ELEMENTS);
  expect(text.length).toBeLessThan(5_000);
});
