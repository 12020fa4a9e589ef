// `insitu why`: why a method has the number it has, or none.

import { resolve } from 'node:path';
import { Command } from 'commander';
import type { LoadedData } from '../../analysis/loaded-data.ts';
import { methodsNamed } from '../../analysis/named-methods.ts';
import { printableLine, printableName } from '../../base/printable.ts';
import { type Output, type Piece, styled } from '../../base/terminal.ts';
import { hasSamplingError } from '../../cct/profile.ts';
import { type CodeState, stateOf, stateText } from '../../features/facts/code-state.ts';
import { intervalOf } from '../../features/hover/hover-metrics.ts';
import { FEW_SAMPLES, type Share, shareInHint } from '../../features/text/format-share.ts';
import { type ListedMethod, listedMethod, listedText } from '../../features/text/listed-method.ts';
import type { WayStep } from '../../features/why/heaviest-ways.ts';
import { type Why, whyOf } from '../../features/why/why.ts';
import {
  classesCalled,
  recordedMethod,
  subjectAtLine,
  subjectOfMethod,
  type WhySubject,
} from '../../features/why/why-subject.ts';
import { SourceIndex } from '../../mapping/source-index.ts';
import type { DocumentView } from '../../workspace/document/document-view.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import { documentOnDisk } from '../document-on-disk.ts';
import { type CommandFailure, failed, misused } from '../failure.ts';
import { describeData, loadForCommand } from '../load-chosen.ts';
import { namedMethod } from '../named-method.ts';
import { askedBy, collect, type SelectionOptions, withSelectionOptions } from '../selection-options.ts';
import { configure, configureFor, type StoreOptions, withStoreOptions } from '../store-options.ts';
import { readSource } from './outline.ts';

type Options = StoreOptions & SelectionOptions & { readonly sources?: readonly string[]; readonly json?: true };

/** What the argument names. */
type Question =
  /** `text` as it was written. Without a class it is one that ran. */
  | { readonly kind: 'method'; readonly text: string; readonly className: string | null; readonly method: string }
  | { readonly kind: 'line'; readonly file: string; readonly line: number };

export function whyCommand(output: Output): Command {
  const command = new Command('why')
    .description('say why a method has the number it has, or none')
    .argument(
      '<method>',
      'Class#method, Class.method as top lists it, the method alone where one class has it, or file:line',
    )
    .option(
      '--sources <folder>',
      'where to look for a class (default: the workspace); may be given several times',
      collect,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  insitu why com.acme.Shop#search\n  insitu why search\n  insitu why src/main/java/com/acme/Shop.java:42',
    );
  return withSelectionOptions(withStoreOptions(command)).action((text: string, options: Options) =>
    answer(output, text, options),
  );
}

/** The subject, and the source that it was found in where one was looked at. */
type Found = { readonly subject: WhySubject; readonly document: DocumentView | null };

async function answer(output: Output, text: string, options: Options): Promise<void> {
  const question = questionOf(text);
  const path = question.kind === 'line' ? resolve(question.file) : null;
  const configuration = path === null ? configure(output, options) : configureFor(output, options, path);
  const source = question.kind === 'line' ? readSource(question.file) : '';
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings, path));
  const found =
    question.kind === 'line'
      ? atLine(await documentOnDisk(resolve(question.file), source, data, configuration), question.line)
      : await namedSubject(data, configuration, options.sources ?? [configuration.root], question);
  if (found === null)
    throw failed('no method, constructor, initialiser or lambda stands on this line', {
      file: text,
      remedy: 'give a line of code',
    });
  const why = await whyOf(data, found.subject, configuration.settings);
  const { row, state } = stateOfSubject(found);
  const ways = why.ways === null ? null : { into: listedWay(data, why.ways.into), on: listedWay(data, why.ways.on) };
  if (options.json === true) output.out(`${JSON.stringify({ ...why, ways, state: state?.name ?? null }, null, 2)}\n`);
  else output.out(...textOf(why, data, state === null ? [] : [recordedName(found, row), sentence(stateText(state))]));
}

function atLine(document: DocumentView, line: number): Found | null {
  const subject = subjectAtLine(document, line);
  return subject === null ? null : { subject, document };
}

/** null where no source was looked at, or it is not one declaration. */
function stateOfSubject({ subject, document }: Found): { readonly row: number; readonly state: CodeState | null } {
  const row = subject.entry?.declaration ?? -1;
  return { row, state: document === null || row < 0 ? null : stateOf(document, row) };
}

