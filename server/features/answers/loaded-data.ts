// The answer `loadedData`: the data that the other answers use, with their metrics and losses.

import * as v from 'valibot';
import { listedMetrics } from '../../cct/listed-metrics.ts';
import { described } from '../../model/terms.ts';
import { cautionsText } from '../text/data-text.ts';
import { knownCount } from '../text/format-share.ts';
import { defineDataAnswer } from './answer.ts';

export const loadedData = defineDataAnswer({
  name: 'loadedData',
  title: 'Loaded data',
  description: 'Says which program, version and metric the numbers are of, which metrics there are, and what was lost.',
  parameters: {},
  result: {
    metrics: v.array(
      v.object({
        id: v.string(),
        unit: v.string(),
        kind: v.string(),
        samples: described(
          v.nullable(v.number()),
          'Samples or events of what is looked at; null where the recording does not tell',
        ),
        weight: described(v.number(), 'Their sum, in the unit'),
      }),
    ),
    cautions: v.array(v.string()),
  },
  async answer(data, _given, { reach }) {
    const totals = new Map((await reach.ask(data, 'metricTotals', null)).map(total => [total.id, total]));
    return {
      metrics: listedMetrics(data.profile).map(({ id, unit, kind }) => {
        const { count = 0, weight = 0 } = totals.get(id) ?? {};
        return { id, unit, kind, samples: knownCount(count), weight };
      }),
      cautions: [cautionsText(data)].filter(text => text !== ''),
    };
  },
});
