// Operations for the page of pictures: its address, what it begins with, and its questions where a webview has no web server.
import * as v from 'valibot';
import { sshLine } from '../../views/ssh-line.ts';
import { untilCancelled } from '../gather.ts';
import { EditorHost } from '../pictures/editor-host.ts';
import type { Beside } from '../pictures/picture-pages.ts';
import type { About, PictureAddress, ViewAnswerMessage, ViewMessage, ViewStart } from '../protocol.ts';
import { ask, hasData, subjectAnywhere } from './about.ts';
import { tellLines } from './chosen.ts';
import { type Context, type Given, operation } from './operation.ts';
import { ABOUT, SUBJECT, subjectFlaw } from './operation-parameters.ts';

const PARAMETERS = { ...SUBJECT, view: v.nullish(v.picklist(['blueprint'])) };
type Wish = Given<typeof PARAMETERS>;

export const showPicture = operation({
  name: 'showPicture',
  parameters: PARAMETERS,
  flaw: placeFlaw,
  answer: addressOf,
  show: async (context, answer) => {
    tellAddress(context, answer);
    // Some clients say that they failed while the browser comes up: the address is told in any case.
    if (answer.ssh === null) await context.session.pages.showDocument({ uri: answer.address, external: true });
  },
});

export const viewAddress = operation({
  name: 'viewAddress',
  parameters: PARAMETERS,
  flaw: placeFlaw,
  answer: addressOf,
  show: tellAddress,
});

export const viewStart = operation({ name: 'viewStart', parameters: PARAMETERS, flaw: placeFlaw, answer: startOf });

export const view = operation({
  name: 'view',
  parameters: { ...ABOUT, question: v.looseObject({}) },
  answer: answerView,
});

function placeFlaw(wish: Wish): string | null {
  return wish.position === undefined && wish.method === undefined ? null : subjectFlaw(wish);
}

async function addressOf(context: Context, wish: Wish): Promise<PictureAddress> {
  const { of } = await startOf(context, wish);
  const address = await context.session.pictures.addressFor(besideOf(context, wish), firstShown(of, wish.view));
  return { address, ssh: sshLine(address) };
}

/** Everything, where nothing that ran stands at the place. */
async function startOf(context: Context, wish: Wish): Promise<ViewStart> {
  if (wish.position === undefined && wish.method === undefined) return { of: null };
  const asked = await ask(context, wish);
  const found = hasData(asked) ? await subjectAnywhere(context, asked, wish) : null;
  const [row] = found?.entry.methods ?? [];
  return {
    of:
      row === undefined || asked.data === null
        ? null
        : asked.data.answers.keysOf(asked.data.profile.methods).keyOf(row),
  };
}

/** The view that a page begins with, as its address says it. */
function firstShown(of: string | null, view: Wish['view']): string {
  if (view === undefined) return of === null ? '' : `of=${of}`;
  return `view=${view}${of === null ? '' : `&method=${of}`}`;
}

function besideOf({ session }: Context, { textDocument }: About): Beside {
  return { uri: textDocument?.uri ?? null, newHost: uri => new EditorHost(session, uri) };
}

async function answerView(context: Context, { question, ...about }: ViewMessage): Promise<ViewAnswerMessage> {
  const { pictures } = context.session;
  const answer = await untilCancelled(context.token, ({ signal }) =>
    pictures.answer(besideOf(context, about), question, signal),
  );
  return answer.kind === 'bytes' ? { base64: Buffer.from(answer.bytes).toString('base64') } : { json: answer.json };
}

function tellAddress({ session }: Context, { address, ssh }: PictureAddress): void {
  const first = `the pictures are at ${address} (for one page within a minute)`;
  tellLines(session, ssh === null ? [first] : [first, `over SSH: run ${ssh} at the other end, then open it there`]);
}
