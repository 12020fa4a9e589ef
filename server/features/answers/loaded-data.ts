// The answer `loadedData`: the data that the other answers use, with their metrics and losses.

import * as v from 'valibot';
import { listedMetrics } from '../../cct/processor-time.ts';
import { cautionsText } from '../text/data-text.ts';
import { defineDataAnswer } from './answer.ts';

export const loadedData = defineDataAnswer({
  name: 'loadedData',
  title: 'Loaded data',
  description: 'Says which program, version and metric the numbers are of, which metrics there are, and what was lost.',
  parameters: {},
  result: {
    metrics: v.array(v.object({ id: v.string(), unit: v.string(), kind: v.string() })),
    cautions: v.array(v.string()),
  },
  async answer(data) {
    return {
      metrics: listedMetrics(data.profile).map(({ id, unit, kind }) => ({ id, unit, kind })),
      cautions: [cautionsText(data)].filter(text => text !== ''),
    };
  },
});
