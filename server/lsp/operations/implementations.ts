// The operation that lists implementations that ran, with their shares: the protocol's list of them has no room for numbers.
import { shareOf } from '../../features/answers/vocabulary.ts';
import { implementationsAt } from '../../features/calls/implementation.ts';
import { askedOffset } from '../../features/hover/hover-target.ts';
import { reachOf } from '../gather.ts';
import type { ImplementationsMessage } from '../protocol.ts';
import { documentFor } from '../routes/navigation-asking.ts';
import { originText } from './about.ts';
import { numbersOf } from './messages.ts';
import { operation } from './operation.ts';
import { PLACE } from './operation-parameters.ts';

export const implementations = operation({
  name: 'implementations',
  parameters: PLACE,
  /** null without data. */
  answer: async ({ session, token }, { textDocument, position }): Promise<ImplementationsMessage | null> => {
    const document = await documentFor(session, textDocument.uri, token);
    const data = document?.mapped?.data;
    if (document === null || data === undefined) return null;
    const found = await implementationsAt(document, askedOffset(document, position), reachOf(session, token));
    return found.map(({ label, place: { uri, range, certain }, amount }) => ({
      label,
      location: { uri, range },
      certain,
      share: shareOf(data, amount),
    }));
  },
  show: async (context, answer, { textDocument }) => {
    const { pages } = context.session;
    if (answer === null) return pages.tell('insitu: there are no data of this file');
    await pages.show({
      file: 'implementations',
      title: 'Implementations that ran',
      intro: ['Shares are of everything.', await originText(context, textDocument)],
      head: ['share', 'samples', 'implementation'],
      rows: answer.map(({ label, share, location, certain }) => ({
        cells: numbersOf(share),
        name: label,
        place: { location, certain },
      })),
      whenEmpty: 'None was seen running.',
    });
  },
});
