// Answers the page's questions, over the web server and over the editor's connection alike.
import { AskFailed } from '../analysis/ask.ts';
import { Cancelled } from '../base/pause.ts';
import { blueprintAnswer } from './blueprint-answer.ts';
import { exportAnswer } from './export-answer.ts';
import { namedAnswer } from './named-answer.ts';
import { hitsAnswer, pictureAnswer } from './picture-answer.ts';
import { readQuestion } from './read-question.ts';
import { orRefuse, Refusal, refusalOf } from './refusal.ts';
import { statesAnswer } from './states-answer.ts';
import { tracksAnswer } from './tracks-answer.ts';
import { vanishedAnswer } from './vanished-answer.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { Opened, Question, Refused, Used } from './view-messages.ts';
import { stateAnswer } from './view-state.ts';
import { viewedUnder } from './viewed-data.ts';

export type ViewAnswer =
  | { readonly kind: 'json'; readonly json: object }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly json: Refused };

/**
 * @param question from outside.
 * @throws Cancelled when the signal aborts first.
 */
export async function answerQuestion(host: ViewHost, question: unknown, signal: AbortSignal): Promise<ViewAnswer> {
  try {
    const { source = null, ...asked } = readQuestion(question);
    const { value: shown, problems, isReading = false } = await host.viewed(signal, source);
    if (shown === null) throw refusalOf(problems, isReading ? 'reading' : 'nothing');
    const viewed = 'look' in asked ? await viewedUnder(host, shown, asked.look) : shown;
    if (asked.ask === 'picture') return { kind: 'bytes', bytes: await pictureAnswer(host, viewed, asked, signal) };
    if (asked.ask === 'tracks') return { kind: 'bytes', bytes: await tracksAnswer(host, viewed, asked, signal) };
    return { kind: 'json', json: await jsonOf(host, viewed, asked, signal) };
  } catch (error) {
    if (error instanceof Cancelled || signal.aborted) throw new Cancelled();
    const refusal = error instanceof AskFailed ? refusalOf(error.problems) : error;
    if (!(refusal instanceof Refusal)) throw error;
    return { kind: 'refused', json: { error: refusal.problem } };
  }
}

async function jsonOf(
  host: ViewHost,
  viewed: Viewed,
  asked: Exclude<Question, { ask: 'picture' | 'tracks' }>,
  signal: AbortSignal,
): Promise<object> {
  switch (asked.ask) {
    case 'state':
      return stateAnswer(host, viewed, asked);
    case 'answer':
      return namedAnswer(host, viewed, asked, signal);
    case 'states':
      return statesAnswer(host, viewed, asked, signal);
    case 'vanished':
      return vanishedAnswer(host, viewed, asked, signal);
    case 'blueprint':
      return blueprintAnswer(host, viewed, asked, signal);
    case 'hits':
      return hitsAnswer(host, viewed, asked, signal);
    case 'export':
      return exportAnswer(host, viewed, asked, signal);
    case 'open': {
      const found = await host.door.ask(viewed.data, 'lineTimes', { of: asked.of }, { signal });
      const { method } = orRefuse(found);
      const reason = await inEditor(host, editor => editor.open(viewed, method));
      return { opened: reason === null, reason } satisfies Opened;
    }
    case 'use': {
      const reason = await inEditor(host, editor => editor.use(viewed, asked.look));
      return { used: reason === null, reason } satisfies Used;
    }
  }
}

function inEditor(
  { editor }: ViewHost,
  act: (editor: NonNullable<ViewHost['editor']>) => Promise<string | null>,
): Promise<string | null> {
  return editor === null ? Promise.resolve('no editor is beside this page') : act(editor);
}
