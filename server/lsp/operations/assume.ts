// Operations that tell predictions what nobody has measured: what a call costs, for this session, and how often a loop runs, for the project.
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { nanosOf } from '../../analysis/prediction/assumptions.ts';
import { messageOf } from '../../base/message-of.ts';
import { printableName } from '../../base/printable.ts';
import { openLoopAt } from '../../features/prediction/open-loop.ts';
import { offsetAt } from '../../mapping/observed-lines.ts';
import { keepSetting } from '../../workspace/settings/keep-setting.ts';
import type { AssumeAnswer, IterationsAnswer } from '../protocol.ts';
import { ask } from './about.ts';
import { type Context, operation, WrongParameters } from './operation.ts';
import { ABOUT, choice, integer, PLACE, text } from './operation-parameters.ts';

export const assume = operation({
  name: 'assume',
  // Assumptions hold for all documents: the document that editors send along means nothing.
  parameters: { ...ABOUT, method: text, time: choice(text) },
  flaw: ({ time }) =>
    typeof time === 'string' && nanosOf(time) === null
      ? '"time" must be a time such as "5 ms", or null for what was measured'
      : null,
  answer: ({ session }, { method, time = null }): AssumeAnswer => {
    session.assume(method, time);
    return { assumed: session.predictions.assumed };
  },
  show: ({ session }, { assumed }, { method, time = null }) => {
    const others = Object.keys(assumed).length;
    const what = time === null ? 'cost what was measured' : `are assumed to take ${time}`;
    session.pages.tell(
      `insitu: calls of ${printableName(method)} ${what}${others > 1 ? ` · ${others} assumptions in all` : ''}`,
    );
  },
});

/** The numbers of runs that are offered; a user types any other one. */
const USUAL = [1, 10, 100, 1_000, 10_000];
const MOST_TIMES = 1_000_000_000;

export const iterations = operation({
  name: 'iterations',
  parameters: { ...PLACE, times: v.nullish(integer(0, MOST_TIMES)) },
  /** null when a person was asked and chose nothing. */
  answer: async (context, { textDocument, position, times: given }): Promise<IterationsAnswer | null> => {
    const { session } = context;
    const { document } = await ask(context, { textDocument });
    const found = document === null ? null : await session.predictions.of(document);
    const open =
      document === null || found === null
        ? null
        : openLoopAt(document, found, offsetAt(document.outline, document.text.length, position));
    if (open === null)
      throw new WrongParameters('no loop of which it is not known how often it runs stands at "position"');
    const { loop, outer } = open;
    const times = given ?? (context.asksPerson ? await askTimes(context, loop) : undefined);
    if (times === undefined) throw new WrongParameters('"times" is missing');
    if (times === null) return null;
    const configuration = session.workspace.view().configuration(textDocument.uri);
    if (configuration === null) throw new WrongParameters('"textDocument" belongs to no project');
    const file = configuration.file ?? join(configuration.root, 'insitu.json');
    if (session.versionOf(pathToFileURL(file).href) !== null)
      throw new WrongParameters(
        `${basename(file)} is open: write "predict": { "iterations": { … } } there, or close it`,
      );
    try {
      keepSetting(file, ['predict', 'iterations', loop], `${times}`);
    } catch (error) {
      throw new WrongParameters(messageOf(error));
    }
    session.configurationFilesChanged();
    return { file, loop, times, outer };
  },
  show: ({ session }, answer) => {
    if (answer === null) return;
    const { loop, times, file, outer } = answer;
    const missing = outer === null ? '' : `; how often ${printableName(outer)} around it runs is not known yet`;
    session.pages.tell(`insitu: ${basename(file)} says now that ${printableName(loop)} runs ${times} times${missing}`);
  },
});

function askTimes({ session }: Context, loop: string): Promise<number | null> {
  const offers = USUAL.map(times => ({ title: times.toLocaleString('en'), value: times }));
  return session.pages.choose(`how often does ${printableName(loop)} run?`, offers);
}
