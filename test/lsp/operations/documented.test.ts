// The page about the protocol's extensions lists just the operations that there are, and names types that there are.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANSWERS_BY_NAME } from '../../../server/features/answers/answer-table.ts';
import { serverCapabilities } from '../../../server/lsp/capabilities.ts';
import { COMMANDS, OPERATIONS } from '../../../server/lsp/operations/operation-table.ts';
import { hasType } from '../../support/protocol/message-types.ts';

const page = readFileSync(new URL('../../../docs/lsp-extensions.md', import.meta.url), 'utf8');
const answers = new Set(Object.keys(ANSWERS_BY_NAME));
const rows = [...page.matchAll(/^\| `insitu\/(\w+)` \|(.*)\| (.*) \|$/gm)].map(([, name, , answer]) => ({
  name,
  answer,
}));

test('every operation has its row, in the order of the table', () => {
  const requests = OPERATIONS.filter(({ name, commandOnly }) => !commandOnly && !answers.has(name)).map(
    ({ name }) => name,
  );
  expect(rows.map(({ name }) => name)).toEqual(requests);
});

test('every answer is described', () => {
  const described = [...page.matchAll(/^#### Answer `(\w+)`$/gm)].map(([, name]) => name);
  expect(described).toEqual([...answers]);
});

test('every operation that is only a command is named as one', () => {
  const [, named = ''] = /^Only commands, because they ask a person: (.*?)\. With/ms.exec(page) ?? [];
  const only = OPERATIONS.filter(({ commandOnly }) => commandOnly).map(({ name }) => `\`insitu.${name}\``);
  expect(named.split(', ')).toEqual(only);
});

test('clients are offered all of them as commands', () => {
  const { executeCommandProvider } = serverCapabilities({ callHierarchy: false, commands: COMMANDS });
  expect(executeCommandProvider?.commands).toEqual(COMMANDS);
  expect(new Set(COMMANDS).size).toBe(COMMANDS.length);
});

test('types that the page names are types of the package', () => {
  const named = rows.flatMap(({ answer = '' }) => [...answer.matchAll(/`(\w+)`/g)].map(([, type = '']) => type));
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter(type => !hasType(type))).toEqual([]);
});
