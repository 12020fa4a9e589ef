// The operation that completes a query by call paths where the cursor stands.
import * as v from 'valibot';
import { askAbout } from '../gather.ts';
import type { PathNamesMessage } from '../protocol.ts';
import { ask } from './about.ts';
import { operation } from './operation.ts';
import { ABOUT, integer, LONGEST_TEXT, text } from './operation-parameters.ts';

const MOST_NAMES = 50;

export const completePath = operation({
  name: 'completePath',
  parameters: { ...ABOUT, query: v.nullish(text, ''), at: v.nullish(integer(0, LONGEST_TEXT)) },
  /** The path that is shown would leave the names of other paths without time: they are asked for without it. */
  answer: async (context, { query, at: given = query.length, ...about }): Promise<PathNamesMessage> => {
    const at = Math.min(given, query.length);
    const { data, settings } = await ask(context, about);
    if (data === null) return { from: at, to: at, names: [] };
    const { path: _path, ...selection } = data.selection;
    const { session, token } = context;
    const parameters = { query, at, aspects: settings.aspects, most: MOST_NAMES };
    return askAbout(session.questions, { dataset: data.dataset, selection }, { name: 'pathNames', parameters, token });
  },
});
