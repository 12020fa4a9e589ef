// An answer for a command: the same data as in editors and for agents, printed as JSON or formatted by the command.

import type { InferOutput } from 'valibot';
import type { LoadedData } from '../analysis/loaded-data.ts';
import type { Output } from '../base/terminal.ts';
import type { Answer, ObjectSchema } from '../features/answers/answer.ts';
import type { problemsSchema } from '../features/answers/vocabulary.ts';
import type { Baseline } from '../features/facts/compare.ts';
import { AnswersOnDisk } from './answers-on-disk.ts';
import { loadSource, refusing } from './load-chosen.ts';
import type { StoreOptions } from './store-options.ts';

type About = {
  readonly output: Output;
  readonly options: StoreOptions & { readonly json?: true; readonly sources?: readonly string[] };
  /** Chosen by the options of the command, which have more than the parameters of answers; absent for answers without data. */
  readonly data?: LoadedData;
  /** The baseline where the parameters name no version. */
  readonly baseline?: Baseline;
  /** Absolute path of the project; default: the current folder. */
  readonly root?: string;
};

/** Ends the command if the answer is refused. */
export function answered<P extends ObjectSchema, R extends ObjectSchema>(
  { output, options, data, baseline, root = process.cwd() }: About,
  answer: Answer<P, R>,
  given: InferOutput<P>,
): Promise<InferOutput<R>> {
  const home = new AnswersOnDisk({ ...options, root });
  const context = home.context({
    ...(data && { data }),
    ...(baseline && { baseline }),
    load: (source, metric) => loadSource(output, source, metric),
    wantsPlaces: options.json === true,
  });
  return refusing(() => answer.answer(context, given, new AbortController().signal)).finally(() => home.close());
}

/** Problems that an answer tells beside its rows. @returns whether one of them is an error. */
export function reportOfAnswer(output: Output, problems: InferOutput<typeof problemsSchema>): boolean {
  for (const { severity, text } of problems) output.err(`${severity}: ${text}\n`);
  return problems.some(({ severity }) => severity === 'error');
}

/** What `--json` prints. */
export function printJson(output: Output, value: unknown): void {
  output.out(`${JSON.stringify(value, null, 2)}\n`);
}
