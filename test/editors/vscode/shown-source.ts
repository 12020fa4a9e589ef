// The status of the server about data that are shown while nothing is chosen.
import type { SourceStatus } from 'insitu/protocol';

export const nothingChosen: SourceStatus['chosen'] = {};

export const source: SourceStatus = {
  ...{ state: 'ready', store: '', project: 'shop', program: 'shop', versions: ['1.4'], tags: {}, because: '' },
  ...{ commit: null, metric: 'cpu', samples: 226, baseline: null, focus: [], part: '', chosen: nothingChosen },
  ...{ newer: null, codeState: '', losses: { lost: 0, truncated: 0, incomplete: 0 }, problems: [], text: '' },
};
