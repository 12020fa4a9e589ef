// Tests what definitions of tasks yield from loaded data.
import { expect, test } from 'vitest';
import type { Selection } from '../../server/analysis/selection.ts';
import { tasksOf } from '../../server/features/tasks.ts';
import { loadedFromText } from '../support/profiles/loaded.ts';

const PICTURE = `
Main.main
  acme.order.Orders.place :3 | 4@5
    acme.stock.Stock.take :7 | 2@5/1
  acme.stock.Stock.take :4 | 8@5
[truncated]
  acme.stock.Stock.take | 64@5`;
const SERVICES = {
  name: 'services',
  type: 'regex',
  value: String.raw`^acme\.(?<service>[^.]+)`,
  taskName: `the \${service}`,
} as const;

function rows(selection: Selection = {}): string[] {
  const { value, problems } = tasksOf(loadedFromText(PICTURE, {}, {}, selection), [
    SERVICES,
    { name: 'main', type: 'path', value: '/Main.main;acme.stock.Stock.take' },
  ]);
  // Whatever yields nothing is a problem, and nothing else is.
  const silent = ['services', 'main'].filter(name => !value.some(({ definition }) => definition === name));
  expect(problems.map(({ place }) => place)).toEqual(silent.map(name => `task ${name}`));
  return value.map(({ name, definition, total }) => `${definition}: ${name} ${total.samples} of ${total.whole}`);
}

test('all definitions, heaviest first, partial stacks in none', () => {
  expect(rows()).toEqual(['services: the stock 10 of 14', 'main: main 8 of 14', 'services: the order 6 of 14']);
});

test('under a focus and on some threads shares are of those', () => {
  expect(rows({ focus: ['acme.order.Orders.place'] })).toEqual([
    'services: the order 6 of 6',
    'services: the stock 2 of 6',
  ]);
  expect(rows({ threads: ['pool-*'] })).toEqual(['services: the order 2 of 2', 'services: the stock 2 of 2']);
});

test('definitions that yield nothing say why', () => {
  const data = loadedFromText(PICTURE, {}, {}, { threads: ['pool-*'] });
  const { value, problems } = tasksOf(data, [
    { name: 'typo', type: 'prefix', value: 'acme.ordr' },
    { name: 'broken', type: 'regex', value: '(' },
    { name: 'elsewhere', type: 'path', value: '/Main.main/acme.stock.Stock.take' },
  ]);
  expect(value).toEqual([]);
  expect(problems.map(({ place, message }) => [place, message.split(':')[0]])).toEqual([
    ['task typo', 'no method that ran fits "acme.ordr"'],
    ['task broken', 'the expression is not valid'],
    ['task elsewhere', 'no sample of cpu is in what fits "/Main.main/acme.stock.Stock.take"'],
  ]);
});
