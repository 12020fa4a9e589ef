// Operations on the whole: the data shown, the reason why they are not more, and reading everything again.
import { status as statusAnswer } from '../../features/answers/status.ts';
import { tellLines } from './chosen.ts';
import { type Context, operation, sessionOperation } from './operation.ts';

export const status = sessionOperation(statusAnswer, {
  answer: ({ session }) => session.status.withCommits(),
  show: ({ session }, { text }) => tellLines(session, text.split('\n')),
});

export const refresh = operation({
  name: 'refresh',
  parameters: {},
  /** Answers at once; progress tells when it is done. */
  answer: ({ session }: Context): null => {
    session.reloadAll();
    return null;
  },
  show: ({ session }) => session.pages.tell('insitu: reading insitu.json and all snapshots again'),
});
