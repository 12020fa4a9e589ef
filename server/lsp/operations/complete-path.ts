// The operation that completes a query by call paths where the cursor stands.
import { askAbout } from '../gather.ts';
import type { CompletePathMessage, PathNamesMessage } from '../protocol.ts';
import { ask } from './about.ts';
import { operation } from './operation.ts';
import { present } from './operation-parameters.ts';

const MOST_NAMES = 50;
/** More characters than these are no honest wish. */
const LONGEST_QUERY = 10_000;

export const completePath = operation({
  name: 'completePath',
  parameters: given => {
    const query = given.text('query') ?? '';
    const at = given.integer('at', 0, LONGEST_QUERY) ?? query.length;
    if (query.length > LONGEST_QUERY) given.complain(`"query" has more than ${LONGEST_QUERY} characters`);
    return present({ textDocument: given.textDocument(), query, at: Math.min(at, query.length) });
  },
  /** The path that is shown would leave the names of other paths without time: they are asked for without it. */
  answer: async (context, wish: CompletePathMessage & { query: string; at: number }): Promise<PathNamesMessage> => {
    const { data, settings } = await ask(context, wish);
    if (data === null) return { from: wish.at, to: wish.at, names: [] };
    const { path: _path, ...selection } = data.selection;
    const { session, token } = context;
    const parameters = { query: wish.query, at: wish.at, aspects: settings.aspects, most: MOST_NAMES };
    return askAbout(session.questions, { dataset: data.dataset, selection }, { name: 'pathNames', parameters, token });
  },
});
