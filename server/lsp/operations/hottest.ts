// The operation that follows the heaviest calls, from everything or a method, to where the time is spent.
import { reachOf } from '../gather.ts';
import type { About, HottestMessage, HottestPath } from '../protocol.ts';
import { type AskedData, ask, hasData, originText, placesOf, subjectIn } from './about.ts';
import { numbersOf } from './around.ts';
import { methodMessage, shareMessage } from './messages.ts';
import { type Context, operation } from './operation.ts';
import { type Parameters, present } from './operation-parameters.ts';

export const hottest = operation({ name: 'hottest', parameters: readWish, answer: pathOf, show: showPath });

function readWish(given: Parameters): HottestMessage {
  const [textDocument, position, method] = [given.textDocument(), given.position(), given.method()];
  if (position === undefined && method === undefined) return present({ textDocument });
  return given.subject();
}

/** null where the subject did not run, and without data. */
async function pathOf(context: Context, wish: HottestMessage): Promise<HottestPath | null> {
  const asked = await ask(context, wish);
  if (!hasData(asked)) return null;
  const start = await startOf(context, asked, wish);
  if (start === undefined) return null;
  const { data } = asked;
  const { ask: put } = reachOf(context.session, context.token);
  const steps = await put(data, 'heaviestPath', { start });
  const locate = await placesOf(
    context,
    asked,
    steps.map(({ method }) => method),
  );
  const { whole } = data.analysis;
  const samples = data.values.effectiveWhole;
  return {
    rows: steps.map(({ method, line, total, self }) => ({
      method: methodMessage(data, method, locate),
      total: shareMessage(data, total, whole, samples),
      self: shareMessage(data, self, whole, samples),
      line,
    })),
  };
}

/** null for everything, undefined for a subject that did not run. */
async function startOf(
  context: Context,
  asked: AskedData,
  wish: HottestMessage,
): Promise<readonly number[] | null | undefined> {
  if (!('position' in wish || 'method' in wish)) return null;
  const found = await subjectIn(context, asked, wish);
  return found?.entry.methods;
}

async function showPath(context: Context, answer: HottestPath | null, about: About): Promise<void> {
  const { pages } = context.session;
  if (answer === null) return pages.tell('insitu: nothing of what stands here was seen running');
  await pages.show({
    file: 'hottest',
    title: 'The heaviest path',
    intro: [
      'From the first method always on to the heaviest call, until most is spent in a method itself.',
      await originText(context, about),
    ],
    head: ['of all', 'samples', 'in itself', 'method'],
    rows: answer.rows.map(({ method, total, self }) => ({
      cells: [...numbersOf(total), self.count === 0 ? '-' : self.text],
      name: method.label,
      place: method,
    })),
    whenEmpty: 'Nothing was seen running.',
  });
}
