// Tests how a choice of what is looked at is described: few names as they are, many counted.
import { expect, test } from 'vitest';
import { describeLook } from '../../server/model/look.ts';

test('a choice is named field by field; of many names the first stands for all', () => {
  expect(describeLook({})).toBe('');
  expect(describeLook({ threads: ['http-*'], instances: ['a', 'b'] })).toBe('threads http-* · instance a or b');
  const instances = Array.from({ length: 10 }, (_, at) => `web-${at}`);
  expect(describeLook({ instances })).toBe('instance web-0 or 9 others');
});
