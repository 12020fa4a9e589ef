// Checks tasks in every form: which methods and nodes they mean, against stacks searched by hand.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexTree } from '../../server/cct/tree-index.ts';
import { analyse } from '../../server/metrics/analysis.ts';
import { focusNodes, taskAmounts } from '../../server/metrics/focus.ts';
import { chooseTasks } from '../../server/metrics/focus-spec.ts';
import { expressionTime } from '../../server/metrics/match-expression.ts';
import type { Task } from '../../server/metrics/task.ts';
import { matchTask } from '../../server/metrics/task.ts';
import { methodText, profileOfStacks, profileOfText, type RawFrame } from '../support/profiles/profiles.ts';
import { amountOf, rawSamples } from '../support/profiles/stack-oracle.ts';
import { runs } from '../support/runs.ts';

const SHOP = profileOfText(`
Main.main
  com.acme.service.order.Orders.place :3 | 4@5
    com.acme.service.stock.Stock.take :7 | 2@5
      com.acme.service.order.Orders.place :8 | 1@5
  com.acme.service.stock.Stock.take :4 | 8@5
    com.acme.service.stock.Stock$Shelf.find :2 | 16@5
  com.acme.services.Other.run :5 | 32@5
[truncated]
  com.acme.service.stock.Stock.take | 64@5`);

function names(task: Omit<Task, 'name'>): string[] {
  const { value } = matchTask(SHOP.methods, { name: 'mine', ...task });
  return Array.from(value.taskOfMethod, (each, m) => (each < 0 ? '' : methodText(SHOP, m))).filter(text => text !== '');
}

function amounts(task: Omit<Task, 'name'>): string[] {
  const { value } = matchTask(SHOP.methods, { name: 'mine', ...task });
  const analysis = analyse(SHOP, indexTree(SHOP), { metric: 0 });
  return taskAmounts(analysis, value).map(each => `${each.name} ${each.amount.count}`);
}

describe('methods of a task', () => {
  test('a method, however it is written', () => {
    expect(names({ type: 'method', value: 'Main.main' })).toEqual(['Main.main']);
    expect(names({ type: 'method', value: 'Main#main' })).toEqual(['Main.main']);
    expect(names({ type: 'method', value: 'Main.mai' })).toEqual([]);
    expect(names({ type: 'method', value: 'Main_main' })).toEqual([]);
    expect(names({ type: 'method', value: 'com.acme.service.stock.Stock.take' })).toHaveLength(1);
    expect(names({ type: 'method', value: 'com.acme.service.stock.stock.take' })).toEqual([]);
  });

  test('a prefix ends at a name boundary', () => {
    expect(names({ type: 'prefix', value: 'com.acme.service' })).toEqual([
      'com.acme.service.order.Orders.place',
      'com.acme.service.stock.Stock.take',
      'com.acme.service.stock.Stock$Shelf.find',
    ]);
    expect(names({ type: 'prefix', value: 'com.acme.service.stock.Stock' })).toHaveLength(2);
    expect(names({ type: 'prefix', value: 'com.acme.service.stock.' })).toHaveLength(2);
    expect(names({ type: 'prefix', value: 'com.acme.service.stock.Stock.take' })).toHaveLength(1);
  });
});

