// The data that a command's options choose, and answers about them: the same as in editors and for agents, printed as JSON or as text.

import type { InferOutput } from 'valibot';
import type { Baseline } from '../analysis/baseline.ts';
import type { LoadedData } from '../analysis/loaded-data.ts';
import { present } from '../base/present.ts';
import { printableLine } from '../base/printable.ts';
import type { Output } from '../base/terminal.ts';
import type { Answer, ObjectSchema } from '../features/answers/answer.ts';
import type { Problems } from '../model/terms.ts';
import { AnswersOnDisk } from './answers-on-disk.ts';
import { loadForCommand, loadSource, refusing } from './load-chosen.ts';
import { askedBy, type SelectionOptions } from './selection-options.ts';
import { configure, configureFor, folderFor, type StoreOptions } from './store-options.ts';

type About = {
  readonly output: Output;
  readonly options: StoreOptions & { readonly json?: true; readonly sources?: readonly string[] };
  /** Chosen by the options of the command, which have more than the parameters of answers; absent for answers without data. */
  readonly data?: LoadedData;
  /** The baseline where the parameters name no version. */
  readonly baseline?: Baseline;
  /** Absolute path of the project; default: the current folder. */
  readonly root?: string;
  /** Absolute path of the file that the command names. */
  readonly named?: string;
};

/** Ends the command if the answer is refused. */
export function answered<P extends ObjectSchema, R extends ObjectSchema>(
  { output, options, data, baseline, root = process.cwd(), named }: About,
  answer: Answer<P, R>,
  given: InferOutput<P>,
): Promise<InferOutput<R>> {
  const home = new AnswersOnDisk({ ...options, ...present({ named }), root });
  const context = home.context({
    ...present({ data, baseline }),
    load: (source, metric) => loadSource(output, source, metric),
    wantsPlaces: options.json === true,
  });
  return refusing(() => answer.answer(context, given)).finally(() => home.close());
}

export type ReadingOptions = StoreOptions & SelectionOptions & { readonly json?: true };

/** Chosen by the options of a command. */
export type ChosenData = Awaited<ReturnType<typeof chosenData>>;

/** @param path of the file that the command is about, absolute: the project of the file counts */
export async function chosenData(output: Output, options: ReadingOptions, path: string | null = null) {
  const configuration = path === null ? configure(output, options) : configureFor(output, options, path);
  const data = await loadForCommand(output, configuration, askedBy(options, configuration.settings, path));
  const about = { output, options, data, ...(path !== null && { root: folderFor(path), named: path }) };
  const answeredOf = <P extends ObjectSchema, R extends ObjectSchema>(answer: Answer<P, R>, given: InferOutput<P>) =>
    answered(about, answer, given);
  return { configuration, data, answered: answeredOf };
}

/** The data that an answer compares with; empty where it compares nothing. */
export function againstText({ baseline }: { readonly baseline: string | null }): string {
  return baseline === null ? '' : `against ${printableLine(baseline)}`;
}

/** Problems that an answer tells beside its rows. @returns whether one of them is an error. */
export function reportOfAnswer(output: Output, problems: Problems): boolean {
  for (const { severity, text } of problems) output.err(`${severity}: ${text}\n`);
  return problems.some(({ severity }) => severity === 'error');
}
