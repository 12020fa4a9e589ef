// `insitu predictions`: what edits between recorded versions were predicted to cost, against what they came to.

import { Command } from '@commander-js/extra-typings';
import type { Output } from '../../base/terminal.ts';
import { executionRows } from '../../features/executions.ts';
import {
  type AnsweredPrediction,
  Backtest,
  backtestText,
  isInside,
  summedOf,
} from '../../features/prediction/backtest.ts';
import { predictFile } from '../../features/prediction/predict-file.ts';
import { nanosText } from '../../features/text/times-text.ts';
import { nearestCommit } from '../../mapping/git/nearest-commit.ts';
import { OpenRepositories } from '../../mapping/recorded/open-repositories.ts';
import { describeEntries } from '../../store/select-snapshots.ts';
import { methodSources } from '../../workspace/code/method-sources.ts';
import { sourceOf } from '../../workspace/data/source.ts';
import type { Configuration } from '../../workspace/settings/configuration.ts';
import { documentOnDisk } from '../document-on-disk.ts';
import { failed } from '../failure.ts';
import { loadVersions } from '../load-chosen.ts';
import { wholeNumber } from '../option-values.ts';
import { type Column, printDim, printJson, printTable } from '../output.ts';
import { configureFor, openConfiguredStore, type StoreOptions, withStoreOptions } from '../store-options.ts';

type Options = StoreOptions & { readonly limit: number; readonly json?: true };

/** Between which versions a prediction was made and answered. */
type Row = AnsweredPrediction & { readonly versions: readonly [before: string, now: string] };

const USUAL = 20;

export function predictionsCommand(output: Output) {
  const command = new Command('predictions')
    .description('show what edits between recorded versions were predicted to cost, and what they came to')
    .argument('[before]', 'a version (default: each recorded one against its nearest recorded ancestor)')
    .argument('[now]', 'a later version')
    .option('--limit <number>', 'how many, the latest first', wholeNumber, USUAL)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  insitu predictions v1.4 v1.5');
  return withStoreOptions(command).action((before: string | undefined, now: string | undefined, options: Options) =>
    predictions(output, [before, now], options),
  );
}

async function predictions(
  output: Output,
  [before, now]: readonly [string | undefined, string | undefined],
  options: Options,
): Promise<void> {
  if ((before === undefined) !== (now === undefined))
    throw failed('one version alone predicts nothing', { remedy: 'name two, or none for all that were recorded' });
  const configuration = configureFor(output, options, process.cwd());
  const pairs = before === undefined ? await recordedPairs(configuration) : [[before, now!] as const];
  const rows: Row[] = [];
  for (const versions of pairs) {
    if (rows.length >= options.limit) break;
    for (const each of await answeredBetween(output, configuration, versions)) rows.push({ ...each, versions });
  }
  print(output, rows.slice(0, options.limit), options);
}

/** Versions of the program, each behind the nearest one that it was built upon, the latest recorded first. */
async function recordedPairs(configuration: Configuration): Promise<(readonly [string, string])[]> {
  const { project, settings } = configuration;
  const store = openConfiguredStore(configuration);
  const { value: entries } = await store.list({
    project,
    ...(settings.program !== null && { program: settings.program }),
  });
  const { value: described } = await describeEntries(store, entries);
  const first = new Map<string, number>();
  const programs = new Map<string, string>();
  for (const { version, from, program } of executionRows(described, null)) {
    first.set(version, Math.min(from, first.get(version) ?? from));
    programs.set(version, program);
  }
  const versions = [...first].toSorted((a, b) => b[1] - a[1]).map(([version]) => version);
  return pairsByAncestry(configuration, versions, programs);
}

/** The nearest recorded ancestor of each version, of those whose commits git has; versions of other branches predict nothing of each other. */
async function pairsByAncestry(
  configuration: Configuration,
  versions: readonly string[],
  programs: ReadonlyMap<string, string>,
): Promise<(readonly [string, string])[]> {
  const { wish } = sourceOf(configuration, null);
  if (wish.repository === undefined) return [];
  const repositories = new OpenRepositories();
  try {
    const { texts } = await repositories.at(wish.repository);
    if (texts === null) return [];
    const versionOf = new Map<string, string>();
    for (const version of versions) {
      const names = { program: programs.get(version)!, tagPattern: wish.tagPattern ?? null };
      const { value: commit } = await texts.commitOfVersion(version, names);
      if (commit !== null && !versionOf.has(commit)) versionOf.set(commit, version);
    }
    const commits = [...versionOf.keys()];
    const pairs: (readonly [string, string])[] = [];
    for (const commit of commits) {
      const others = commits.filter(other => other !== commit);
      const { value: nearest } = await nearestCommit(texts.repository, commit, others);
      if (nearest?.relation === 'ancestor') pairs.push([versionOf.get(nearest.commit)!, versionOf.get(commit)!]);
    }
    return pairs;
  } finally {
    repositories.close();
  }
}

/** Of the files in which methods changed; empty where git does not have both versions, or one of them has no response times. */
async function answeredBetween(
  output: Output,
  configuration: Configuration,
  versions: readonly [before: string, now: string],
): Promise<AnsweredPrediction[]> {
  const [earlier, later] = await loadVersions(output, configuration, versions);
  const repositories = new OpenRepositories();
  try {
    const source = sourceOf(configuration, null);
    const found = await methodSources(repositories, source, later, earlier);
    if (found === null) return [];
    const { texts } = await repositories.at(source.wish.repository!);
    const changed = [...found.ofMethod.values()].filter(({ change }) => change !== 'same');
    const backtest = new Backtest(later);
    const answered: AnsweredPrediction[] = [];
    for (const path of new Set(changed.map(each => each.path))) {
      const { value: text } = await texts!.repository.textAt(found.commits.now, path);
      if (text === null) continue;
      const document = await documentOnDisk(texts!.repository.fileOf(path), text, earlier, configuration);
      answered.push(...backtest.answered(await predictFile(document, earlier), path, earlier));
    }
    return answered;
  } finally {
    repositories.close();
  }
}

function print(output: Output, rows: readonly Row[], { json }: Options): void {
  if (json === true) printJson(output, { summary: backtestText(rows), predictions: rows });
  else if (rows.length === 0)
    output.out('no prediction was answered: that takes two versions with response times whose texts git has\n');
  else {
    printDim(output, backtestText(rows));
    printTable(output, rows, COLUMNS);
  }
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'before', text: ({ before }) => nanosText(before) },
  {
    title: 'predicted',
    text: ({ predicted, unknown }) =>
      predicted === null ? 'not predicted' : `${nanosText(predicted)}${unknown > 0 ? ' + ?' : ''}`,
  },
  { title: '80 %', text: ({ interval }) => (interval === null ? '' : interval.map(nanosText).join(' to ')) },
  { title: 'measured', text: ({ measured }) => nanosText(measured) },
  { title: '', text: row => (summedOf([row]).every(isInside) ? '' : 'outside'), isWord: true },
  {
    title: 'method',
    text: ({ method, path, line, versions }) =>
      `${method} · ${path}:${line} · ${versions.map(shortVersion).join(' → ')}`,
  },
  { title: 'cause', text: ({ cause }) => cause, isWord: true },
];

/** Seven digits of a commit. */
function shortVersion(version: string): string {
  return /^[0-9a-f]{40}$/.test(version) ? version.slice(0, 7) : version;
}
