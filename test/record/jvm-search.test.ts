// Searching for JVMs: new ones are found however late they tell what they are, and what is none costs nothing for long.
import { expect, test } from 'vitest';
import { startTicksOf } from '../../server/base/linux-processes.ts';
import { JvmSearch } from '../../server/record/jvm-search.ts';
import type { Jvm } from '../../server/record/jvms.ts';

const own = startTicksOf(process.pid)!;

function jvm(pid: number, startTicks = own): Jvm {
  const nothing = { user: 0, root: '', name: 'Shop', main: 'Shop', args: '', jvmArgs: [], classPath: '' };
  return { pid, startTicks, ...nothing, javaVersion: '17.0.15', sinceMillis: 0, identity: '' };
}

/** A machine of which each process can change; counts how often each is looked at. */
function machine() {
  const processes = new Map<number, Jvm | null>();
  const looks = new Map<number, number>();
  let millis = 0;
  const describe = (pid: number): Jvm | null => {
    looks.set(pid, (looks.get(pid) ?? 0) + 1);
    return processes.get(pid) ?? null;
  };
  const search = new JvmSearch(describe, () => millis);
  const list = (): number[] => search.list([...processes.keys()]).map(({ pid }) => pid);
  return { processes, looks, list, wait: (more: number) => (millis += more) };
}

test('a process that becomes a JVM after a while is found', () => {
  const { processes, list } = machine();
  processes.set(9, null).set(4, null);
  expect(list()).toEqual([]);
  expect(list()).toEqual([]);
  processes.set(9, jvm(9)).set(4, jvm(4));
  expect(list()).toEqual([4, 9]);
  processes.delete(9);
  expect(list()).toEqual([4]);
});

test('what is no JVM is looked at five times, and once more each minute', () => {
  const { processes, looks, list, wait } = machine();
  processes.set(4, null);
  for (let round = 0; round < 25; round++) list();
  expect(looks.get(4)).toBe(5);
  wait(60_000);
  processes.set(4, jvm(4));
  expect(list()).toEqual([4]);
});

test('a number that is given to another process is looked at anew', () => {
  const { processes, looks, list } = machine();
  processes.set(process.pid, jvm(process.pid));
  for (let round = 0; round < 9; round++) expect(list()).toEqual([process.pid]);
  expect(looks.get(process.pid)).toBe(5);
  const other = machine();
  other.processes.set(process.pid, jvm(process.pid, own + 1));
  for (let round = 0; round < 6; round++) other.list();
  other.processes.set(process.pid, null);
  expect(other.list()).toEqual([]);
});