/** Empty where it is called as it was. */
function recordedName({ document, subject }: Found, row: number): string {
  const recorded = document === null ? null : recordedMethod(document, row);
  if (document === null || recorded === null || recorded.name === '') return '';
  const name = `${recorded.className}.${recorded.name}`;
  return name === subject.title.replace(/\(.*$/s, '') ? '' : `Recorded as ${printableName(name)}.`;
}

function sentence(text: string): string {
  return text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function questionOf(text: string): Question {
  const [, file, line] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (file !== undefined) return { kind: 'line', file, line: Number(line) };
  const [, className = null, method] = /^(?:([^#(]+)[#.])?([^#.(]+(?:\(.*\).*)?)$/.exec(text.trim()) ?? [];
  if (method === undefined) throw namesNone(text);
  return { kind: 'method', text, className, method };
}

function namesNone(text: string): CommandFailure {
  return misused(`"${text}" names no method`, 'write Class#method or file:line, such as com.acme.Shop#search');
}

/** The sources are only looked at for names that never ran: they tell what was renamed, what is new and what does not exist. */
async function namedSubject(
  data: LoadedData,
  configuration: Configuration,
  roots: readonly string[],
  { text, className: written, method }: Extract<Question, { kind: 'method' }>,
): Promise<Found> {
  if (written === null && classesCalled(data, text).length > 0) throw namesNone(text);
  if (written === null || methodsNamed(data.profile.methods, text).length > 0)
    return { subject: ranAs(data, text), document: null };
  const classes = classesCalled(data, written);
  if (classes.length > 1)
    throw failed(`several classes are called ${written}`, { remedy: `write one of ${classes.slice(0, 8).join(', ')}` });
  const [ran = written] = classes;
  const seen = subjectOfMethod(data, ran, method, null);
  if (seen.entry !== null) return { subject: seen, document: null };
  const index = new SourceIndex({ roots });
  await index.complete;
  const className = classes.length > 0 ? ran : typeCalled(index, written);
  const [file] = index.filesOfClass(className);
  if (file === undefined) return { subject: seen, document: null };
  const document = await documentOnDisk(resolve(file.path), readSource(file.path), data, configuration);
  return { subject: subjectOfMethod(data, className, method, document), document };
}

/** The one method that ran and is called so, or the end of the command. */
function ranAs(data: LoadedData, text: string): WhySubject {
  const { name } = namedMethod(data, text);
  const at = name.lastIndexOf('.');
  const method = name
    .slice(at + 1)
    .replace(/^<init>$/, 'new')
    .replace(/^<clinit>$/, 'static');
  return subjectOfMethod(data, name.slice(0, Math.max(at, 0)), `${method}${/\(.*$/s.exec(text)?.[0] ?? ''}`, null);
}

/** The only top-level type of the sources with this simple name, else the name as it is. */
function typeCalled(index: SourceIndex, written: string): string {
  const found = new Set<string>();
  for (const { types } of index.files()) for (const type of types) if (type.endsWith(`.${written}`)) found.add(type);
  const [only = written] = found;
  return found.size === 1 ? only : written;
}

function textOf(
  { subject, verdict, explanation, remedy, methods, ways, total }: Why,
  data: LoadedData,
  state: readonly string[],
): Piece[] {
  const others = methods.length > 1 ? [`Taken together: ${methods.join(', ')}`] : [];
  const sentences = [explanation, intervalSentence(data, total), ...others, ...state, remedy].filter(
    text => text !== '',
  );
  return [
    styled('bold', printableName(subject)),
    `: ${verdict}\n`,
    ...sentences.map(text => `${printableLine(text)}\n`),
    ...wayLines('mostly called by', listedWay(data, ways?.into ?? [])),
    ...wayLines('mostly spent in', listedWay(data, ways?.on ?? [])),
    styled('dim', describeData(data)),
    '\n',
  ];
}

/** Empty where the share is exact, or of few samples, which make none. */
function intervalSentence({ analysis, metric, values }: LoadedData, total: Share | null): string {
  if (total === null || total.samples < FEW_SAMPLES || !hasSamplingError(metric)) return '';
  const amount = { weight: total.part, count: total.samples };
  return `${intervalOf(amount, analysis.whole, values.effectiveWhole)} (sampling error only).`;
}

type ListedStep = ListedMethod & { readonly share: Share };

function listedWay({ profile: { methods } }: LoadedData, steps: readonly WayStep[]): ListedStep[] {
  return steps.map(({ method, part, whole }) => ({
    ...listedMethod(methods, method),
    share: { part: part.weight, whole: whole.weight, samples: part.count },
  }));
}

/** One below the other, each with its part of the samples that are explained. */
function wayLines(title: string, rows: readonly ListedStep[]): string[] {
  if (rows.length === 0) return [];
  const shares = rows.map(({ share }) => shareInHint(share));
  const width = Math.max(...shares.map(text => text.length));
  const lines = rows.map((row, i) => `  ${shares[i]!.padStart(width)}  ${printableName(listedText(row))}\n`);
  return [`${title} (shares of its time)\n`, ...lines];
}
