// Tests what definitions of tasks yield from loaded data.
import { describe, expect, test } from 'vitest';
import { answer } from '../../../server/analysis/ask.ts';
import type { LoadedData } from '../../../server/analysis/loaded-data.ts';
import type { Selection } from '../../../server/analysis/selection.ts';
import type { Task } from '../../../server/metrics/task.ts';
import { loadedFromText } from '../../support/profiles/loaded.ts';

function tasksOf(data: LoadedData, definitions: readonly Task[], limitMillis?: number) {
  const found = answer(data, 'tasks', { definitions, aspects: [], ...(limitMillis !== undefined && { limitMillis }) });
  const { tasks, whole } = found.value;
  return { value: tasks.map(task => ({ ...task, whole: whole.weight })), problems: found.problems };
}

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
  return value.map(({ name, definition, amount, whole }) => `${definition}: ${name} ${amount.count} of ${whole}`);
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

describe('expressions that take long', () => {
  const HARD = loadedFromText(`
Main.main
  ${'a'.repeat(60)}!.run :3 | 5@5
  acme.stock.Stock.take :4 | 3@5`);
  const bad = (i: number) => ({ name: `bad ${i}`, type: 'regex', value: `^(a+)+$|${i}` }) as const;
  const STOCK = { name: 'stock', type: 'prefix', value: 'acme.stock' } as const;

  test('have one limit together: those for which no time is left are named, and the rest answers', () => {
    const definitions = [...Array.from({ length: 40 }, (_, i) => bad(i)), STOCK];
    const { value, problems } = tasksOf(HARD, definitions, 400);
    expect(value.map(({ name }) => name)).toEqual(['stock']);
    expect(problems.map(({ place }) => place)).toEqual(definitions.slice(0, -1).map(({ name }) => `task ${name}`));
    const slow = problems.filter(({ message }) => message === 'the expression takes too long');
    const late = problems.filter(({ message }) => message === 'the expressions before it left no time for this one');
    expect(slow.length).toBeGreaterThan(0);
    // Each of them is tried for 30 ms of the processor at least, or 60 times.
    expect(slow.length).toBeLessThan(25);
    expect(slow.length + late.length).toBe(40);
    expect(problems.slice(0, slow.length)).toEqual(slow);
  });

  test('of which one needs all the time', () => {
    const { value, problems } = tasksOf(HARD, [bad(0), SERVICES, STOCK], 1);
    expect(value.map(({ name }) => name)).toEqual(['stock']);
    expect(problems.map(({ place, message }) => [place, message])).toEqual([
      ['task bad 0', 'the expression takes too long'],
      ['task services', 'the expressions before it left no time for this one'],
    ]);
    expect(tasksOf(HARD, [SERVICES, bad(0), STOCK]).value.map(({ definition }) => definition)).toEqual([
      'services',
      'stock',
    ]);
  });
});