describe('tasks with their samples', () => {
  const group = (name: string) => `\${${name}}`;
  const services = String.raw`^com\.acme\.service\.(?<service>[^.]+)`;

  test('groups of an expression make a task each', () => {
    expect(amounts({ type: 'regex', value: services })).toEqual(['stock 27', 'order 7']);
    expect(
      amounts({ type: 'regex', value: services, taskName: `the ${group('service')} of ${group('none')}!` }),
    ).toEqual(['the stock of ! 27', 'the order of ! 7']);
    expect(amounts({ type: 'regex', value: 'service' })).toEqual(['mine 63']);
  });

  test('a path is a run of calls, from the root if it says so', () => {
    const take = 'com.acme.service.stock.Stock.take';
    expect(amounts({ type: 'path', value: `Main.main/${take}` })).toEqual(['mine 24']);
    expect(amounts({ type: 'path', value: `/Main.main/${take}` })).toEqual(['mine 24']);
    expect(amounts({ type: 'path', value: `/${take}` })).toEqual([]);
    expect(amounts({ type: 'path', value: take })).toEqual(['mine 27']);
    expect(amounts({ type: 'path', value: 'Main.main/No.no' })).toEqual([]);
    expect(amounts({ type: 'path', value: '/' })).toEqual([]);
  });

  test('chosen tasks are united into one focus', () => {
    const { value: matches } = matchTask(SHOP.methods, { name: 'x', type: 'regex', value: services });
    const whole = (chosen: string[]) => {
      const index = indexTree(SHOP);
      const focus = focusNodes(SHOP, index, [{ matches, names: chosen }]);
      const { whole: all, incomplete } = analyse(SHOP, index, { metric: 0, focus });
      return [all.count, incomplete.count];
    };
    expect(whole(['order'])).toEqual([7, 0]);
    expect(whole(['stock'])).toEqual([27, 64]);
    expect(whole(['stock', 'order'])).toEqual([31, 64]);
    expect(whole([])).toEqual([0, 0]);
  });
});

describe('expressions that do not work', () => {
  test('a malformed one is a problem', () => {
    const { value, problems } = matchTask(SHOP.methods, { name: 'mine', type: 'regex', value: '(' });
    expect(value.names).toEqual([]);
    expect(problems).toMatchObject([{ severity: 'error', place: 'task mine' }]);
    expect(problems[0]!.message).toMatch(/^the expression is not valid: Invalid regular expression/);
  });

  test('one that never ends is stopped', () => {
    const hard = profileOfText(`${'a'.repeat(60)}!.run | 1@1`);
    const { value, problems } = matchTask(hard.methods, { name: 'mine', type: 'regex', value: '^(a+)+$' });
    expect(value.names).toEqual([]);
    expect(problems).toMatchObject([{ message: 'the expression takes too long' }]);
  });

  test('those of one choice have one limit together, and definitions that it left no time for are named', () => {
    const hard = profileOfText(`${'a'.repeat(60)}!.run | 1@1\nShop.run | 2@1`);
    const time = expressionTime(25);
    const chosen = (spec: string) => {
      const saved = [{ name: 'of the shop', type: 'regex', value: '^(?<type>Shop)' } as const];
      const { value, problems } = chooseTasks(hard.methods, spec, saved, time);
      return [value?.matches.names ?? null, ...problems.map(({ message, place }) => place ?? message)];
    };
    expect(chosen('Shop')).toEqual([['Shop']]);
    expect(chosen('regex:^(a+)+$')).toEqual([null, 'task regex:^(a+)+$']);
    expect(chosen('Shop')).toEqual([null, 'no method that ran fits the focus "Shop"', 'task of the shop']);
    expect(chosen('Shop.run')).toEqual([['Shop.run']]);
  });
});

test('paths equal a search in raw stacks', () => {
  const steps = fc.array(fc.constantFrom('A.run', 'A.go', 'B.run'), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rawSamples(), steps, fc.boolean(), (samples, path, fromRoot) => {
      const profile = profileOfStacks(samples);
      const value = (fromRoot ? '/' : '') + path.join('/');
      const { value: matches } = matchTask(profile.methods, { name: 'mine', type: 'path', value });
      const starts = (frames: readonly RawFrame[]) =>
        frames.findIndex((_, i) => path.every((step, j) => frames[i + j]?.method === step) && (i === 0 || !fromRoot));
      const expected = amountOf(samples, frames => starts(frames) >= 0);
      const analysis = analyse(profile, indexTree(profile), { metric: 0 });
      expect(taskAmounts(analysis, matches)[0]?.amount ?? { weight: 0, count: 0 }).toEqual(expected);
      const focus = focusNodes(profile, indexTree(profile), [{ matches }]);
      expect(analyse(profile, indexTree(profile), { metric: 0, focus }).whole).toEqual(expected);
    }),
    { numRuns: runs(300) },
  );
});
