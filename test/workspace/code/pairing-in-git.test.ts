// Tests that renames between two commits are found in real git, also where HEAD moves while they are looked for.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PairingKeeper } from '../../../server/workspace/code/pairing-keeper.ts';
import { inlineDoor, loadedFromText } from '../../support/profiles/loaded.ts';
import { Opened, SHOP, scratch } from './profiled-project.ts';

const till = (name: string) => `package acme;
class Till {
  int ${name}(int a, int b) {
    int c = a * b + 17 - a % 3;
    while (c > 3) { c = c / 2 + other.call(c, a, b); }
    return c - a - b * 7 + other.more(c);
  }
}
`;

/** Two versions of a program, loaded and compared; the method of one is called otherwise in the other. */
function compared() {
  const before = scratch.commit({ 'acme/Shop.java': SHOP, 'acme/Till.java': till('oldName') });
  const now = scratch.commit({ 'acme/Till.java': till('newName') });
  const settings = { baseline: before, version: now, project: 'p', program: 'shop' };
  const { workspace, keeper } = new Opened(scratch.root, now, settings);
  const load = (version: string, method: string) => {
    const executions = [{ project: 'p', program: 'shop', version, instance: 'i' }];
    const data = loadedFromText(`acme.Till.${method} | 100@4`, {}, { executions });
    const [wanted] = workspace.view().sources;
    const source = version === before ? wanted!.baseline!.load!.source : wanted!.source;
    workspace.apply({ kind: 'loadEnded', source, data, problems: [] });
  };
  load(now, 'newName');
  load(before, 'oldName');
  const pairings = new PairingKeeper(workspace, keeper, inlineDoor, () => {});
  const formerName = () => {
    const { state, baseline } = workspace.view().sources[0]!;
    const { pairing, data } = baseline!.compared!;
    const { strings, name } = state!.data!.profile.methods;
    const rows = pairing.rowsOf([name.findIndex(each => strings[each] === 'newName')]);
    return rows.map(row => data.profile.methods.strings[data.profile.methods.name[row]!]);
  };
  return { keeper, pairings, formerName };
}

test('a renamed method is found by its former name', async () => {
  const { keeper, pairings, formerName } = compared();
  keeper.sync();
  pairings.sync();
  await pairings.whenDone();
  expect(formerName()).toEqual(['oldName']);
});

test.each([0, 3, 30])('HEAD may move while it is looked for, after %i ms', async millis => {
  const { keeper, pairings, formerName } = compared();
  keeper.sync();
  pairings.sync();
  await pause(millis);
  keeper.headMoved();
  pairings.lookAgain();
  await pairings.whenDone();
  expect(formerName()).toEqual(['oldName']);
});
