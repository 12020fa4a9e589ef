// The operation that lists the callers that an edited method is predicted to make slower, with their places.

import { methodOf } from '../../features/answers/vocabulary.ts';
import { callerText } from '../../features/prediction/prediction-text.ts';
import { predictedMethodAt, slowerCallers as slowerCallersOf } from '../../features/prediction/slower-callers.ts';
import { offsetAt } from '../../mapping/observed-lines.ts';
import type { SlowerCallers } from '../protocol.ts';
import { ask, hasData, placesOf } from './about.ts';
import { methodInEditor } from './answer-for-editors.ts';
import { type Context, operation } from './operation.ts';
import { PLACE } from './operation-parameters.ts';

export const slowerCallers = operation({
  name: 'slowerCallers',
  parameters: PLACE,
  /** null where nothing is predicted of a method at the place. */
  answer: async (context, { textDocument, position }): Promise<SlowerCallers | null> => {
    const asked = await ask(context, { textDocument });
    const { document } = asked;
    if (document === null || !hasData(asked)) return null;
    const { predictions, workspace } = context.session;
    const found = await predictions.of(document);
    const offset = offsetAt(document.outline, document.text.length, position);
    const method = found === null ? null : predictedMethodAt(document, found, offset);
    if (found === null || method === null) return null;
    const callers = slowerCallersOf(found, method);
    const root = workspace.view().folders[0] ?? '';
    const rows = callers.map(({ row }) => row);
    const places = await placesOf(context, asked, { rows, root });
    return {
      method: method.title,
      rows: callers.map(caller => ({
        method: methodInEditor(methodOf(asked.data, caller.row, places), root),
        text: callerText(caller),
        change: caller.change,
        measured: caller.measured,
      })),
    };
  },
  show: async ({ session: { pages } }: Context, answer) => {
    if (answer === null) return pages.tell('insitu: nothing is predicted of a method here');
    await pages.show({
      file: 'slower-callers',
      title: `Callers that ${answer.method} makes slower`,
      intro: ['Predicted of one run of each, the slowest first.'],
      head: ['predicted', 'caller'],
      rows: answer.rows.map(({ method, text }) => ({ cells: [text], name: method.label, place: method })),
      whenEmpty: 'No caller that was timed gets slower.',
    });
  },
});
