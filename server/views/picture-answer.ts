// Pictures and hits of a search: asked of the question thread with the packages of the project.
import type { Door, Subject } from '../analysis/ask.ts';
import { type QuestionName, questions } from '../analysis/questions/question-table.ts';
import { Refusal } from './refusal.ts';
import type { Viewed, ViewHost } from './view-host.ts';
import type { AskHits, AskPicture, Hits } from './view-messages.ts';
import { subjectOf } from './viewed-data.ts';

/** The frame, as `FrameHeader` describes it. */
export function pictureAnswer(
  { door }: ViewHost,
  viewed: Viewed,
  wish: AskPicture,
  signal: AbortSignal,
): Promise<Uint8Array> {
  return askNamed<Uint8Array>(door, subjectOf(viewed, wish.look), 'picture', { ...wish, own: [...viewed.own] }, signal);
}

export function hitsAnswer({ door }: ViewHost, viewed: Viewed, wish: AskHits, signal: AbortSignal): Promise<Hits> {
  return askNamed<Hits>(door, subjectOf(viewed, wish.look), 'hits', { ...wish, own: [...viewed.own] }, signal);
}

/** A question that the table of questions may not have. */
async function askNamed<A>(
  door: Door,
  subject: Subject,
  name: string,
  parameters: object,
  signal: AbortSignal,
): Promise<A> {
  if (!(name in questions)) throw new Refusal(`this program does not answer "${name}"`, 'use a newer one');
  return (await door.ask(subject, name as QuestionName, parameters as never, { signal })) as A;
}
