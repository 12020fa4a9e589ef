// The answer `status`: what is shown of all that is open, why, and what speaks against it; also what every change of the choice gives.

import * as v from 'valibot';
import { EXECUTION_OF_PROJECT } from '../../model/execution.ts';
import { chosenSchema } from '../../model/look-schema.ts';
import { described } from '../../model/terms.ts';
import { TIERS } from '../../record/flight-settings.ts';
import { defineSessionAnswer } from './answer.ts';

const lines = (meaning: string) => described(v.array(v.string()), meaning);

export const tagsOfVersionsSchema = described(
  v.record(v.string(), v.string()),
  'Tags that point at the commits of versions, for people, by the versions that are hashes of these commits',
);

export const recordingSchema = described(
  v.object({
    ...EXECUTION_OF_PROJECT,
    pid: v.number(),
    name: v.string(),
    tier: v.picklist(TIERS),
    sinceMillis: v.number(),
    state: v.picklist(['starting', 'recording', 'ending']),
    windows: described(v.number(), 'Windows in the store; the open window is not among them'),
    problem: described(v.nullable(v.string()), 'The last failure'),
    text: described(v.string(), 'One line for people'),
  }),
  'A recording that was started from the editor.',
);

export const sourceStatusSchema = described(
  v.object({
    state: v.picklist(['loading', 'ready', 'none']),
    store: v.string(),
    project: v.string(),
    program: described(v.nullable(v.string()), 'null until it is known which one is shown'),
    versions: v.array(v.string()),
    tags: tagsOfVersionsSchema,
    because: described(
      v.string(),
      'Why these versions: chosen, what the settings say, or how they lie to the commit checked out; empty without data',
    ),
    commit: described(
      v.nullable(v.string()),
      'Commit of the version that is shown; null where it is none, or not known',
    ),
    metric: v.nullable(v.string()),
    samples: v.number(),
    baseline: described(v.nullable(v.string()), 'The baseline of shares, for people; null for none'),
    focus: lines('The new 100 %; empty for everything'),
    part: described(
      v.string(),
      'Focus, threads, instances and time that were chosen, for people; empty for everything',
    ),
    chosen: described(
      chosenSchema,
      'The same for programs, without the focus: what "select" was told; absent where the settings decide',
    ),
    newer: described(
      v.nullable(v.string()),
      'Data that were recorded later than the chosen ones, for people; null for none',
    ),
    codeState: described(
      v.string(),
      'The known facts about the code that was recorded, for people; empty where there is nothing to say',
    ),
    losses: described(
      v.object({ lost: v.number(), truncated: v.number(), incomplete: v.number() }),
      'In samples: what the recorder lost; of the metric what it cut off, and what of that is in no share',
    ),
    problems: lines('Each one line: what, where, what to do'),
    text: described(v.string(), 'One line for people'),
  }),
  'The shown part of one source of data.',
);

export const statusSchema = described(
  v.object({
    sources: v.array(sourceStatusSchema),
    recordings: described(v.array(recordingSchema), 'The ones that were started from this editor and run'),
    configurationProblems: lines('Mistakes in insitu.json'),
    documentProblems: lines(
      'Why nothing is shown of open documents; each one line: which one, its size and the limit, what is missing',
    ),
    searchLimits: lines('Why not all sources of the open folders are searched; each one sentence'),
    text: described(v.string(), 'Everything for people, line by line'),
  }),
  'The state of everything that is shown.',
);

export const status = defineSessionAnswer({
  name: 'status',
  title: 'What is shown',
  description: 'Says which data are shown of what is open, why these, and what is wrong with them.',
  parameters: {},
  result: statusSchema,
});
