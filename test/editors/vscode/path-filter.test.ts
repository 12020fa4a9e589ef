// The list of VS Code in which a path is written: it is followed while it is typed, completed, taken or taken back.
import type { Status } from 'insitu/protocol';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FilterSurroundings, filterByPath } from '../../../clients/vscode/src/path-filter.ts';
import { nothingChosen, source } from './shown-source.ts';

type Item = { readonly label: string; readonly description?: string };
const list = vi.hoisted(() => ({
  ...{ value: '', title: '', placeholder: '' },
  ...{ items: [] as Item[], selectedItems: [] as Item[] },
  ...{ changed: () => {}, accepted: () => {}, hide: () => {} },
  onDidChangeValue(changed: () => void) {
    list.changed = changed;
  },
  onDidAccept(accepted: () => void) {
    list.accepted = accepted;
  },
  onDidHide(hide: () => void) {
    list.hide = hide;
  },
  show: () => {},
  dispose: () => {},
}));
vi.mock('vscode', () => ({
  window: { createQuickPick: () => list },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false };
    cancel() {
      this.token.isCancellationRequested = true;
    }
  },
}));

const PAUSE = 150;
let asked: (readonly [string, object])[] = [];
const told: (Status | null)[] = [];
/** A path with a question mark is a mistake, which the quiet door answers with null. */
const answer = async (operation: string, parameters: object) => {
  asked.push([operation, parameters]);
  if (operation === 'completePath') return { from: 3, to: 6, names: [{ text: 'Shop.search$(bug)', kind: 'method' }] };
  if (operation === 'status') return { sources: [{ ...source, chosen: { ...nothingChosen, path: '* ..Before' } }] };
  return JSON.stringify(parameters).includes('?') ? null : { sources: [{ ...source, text: '42 % on the path' }] };
};
const surroundings = { ask: answer, askQuietly: answer, took: status => told.push(status) } as FilterSurroundings;

async function type(text: string): Promise<void> {
  list.value = text;
  list.changed();
  await vi.advanceTimersByTimeAsync(PAUSE);
}
const selected = () => asked.filter(([operation]) => operation === 'select').map(([, parameters]) => parameters);

beforeEach(async () => {
  vi.useFakeTimers();
  await filterByPath(surroundings);
  await vi.advanceTimersByTimeAsync(PAUSE);
  asked = [];
});

test('begins with the path that is shown, which is not asked for again', () => {
  expect(list.value).toBe('* ..Before');
  expect(selected()).toEqual([]);
});

test('only a text that stays for a while is shown, with its cost; names are offered at once', async () => {
  for (const text of ['* ', '* ..', '* ..Sho']) {
    list.value = text;
    list.changed();
    await vi.advanceTimersByTimeAsync(PAUSE / 3);
  }
  expect(selected()).toEqual([]);
  expect(list.items.map(({ label }) => label)).toEqual(['* ..Sho', 'Shop.search\\$(bug)']);
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(selected()).toEqual([{ path: '* ..Sho' }]);
  expect(list.items[0]?.description).toBe('42 % on the path');
});

test('a name takes the place of what was typed', async () => {
  await type('* ..Sho');
  list.selectedItems = list.items.slice(1);
  list.accepted();
  expect(list.value).toBe('* .Shop.search$(bug)o');
});

test('Enter takes the path, and an empty one shows all stacks', async () => {
  await type('  ');
  list.selectedItems = list.items.slice(0, 1);
  list.accepted();
  await vi.advanceTimersByTimeAsync(0);
  expect(selected().at(-1)).toEqual({ path: null });
  expect(told.at(-1)).not.toBeNull();
});

test('going away shows what was shown before; of a mistake it was never anything else', async () => {
  await type('* ..?');
  expect(list.items[0]?.description).toMatch(/Enter tells why/);
  asked = [];
  list.hide();
  await vi.advanceTimersByTimeAsync(0);
  expect(selected()).toEqual([]);
  await filterByPath(surroundings, '* ..Card.pay');
  await vi.advanceTimersByTimeAsync(PAUSE);
  asked = [];
  list.hide();
  await vi.advanceTimersByTimeAsync(0);
  expect(selected()).toEqual([{ path: '* ..Before' }]);
});
