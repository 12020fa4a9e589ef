// The operation that lists implementations that ran, with their shares: the protocol's list of them has no room for numbers.
import { shareOf } from '../../features/answers/vocabulary.ts';
import { implementationsAt } from '../../features/calls/implementation.ts';
import { askedOffset } from '../../features/hover/hover-target.ts';
import { offsetAt } from '../../mapping/observed-lines.ts';
import { reachOf } from '../gather.ts';
import type { ImplementationsMessage } from '../protocol.ts';
import { documentFor } from '../routes/navigation-asking.ts';
import { originText } from './about.ts';
import { numbersOf } from './messages.ts';
import { type Context, type Given, operation } from './operation.ts';
import { PLACE } from './operation-parameters.ts';

type Wish = Given<typeof PLACE>;

export const implementations = operation({
  name: 'implementations',
  parameters: PLACE,
  answer: implementationsFor,
  show: showImplementations,
});

/** null without data. */
async function implementationsFor(
  { session, token }: Context,
  { textDocument, position }: Wish,
): Promise<ImplementationsMessage | null> {
  const document = await documentFor(session, textDocument.uri, token);
  const data = document?.mapped?.data;
  if (document === null || data === undefined) return null;
  const offset = askedOffset(document, offsetAt(document.outline, document.text.length, position));
  const found = await implementationsAt(document, offset, reachOf(session, token));
  const { whole } = data.analysis;
  return found.map(({ label, place: { uri, range, certain }, amount }) => ({
    label,
    location: { uri, range },
    certain,
    share: shareOf(data, amount, whole, data.values.effectiveWhole),
  }));
}

async function showImplementations(
  context: Context,
  answer: ImplementationsMessage | null,
  { textDocument }: Wish,
): Promise<void> {
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
}
