// The generated pages, schemas and types say what the tables of settings and answers say, and every command can be set up and has its page.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outdatedDocs } from '../.ci/docs.ts';
import { wholeProgram } from '../server/cli/program.ts';

test('what follows from the tables of settings and answers is up to date (node .ci/docs.ts writes them)', () => {
  expect(outdatedDocs()).toEqual([]);
});

test('docs/command-line.md names every command, and the options that all commands about a part of the data have', async () => {
  const page = readFileSync(new URL('../docs/command-line.md', import.meta.url), 'utf8');
  const ignore = () => undefined;
  const { commands } = await wholeProgram({ out: ignore, err: ignore, data: ignore });
  expect(commands.length).toBeGreaterThan(15);
  expect(commands.map(command => command.name()).filter(name => !page.includes(`\`insitu ${name}`))).toEqual([]);
  const parts = commands.find(command => command.name() === 'top')!.options.map(({ long }) => long ?? '');
  const described = ['--focus', '--call-path', '--threads', '--instance', '--last', '--from', '--to', '--metric'];
  expect(parts).toEqual(expect.arrayContaining(described));
  expect(described.filter(option => !page.includes(`\`${option}`))).toEqual([]);
});
