// `insitu ask`: any answer of the table by its name, with the parameters that editors and coding agents give.

import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { GenericSchema } from 'valibot';
import { printableLine } from '../../base/printable.ts';
import { type Output, styled } from '../../base/terminal.ts';
import type { Answer } from '../../features/answers/answer.ts';
import { ANSWERS } from '../../features/answers/answer-table.ts';
import {
  type Data,
  factLines,
  isData,
  nameLast,
  originText,
  tableOf,
  writtenOf,
} from '../../features/answers/answer-text.ts';
import { checked } from '../../features/answers/checked.ts';
import { LIMIT } from '../../features/answers/vocabulary.ts';
import { nearestNames } from '../../metrics/nearest-names.ts';
import { LOOK } from '../../model/look-schema.ts';
import { answered } from '../answered.ts';
import { CommandFailure, misused } from '../failure.ts';
import { formatTable, printDim, printJson } from '../output.ts';
import { configure, type StoreOptions, withStoreOptions } from '../store-options.ts';

type Options = StoreOptions & { readonly json?: true; readonly root?: string };

export function askCommand(output: Output) {
  const command = new Command('ask')
    .description('give any answer that editors and coding agents get, by its name; without a name list the answers')
    .argument('[answer]', 'name of the answer')
    .argument('[parameter=value...]', 'its parameters; a list has one such argument a value, or a value in JSON')
    .option('--root <folder>', 'the project (default: the current folder)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  insitu ask top sort=self limit=5\n  insitu ask groups by=package "threads=http-*" baseline=1.4.1\n  insitu ask annotatedFile file=src/main/java/com/acme/Shop.java --json',
    );
  return withStoreOptions(command).action((name: string | undefined, given: readonly string[], options: Options) =>
    name === undefined ? listAnswers(output) : printAnswer(output, name, given, options),
  );
}

function listAnswers(output: Output): void {
  const common = [...Object.keys(LOOK), ...Object.keys(LIMIT)];
  for (const { name, parameters, description } of ANSWERS) {
    const own = Object.entries(entriesOf(parameters)).filter(([each]) => !common.includes(each));
    const names = own.map(([each, { type }]) => (type === 'nullish' ? `[${each}]` : each));
    output.out(styled('bold', [name, ...names].join(' ')), `\n  ${description}\n`);
  }
  printDim(output, `Answers about data also take ${Object.keys(LOOK).join(', ')}, and lists take limit.`);
}

async function printAnswer(output: Output, name: string, given: readonly string[], options: Options): Promise<void> {
  const answer = ANSWERS.find(each => each.name === name);
  if (answer === undefined) {
    const names = ANSWERS.map(each => each.name);
    const [near] = nearestNames(names, name, 1);
    throw misused(
      `there is no answer "${name}"`,
      near === undefined ? 'insitu ask lists them' : `did you mean ${near}?`,
    );
  }
  const { value, problems } = checked(answer.parameters, parametersOf(answer, given));
  if (value === null) throw new CommandFailure(2, problems);
  const root = resolve(options.root ?? '.');
  configure(output, options, root);
  // A terminal shows places too.
  const found = await answered({ output, options: { ...options, json: true }, root }, answer, value);
  if (options.json === true) printJson(output, found);
  else printText(output, name, found);
}

/** `limit=5` → { limit: 5 }: a text becomes what the schema wants; a text that does not fit stays one, and the schema refuses it. */
function parametersOf(answer: Answer, given: readonly string[]): Data {
  const entries = new Map(Object.entries(entriesOf(answer.parameters)));
  const parameters = new Map<string, unknown>();
  for (const each of given) {
    const at = each.indexOf('=');
    if (at <= 0) throw misused(`"${each}" is no parameter`, 'write name=value');
    const [name, text] = [each.slice(0, at), each.slice(at + 1)];
    const type = typeOf(entries.get(name));
    const value = readValue(text, type === 'array' && !text.startsWith('[') ? 'string' : type);
    const before = parameters.get(name);
    if (type === 'array') parameters.set(name, [...(Array.isArray(before) ? before : []), ...[value].flat()]);
    else if (before === undefined) parameters.set(name, value);
    else throw misused(`${name} is given twice`, 'give it once: it is no list');
  }
  return Object.fromEntries(parameters);
}

function readValue(text: string, type: string): unknown {
  if (type === 'string' || type === 'picklist') return text;
  // A value that may be a text is read as JSON only where it is a list: digits may be a day.
  if (type === 'union' && !text.startsWith('[')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The parts of valibot's schemas that parameters use. */
type Node = {
  readonly type: string;
  readonly wrapped?: Node;
};

function entriesOf(schema: GenericSchema): Readonly<Record<string, Node>> {
  return Object(schema).entries ?? {};
}

/** Of a parameter that is not known, its text is taken; the schema refuses its name. */
function typeOf(node: Node | undefined): string {
  if (node === undefined) return 'string';
  return node.wrapped === undefined ? node.type : typeOf(node.wrapped);
}

function printText(output: Output, answer: string, { origin, rows, total, leftOut, ...facts }: Data): void {
  if (isData(origin)) printDim(output, originText(origin));
  const written = writtenOf(answer, origin);
  for (const [fact, text] of factLines(written, facts)) output.out(`${fact}: ${text}\n`);
  if (!Array.isArray(rows)) return;
  const { head, cells } = tableOf(written, rows.filter(isData));
  if (cells.length === 0) output.out('no rows\n');
  // The name of a row is first in answers; a table cuts its last column where a line is too short.
  else {
    const lineOf = (row: readonly string[]) => nameLast(head, row).map(text => printableLine(text));
    output.out(formatTable(lineOf(head), cells.map(lineOf), [], output.columns));
  }
  if (Number(leftOut) > 0) printDim(output, `${leftOut} of ${total} rows are left out`);
}
